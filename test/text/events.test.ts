import { describe, expect, it } from 'vitest';
import { historyFilters } from '../../src/cli/commands/history-command.ts';
import { plainText } from '../../src/cli/terminal.ts';
import { eventKindNames, type HistoryEvent } from '../../src/contract/history/audit-event.ts';
import { HistoryFilters } from '../../src/contract/history/history.ts';
import { ownUserAgent } from '../../src/contract/service/own-call.ts';
import { TokenId } from '../../src/contract/token/token.ts';
import { chooseEvents, selectionOf } from '../../src/core/history/choose-events.ts';
import { filtersOf } from '../../src/renderer/history/history-filters.ts';
import {
  aboutText,
  eventDetail,
  eventLine,
  eventsLine,
  eventTitle,
  groupedSaves,
  searchFilters,
} from '../../src/text/window/events.ts';
import { delivered } from '../fixtures/credential-events.ts';

const event: HistoryEvent = {
  seq: 1,
  at: '2026-11-21T12:00:00.000Z',
  kind: 'token.first_used',
  subject: 'fam_a',
  actor: { kind: 'system' },
  data: { token_id: 'tok_a_1' },
};

describe('what an event is about', () => {
  it.each([
    ['billing', 'tok_a_1 · Holiday', 'billing · tok_a_1 · Holiday'],
    ['billing', 'billing · 7 days', 'billing · 7 days'],
    ['billing', undefined, 'billing'],
    [undefined, 'Holiday', 'Holiday'],
    [undefined, undefined, undefined],
  ])('named %j with %j is %j', (name, detail, expected) => {
    expect(aboutText(name, detail)).toBe(expected);
  });

  it('is its subject where only a newer service knows its kind', () => {
    expect(eventTitle('token.polished')).toBe('token.polished');
    expect(eventDetail({ ...event, kind: 'token.polished' })).toBe('fam_a');
  });
});

describe('the first use of a token', () => {
  const bearer = { kind: 'bearer', token_id: TokenId.parse('tok_a_1') } as const;

  it.each([
    ['curl/8', '127.0.0.1', 'Token first used'],
    [ownUserAgent, '127.0.0.1', 'Token checked by Rotavox'],
    [ownUserAgent, '::1', 'Token checked by Rotavox'],
    [ownUserAgent, '10.0.0.7', 'Token first used'],
    [null, '127.0.0.1', 'Token first used'],
  ])('by %j from %s is called “%s”', (user_agent, address, title) => {
    const actor = { ...bearer, user_agent, address };
    expect(eventTitle('token.first_used', actor)).toBe(title);
    expect(eventLine({ ...event, actor })).toContain(title);
  });
});

describe('the detail of a delivery', () => {
  /** The detail of a delivery that was recorded with these data. */
  function detailOf(data: HistoryEvent['data']): string | undefined {
    return eventDetail({ ...event, ...delivered('app'), data });
  }

  it('tells which token it was, and what the hook said', () => {
    expect(detailOf(delivered('app', 3, 'x', 'reloaded').data)).toBe('token 3 · reloaded');
  });

  it('tells nothing more where nothing was said, or where an older service kept no notes', () => {
    expect(detailOf(delivered('app', 3).data)).toBe('token 3');
    expect(detailOf({ generation: 3 })).toBe('token 3');
  });
});

describe('the line of an event', () => {
  it.each(eventKindNames)('has a title for %s, also when its data is not what was expected', (kind) => {
    const line = eventLine({ ...event, kind, data: {} });
    expect(line).not.toContain(kind);
    expect(line).toMatch(/by the service$/);
  });

  it('names who did it and from where', () => {
    const actor = {
      kind: 'bearer',
      token_id: TokenId.parse('tok_a_1'),
      address: '::1',
      user_agent: 'curl\u001b[2J',
    } as const;
    expect(plainText(eventLine({ ...event, actor }))).toMatch(
      /tok_a_1 {2}by tok_a_1 from ::1 \(curl\\u001b\[2J\)$/,
    );
    expect(eventLine({ ...event, actor: { ...actor, user_agent: null } })).toMatch(/from ::1$/);
    expect(eventLine({ ...event, actor: { kind: 'owner' } })).toMatch(/by the owner$/);
  });

  it('has the ids that its detail does not have', () => {
    const line = eventLine({
      ...event,
      kind: 'credential.delivered',
      data: { credential_id: 'cred_a', target_id: 'target_b', generation: 2 },
    });
    expect(line).toMatch(/Token delivered +cred_a · target_b · token 2 {2}by the service$/);
    expect(eventLine(event).match(/tok_a_1/g)).toHaveLength(1);
  });
});

describe('a search', () => {
  it('finds kinds by their titles, also in part and in any case', () => {
    expect(searchFilters('PHONE menu').text_kind?.split(',')).toEqual([
      'ivr.created',
      'ivr.updated',
      'ivr.deleted',
    ]);
    expect(searchFilters('no such words')).toEqual({ text: 'no such words' });
    for (const kind of eventKindNames)
      expect(searchFilters(eventTitle(kind)).text_kind?.split(',')).toContain(kind);
  });

  const oneOfEach = eventKindNames.map((kind, place): HistoryEvent => ({ ...event, seq: place + 1, kind }));
  const texts = [
    ...eventKindNames.map((kind) => eventTitle(kind)),
    ' token SUSP ',
    'by',
    'failed',
    'tok_a',
    ' ',
    '',
  ];

  /** The places of the events that the service would choose. */
  function chosen(filters: HistoryFilters): number[] {
    const { isChosen } = chooseEvents(selectionOf(HistoryFilters.parse(filters)), () => undefined);
    return oneOfEach.filter(isChosen).map(({ seq }) => seq);
  }

  it.each(texts)('for %j finds the same in a window and in the command line', (text) => {
    const inWindow = chosen(filtersOf(new URLSearchParams({ text })));
    expect(chosen(historyFilters({ text }))).toEqual(inWindow);
    expect(inWindow).toEqual(
      oneOfEach
        .filter(({ kind }) =>
          [eventTitle(kind), kind, 'fam_a', 'tok_a_1', 'system'].some((said) =>
            said.toUpperCase().includes(text.trim().toUpperCase()),
          ),
        )
        .map(({ seq }) => seq),
    );
  });
});

it('tells of saves of one draft that follow each other in one line', () => {
  const save = (seq: number, subject = 'draft_a') =>
    ({
      seq,
      at: new Date(2026, 2, 10, 10, seq).toISOString(),
      kind: 'draft.saved',
      subject,
      actor: { kind: 'owner' },
      data: {},
    }) as HistoryEvent;
  const groups = groupedSaves([save(5), save(4), save(3, 'draft_b'), save(2)]);
  expect(groups.map((group) => group.length)).toEqual([2, 1, 1]);
  const line = eventsLine(groups[0]!, { draft_a: 'Reception' }, new Date(2026, 2, 10, 12).getTime());
  expect(line).toMatch(/Draft “Reception” saved 2 times, today 10.04.* to 10.05.*by the owner$/);
});
