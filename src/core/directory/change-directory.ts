import { directoryLimit } from '../../contract/directory.ts';
import type { FieldError } from '../../contract/problems.ts';
import type { Decision } from '../ledger.ts';
import { done, refused, type Result } from '../result.ts';
import type { State } from '../state.ts';
import type { DirectoryKind } from './directory-kind.ts';

/** What a change comes to. */
export interface DirectoryChange {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly unchanged: number;
}

/**
 * Sets and removes entries of a directory: all of it, or nothing where something is wrong.
 *
 * What is as it was already, and what is not there to be removed, is no change; a change of nothing is no event.
 */
export function changeDirectory<Entry extends { readonly id: string }>(
  state: State,
  kind: DirectoryKind<Entry>,
  { set, remove }: { readonly set: readonly Entry[]; readonly remove: readonly string[] },
): Decision<Result<DirectoryChange, readonly FieldError[]>> {
  const table = kind.tableOf(state);
  const errors = contradictions(set, remove);
  const isNew = (entry: Entry): boolean => !table.has(entry.id);
  const differing = set.filter((entry) => isNew(entry) || !isSame(table.get(entry.id), entry));
  const removed = [...new Set(remove)].filter((id) => table.has(id));
  const added = differing.filter(isNew);
  if (table.size - removed.length + added.length > directoryLimit) {
    const message = `must not have more than ${directoryLimit} ${kind.entries} in it with what is there`;
    errors.push({ field: 'set', message });
  }
  if (errors.length > 0) return { events: [], value: refused(errors) };
  const value = done({
    added: added.map(({ id }) => id),
    changed: differing.filter((entry) => !isNew(entry)).map(({ id }) => id),
    unchanged: set.length - differing.length,
  });
  if (differing.length + removed.length === 0) return { events: [], value };
  return { events: [kind.changed({ set: differing, removed })], value };
}

function contradictions(set: readonly { readonly id: string }[], remove: readonly string[]): FieldError[] {
  const seen = new Set<string>();
  const removed = new Set(remove);
  return set.flatMap(({ id }, place) => {
    const isTwice = seen.has(id);
    seen.add(id);
    if (isTwice) return [{ field: `set[${place}].id`, message: `must not be there twice: ${id}` }];
    if (removed.has(id)) return [{ field: `set[${place}].id`, message: `must not be in remove too: ${id}` }];
    return [];
  });
}

/** Both come from the same schema, which writes the fields in one order. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
