import { readReference } from '../../contract/menu/ivr-reference.ts';
import type { Ivr, StoredIvr } from '../../contract/menu/ivr.ts';
import type { FlowPart } from '../../contract/menu/schedule.ts';

/**
 * What a call can begin with: a stored menu, or the opening hours or message that a published call flow begins with.
 *
 * Opening hours have the name of their call flow.
 */
export type CallStart = StoredIvr | FlowPart;

/**
 * All that a call can begin with, those first that nothing else leads to: callers begin there. Opening hours and messages inside a call flow
 * are left out, those that it goes back to are not.
 */
export function callStarts(menus: readonly StoredIvr[], parts: readonly FlowPart[]): CallStart[] {
  const all: readonly CallStart[] = [...parts, ...menus];
  const led = new Map<string, string[]>();
  for (const one of all) {
    for (const to of leadsTo(one)) if (to !== one.id) led.set(to, [...(led.get(to) ?? []), one.id]);
  }
  const byId = new Map(all.map((one) => [String(one.id), one]));
  const begins = parts.filter(({ id }) => {
    const from = led.get(id) ?? [];
    if (from.length === 0) return true;
    const reached = reachedFrom(id, byId);
    return from.every((one) => reached.has(one));
  });
  return [...begins, ...menus.toSorted((one, other) => Number(led.has(one.id)) - Number(led.has(other.id)))];
}

function reachedFrom(start: string, byId: ReadonlyMap<string, CallStart>): ReadonlySet<string> {
  const reached = new Set([start]);
  // Grows while it is read.
  for (const id of reached) {
    const one = byId.get(id);
    for (const to of one === undefined ? [] : leadsTo(one)) reached.add(to);
  }
  return reached;
}

/** The ids of the menus, opening hours and messages that something stored leads to. */
export function leadsTo(one: Ivr | FlowPart): string[] {
  return destinationsOf(one).flatMap((destination) => {
    const reference = destination === null ? null : readReference(destination);
    return reference !== null && ['ivr', 'hours', 'message'].includes(reference.type) ? [reference.id] : [];
  });
}

function destinationsOf(one: Ivr | FlowPart): readonly (string | null)[] {
  if (!('kind' in one)) return [...one.destination, one.invalid_destination, one.timeout_destination];
  return one.kind === 'message' ? [one.then] : [one.open, one.closed, one.holiday];
}
