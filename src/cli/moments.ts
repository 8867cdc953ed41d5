import { InvalidArgumentError } from 'commander';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** An instant in the person's own time zone: `2026-11-21 08:19:33`. */
export function localTime(instant: string): string {
  const at = new Date(instant);
  const two = (value: number): string => String(value).padStart(2, '0');
  return (
    `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ` +
    `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
  );
}

/** How long it is until an instant, in the two units that matter: `6d 23h`, `3h 12m`, `45s`; `0s` when it is over. */
export function timeLeft(until: string, nowMs: number): string {
  const ms = Math.max(0, Date.parse(until) - nowMs);
  if (ms >= dayMs) return `${Math.floor(ms / dayMs)}d ${Math.floor((ms % dayMs) / hourMs)}h`;
  if (ms >= hourMs) return `${Math.floor(ms / hourMs)}h ${Math.floor((ms % hourMs) / minuteMs)}m`;
  if (ms >= minuteMs) return `${Math.floor(ms / minuteMs)}m ${Math.floor((ms % minuteMs) / 1000)}s`;
  return `${Math.floor(ms / 1000)}s`;
}

const unitsMs = { m: minuteMs, h: hourMs, d: dayMs } as const;

/** A time as a person writes it, in milliseconds: `30m`, `2h`, `1d`. For an option: it throws what commander explains. */
export function durationMs(text: string): number {
  const match = /^([1-9]\d{0,4})([mhd])$/.exec(text);
  if (match === null) throw new InvalidArgumentError('It must be a time such as 30m, 2h or 1d.');
  return Number(match[1]) * unitsMs[match[2] as keyof typeof unitsMs];
}
