import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { EventDraft, HistoryEvent } from '../../src/contract/history/audit-event.ts';
import type { Ivr, IvrId } from '../../src/contract/menu/ivr.ts';
import type { State } from '../../src/core/state.ts';
import { currentFormat } from '../../src/store/formats.ts';
import { openStore, type OpenedStore } from '../../src/store/open-store.ts';
import { StoreError } from '../../src/store/store-error.ts';
import { repairText } from '../../src/text/service/store-text.ts';
import { makeFolder, writtenPart } from '../fixtures/make-folder.ts';
import { issued, moved, noon, rotated } from '../fixtures/make-events.ts';
import { type Chance, chanceOf, chosenSeed } from './chance.ts';
import {
  differencesOf,
  flipped,
  type FolderContent,
  readFolder,
  without,
  writeFolder,
} from './data-folder.ts';

const clock = () => noon;
const thisFormat = `"format":${currentFormat}`;
const newerFormat = `"format":${currentFormat + 1}`;
const segment = (number: number) => `journal/${String(number).padStart(8, '0')}.jsonl`;

/** A folder as left by a kill, without the blank space at its end, and the state after each of its events. */
interface Sample {
  readonly content: FolderContent;
  readonly lastSeq: number;
  /** The state after each event, by `seq`. */
  readonly states: readonly string[];
  /** The last segment, which is still being written. */
  readonly openSegment: string;
  /** Where its last write begins, and the `seq` of the event before that. */
  readonly lastBatch: { readonly offset: number; readonly seqBefore: number };
}

function digest({ tokens, accessTokens, ivrs, settings }: State): string {
  const tables = [tokens, accessTokens, ivrs].map((table) => [...table.values()]);
  return hash('sha256', JSON.stringify([[...tokens.families()], ...tables, settings, tokens.counts]));
}

function ivrDraft(place: number): EventDraft<'ivr.created'> {
  const id = `ivr_${place}` as IvrId;
  const ivr: Ivr = {
    id,
    version: 1,
    created_at: new Date(noon).toISOString(),
    updated_at: new Date(noon).toISOString(),
    name: `Menu ${place} @ the front desk`,
    description: 'x'.repeat(200),
    recording: 'recording||1',
    timeout: 5,
    option: ['1'],
    destination: ['extension||1'],
    incorrect_count: 1,
    invalid_recording: 'recording||1',
    invalid_destination: 'extension||1',
    timeout_retry_recording: 'recording||1',
    timeout_recording: 'recording||1',
    timeout_destination: 'extension||1',
    timeout_tries: 1,
  };
  return { kind: 'ivr.created', subject: id, actor: { kind: 'owner' }, data: { ivr } };
}

/** Three sealed segments that are in the state file, and an open one that ends with a batch of five events. */
async function makeSample(): Promise<Sample> {
  const folder = makeFolder();
  const { store } = await openStore({ folder, clock, policy: { minEvents: 1_000_000 } });
  const states: string[] = [digest(store.state)];
  const write = async (...drafts: EventDraft[]) => {
    for (const draft of drafts) {
      await store.transact(() => ({ events: [draft], value: null }));
      states.push(digest(store.state));
    }
  };
  for (let part = 0; part < 3; part += 1) {
    await write(issued(`a${part}`), rotated(`a${part}`, 1), rotated(`a${part}`, 2), ivrDraft(part));
    await write(issued(`b${part}`), moved('token.suspended', `b${part}`));
    await store.checkpoint();
  }
  await write(issued('c'), rotated('c', 1), ivrDraft(10));
  const openSegment = segment(4);
  const offset = writtenPart(readFolder(folder)[openSegment]!).length;
  const seqBefore = store.health().last_seq;
  const batch = [rotated('a0', 3), rotated('a1', 3), ivrDraft(11), rotated('c', 2), ivrDraft(12)];
  await Promise.all(
    batch.map((draft) => {
      const written = store.transact(() => ({ events: [draft], value: null }));
      states.push(digest(store.state));
      return written;
    }),
  );
  const killed = readFolder(folder);
  return {
    content: { ...killed, [openSegment]: writtenPart(killed[openSegment]!) },
    lastSeq: store.health().last_seq,
    states,
    openSegment,
    lastBatch: { offset, seqBefore },
  };
}

