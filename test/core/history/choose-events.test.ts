import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HistoryEvent } from '../../../src/contract/history/audit-event.ts';
import { chooseEvents, type HistorySelection } from '../../../src/core/history/choose-events.ts';

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
