import { memo } from 'react';
import styles from './axis.module.css';
import type { Stretch as DrawnStretch } from './row-drawing.ts';
import { axisDates, lifelineText } from '../../../text/window/lifeline-text.ts';
import { startOfDay } from '../../../text/time.ts';
import { dayMs, type Scale, xOf } from './time-scale.ts';

/** How far the sign of now reaches to each side, and how wide a letter is at most, in units. */
const nowReach = 24;
const letter = 7;

/** The months and days above the rows. A month's name stays in sight as long as the month is. */
export function Axis({
  scale,
  drawn,
  unit,
  nowMs,
}: {
  scale: Scale;
  drawn: DrawnStretch;
  unit: number;
  nowMs: number;
}) {
  const nowX = xOf(scale, nowMs);
  return (
    <div className={styles['axis']} aria-hidden="true">
      <div className={styles['corner']} />
      <div className={styles['track']} style={{ width: xOf(scale, scale.endMs) }}>
        <Months scale={scale} />
        <Days scale={scale} drawn={drawn} unit={unit} nowX={Math.round(nowX)} />
        <span className={styles['now']} style={{ left: nowX }}>
          {lifelineText.now}
        </span>
      </div>
    </div>
  );
}

const Months = memo(function Months({ scale }: { scale: Scale }) {
  return monthsOf(scale).map(({ fromMs, untilMs, label }) => (
    <div
      key={fromMs}
      className={styles['month']}
      style={{ left: xOf(scale, fromMs), width: xOf(scale, untilMs) - xOf(scale, fromMs) }}
    >
      <span className={styles['name']}>{label}</span>
    </div>
  ));
});

const Days = memo(function Days({
  scale,
  drawn,
  unit,
  nowX,
}: {
  scale: Scale;
  drawn: DrawnStretch;
  unit: number;
  nowX: number;
}) {
  /** Whether the sign of now stands where a name would. */
  const isCovered = (x: number, label: string): boolean =>
    x < nowX + nowReach * unit && x + (label.length + 1) * letter * unit > nowX - nowReach * unit;
  return ticksOf(scale).map(({ atMs, label, isStrong }) => {
    const x = xOf(scale, atMs);
    if (label === null || x < drawn.fromX || x > drawn.untilX || isCovered(x, label)) return null;
    return (
      <span key={atMs} className={styles['day']} data-strong={isStrong || undefined} style={{ left: x }}>
        {label}
      </span>
    );
  });
});

/** A name above a stretch of time. */
export interface Stretch {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly label: string;
}

/** A line through the picture, and what stands above it. */
export interface Tick {
  readonly atMs: number;
  /** Where a week begins, or a month. */
  readonly isStrong: boolean;
  readonly label: string | null;
}

/** How much room a day needs to be told with its weekday, with its number, and to have a line. */
const weekdayPx = 64;
const numberPx = 28;
const linePx = 10;
/** How much room a week needs to be told, and a month with its whole name. */
const weekPx = 64;
const monthPx = 128;

/** The months that a scale shows. */
export function monthsOf({ startMs, endMs, pxPerMs }: Scale): Stretch[] {
  const nameOf = 28 * dayMs * pxPerMs < monthPx ? axisDates.shortMonth : axisDates.monthAndYear;
  const months: Stretch[] = [];
  for (let fromMs = startMs; fromMs < endMs;) {
    const { year, month } = partsOf(fromMs);
    const nextMs = new Date(year, month + 1, 1).getTime();
    months.push({ fromMs, untilMs: Math.min(nextMs, endMs), label: nameOf(fromMs) });
    fromMs = nextMs;
  }
  return months;
}

/** Days where there is room for them, otherwise weeks, otherwise every second or fourth week. */
export function ticksOf(scale: Scale, firstWeekday = readFirstWeekday()): Tick[] {
  const { startMs, endMs, pxPerMs } = scale;
  const dayPx = dayMs * pxPerMs;
  const ticks: Tick[] = [];
  let weeks = 0;
  for (let days = 0; ; days += 1) {
    const atMs = startOfDay(startMs, days);
    if (atMs >= endMs) return ticks;
    const isStrong = new Date(atMs).getDay() === firstWeekday;
    if (isStrong) weeks += 1;
    else if (dayPx < linePx) continue;
    ticks.push({ atMs, isStrong, label: labelOf(atMs, { dayPx, isStrong, weeks }) });
  }
}

function labelOf(
  atMs: number,
  { dayPx, isStrong, weeks }: { dayPx: number; isStrong: boolean; weeks: number },
): string | null {
  if (dayPx >= weekdayPx) return axisDates.weekdayAndDay(atMs);
  if (dayPx >= numberPx) return axisDates.day(atMs);
  if (!isStrong) return null;
  const every = [1, 2].find((count) => count * 7 * dayPx >= weekPx) ?? 4;
  return (weeks - 1) % every === 0 ? axisDates.dayAndMonth(atMs) : null;
}

function partsOf(ms: number): { readonly year: number; readonly month: number } {
  const date = new Date(ms);
  return { year: date.getFullYear(), month: date.getMonth() };
}

/** The weekday that a week begins with where the person lives, as `Date` counts them; Monday where that is not told. */
function readFirstWeekday(): number {
  const locale = new Intl.Locale(new Intl.DateTimeFormat().resolvedOptions().locale) as Intl.Locale & {
    readonly getWeekInfo?: () => { readonly firstDay: number };
  };
  return (locale.getWeekInfo?.().firstDay ?? 1) % 7;
}

/** What lies behind all rows: the past's ground, the lines of days and weeks, and now. */
export function Grid({ scale, drawn, nowMs }: { scale: Scale; drawn: DrawnStretch; nowMs: number }) {
  const nowX = xOf(scale, nowMs);
  return (
    <div className={styles['grid']} style={{ width: xOf(scale, scale.endMs) }} aria-hidden="true">
      <div className={styles['past']} style={{ width: nowX }} />
      <Lines scale={scale} drawn={drawn} />
      <div className={styles['gridNow']} style={{ transform: `translateX(${nowX}px)` }} />
    </div>
  );
}

const Lines = memo(function Lines({ scale, drawn }: { scale: Scale; drawn: DrawnStretch }) {
  return ticksOf(scale).map(({ atMs, isStrong }) => {
    const x = Math.round(xOf(scale, atMs));
    return x < drawn.fromX || x > drawn.untilX ? null : (
      <div
        key={atMs}
        className={styles['line']}
        data-strong={isStrong || undefined}
        style={{ transform: `translateX(${x}px)` }}
      />
    );
  });
});