interface Opened {
  readonly opened: OpenedStore | null;
  readonly refusal: StoreError | null;
  readonly after: FolderContent;
}

/** Opens the damaged folder. Any result except a store or a `StoreError` fails the test. */
async function open(folder: string, content: FolderContent): Promise<Opened> {
  writeFolder(folder, content);
  try {
    const opened = await openStore({ folder, clock });
    return { opened, refusal: null, after: readFolder(folder) };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { opened: null, refusal: error, after: readFolder(folder) };
  }
}

async function wholeHistory({ store }: OpenedStore): Promise<HistoryEvent[]> {
  return (await store.history({ limit: 10_000 })).reverse();
}

/** It opens completely: nothing is lost, and only the event of a repair is added. */
async function expectEverything(sample: Sample, opened: OpenedStore, what: string): Promise<void> {
  expect(digest(opened.store.state), what).toBe(sample.states.at(-1));
  const events = await wholeHistory(opened);
  expect(
    events.slice(0, sample.lastSeq).map(({ seq }) => seq),
    what,
  ).toEqual(Array.from({ length: sample.lastSeq }, (_, place) => place + 1));
}

/** It is refused with the file and the line, and the folder is unchanged. */
function expectRefused({ refusal, after }: Opened, before: FolderContent, file: string, what: string): void {
  expect(refusal, `${what}: it was opened`).not.toBeNull();
  expect(refusal?.message, what).toContain(file);
  expect(differencesOf(before, after), `${what}: touched`).toEqual([]);
}

/** Some places of a file, always including its ends and the ends of its lines. */
function placesIn(bytes: Buffer, count: number, chance: Chance): number[] {
  const places = new Set([0, 1, bytes.length - 2, bytes.length - 1]);
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) places.add(at);
  while (places.size < Math.min(count, bytes.length)) places.add(chance.between(0, bytes.length - 1));
  return [...places];
}

/** With and without the space that is reserved ahead of the journal's end. */
const blanks: [string, Buffer][] = [
  ['at the end of its file', Buffer.alloc(0)],
  ['before blank space', Buffer.alloc(64 * 1024)],
];

const seed = chosenSeed();

