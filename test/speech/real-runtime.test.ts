/**
 * Voices of Piper with the runtime that a person gets: sherpa-onnx from the npm registry, the phonemes of Debian's espeak-ng, and a
 * model of 4 KB that makes a tone of each phoneme.
 */
import { execFile } from 'node:child_process';
import { hash } from 'node:crypto';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { VoiceId } from '../../src/contract/menu/speech.ts';
import { espeakProgram } from '../../src/speech/espeak-program.ts';
import { PiperEngine } from '../../src/speech/piper-engine.ts';
import { onPath } from '../../src/speech/program-engine.ts';
import { VoicePackFolder } from '../../src/speech/voice-pack-folder.ts';
import { sherpaRuntime } from '../../src/speech/voice-sources.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { modelCard, tokens, tonesModel } from '../fixtures/piper-voice.ts';
import { fetchedRuntime } from '../fixtures/real-voice.ts';
import { longTag } from '../tools/suites.ts';
import { missingPackage } from './tried-engines.ts';

const execute = promisify(execFile);
const voice = 'piper/en_US-tones-low' as VoiceId;
const never = new AbortController().signal;

const missing =
  (await missingPackage('espeak-ng', espeakProgram.find)) ??
  (await missingPackage('python3', () => onPath('python3')));

/** Fetched once; a string says why it cannot be had. */
const runtimeArchive = missing ?? (await fetchedRuntime());

/** The archive of a voice, by the programs of Python: another hand than the one that unpacks it. */
async function archiveOf(model: Uint8Array, format: 'bztar' | 'gztar' | 'zip'): Promise<Uint8Array> {
  const around = makeFolder();
  const name = 'vits-piper-en_US-tones-low';
  await mkdir(join(around, name));
  await writeFile(join(around, name, 'en_US-tones-low.onnx'), model);
  await writeFile(join(around, name, 'tokens.txt'), tokens);
  await writeFile(join(around, name, 'MODEL_CARD'), modelCard);
  const { stdout } = await execute('espeak-ng', ['--version']);
  const data = /Data at:\s*(.+?)\s*$/m.exec(stdout)?.[1] ?? '';
  await cp(data, join(around, name, 'espeak-ng-data'), { recursive: true, dereference: true });
  const script =
    'import shutil,sys; print(shutil.make_archive(sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4]))';
  const made = await execute('python3', ['-c', script, join(around, 'voice'), format, around, name]);
  return readFile(made.stdout.trim());
}

function openPacks(archive: Uint8Array) {
  const fetchIt = (() => Promise.resolve(new Response(Uint8Array.from(archive)))) as typeof fetch;
  const packs = new VoicePackFolder({ folder: join(makeFolder(), 'voices'), fetch: fetchIt });
  const engine = new PiperEngine(packs);
  onTestFinished(() => engine.close());
  const add = (bytes: Uint8Array) =>
    packs.add(
      (async function* () {
        yield bytes;
      })(),
      never,
    );
  const say = (text: string) => engine.speak({ text, voice, rate: 1 }, never);
  return { packs, engine, add, say };
}

describe('a voice of Piper with the real runtime', { tags: [longTag] }, () => {
  beforeEach(({ skip }) => skip(typeof runtimeArchive === 'string', String(runtimeArchive)));
  const runtime = typeof runtimeArchive === 'string' ? new Uint8Array(0) : runtimeArchive;

  it('is the archive whose digest and size are pinned', () => {
    expect([runtime.length, hash('sha256', runtime, 'hex')]).toEqual([
      sherpaRuntime.bytes,
      sherpaRuntime.sha256,
    ]);
  });

  it.each(['bztar', 'zip'] as const)(
    'is added from an archive (%s), speaks, and lets this thread go on',
    async (format) => {
      const { add, say } = openPacks(runtime);
      const archive = await archiveOf(tonesModel(), format);
      const delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      expect(await add(archive)).toMatchObject({ ok: true, value: { pack: { voice }, runtimeAdded: true } });
      const added = delay.max;
      delay.reset();
      const one = await say('Welcome to Example.');
      expect(one.rate).toBe(16_000);
      const more = await say('Welcome to Example. For sales, press 1.');
      // A tone of 1,000 samples for each phoneme.
      expect([one.samples.length % 1000, more.samples.length % 1000]).toEqual([0, 0]);
      expect(one.samples.length).toBeGreaterThan(15_000);
      expect(more.samples.length).toBeGreaterThan(one.samples.length + 15_000);
      expect((await say('Welcome to Example.')).samples).toEqual(one.samples);
      const attack = await say('"-w/x" $(id) [[abc]] <audio src="/etc/passwd"/> hello');
      expect(attack.samples.length).toBeGreaterThan(15_000);
      expect((await say('x'.repeat(1000))).samples.length).toBeGreaterThan(100_000);
      delay.disable();
      const ms = (nanoseconds: number) => (nanoseconds / 1e6).toFixed(0);
      console.log(
        `longest stop of the thread: ${ms(added)} ms while adding, ${ms(delay.max)} ms while speaking`,
      );
    },
  );

  it('that names a voice nobody has, or is damaged, is refused, and this process goes on', async () => {
    const { packs, add, say } = openPacks(runtime);
    const fails = { ok: false, refusal: { kind: 'model_fails' } };
    expect(await add(await archiveOf(tonesModel({ voice: 'xx-nobody' }), 'gztar'))).toMatchObject(fails);
    expect(await add(await archiveOf(tonesModel().subarray(0, 300), 'gztar'))).toMatchObject(fails);
    expect(await packs.voices()).toEqual([]);
    expect(await add(await archiveOf(tonesModel(), 'gztar'))).toMatchObject({ ok: true });
    expect((await say('Hello')).samples.length).toBeGreaterThan(1000);
  });
});
