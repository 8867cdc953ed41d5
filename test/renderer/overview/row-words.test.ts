import { describe, expect, it } from 'vitest';
import { credentialStates } from '../../../src/contract/credential-view.ts';
import { tokenStatuses } from '../../../src/contract/token.ts';
import { partSentence, partWords } from '../../../src/renderer/overview/lifeline/part-words.ts';
import { rowSentence, standingWords } from '../../../src/renderer/overview/lifeline/row-words.ts';
import { exactText } from '../../../src/text/time.ts';
import { credentialRow, day, dayMs, familyRow, noon, noonMs } from './rows.ts';

describe('a row in words', () => {
  it('says of every state how it stands', () => {
    const words = credentialStates.map((state) => standingWords(credentialRow({ state }), noonMs));
    expect(words.every((one) => one.length > 3)).toBe(true);
    for (const status of tokenStatuses)
      expect(standingWords(familyRow({ status }), noonMs)).toMatch(/^[A-Z]\w+/);
  });

  it('begins with what is written there, and says the rest', () => {
    const row = credentialRow();
    const sentence = rowSentence(row, noonMs);
    expect(sentence.startsWith(`${row.name}. ${standingWords(row, noonMs)}. `)).toBe(true);
    expect(sentence).toContain('Credential of this service. Token 4 since ');
    expect(sentence).toContain('Before it in the last 90 days: 1 superseded.');
    expect(sentence).toContain('3 rotations are planned in the next 90 days.');
    expect(rowSentence(familyRow(), noonMs)).toContain('Token family without a credential. Token 1 since ');
  });

  it('names the service elsewhere, and says when nothing is planned', () => {
    const away = credentialRow({ service: 'remote', origin: 'https://api.example.com', planned: [] });
    expect(rowSentence(away, noonMs)).toContain('Credential of https://api.example.com.');
    expect(rowSentence(away, noonMs)).toContain('No rotation is planned.');
  });
});

describe('a part in words', () => {
  const row = credentialRow();

  it('tells of the present value what is left and what comes next', () => {
    const { title, facts } = partWords(row, { kind: 'life', place: 1 }, noonMs);
    expect(title).toBe('Token 4');
    expect(facts.map(([name]) => name)).toEqual(['Since', 'Expires', 'Left', 'Next rotation', 'Planned']);
    expect(Object.fromEntries(facts)).toMatchObject({
      Left: '5 d',
      'Next rotation': exactText(noonMs + 3 * dayMs, noonMs),
      Planned: '3 in the next 90 days',
    });
  });

  it('tells of a past one how it ended and how long it lived', () => {
    const { title, facts } = partWords(row, { kind: 'life', place: 0 }, noonMs);
    expect([title, Object.fromEntries(facts)]).toEqual([
      'Token 3',
      {
        Since: exactText(noonMs - 6 * dayMs, noonMs),
        Superseded: exactText(noonMs - 2 * dayMs, noonMs),
        Lived: '4 d',
      },
    ]);
  });

  it('tells of a planned rotation when it is and what it gives', () => {
    expect(partWords(row, { kind: 'plan', place: 1 }, noonMs)).toEqual({
      title: 'Planned rotation 2 of 3',
      facts: [
        ['At', exactText(noonMs + 8 * dayMs, noonMs)],
        ['In', '8 d'],
        ['Gives', 'token 6'],
      ],
    });
    expect(partWords(row, { kind: 'plan', place: 0 }, noonMs).title).toBe('Next rotation');
  });

  it('says why no rotation comes: a pause, a person, nobody', () => {
    const present = { kind: 'life', place: 0 } as const;
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
    expect(partSentence(paused, present, noonMs)).toContain('Next rotation: none while it is paused.');
    expect(partSentence(stuck, present, noonMs)).toContain('Next rotation: waits for a new token.');
    expect(partSentence(familyRow(), present, noonMs)).toContain('Rotation: not rotated automatically.');
  });
});
