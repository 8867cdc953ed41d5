import { describe, expect, it } from 'vitest';
import { credentialStates } from '../../../src/contract/credential-view.ts';
import { tokenStatuses } from '../../../src/contract/token.ts';
import { partSentence, partWords } from '../../../src/renderer/overview/lifeline/part-words.ts';
import { rowSentence, standingWords } from '../../../src/renderer/overview/lifeline/row-words.ts';
import { exactWords, nearWords } from '../../../src/renderer/overview/near-words.ts';
import { credentialRow, day, dayMs, familyRow, noon, noonMs } from './rows.ts';

describe('when something is', () => {
  // By the calendar of whoever reads it, whatever the zone of this machine.
  const midday = new Date(2026, 0, 10, 12).getTime();
  it.each([
    ['today', 0, /^today /],
    ['tomorrow', 1, /^tomorrow /],
    ['yesterday', -1, /^yesterday /],
    ['a weekday, within the week', 3, /day/i],
    ['a day, later', 20, /30/],
    ['a day with its year, in another one', 400, /2027/],
  ])('is said as %s', (_how, days, expected) => {
    const ms = new Date(2026, 0, 10 + days, 9, 30).getTime();
    expect(nearWords(ms, midday)).toMatch(expected);
  });

  it('is exact to the second where it is asked for', () => {
    expect(exactWords(new Date(2026, 0, 10, 9, 30, 44).getTime())).toMatch(/30.44/);
  });
});

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
    expect(sentence).toContain('Credential of this service. Value 4 since ');
    expect(sentence).toContain('Before it in the last 90 days: 1 superseded.');
    expect(sentence).toContain('3 rotations are planned in the next 90 days.');
    expect(rowSentence(familyRow(), noonMs)).toContain(
      'Token family that no credential keeps fresh. Token 1 since ',
    );
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
    expect(title).toBe('Value 4');
    expect(facts.map(([name]) => name)).toEqual(['Since', 'Expires', 'Left', 'Next rotation', 'Planned']);
    expect(Object.fromEntries(facts)).toMatchObject({
      Left: '5 d',
      'Next rotation': exactWords(noonMs + 3 * dayMs),
      Planned: '3 in the next 90 days',
    });
  });

  it('tells of a past one how it ended and how long it lived', () => {
    const { title, facts } = partWords(row, { kind: 'life', place: 0 }, noonMs);
    expect([title, Object.fromEntries(facts)]).toEqual([
      'Value 3',
      {
        Since: exactWords(noonMs - 6 * dayMs),
        Superseded: exactWords(noonMs - 2 * dayMs),
        Lived: '4 d',
      },
    ]);
  });

  it('tells of a planned rotation when it is and what it gives', () => {
    expect(partWords(row, { kind: 'plan', place: 1 }, noonMs)).toEqual({
      title: 'Planned rotation 2 of 3',
      facts: [
        ['At', exactWords(noonMs + 8 * dayMs)],
        ['In', '8 d'],
        ['Gives', 'value 6'],
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
    expect(partSentence(stuck, present, noonMs)).toContain('Next rotation: waits for you.');
    expect(partSentence(familyRow(), present, noonMs)).toContain('Rotation: no credential keeps it fresh.');
  });
});