describe(`one flipped bit (ROTAVOX_CHAOS_SEED=${seed})`, () => {
  it('in a sealed segment is refused with the place', async () => {
    const sample = await makeSample();
    const folder = makeFolder();
    const chance = chanceOf(seed);
    for (const name of [segment(1), segment(2), segment(3)]) {
      for (const place of placesIn(sample.content[name]!, 40, chance)) {
        const bit = chance.between(0, 7);
        const content = { ...sample.content, [name]: flipped(sample.content[name]!, place, bit) };
        expectRefused(await open(folder, content), content, name, `bit ${bit} of byte ${place} of ${name}`);
      }
    }
  });

  it('in a sealed segment is refused with the place too when the state file is gone', async () => {
    const sample = await makeSample();
    const folder = makeFolder();
    const chance = chanceOf(seed);
    const alone = without(sample.content, 'state.json');
    for (const name of [segment(1), segment(3)]) {
      const headerEnd = alone[name]!.indexOf(10);
      for (const place of placesIn(alone[name]!, 40, chance).filter((at) => at > headerEnd)) {
        const bit = chance.between(0, 7);
        const content = { ...alone, [name]: flipped(alone[name]!, place, bit) };
        expectRefused(await open(folder, content), content, name, `bit ${bit} of byte ${place} of ${name}`);
      }
    }
  });

  it.each(blanks)(
    'in the open segment %s is refused with the place, or nothing is lost',
    async (_where, blank) => {
      const sample = await makeSample();
      const folder = makeFolder();
      const chance = chanceOf(seed);
      const bytes = sample.content[sample.openSegment]!;
      // Everything that ends the last line (its link, its hash), and some of every line of the last batch.
      const places = [
        ...placesIn(bytes, 60, chance),
        ...Array.from({ length: 130 }, (_, at) => bytes.length - 1 - at),
        ...Array.from({ length: 120 }, () => chance.between(sample.lastBatch.offset, bytes.length - 1)),
      ];
      for (const place of places) {
        const bit = chance.between(0, 7);
        const damaged = Buffer.concat([flipped(bytes, place, bit), blank]);
        const content = { ...sample.content, [sample.openSegment]: damaged };
        const outcome = await open(folder, content);
        const what = `bit ${bit} of byte ${place} of ${bytes.length}`;
        if (outcome.opened === null) expectRefused(outcome, content, sample.openSegment, what);
        else await expectEverything(sample, outcome.opened, what);
      }
    },
  );

  it('in a space of the last batch, which makes it NUL, is refused and not taken for a torn write', async () => {
    const sample = await makeSample();
    const folder = makeFolder();
    const bytes = sample.content[sample.openSegment]!;
    let tried = 0;
    for (let at = bytes.indexOf(' ', sample.lastBatch.offset); at !== -1; at = bytes.indexOf(' ', at + 1)) {
      const content = { ...sample.content, [sample.openSegment]: flipped(bytes, at, 5) };
      expectRefused(await open(folder, content), content, sample.openSegment, `byte ${at}`);
      tried += 1;
    }
    expect(tried).toBeGreaterThan(3);
  });

  it.each(blanks)('in the last newline %s is not taken for a torn write', async (_where, blank) => {
    const sample = await makeSample();
    const folder = makeFolder();
    const bytes = sample.content[sample.openSegment]!;
    for (let bit = 0; bit < 8; bit += 1) {
      const damaged = Buffer.concat([flipped(bytes, bytes.length - 1, bit), blank]);
      const content = { ...sample.content, [sample.openSegment]: damaged };
      const outcome = await open(folder, content);
      if (outcome.opened !== null) await expectEverything(sample, outcome.opened, `bit ${bit}`);
      else expectRefused(outcome, content, sample.openSegment, `bit ${bit}`);
    }
  });

  it('in the state file costs nothing: it is made again from the journal, and said', async () => {
    const sample = await makeSample();
    const folder = makeFolder();
    const chance = chanceOf(seed);
    const bytes = sample.content['state.json']!;
    const format = bytes.indexOf('"format":');
    for (const place of placesIn(bytes, 120, chance)) {
      const bit = chance.between(0, 7);
      const what = `bit ${bit} of byte ${place}`;
      const content = { ...sample.content, 'state.json': flipped(bytes, place, bit) };
      const outcome = await open(folder, content);
      // In the format's number it looks like a newer format: refused and left unchanged.
      if (place >= format && place < format + thisFormat.length && outcome.opened === null) {
        expectRefused(outcome, content, 'state.json', what);
        continue;
      }
      expect(outcome.refusal, what).toBeNull();
      await expectEverything(sample, outcome.opened!, what);
      expect(outcome.opened!.repairs.map(repairText).join(), what).toContain('state.json');
      const kept = Object.keys(outcome.after).find((name) => name.startsWith('state.json.unreadable'));
      expect(outcome.after[kept ?? '']?.equals(content['state.json']), what).toBe(true);
    }
  });
});

