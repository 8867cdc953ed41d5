import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../src/contract/history/audit-event.ts';
import { currentFormat } from '../../src/store/formats.ts';
import { openStore, type OpenedStore, type StoreOptions } from '../../src/store/open-store.ts';
import type { StoreTrouble } from '../../src/store/store.ts';
import { makeFolder, writtenPart } from '../fixtures/make-folder.ts';
import { issued, moved, noon, rotated, tokenIdNamed } from '../fixtures/make-events.ts';

const clock = () => noon;

function open(folder: string, options: Partial<StoreOptions> = {}): Promise<OpenedStore> {
  return openStore({ folder, clock, ...options });
}

async function write({ store }: OpenedStore, ...events: EventDraft[]): Promise<void> {
  for (const event of events) await store.transact(() => ({ events: [event], value: null }));
}

/** Leaves the folder as a kill would: nothing is closed. */
async function writeAndKill(folder: string, ...events: EventDraft[]): Promise<void> {
  await write(await open(folder), ...events);
}

function journal(folder: string, number = 1): string {
  return join(folder, 'journal', `${String(number).padStart(8, '0')}.jsonl`);
}

function flip(path: string, offset: number): void {
  const bytes = readFileSync(path);
  bytes[offset] = (bytes[offset] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

/** Every file below a folder, with its bytes, to check that nothing was changed. */
function contentOf(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), 'base64')]));
}

const lifetime = [issued('a'), rotated('a', 1), rotated('a', 2), issued('b'), moved('token.suspended', 'b')];

function expectLifetime({ store }: OpenedStore): void {
  expect(store.state.tokens.size).toBe(4);
  expect(store.state.tokens.get(tokenIdNamed('a', 3))?.status).toBe('Active');
  expect(store.state.tokens.get(tokenIdNamed('a', 2))?.status).toBe('Superseded');
  expect(store.state.tokens.get(tokenIdNamed('b'))).toMatchObject({ status: 'Suspended', reason: 'because' });
}

describe('opening a store', () => {
  it('starts an empty folder with private files', async () => {
    const folder = makeFolder();
    const opened = await open(folder);
    await write(opened, issued('a'));
    await opened.store.close();
    for (const name of Object.keys(contentOf(folder))) {
      expect(statSync(join(folder, name)).mode & 0o777, name).toBe(0o600);
    }
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'journal')).mode & 0o777).toBe(0o700);
  });

  it('leaves the mode of a folder with things of others in it, and keeps to itself what it puts there', async () => {
    const folder = makeFolder();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'index.html'), 'a home page');
    chmodSync(folder, 0o755);
    const opened = await open(folder);
    await write(opened, issued('a'));
    await opened.store.close();
    expect(statSync(folder).mode & 0o777).toBe(0o755);
    expect(statSync(join(folder, 'journal')).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'state.json')).mode & 0o777).toBe(0o600);

    rmSync(join(folder, 'index.html'));
    await (await open(folder)).store.close();
    expect(statSync(folder).mode & 0o777).toBe(0o700);
  });

  it('finds everything that was acknowledged, after a kill', async () => {
    const folder = makeFolder();
    await writeAndKill(folder, ...lifetime);
    const opened = await open(folder);
    expectLifetime(opened);
    expect(opened.repairs).toEqual([]);
  });

  it('finds everything after a clean stop, from the state file and again from the journal alone', async () => {
    const folder = makeFolder();
    const first = await open(folder);
    await write(first, ...lifetime);
    await first.store.close();
    const fromState = await open(folder);
    expectLifetime(fromState);
    await fromState.store.close();
    rmSync(join(folder, 'state.json'));
    expectLifetime(await open(folder));
  });

  it('continues through many checkpoints and segments', async () => {
    const folder = makeFolder();
    for (let round = 0; round < 3; round += 1) {
      const opened = await open(folder, { policy: { minEvents: 5, shareOfTokens: 0 } });
      for (let family = 0; family < 4; family += 1) {
        const name = `r${round}f${family}`;
        await write(opened, issued(name), rotated(name, 1), rotated(name, 2));
      }
      await opened.store.close();
    }
    const opened = await open(folder);
    expect(opened.store.state.tokens.size).toBe(36);
    expect(await opened.store.verify()).toMatchObject({ status: 'intact', verified_to: 36 });
    const history = await opened.store.history({ limit: 100 });
    expect(history.map(({ seq }) => seq)).toEqual(Array.from({ length: 36 }, (_, place) => 36 - place));
    const family = await opened.store.history({ subject: 'fam_r1f2', limit: 100 });
    expect(family.map(({ kind }) => kind)).toEqual(['token.rotated', 'token.rotated', 'token.issued']);
    expect(readdirSync(join(folder, 'journal')).length).toBeGreaterThan(3);
  });

  it('tries a checkpoint that failed again when the journal has grown, not with each change', async () => {
    const folder = makeFolder();
    const told: StoreTrouble[] = [];
    const policy = { minEvents: 1000, maxSegmentBytes: 8192 };
    const opened = await open(folder, { policy, onTrouble: (trouble) => told.push(trouble) });
    mkdirSync(journal(folder, 2)); // no segment can be created there
    const bytes = () => writtenPart(readFileSync(journal(folder))).length;
    for (let count = 0; bytes() < 8192 * 2; count += 1) await write(opened, issued(`t${count}`));
    expect(told.length).toBeGreaterThan(4);
    expect(told.length).toBeLessThanOrEqual(9);
    rmdirSync(journal(folder, 2));
    for (let count = 0; count < 10; count += 1) await write(opened, issued(`u${count}`));
    await opened.store.checkpoint();
    expect(readdirSync(join(folder, 'journal'))).toContain('00000002.jsonl');
    expect(await opened.store.verify()).toMatchObject({ status: 'intact' });
  });

  it('writes a state file that is readable JSON with a format, and no token of a token', async () => {
    const folder = makeFolder();
    const opened = await open(folder);
    await write(opened, ...lifetime);
    await opened.store.close();
    const state = JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8')) as Record<string, unknown>;
    expect(state).toMatchObject({ format: currentFormat, seq: 5 });
    expect(state.tokens).toHaveLength(4);
  });
});

