import type { HoursOfDay } from '../contract/hours-of-day.ts';

/** `22:00-04:00` in the contract's words; any other text is left for the schema to refuse. */
export function hoursIn(text: string): unknown {
  const [from, to, ...rest] = text.split('-');
  return rest.length === 0 ? { from, to } : text;
}

export function hoursText({ from, to }: HoursOfDay): string {
  return `${from}-${to}`;
}
