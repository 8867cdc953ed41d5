import { lifelineDays } from '../../../contract/window/lifeline.ts';
import { startOfDay } from '../../../text/time.ts';

export const dayMs = 86_400_000;

/** How much of time is in sight, in days. */
export const spans = [7, 30, 90] as const;
export type Span = (typeof spans)[number];
export const defaultSpan: Span = 30;

/** The share of what is in sight that lies in the past. */
export const pastShare = 0.25;

/** All that can be scrolled to, and how wide a millisecond is. */
export interface Scale {
  readonly startMs: number;
  readonly endMs: number;
  readonly pxPerMs: number;
}

/** Whole days of the person's calendar around the 90 days back and ahead, so that it moves at midnight only. */
export function scaleOf(nowMs: number, { spanDays, widthPx }: { spanDays: Span; widthPx: number }): Scale {
  return {
    startMs: startOfDay(nowMs, -lifelineDays),
    endMs: startOfDay(nowMs, lifelineDays + 1),
    pxPerMs: widthPx / (spanDays * dayMs),
  };
}

export function xOf({ startMs, pxPerMs }: Scale, ms: number): number {
  return (ms - startMs) * pxPerMs;
}

export function msOf({ startMs, pxPerMs }: Scale, x: number): number {
  return startMs + x / pxPerMs;
}
