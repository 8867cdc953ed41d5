import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Recording, RecordingId } from '../../src/contract/menu/recording.ts';
import type { AudioFile, ByteSpan, RecordingFiles } from '../../src/core/recording/recording-files.ts';
import { State } from '../../src/core/state.ts';
import type { ReplayKeyring } from '../../src/service/secrets/sealed-reply.ts';

export interface RecordingFixture {
  /** Opened as after a restart, with these recordings in the state. */
  open(state: State): Promise<RecordingFiles> | RecordingFiles;
}

export function stateWith(...files: readonly AudioFile[]): State {
  const state = new State();
  for (const [index, file] of files.entries()) {
    const recording: Partial<Recording> = { ...file };
    state.recordings.set(`recording ${index}` as RecordingId, recording as Recording);
  }
  return state;
}

/** Audio of a size, and where it belongs. */
export function audioOf(size: number, format: AudioFile['format'] = 'wav') {
  const bytes = randomBytes(size);
  return { bytes, file: { digest: createHash('sha256').update(bytes).digest('hex'), format } };
}

export async function bytesOf(
  files: RecordingFiles,
  file: AudioFile,
  span: ByteSpan = { start: 0, end: Number.MAX_SAFE_INTEGER },
): Promise<Buffer | null> {
  const pieces = await files.read(file, span);
  if (pieces === null) return null;
  const read: Uint8Array[] = [];
  for await (const piece of pieces) read.push(piece);
  return Buffer.concat(read);
}

/** What every store of audio has to do. */
export function describeRecordingSuite(
  name: string,
  make: () => Promise<RecordingFixture> | RecordingFixture,
): void {
  describe(`${name}, as every store of recordings`, () => {
    it.each([0, 1, 3_000_000])('gives back %i bytes as they were', async (size) => {
      const files = await (await make()).open(stateWith());
      const { bytes, file } = audioOf(size);
      await files.keep(file, bytes);
      expect(await bytesOf(files, file)).toEqual(bytes);
    });

    it.each([
      ['the beginning', 0, 99],
      ['one byte', 1_500_000, 1_500_000],
      ['a part longer than what is read at once', 10, 2_500_000],
      ['the end', 2_999_990, 2_999_999],
      ['more than there is', 2_999_990, 5_000_000],
    ])('reads %s', async (_, start, end) => {
      const files = await (await make()).open(stateWith());
      const { bytes, file } = audioOf(3_000_000);
      await files.keep(file, bytes);
      expect(await bytesOf(files, file, { start, end })).toEqual(bytes.subarray(start, end + 1));
    });

    it('has nothing where there is none, or only another format', async () => {
      const files = await (await make()).open(stateWith());
      const { bytes, file } = audioOf(10);
      await files.keep(file, bytes);
      expect(await files.read({ ...file, format: 'mp3' }, { start: 0, end: 9 })).toBeNull();
      await files.forget({ ...file, format: 'mp3' });
      expect(await bytesOf(files, file)).toEqual(bytes);
      await files.forget(file);
      await files.forget(file);
      expect(await files.read(file, { start: 0, end: 9 })).toBeNull();
    });

    it('stores the same audio again, and repairs what was damaged', async () => {
      const files = await (await make()).open(stateWith());
      const { bytes, file } = audioOf(10);
      await files.keep(file, randomBytes(20));
      await files.keep(file, bytes);
      await files.keep(file, bytes);
      expect(await bytesOf(files, file)).toEqual(bytes);
      await files.forget(file);
      await files.keep(file, bytes);
      expect(await bytesOf(files, file)).toEqual(bytes);
    });

    it('has after a restart what a recording uses, and nothing else', async () => {
      const fixture = await make();
      const [used, orphan] = [audioOf(10), audioOf(10)];
      const files = await fixture.open(stateWith());
      for (const { file, bytes } of [used, orphan]) await files.keep(file, bytes);
      const again = await fixture.open(stateWith(used.file));
      expect(await bytesOf(again, used.file)).toEqual(used.bytes);
      expect(await again.read(orphan.file, { start: 0, end: 9 })).toBeNull();
    });
  });
}

const hourMs = 3_600_000;
const noon = Date.parse('2026-11-23T12:00:00Z');

export interface KeyringFixture {
  /** Opened as after a restart: it knows what is durable. */
  open(clock: () => number): Promise<ReplayKeyring> | ReplayKeyring;
}

/** What every store of replay keys has to do. */
export function describeReplayKeysSuite(
  name: string,
  make: () => Promise<KeyringFixture> | KeyringFixture,
): void {
  describe(`${name}, as every store of replay keys`, () => {
    async function makeSetup() {
      const fixture = await make();
      let nowMs = noon;
      const open = () => fixture.open(() => nowMs);
      return { open, keys: await open(), wait: (ms: number) => (nowMs += ms) };
    }

    it('has one key for an hour, and another for the next', async () => {
      const { keys, wait } = await makeSetup();
      const { epoch, key } = keys.current();
      expect(key).toHaveLength(32);
      wait(hourMs - 1);
      expect(keys.current()).toEqual({ epoch, key });
      wait(1);
      expect(keys.current().epoch).not.toBe(epoch);
      expect(keys.current().key).not.toEqual(key);
      expect(keys.get(epoch)).toEqual(key);
    });

    it('has used keys again after a restart', async () => {
      const { keys, open, wait } = await makeSetup();
      const used = [keys.current()];
      wait(hourMs);
      used.push(keys.current());
      const again = await open();
      for (const { epoch, key } of used) expect(again.get(epoch)).toEqual(key);
      expect(again.current()).toEqual(used[1]);
    });

    it('destroys a key once no reply of its hour can be requested, while nothing is rotated', async () => {
      const { keys, open, wait } = await makeSetup();
      const { epoch, key } = keys.current();
      wait(25 * hourMs - 1);
      await keys.renew();
      expect(keys.get(epoch)).toEqual(key);
      wait(1);
      await keys.renew();
      expect(keys.get(epoch)).toBeUndefined();
      expect((await open()).get(epoch)).toBeUndefined();
    });
  });
}
