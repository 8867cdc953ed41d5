import { describe, expect, it } from 'vitest';
import { credentialStates } from '../../src/contract/credential/credential-view.ts';
import { tokenStatuses } from '../../src/contract/token/token.ts';
import { partSentence, partText, rowText, standingText } from '../../src/text/window/lifeline-text.ts';
import { exactText } from '../../src/text/time.ts';
import { credentialRow, day, dayMs, familyRow, noon, noonMs } from '../renderer/overview/rows.ts';

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
