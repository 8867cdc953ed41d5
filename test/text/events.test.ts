import { describe, expect, it } from 'vitest';
import { historyFilters } from '../../src/cli/commands/history-command.ts';
import { plainText } from '../../src/cli/terminal.ts';
import { eventKindNames, type HistoryEvent } from '../../src/contract/history/audit-event.ts';
import { HistoryFilters } from '../../src/contract/history/history.ts';
import { ownUserAgent } from '../../src/contract/service/own-call.ts';
import { TokenId, tokenStatuses } from '../../src/contract/token/token.ts';
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
import { historyText } from '../../src/text/cli/cli-service.ts';
import { verificationText } from '../../src/text/window/history-text.ts';
import { credentialStates } from '../../src/contract/credential/credential-view.ts';
import { partSentence, partText, rowText, standingText } from '../../src/text/window/lifeline-text.ts';
import { exactText } from '../../src/text/time.ts';
import { credentialRow, day, dayMs, familyRow, noon, noonMs } from '../renderer/overview/rows.ts';
import {
  type Change,
  noAnswerText,
  problemText,
  statusText,
  unexpectedAnswerText,
} from '../../src/text/window/connection.ts';
import { expectSentences } from './problems.ts';

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

  it('says which countries may be called since a change of the settings', () => {
    const changed = (countries: readonly string[]) =>
      eventDetail({
        ...event,
        kind: 'settings.changed',
        data: { settings: { outside_countries: countries } },
      });
    expect(changed(['DE', 'US'])).toBe('outside countries: DE, US');
    expect(changed([])).toBe('outside countries: none');
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

it('says where the journal is that was verified, in files or in a database', () => {
  const intact = { status: 'intact', verified_to: 7, head: '' } as const;
  expect(historyText.intact({ ...intact, segments: 2 })).toContain('7 events in 2 files,');
  expect(historyText.intact({ ...intact, segments: 0 })).toContain('7 events in the database,');
  expect(historyText.intact({ ...intact, verified_to: 1, segments: 1 })).toContain('1 event in 1 file,');
  expect(verificationText.verified(7, 1)).toContain('the chain, in 1 file.');
  expect(verificationText.verified(7, 0)).toContain('the chain, in the database.');
});

it('names the backup that helps against damage: of the data folder, or of the database', () => {
  expect(verificationText.remedy('/data/journal/000001.jsonl')).toContain('backup of the data folder');
  const remedy = verificationText.remedy('postgres://rotavox@db.example.com/rotavox');
  expect(remedy).not.toContain('file');
  expect(remedy).toContain('a new database');
});

describe('the text of a row', () => {
  it('says of every state how it stands', () => {
    const words = credentialStates.map((state) => standingText(credentialRow({ state }), noonMs));
    expect(words.every((one) => one.length > 3)).toBe(true);
    for (const status of tokenStatuses)
      expect(standingText(familyRow({ status }), noonMs)).toMatch(/^[A-Z]\w+/);
  });

  it('begins with what is written there, and says the rest', () => {
    const row = credentialRow();
    const sentence = rowText(row, noonMs);
    expect(sentence.startsWith(`${row.name}. ${standingText(row, noonMs)}. `)).toBe(true);
    expect(sentence).toContain('Credential of this service. Token 4 since ');
    expect(sentence).toContain('Earlier tokens in the last 90 days: 1 superseded.');
    expect(sentence).toContain('3 rotations are planned in the next 90 days.');
    expect(rowText(familyRow(), noonMs)).toContain('Token without a credential. Token 1 since ');
  });

  it('begins with both names where the token has another one than its credential', () => {
    const row = credentialRow({ token_name: 'Old exporter' });
    expect(rowText(row, noonMs)).toMatch(/^billing-sync, Old exporter\. Next /);
  });

  it('names the service elsewhere, and says when nothing is planned', () => {
    const away = credentialRow({ service: 'remote', origin: 'https://api.example.com', planned: [] });
    expect(rowText(away, noonMs)).toContain('Credential of https://api.example.com.');
    expect(rowText(away, noonMs)).toContain('No rotation is planned.');
  });
});

describe('the text of a row of another kind of service', () => {
  it('speaks of renewals where the token stays the same', () => {
    const row = credentialRow({ provider: 'vault', is_renewed: true });
    expect(rowText(row, noonMs)).toContain('3 renewals are planned in the next 90 days.');
    const next = partText(row, { kind: 'plan', place: 0 }, noonMs);
    expect(next.title).toBe('Next renewal');
    expect(next.facts.at(-1)).toEqual(['Renews', 'token 4']);
  });

  it('asks for a sign-in where nobody can enter a token', () => {
    const row = credentialRow({
      provider: 'oauth2',
      state: 'refused',
      trouble: 'invalid',
      next_rotation_at: null,
    });
    expect(standingText(row, noonMs)).toBe('Sign in again');
    expect(partText(row, { kind: 'token', place: 1 }, noonMs).facts).toContainEqual([
      'Next rotation',
      'waits for a sign-in',
    ]);
  });
});

describe('the text of a part', () => {
  const row = credentialRow();

  it('tells of the current token what is left and what comes next', () => {
    const { title, facts } = partText(row, { kind: 'token', place: 1 }, noonMs);
    expect(title).toBe('Token 4');
    expect(facts.map(([name]) => name)).toEqual(['Since', 'Expires', 'Left', 'Next rotation', 'Planned']);
    expect(Object.fromEntries(facts)).toMatchObject({
      Left: '5 d',
      'Next rotation': exactText(noonMs + 3 * dayMs, noonMs),
      Planned: '3 in the next 90 days',
    });
  });

  it('tells of a previous token how it ended and how long it lasted', () => {
    const { title, facts } = partText(row, { kind: 'token', place: 0 }, noonMs);
    expect([title, Object.fromEntries(facts)]).toEqual([
      'Token 3',
      {
        Since: exactText(noonMs - 6 * dayMs, noonMs),
        Superseded: exactText(noonMs - 2 * dayMs, noonMs),
        Lasted: '4 d',
      },
    ]);
  });

  it('tells of a planned rotation when it is and which token it creates', () => {
    expect(partText(row, { kind: 'plan', place: 1 }, noonMs)).toEqual({
      title: 'Planned rotation 2 of 3',
      facts: [
        ['At', exactText(noonMs + 8 * dayMs, noonMs)],
        ['In', '8 d'],
        ['Creates', 'token 6'],
      ],
    });
    expect(partText(row, { kind: 'plan', place: 0 }, noonMs).title).toBe('Next rotation');
  });

  it('says why no rotation comes: a pause, a person, nobody', () => {
    const present = { kind: 'token', place: 0 } as const;
    const lives = { generations: [[noon, noon + day, 'present' as const]] } as const;
    const still = { ...lives, generations: [...lives.generations], planned: [], next_rotation_at: null };
    const paused = credentialRow({
      ...still,
      generations: [[noon, noon + day, 'present']],
      paused: { until: null },
    });
    const stuck = credentialRow({
      ...still,
      generations: [[noon, noon + day, 'present']],
      state: 'reply_lost',
    });
    expect(partSentence(paused, present, noonMs)).toContain('Next rotation: none while paused.');
    expect(partSentence(stuck, present, noonMs)).toContain('Next rotation: waits for a new token.');
    expect(partSentence(familyRow(), present, noonMs)).toContain('Rotation: not rotated automatically.');
  });
});

const changes: Record<Change, string> = {
  token_issued: 'a token was issued',
  token_replaced: 'the token was replaced',
  token_rotated: 'the token was rotated',
  token_suspended: 'suspended',
  token_resumed: 'resumed',
  token_blacklisted: 'blacklisted',
  credential_added: 'the credential was added',
  credential_changed: 'the credential was changed',
  credential_removed: 'the credential was removed',
  rotation_paused: 'rotation is paused',
  rotation_resumed: 'rotation is resumed',
  target_added: 'the target was added',
  target_delivered: 'delivered',
  target_removed: 'the target was removed',
  tool_connected: 'the tool is connected',
  tool_disconnected: 'the tool is connected',
  proxy_changed: 'the proxy was changed',
  recording_added: 'the recording was added',
  recording_replaced: 'the recording was replaced',
  recording_renamed: 'renamed',
  recording_removed: 'the recording was removed',
  entry_saved: 'the entry was saved',
  entry_removed: 'the entry was removed',
  entries_imported: 'imported',
  draft_created: 'the draft was created',
  draft_copied: 'the copy was made',
  draft_deleted: 'the draft was deleted',
  draft_published: 'published',
  schedule_created: 'the opening hours were added',
  schedule_changed: 'the opening hours were changed',
  schedule_switched: 'the opening hours were switched',
  schedule_deleted: 'the opening hours were deleted',
  pbx_added: 'the telephone system was added',
  pbx_changed: 'the telephone system was changed',
  pbx_removed: 'the telephone system was removed',
  phone_rung: 'whether the phone rings',
  token_ended: 'the token was ended',
  calls_forgotten: 'call records were deleted',
  settings_changed: 'the settings were changed',
  proxy_login_changed: 'whether a password is stored',
  tokens_moved: 'where the tokens are',
  owner_added: 'whether the owner was added',
  speaking_begun: 'how far speaking is',
  speaking_stopped: 'how far speaking is',
  pronunciations_changed: 'whether it was changed',
  voice_added: 'whether the voice was added',
  voice_removed: 'whether the voice was removed',
  owner_revoked: 'whether the owner was revoked',
  signed_out: 'signed out',
};

describe('a request that got no answer', () => {
  const lost = { kind: 'unreachable', reason: noAnswerText.notReached } as const;

  it.each(Object.entries(changes) as [Change, string][])(
    'says how to find out whether it was carried out: %s',
    (change, words) => {
      const text = problemText(lost, change);
      expectSentences(text);
      expect(text).toMatch(/^The service does not answer: it cannot be reached\. /);
      expect(text).toContain(words);
    },
  );

  it('mentions no change when it only reads', () => {
    expect(problemText({ kind: 'unreachable', reason: noAnswerText.brokenOff('ECONNRESET') })).toBe(
      'The service does not answer: its answer broke off (ECONNRESET).',
    );
  });
});

it('a refusal is shown as the service worded it, because nothing was changed', () => {
  const problem = { kind: 'refused', reason: 'The name is taken.' } as const;
  expect(problemText(problem, 'credential_added')).toBe('The name is taken.');
});

it('a window that is not signed in says where the command is that signs it in', () => {
  expect(problemText({ kind: 'signed-out' }, 'token_issued')).toContain('Reload it');
});

it('an answer that is not ours is reported with its status', () => {
  expect(statusText(502, 'Bad Gateway')).toBe('It answered with 502 Bad Gateway.');
  expect(unexpectedAnswerText({ baseUrl: 'http://127.0.0.1:7682', status: 200 })).toContain(
    'http://127.0.0.1:7682 does not answer like this version of Rotavox (HTTP 200)',
  );
  expect(unexpectedAnswerText({ baseUrl: '', status: 200 })).toContain('the address of the service');
});
