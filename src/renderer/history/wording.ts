import type { HistoryEvent } from '../../contract/audit-event.ts';
import type { IconName } from '../kit/icon.tsx';

export type EventTone = 'good' | 'accent' | 'calm' | 'warn' | 'bad';
export type Data = HistoryEvent['data'];

/** How a kind of event is said. `detail` reads what a newer or older service may have left out. */
export interface Wording {
  readonly icon: IconName;
  readonly tone: EventTone;
  readonly what: string;
  readonly detail: (data: Data) => string | undefined;
}

/** The text at a path of an event's data, when there is one. */
export function text(data: Data, ...path: string[]): string | undefined {
  let value: unknown = data;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Reflect.get(value, key);
  }
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** What is known of several details, in one line. */
export function joined(...parts: (string | undefined)[]): string | undefined {
  const known = parts.filter((part) => part !== undefined);
  return known.length === 0 ? undefined : known.join(' · ');
}
