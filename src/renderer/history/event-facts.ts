import type { HistoryEvent } from '../../contract/audit-event.ts';

/** One thing that an event says, under a name that a person can read. */
export interface Fact {
  readonly name: string;
  readonly value: string;
  /** An instant is shown in the person's own time. */
  readonly isInstant: boolean;
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** Every field of an event's data in a flat list: `configuration.validity_days` is "configuration · validity days". */
export function factsOf(data: HistoryEvent['data']): readonly Fact[] {
  return Object.entries(data).flatMap(([key, value]) => factsUnder(words(key), value));
}

function factsUnder(name: string, value: unknown): Fact[] {
  if (Array.isArray(value)) return [fact(name, value.length === 0 ? 'none' : value.map(plain).join(', '))];
  if (typeof value !== 'object' || value === null) return [fact(name, plain(value))];
  return Object.entries(value).flatMap(([key, part]) => factsUnder(`${name} · ${words(key)}`, part));
}

function fact(name: string, value: string): Fact {
  return { name, value, isInstant: instant.test(value) };
}

function words(key: string): string {
  return key.replaceAll('_', ' ');
}

function plain(value: unknown): string {
  if (value === null || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value);
}
