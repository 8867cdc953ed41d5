import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventKindNames, type HistoryEvent } from '../../../src/contract/history/audit-event.ts';
import {
  chooseEvents,
  type HistorySelection,
  resultOfEvent,
} from '../../../src/core/history/choose-events.ts';
import { groupSaves } from '../../../src/core/history/save-groups.ts';
import {
  countOfRuns,
  readRuns,
  RunCollector,
  seqsOf,
  writeRuns,
} from '../../../src/core/history/seq-runs.ts';
import { subjectNames } from '../../../src/core/history/name-of-subject.ts';
import { credentialAdded, credentialIdNamed } from '../../fixtures/credential-events.ts';
import { configuration, issued, moved } from '../../fixtures/make-events.ts';
import { stateAfter } from '../credential/credential-state.ts';

const names = new Map([
  ['fam_a', 'billing-sync'],
  ['cred_b', 'Straße'],
]);

function event(differences: Partial<HistoryEvent> = {}): HistoryEvent {
  return {
    seq: 1,
    at: '2026-01-10T12:00:00.000Z',
    kind: 'token.suspended',
    subject: 'fam_a',
    actor: { kind: 'owner' },
    data: { token_id: 'tok_a_1', reason: 'Holiday' },
    ...differences,
  };
}

function isChosen(selection: HistorySelection, one: HistoryEvent = event()): boolean {
  return chooseEvents(selection, (subject) => names.get(subject)).isChosen(one);
}

const byBearer = event({
  kind: 'token.rotated',
  actor: { kind: 'bearer', token_id: 'tok_c_7' as never, address: '10.1.2.3', user_agent: 'Curl/8' },
  data: { source_id: 'tok_c_7', nested: { list: ['deep', { note: 'deeper' }] }, count: 42, empty: null },
});

describe('an event is chosen by a text', () => {
  it.each<[string, string, HistoryEvent]>([
    ['its kind', 'SUSPENDED', event()],
    ['its subject', 'FAM_A', event()],
    ['an id in its data', 'tok_a_1', event()],
    ['a text in its data, whatever the case', 'hOLIDAY', event()],
    ['a text deep in its data', 'deeper', byBearer],
    ['the name that its subject has now', 'Billing-Sync', event({ data: {} })],
    ['a name in another case that is longer', 'STRASSE', event({ subject: 'cred_b', data: {} })],
    ['who did it', 'tok_c_7', { ...byBearer, data: {} }],
    ['that the owner did it', 'owner', event()],
    ['from where', '10.1.2', byBearer],
    ['with which program', 'curl/8', byBearer],
  ])('in %s', (_where, text, one) => {
    expect(isChosen({ text }, one)).toBe(true);
  });

  it.each<[string, string, HistoryEvent]>([
    ['the name of a field', 'reason', event()],
    ['a number', '42', byBearer],
    ['its place or its instant', '2026', event()],
    ['two texts side by side', 'tok_a_1Holiday', event()],
    ['the word null', 'null', byBearer],
    ['the name of another subject', 'billing', event({ subject: 'fam_x', data: {} })],
  ])('but not in %s', (_where, text, one) => {
    expect(isChosen({ text }, one)).toBe(false);
  });

  it('also when the reader calls its kind so, and only events of such kinds then', () => {
    const said = { text: 'Token suspended', textKinds: ['token.suspended'] };
    expect(isChosen(said)).toBe(true);
    expect(isChosen({ ...said, textKinds: ['token.'] })).toBe(true);
    expect(isChosen({ ...said, textKinds: ['token.resumed'] })).toBe(false);
    expect(isChosen({ textKinds: ['ivr.'] })).toBe(true);
  });
});

describe('an event is chosen by what is given, all of it', () => {
  it.each<[boolean, HistorySelection]>([
    [true, {}],
    [true, { subject: 'fam_a' }],
    [false, { subject: 'fam_' }],
    [true, { kinds: ['token.suspended'] }],
    [true, { kinds: ['ivr.', 'token.'] }],
    [false, { kinds: ['token.resumed', 'ivr.'] }],
    [false, { kinds: [] }],
    [false, { kinds: ['token'] }],
    [true, { result: 'attention' }],
    [false, { result: 'ok' }],
    [true, { subject: 'fam_a', kinds: ['token.'], result: 'attention', text: 'holiday' }],
    [false, { subject: 'fam_a', kinds: ['token.'], result: 'attention', text: 'work' }],
    [false, { kinds: ['ivr.'], text: 'holiday' }],
  ])('%s for %j', (expected, selection) => {
    expect(isChosen(selection)).toBe(expected);
  });
});

describe('any text', () => {
  const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });

  it('is found in a longer one that has it, in any case', () => {
    fc.assert(
      fc.property(words, words, words, fc.boolean(), (before, text, after, isUpper) => {
        const reason = before + text + after;
        const sought = isUpper ? text.toUpperCase() : text;
        return isChosen({ text: sought }, event({ data: { reason } }));
      }),
    );
  });

  it('is known from the head of an event only where the whole event is chosen', () => {
    const kinds = fc.constantFrom('token.suspended', 'token.rotated', 'ivr.created', 'future.kind');
    const events = fc.record({
      kind: kinds,
      subject: fc.constantFrom('fam_a', 'cred_b', 'x'),
      reason: words,
    });
    fc.assert(
      fc.property(events, words, fc.subarray(['token.', 'ivr.created']), (one, text, textKinds) => {
        const choice = chooseEvents({ text, textKinds }, (subject) => names.get(subject));
        const whole = event({ kind: one.kind, subject: one.subject, data: { reason: one.reason } });
        return !choice.isMeant(one.kind, one.subject) || choice.isChosen(whole);
      }),
    );
  });
});