describe('a torn last write', () => {
  it.each(blanks)(
    'is cut off at every byte where it can have ended %s, and it is said',
    { tags: ['long'] },
    async (_where, blank) => {
      const sample = await makeSample();
      const folder = makeFolder();
      const bytes = sample.content[sample.openSegment]!;
      const ends = new Set([sample.lastBatch.offset, bytes.length - 1]);
      for (let end = sample.lastBatch.offset; end < bytes.length; end += 61) ends.add(end);
      for (let at = bytes.indexOf(10, sample.lastBatch.offset); at !== -1; at = bytes.indexOf(10, at + 1)) {
        for (const end of [at - 1, at, at + 1, at + 2]) if (end < bytes.length) ends.add(end);
      }
      for (const end of ends) {
        const what = `cut after ${end} of ${bytes.length} bytes`;
        const torn = bytes.subarray(0, end);
        const wholeLines = torn.lastIndexOf(10) + 1;
        const seq =
          sample.lastBatch.seqBefore + countLines(torn.subarray(sample.lastBatch.offset, wholeLines));
        const { opened, refusal, after } = await open(folder, {
          ...sample.content,
          [sample.openSegment]: Buffer.concat([torn, blank]),
        });
        expect(refusal, what).toBeNull();
        expect(digest(opened!.store.state), what).toBe(sample.states[seq]);
        if (wholeLines === end) {
          expect(opened!.repairs, what).toEqual([]);
          continue;
        }
        expect(opened!.repairs.map(repairText).join(), what).toContain(sample.openSegment.slice(8));
        const [repair] = (await wholeHistory(opened!)).slice(seq);
        expect(repair, what).toMatchObject({
          kind: 'journal.repaired',
          data: { bytes_cut: end - wholeLines },
        });
        const kept = after[`journal/${String(repair?.data['kept_as'])}`];
        expect(kept?.equals(torn.subarray(wholeLines)), `${what}: what was cut off is kept`).toBe(true);
        expect(await opened!.store.verify(), what).toMatchObject({ status: 'intact' });
        await opened!.store.close();
        const again = await openStore({ folder, clock });
        expect(again.repairs, `${what}: a repair is made once`).toEqual([]);
        await again.store.close();
      }
    },
  );

  it('whose pages are partly blank is cut off where the blank begins', async () => {
    const sample = await makeSample();
    const folder = makeFolder();
    const bytes = sample.content[sample.openSegment]!;
    const { offset, seqBefore } = sample.lastBatch;
    const holes: [number, number][] = [
      [offset, bytes.length],
      [offset + 5, bytes.length],
      [bytes.length - 700, bytes.length],
      [offset, offset + 512],
      [offset + 600, offset + 600 + 512],
    ];
    for (const [start, end] of holes) {
      const what = `blank from ${start} to ${end} of ${bytes.length}`;
      const torn = Buffer.from(bytes);
      torn.fill(0, start, end);
      const wholeEnd = torn.lastIndexOf(10, start - 1) + 1;
      const seq = seqBefore + countLines(torn.subarray(offset, Math.max(offset, wholeEnd)));
      const { opened, refusal } = await open(folder, { ...sample.content, [sample.openSegment]: torn });
      expect(refusal, what).toBeNull();
      expect(digest(opened!.store.state), what).toBe(sample.states[seq]);
      const isAnythingThere = writtenPart(torn).length > wholeEnd;
      expect(opened!.repairs, what).toHaveLength(isAnythingThere ? 1 : 0);
    }
    // Blocks that the file system reserved for the file and never wrote.
    const grown = Buffer.concat([bytes, Buffer.alloc(8192)]);
    const { opened } = await open(folder, { ...sample.content, [sample.openSegment]: grown });
    await expectEverything(sample, opened!, 'blank pages after the end');
  });

  it('is damage where an acknowledged write must have been: before the last batch, or in a sealed segment', async () => {
    const sample = await makeSample();
    const folder = makeFolder();
    const bytes = sample.content[sample.openSegment]!;
    const blank = Buffer.from(bytes);
    blank.fill(0, sample.lastBatch.offset - 100, sample.lastBatch.offset);
    const inTheMiddle = { ...sample.content, [sample.openSegment]: blank };
    expectRefused(await open(folder, inTheMiddle), inTheMiddle, sample.openSegment, 'a blank in the middle');
    for (const cut of [1, 100, 1000]) {
      const name = segment(2);
      const short = { ...sample.content, [name]: sample.content[name]!.subarray(0, -cut) };
      expectRefused(await open(folder, short), short, name, `${cut} bytes of a sealed segment are gone`);
    }
  });

  it('is damage when the state file knows of an event that is gone', async () => {
    const sample = await makeSample();
    const folder = makeFolder();
    const opened = await open(folder, sample.content);
    await opened.opened!.store.close(); // writes the state with the whole journal
    const closed = readFolder(folder);
    for (const keep of [0, 0.5, 0.99]) {
      for (const name of [segment(4), segment(5)]) {
        const bytes = closed[name];
        if (bytes === undefined) continue;
        const short = { ...closed, [name]: bytes.subarray(0, Math.floor(bytes.length * keep)) };
        const outcome = await open(folder, short);
        if (outcome.opened !== null) await expectEverything(sample, outcome.opened, `${name} cut to ${keep}`);
        else expectRefused(outcome, short, name, `${name} cut to ${keep}`);
      }
    }
  });
});

