import { describe, expect, it } from 'vitest';
import { monthsOf, ticksOf } from '../../../src/renderer/overview/lifeline/axis.tsx';
import { msOf, scaleOf, type Span, xOf } from '../../../src/renderer/overview/lifeline/time-scale.ts';
import { dayMs, noonMs } from './rows.ts';

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