it('chooses events of a time: its beginning belongs to it, its end does not', () => {
  const at = event().at;
  const ms = Date.parse(at);
  expect(isChosen({ from: ms, until: ms + 1 })).toBe(true);
  expect(isChosen({ from: ms + 1 })).toBe(false);
  expect(isChosen({ until: ms })).toBe(false);
});

it.each([
  [
    'failed',
    [
      'credential.rotation_failed',
      'credential.delivery_failed',
      'credential.retire_failed',
      'owner.sign_in_failed',
    ],
  ],
  [
    'attention',
    [
      'token.suspended',
      'token.blacklisted',
      'token.expired',
      'token.reused',
      'credential.paused',
      'proxy.token_reflected',
      'journal.repaired',
    ],
  ],
] as const)('%s are these kinds and no others', (result, kinds) => {
  const found = eventKindNames.filter((kind) => resultOfEvent(kind) === result);
  expect(found.toSorted()).toEqual([...kinds].sort());
});

it('is failed for every kind with that in its name', () => {
  const failed = eventKindNames.filter((kind) => kind.endsWith('_failed'));
  expect(failed.filter((kind) => resultOfEvent(kind) !== 'failed')).toEqual([]);
});

it('is ok for a kind that a newer service knows', () => {
  expect(resultOfEvent('token.polished')).toBe('ok');
  expect(resultOfEvent('constructor')).toBe('ok');
});

it('groups saves of one draft that nothing in the list stands between', () => {
  const all = [{ from: 10, count: 10 }];
  const saves = new Map([
    ['draft_a', [10, 9, 6, 5, 4]],
    ['draft_b', [8, 7]],
  ]);
  expect(groupSaves(all, saves)).toEqual([
    { seq: 10, count: 2, subject: 'draft_a' },
    { seq: 8, count: 2, subject: 'draft_b' },
    { seq: 6, count: 3, subject: 'draft_a' },
  ]);
});

it('groups them over events that the list leaves out', () => {
  const filtered = [
    { from: 10, count: 2 },
    { from: 6, count: 3 },
  ];
  expect(groupSaves(filtered, new Map([['draft_a', [10, 9, 6, 5, 4, 2]]]))).toEqual([
    { seq: 10, count: 5, subject: 'draft_a' },
  ]);
});

function runsOf(seqs: readonly number[]) {
  const collector = new RunCollector();
  for (const seq of seqs) collector.add(seq);
  return collector.runs;
}

describe('runs of events', () => {
  it.each([
    [10, [10, 9, 8, 5], [0, 3, 2, 1]],
    [10, [7], [3, 1]],
    [3, [3, 2, 1], [0, 3]],
    [3, [], []],
    [0, [], []],
  ])('of %i with %j are written as %j', (lastSeq, seqs, written) => {
    expect(writeRuns(lastSeq, runsOf(seqs))).toEqual(written);
  });

  it('are two numbers for all of 100,000 events', () => {
    const all = Array.from({ length: 100_000 }, (_, place) => 100_000 - place);
    expect(writeRuns(100_000, runsOf(all))).toEqual([0, 100_000]);
  });

  it('come back as they were written, whichever events they are', () => {
    const chosen = fc.uniqueArray(fc.integer({ min: 1, max: 300 }), { maxLength: 300 });
    fc.assert(
      fc.property(chosen, fc.nat(50), (seqs, later) => {
        const sorted = seqs.toSorted((a, b) => b - a);
        const runs = runsOf(sorted);
        const lastSeq = (sorted[0] ?? 0) + later;
        const back = readRuns(lastSeq, writeRuns(lastSeq, runs));
        expect([...seqsOf(back)]).toEqual(sorted);
        expect(countOfRuns(back)).toBe(sorted.length);
        // As few runs as possible: two adjacent ones are joined.
        for (const [place, run] of back.entries())
          expect(run.from - run.count).toBeGreaterThan(back[place + 1]?.from ?? -1);
      }),
    );
  });
});

const embedded = credentialAdded('a', { base_url: null });

describe('the name of what an event is about', () => {
  it('is, of a token, the name of the credential that rotates it with its own beside it', () => {
    const nameOf = subjectNames(stateAfter(issued('a'), issued('b'), embedded));
    expect(nameOf('fam_a')).toBe(`a (${configuration.name})`);
    expect(nameOf('fam_b')).toBe(configuration.name);
    expect(nameOf(credentialIdNamed('a'))).toBe('a');
    expect(nameOf('fam_none')).toBeUndefined();
  });

  it('is written once where both have the same', () => {
    const same = credentialAdded('a', { base_url: null, name: configuration.name });
    expect(subjectNames(stateAfter(issued('a'), same))('fam_a')).toBe(configuration.name);
  });

  it('is its own where the credential rotates it no more', () => {
    const nameOf = subjectNames(stateAfter(issued('a'), embedded, moved('token.blacklisted', 'a')));
    expect(nameOf('fam_a')).toBe(configuration.name);
  });
});