describe('a state file', () => {
  it.each([
    ['is empty', () => Buffer.alloc(0)],
    ['is blank', (bytes: Buffer) => Buffer.alloc(bytes.length)],
    ['is cut to its first byte', (bytes: Buffer) => bytes.subarray(0, 1)],
    ['is cut in its first line', (bytes: Buffer) => bytes.subarray(0, 40)],
    ['is cut in half', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['lacks its last byte', (bytes: Buffer) => bytes.subarray(0, -1)],
    ['has something after its end', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('x')])],
    ['is something else', () => Buffer.from('not JSON at all\n')],
    ['is a list', () => Buffer.from('[]\n')],
    ['is null', () => Buffer.from('null\n')],
  ])('that %s is made again from the journal, and the old one is kept', async (_what, damage) => {
    const sample = await makeSample();
    const folder = makeFolder();
    const damaged = damage(sample.content['state.json']!);
    const { opened, refusal, after } = await open(folder, { ...sample.content, 'state.json': damaged });
    expect(refusal).toBeNull();
    await expectEverything(sample, opened!, 'everything is there');
    expect(opened!.repairs).toHaveLength(1);
    const kept = Object.entries(after).filter(([name]) => name.startsWith('state.json.unreadable'));
    expect(kept.map(([, bytes]) => bytes.equals(damaged))).toEqual([true]);
    await opened!.store.close();
    const again = await openStore({ folder, clock });
    expect(again.repairs).toEqual([]);
    await expectEverything(sample, again, 'and again');
  });

  it('that is missing is made again from the journal', async () => {
    const sample = await makeSample();
    const { opened } = await open(makeFolder(), without(sample.content, 'state.json'));
    await expectEverything(sample, opened!, 'everything is there');
  });

  it('of another journal is refused', async () => {
    const [sample, other] = [await makeSample(), await makeSample()];
    const folder = makeFolder();
    const { opened } = await open(folder, other.content);
    await opened!.store.transact(() => ({ events: [issued('other')], value: null }));
    await opened!.store.close();
    const mixed = { ...sample.content, 'state.json': readFolder(folder)['state.json']! };
    const outcome = await open(makeFolder(), mixed);
    expect(outcome.refusal?.code).toBe('JOURNAL_DAMAGED');
    expect(differencesOf(mixed, outcome.after)).toEqual([]);
  });

  it('that was half written at a power cut is ignored', async () => {
    const sample = await makeSample();
    const half = sample.content['state.json']!.subarray(0, 100);
    const { opened } = await open(makeFolder(), { ...sample.content, 'state.json.new': half });
    await expectEverything(sample, opened!, 'everything is there');
    expect(opened!.repairs).toEqual([]);
  });
});