describe('what a power failure leaves', () => {
  it('cuts off a torn last line, keeps a copy, and records that in the history', async () => {
    const folder = makeFolder();
    await writeAndKill(folder, ...lifetime);
    const torn = '{"seq":6,"batch":6,"subj';
    writeFileSync(
      journal(folder),
      Buffer.concat([writtenPart(readFileSync(journal(folder))), Buffer.from(torn)]),
    );
    const opened = await open(folder);
    expectLifetime(opened);
    expect(opened.repairs).toHaveLength(1);
    const [repair] = await opened.store.history({ limit: 1 });
    expect(repair).toMatchObject({ kind: 'journal.repaired', data: { bytes_cut: torn.length } });
    expect(readFileSync(join(folder, 'journal', String(repair?.data.kept_as)), 'utf8')).toBe(torn);
    expect((await open(folder)).repairs).toEqual([]);
  });

  it('leaves blank space at the end, which is nothing to repair', async () => {
    const folder = makeFolder();
    await writeAndKill(folder, ...lifetime);
    const killed = readFileSync(journal(folder));
    expect(killed.length).toBeGreaterThan(writtenPart(killed).length);
    const opened = await open(folder);
    expectLifetime(opened);
    expect(opened.repairs).toEqual([]);
    await write(opened, rotated('a', 3));
    await opened.store.close();
    expect(readFileSync(journal(folder)).includes(0), 'a clean stop leaves none').toBe(false);
    expect((await open(folder)).store.state.tokens.size).toBe(5);
  });

  it('cuts a batch that is blank in the middle: none of it was acknowledged', async () => {
    const folder = makeFolder();
    const first = await open(folder);
    await write(first, ...lifetime);
    const before = writtenPart(readFileSync(journal(folder))).length;
    await first.store.transact(() => ({ events: [issued('c'), issued('d'), issued('e')], value: null }));
    const bytes = readFileSync(journal(folder));
    const secondLine = bytes.indexOf('\n', before) + 1;
    bytes.fill(0, secondLine + 10, secondLine + 60);
    writeFileSync(journal(folder), bytes);
    const opened = await open(folder);
    expect(opened.store.state.tokens.get(tokenIdNamed('c'))?.status).toBe('Active');
    expect([...opened.store.state.tokens.families()]).toHaveLength(3);
    expect(opened.repairs).toHaveLength(1);
  });

  it('drops a segment that was only just begun', async () => {
    const folder = makeFolder();
    await writeAndKill(folder, ...lifetime);
    writeFileSync(journal(folder, 2), '{"format":1,"segm');
    const opened = await open(folder);
    expectLifetime(opened);
    await write(opened, rotated('a', 3));
    expect((await open(folder)).store.state.tokens.size).toBe(5);
  });

  for (const [name, spoil] of [
    [
      'cut short',
      (path: string) => {
        truncateSync(path, 700);
      },
    ],
    [
      'empty',
      (path: string) => {
        truncateSync(path, 0);
      },
    ],
    [
      'changed by one bit',
      (path: string) => {
        flip(path, statSync(path).size - 40);
      },
    ],
    [
      'not JSON',
      (path: string) => {
        writeFileSync(path, 'what is this');
      },
    ],
  ] as const) {
    it(`rebuilds a state file that is ${name} from the journal, and keeps it`, async () => {
      const folder = makeFolder();
      const first = await open(folder);
      await write(first, ...lifetime);
      await first.store.close();
      spoil(join(folder, 'state.json'));
      const opened = await open(folder);
      expectLifetime(opened);
      expect(opened.repairs).toMatchObject([{ kind: 'state_rebuilt' }]);
      expect(readdirSync(folder).filter((file) => file.startsWith('state.json.unreadable'))).toHaveLength(1);
      await opened.store.close();
      expect((await open(folder)).repairs).toEqual([]);
    });
  }
});

