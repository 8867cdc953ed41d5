import { describe, expect, it, test } from 'vitest';
import { monthsOf, ticksOf } from '../../../src/renderer/overview/lifeline/axis.tsx';
import { msOf, scaleOf, type Span, xOf } from '../../../src/renderer/overview/lifeline/time-scale.ts';
import { nextPart, partAt, type RowPart } from '../../../src/renderer/overview/lifeline/row-parts.ts';
import { exampleAt } from '../../../src/renderer/overview/guide/first-steps.tsx';
import { credentialRow, day, dayMs, familyRow, noon, noonMs } from './rows.ts';

const monday = 1;
const scaleAt = (spanDays: Span, widthPx: number) => scaleOf(noonMs, { spanDays, widthPx });

describe('the scale', () => {
  it('reaches 90 days back and ahead, in whole days, and is the same all day', () => {
    const scale = scaleAt(30, 900);
    expect(scale.startMs).toBeLessThanOrEqual(noonMs - 90 * dayMs);
    expect(scale.endMs).toBeGreaterThanOrEqual(noonMs + 90 * dayMs);
    for (const ms of [scale.startMs, scale.endMs]) expect(new Date(ms).getHours()).toBe(0);
    const evening = new Date(noonMs);
    evening.setHours(23, 59, 59);
    expect(scaleOf(evening.getTime(), { spanDays: 30, widthPx: 900 })).toEqual(scale);
  });

  it('places an instant, and reads it back', () => {
    const scale = scaleAt(7, 1000);
    expect(msOf(scale, xOf(scale, noonMs))).toBeCloseTo(noonMs, 0);
    expect(xOf(scale, noonMs + 7 * dayMs) - xOf(scale, noonMs)).toBeCloseTo(1000, 6);
  });
});

describe('the days above the picture', () => {
  it('begin at midnight of the person’s own calendar, each once and in order', () => {
    const ticks = ticksOf(scaleAt(30, 900), monday);
    expect(ticks.length).toBeGreaterThan(180);
    for (const [place, { atMs }] of ticks.entries()) {
      const date = new Date(atMs);
      expect([date.getHours(), date.getMinutes()]).toEqual([0, 0]);
      if (place > 0) expect(atMs).toBeGreaterThan(ticks[place - 1]!.atMs);
    }
  });

  it.each<[string, Span, number, number]>([
    ['all have their weekday where there is room', 7, 900, 1],
    ['all have their number where there is less', 30, 900, 1],
    ['are told by the week where there is little', 90, 900, 7],
    ['are told by every second week on a narrow screen', 90, 500, 14],
    ['are told by every fourth week on the narrowest', 90, 280, 28],
  ])('%s', (_what, span, widthPx, everyDays) => {
    const scale = scaleAt(span, widthPx);
    const named = ticksOf(scale, monday).filter(({ label }) => label !== null);
    const gaps = named.slice(1).map(({ atMs }, place) => Math.round((atMs - named[place]!.atMs) / dayMs));
    expect(new Set(gaps)).toEqual(new Set([everyDays]));
    expect(everyDays * dayMs * scale.pxPerMs, 'room for its name').toBeGreaterThanOrEqual(28);
  });

  it('mark where a week begins where the person lives', () => {
    for (const first of [0, 1, 6]) {
      const strong = ticksOf(scaleAt(90, 900), first).filter(({ isStrong }) => isStrong);
      expect(new Set(strong.map(({ atMs }) => new Date(atMs).getDay()))).toEqual(new Set([first]));
    }
  });
});

describe('the months above them', () => {
  it('follow each other without a gap, over all of the scale', () => {
    const scale = scaleAt(30, 900);
    const months = monthsOf(scale);
    expect(months[0]!.fromMs).toBe(scale.startMs);
    expect(months.at(-1)!.untilMs).toBe(scale.endMs);
    for (const [place, { fromMs }] of months.slice(1).entries()) expect(fromMs).toBe(months[place]!.untilMs);
    expect(months.map(({ label }) => label)).toContain('January 2026');
  });

  it('are short where there is little room', () => {
    expect(monthsOf(scaleAt(90, 280)).every(({ label }) => label.length <= 8)).toBe(true);
  });
});

const row = credentialRow();

describe('what lies at an instant of a row', () => {
  it.each<[string, number, RowPart | null]>([
    ['nothing before the first life', noon - 7 * day, null],
    ['the life that was lived then', noon - 4 * day, { kind: 'token', place: 0 }],
    ['the newer of two where they meet', noon - 2 * day, { kind: 'token', place: 1 }],
    ['the present life', noon, { kind: 'token', place: 1 }],
    ['a mark before the bar below it', noon + 3 * day + 60, { kind: 'plan', place: 0 }],
    ['a mark that is near enough', noon + 8 * day - 3600, { kind: 'plan', place: 1 }],
    ['nothing between marks', noon + 10 * day, null],
    ['nothing after the last', noon + 60 * day, null],
  ])('is %s', (_what, seconds, expected) => {
    expect(partAt(row, seconds, 3600)).toEqual(expected);
  });

  it('is the token, where nothing is planned', () => {
    expect(partAt(familyRow(), noon, 3600)).toEqual({ kind: 'token', place: 0 });
    expect(partAt(familyRow(), noon + 9 * day, 3600)).toBeNull();
  });
});

describe('going from part to part', () => {
  it('begins at the current token, leads through the plan and ends at its end', () => {
    const forward: RowPart[] = [];
    for (let part: RowPart | null = null; forward.length < 6; forward.push(part))
      part = nextPart(row, part, 1);
    expect(forward.map(({ kind, place }) => `${kind} ${place}`)).toEqual([
      'token 1',
      'plan 0',
      'plan 1',
      'plan 2',
      'plan 2',
      'plan 2',
    ]);
  });

  it('leads back into the past', () => {
    expect(nextPart(row, { kind: 'plan', place: 0 }, -1)).toEqual({ kind: 'token', place: 1 });
    expect(nextPart(row, { kind: 'token', place: 1 }, -1)).toEqual({ kind: 'token', place: 0 });
    expect(nextPart(row, { kind: 'token', place: 0 }, -1)).toEqual({ kind: 'token', place: 0 });
  });
});

test.for([
  [0, { place: 1, ageS: 0, rotatesInS: 20, expiresInS: 30 }],
  [999, { place: 1, ageS: 0, rotatesInS: 20, expiresInS: 30 }],
  [1000, { place: 1, ageS: 1, rotatesInS: 19, expiresInS: 29 }],
  [19_999, { place: 1, ageS: 19, rotatesInS: 1, expiresInS: 11 }],
  [20_000, { place: 2, ageS: 0, rotatesInS: 20, expiresInS: 30 }],
  [61_000, { place: 4, ageS: 1, rotatesInS: 19, expiresInS: 29 }],
] as const)(
  'after %i ms the example has the token that a rotation at two thirds gives',
  ([elapsedMs, state]) => {
    expect(exampleAt(elapsedMs)).toEqual(state);
  },
);