describe('the segments of the journal', () => {
  it.each([1, 2, 3])('number %i missing is refused, with and without a state file', async (number) => {
    const sample = await makeSample();
    const folder = makeFolder();
    for (const content of [sample.content, without(sample.content, 'state.json')]) {
      const gap = without(content, segment(number));
      expectRefused(await open(folder, gap), gap, segment(number), `segment ${number} is missing`);
    }
  });

  it('exchanged, repeated or put in from elsewhere are refused', async () => {
    const sample = await makeSample();
    const folder = makeFolder();
    for (const content of [sample.content, without(sample.content, 'state.json')]) {
      const wrong: FolderContent[] = [
        { ...content, [segment(1)]: content[segment(2)]!, [segment(2)]: content[segment(1)]! },
        { ...content, [segment(5)]: content[segment(4)]! },
        { ...content, [segment(2)]: content[segment(1)]! },
        { ...content, [segment(6)]: content[segment(4)]! },
        { ...content, [segment(0)]: content[segment(1)]! },
      ];
      for (const [place, damaged] of wrong.entries()) {
        const outcome = await open(folder, damaged);
        expect(outcome.refusal?.code, `case ${place}`).toBe('JOURNAL_DAMAGED');
        expect(differencesOf(damaged, outcome.after), `case ${place}: touched`).toEqual([]);
      }
    }
  });

  it('with a line taken out, put in twice, exchanged or changed are refused with the line', async () => {
    const sample = await makeSample();
    const folder = makeFolder();
    for (const [content, name] of [
      [sample.content, segment(2)],
      [without(sample.content, 'state.json'), segment(2)],
      [sample.content, sample.openSegment],
    ] as const) {
      const lines = content[name]!.toString().split('\n');
      const changed = lines.with(2, lines[2]!.replace('owner', 'ownes'));
      const damages = [
        lines.toSpliced(2, 1),
        lines.toSpliced(2, 0, lines[2]!),
        lines.with(2, lines[3]!).with(3, lines[2]!),
        changed,
        lines.toSpliced(2, 0, ''),
        lines.toSpliced(2, 0, '{}'),
      ];
      for (const [place, damaged] of damages.entries()) {
        if (place === 3 && changed.join() === lines.join()) continue;
        const wrong = { ...content, [name]: Buffer.from(damaged.join('\n')) };
        expectRefused(await open(folder, wrong), wrong, name, `case ${place}`);
      }
    }
  });

  it('with a forged line, whose own hash is right, are refused at the line after it', async () => {
    const sample = await makeSample();
    const folder = makeFolder();
    for (const [content, name] of [
      [sample.content, segment(2)],
      [without(sample.content, 'state.json'), segment(2)],
      [sample.content, sample.openSegment],
    ] as const) {
      const lines = content[name]!.toString().split('\n');
      const forgedLine = withRightHash(lines[2]!.replace('"kind":', '"forged":1,"kind":'));
      expect(forgedLine).not.toBe(lines[2]);
      const forged = { ...content, [name]: Buffer.from(lines.with(2, forgedLine).join('\n')) };
      const outcome = await open(folder, forged);
      expectRefused(outcome, forged, name, 'a forged line');
      expect(outcome.refusal?.problem).toMatchObject({ line: 4 });
    }
  });

  it('whose newest was only begun when the power went are gone on with', async () => {
    const sample = await makeSample();
    const header = sample.content[segment(4)]!;
    for (const begun of [0, 1, 50]) {
      const folder = makeFolder();
      const cut = { ...sample.content, [segment(5)]: header.subarray(0, begun) };
      const { opened, refusal } = await open(folder, cut);
      expect(refusal).toBeNull();
      await expectEverything(sample, opened!, `${begun} bytes of a new segment`);
      // The store continues: more events, another segment, another start.
      await opened!.store.transact(() => ({ events: [issued('later')], value: null }));
      await opened!.store.checkpoint();
      await opened!.store.transact(() => ({ events: [issued('and later')], value: null }));
      await opened!.store.checkpoint();
      await opened!.store.close();
      const again = await openStore({ folder, clock });
      expect(again.store.health().last_seq).toBe(sample.lastSeq + 2);
      expect(await again.store.verify()).toMatchObject({ status: 'intact', verified_to: sample.lastSeq + 2 });
    }
  });
});

describe('a newer format', () => {
  it.each(['state.json', segment(1), segment(3), segment(4)])(
    'in %s is refused and the folder is left byte for byte as it was',
    async (name) => {
      const sample = await makeSample();
      const folder = makeFolder();
      const newer = Buffer.from(sample.content[name]!.toString().replace(thisFormat, newerFormat));
      const content = { ...sample.content, [name]: newer };
      const outcome = await open(folder, content);
      expect(outcome.refusal?.code).toBe('FORMAT_TOO_NEW');
      expectRefused(outcome, content, name, name);
    },
  );

  it('is seen before a torn tail is cut or an unreadable state file is put aside', async () => {
    const sample = await makeSample();
    const folder = makeFolder();
    const torn = sample.content[sample.openSegment]!.subarray(0, -5);
    const newerState = Buffer.from(sample.content['state.json']!.toString().replace(thisFormat, newerFormat));
    const first = { ...sample.content, [sample.openSegment]: torn, 'state.json': newerState };
    expectRefused(await open(folder, first), first, 'state.json', 'a torn tail beside a newer state');
    const newerSegment = Buffer.from(torn.toString().replace(thisFormat, newerFormat));
    const second = { ...sample.content, [sample.openSegment]: newerSegment, 'state.json': Buffer.from('x') };
    expectRefused(
      await open(folder, second),
      second,
      sample.openSegment,
      'an unreadable state beside a newer segment',
    );
  });
});

function countLines(bytes: Buffer): number {
  return bytes.toString('latin1').split('\n').length - 1;
}

/** A changed line with the hash of its new content. */
function withRightHash(line: string): string {
  const body = line.slice(0, line.lastIndexOf(',"hash":"'));
  return `${body},"hash":"${hash('sha256', body, 'base64url')}"}`;
}