describe('damage that a power failure cannot explain', () => {
  const cases: [string, (folder: string) => void, number][] = [
    [
      'a bit flipped in the middle',
      (folder) => {
        flip(journal(folder), lineOffset(folder, 3) + 30);
      },
      3,
    ],
    [
      'a bit flipped in the last line',
      (folder) => {
        flip(journal(folder), lineOffset(folder, 6) + 30);
      },
      6,
    ],
    [
      'a bit flipped in the header',
      (folder) => {
        flip(journal(folder), 5);
      },
      1,
    ],
    [
      'a line that is gone',
      (folder) => {
        removeLine(folder, 3);
      },
      3,
    ],
    [
      'a flipped bit before a torn end',
      (folder) => {
        flip(journal(folder), lineOffset(folder, 3) + 30);
        appendFileSync(journal(folder), '{"torn');
      },
      3,
    ],
  ];
  for (const [name, spoil, line] of cases) {
    for (const stopped of ['killed', 'closed'] as const) {
      it(`refuses ${name} after it was ${stopped}, with the place, and changes nothing`, async () => {
        const folder = makeFolder();
        const first = await open(folder);
        await write(first, ...lifetime);
        if (stopped === 'closed') await first.store.close();
        spoil(folder);
        const before = contentOf(folder);
        await expect(open(folder)).rejects.toMatchObject({
          problem: { code: 'JOURNAL_DAMAGED', file: journal(folder, 1), line },
        });
        expect(contentOf(folder)).toEqual(before);
      });
    }
  }

  it('refuses a journal that ends before its state file does', async () => {
    const folder = makeFolder();
    const first = await open(folder);
    await write(first, ...lifetime);
    await first.store.close();
    rmSync(journal(folder, 2));
    truncateSync(journal(folder), lineOffset(folder, 5));
    await expect(open(folder)).rejects.toMatchObject({ code: 'JOURNAL_DAMAGED' });
  });

  it('refuses a journal whose first segment is missing, by its name', async () => {
    const folder = makeFolder();
    const first = await open(folder);
    await write(first, ...lifetime);
    await first.store.close();
    rmSync(journal(folder, 1));
    await expect(open(folder)).rejects.toMatchObject({
      problem: { file: journal(folder, 1), damage: { kind: 'file_missing' } },
    });
  });

  it('is found while it runs by a check of the whole journal', async () => {
    const folder = makeFolder();
    const opened = await open(folder);
    await write(opened, ...lifetime);
    expect(await opened.store.verify()).toMatchObject({ status: 'intact', verified_to: 5 });
    flip(journal(folder), lineOffset(folder, 4) + 30);
    expect(await opened.store.verify()).toMatchObject({
      status: 'damaged',
      verified_to: 2,
      problem: { line: 4 },
    });
  });
});

describe('a folder of a newer version', () => {
  for (const [name, path] of [
    ['state file', (folder: string) => join(folder, 'state.json')],
    ['journal', (folder: string) => journal(folder, 2)],
  ] as const) {
    it(`is refused by its ${name} and left byte for byte as it was`, async () => {
      const folder = makeFolder();
      const first = await open(folder);
      await write(first, ...lifetime);
      await first.store.close();
      const file = path(folder);
      writeFileSync(
        file,
        readFileSync(file, 'utf8').replace(/"format":\d+/, `"format":${currentFormat + 1}`),
      );
      const before = contentOf(folder);
      await expect(open(folder)).rejects.toMatchObject({ code: 'FORMAT_TOO_NEW' });
      expect(contentOf(folder)).toEqual(before);
    });
  }
});

function lineOffset(folder: string, line: number): number {
  const bytes = readFileSync(journal(folder));
  let offset = 0;
  for (let before = 1; before < line; before += 1) offset = bytes.indexOf('\n', offset) + 1;
  return offset;
}

function removeLine(folder: string, line: number): void {
  const lines = readFileSync(journal(folder), 'utf8').split('\n');
  lines.splice(line - 1, 1);
  writeFileSync(journal(folder), lines.join('\n'));
}
