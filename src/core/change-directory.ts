import type { z } from 'zod';
import type { EventDraft } from '../contract/history/audit-event.ts';
import { directoryLimit, Extension, SmsTemplate } from '../contract/menu/directory.ts';
import type { DirectoryName, FieldProblem } from '../contract/field-problem.ts';
import { compareTexts } from './compare-texts.ts';
import type { Decision } from './ledger.ts';
import { done, refused, type Result } from './result.ts';
import type { State } from './state.ts';
import type { Table } from './table.ts';

/** The result of a change. */
export interface DirectoryChange {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly unchanged: number;
}

/**
 * Sets and removes entries of a directory: all of them, or none if something is wrong.
 *
 * Unchanged entries and the removal of missing ones are ignored; without a change there is no event.
 */
export function changeDirectory<Entry extends { readonly id: string }>(
  state: State,
  kind: DirectoryKind<Entry>,
  { set, remove }: { readonly set: readonly Entry[]; readonly remove: readonly string[] },
): Decision<Result<DirectoryChange, readonly FieldProblem[]>> {
  const table = kind.tableOf(state);
  const errors = contradictions(set, remove);
  const isNew = (entry: Entry): boolean => !table.has(entry.id);
  const differing = set.filter((entry) => isNew(entry) || !isSame(table.get(entry.id), entry));
  const removed = [...new Set(remove)].filter((id) => table.has(id));
  const added = differing.filter(isNew);
  if (table.size - removed.length + added.length > directoryLimit) {
    errors.push({ field: 'set', code: 'directory_full', params: { most: directoryLimit, of: kind.name } });
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

function contradictions(set: readonly { readonly id: string }[], remove: readonly string[]): FieldProblem[] {
  const seen = new Set<string>();
  const removed = new Set(remove);
  return set.flatMap(({ id }, place): FieldProblem[] => {
    const isTwice = seen.has(id);
    seen.add(id);
    const field = `set[${place}].id`;
    if (isTwice) return [{ field, code: 'listed_twice', params: { id } }];
    return removed.has(id) ? [{ field, code: 'also_removed', params: { id } }] : [];
  });
}

/** Both come from the same schema, which writes the fields in one order. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** How one directory differs from the other. */
export interface DirectoryKind<Entry extends { readonly id: string }> {
  readonly name: DirectoryName;
  readonly entry: z.ZodType<Entry>;
  /** The columns of its file, in order. */
  readonly columns: readonly (keyof Entry & string)[];
  tableOf(state: State): Table<string, Entry>;
  changed(change: { readonly set: Entry[]; readonly removed: string[] }): EventDraft;
}

export const extensionKind: DirectoryKind<Extension> = {
  name: 'extensions',
  entry: Extension,
  columns: ['id', 'name'],
  tableOf: ({ extensions }) => extensions,
  changed: (data) => ({
    kind: 'extensions.changed',
    subject: 'extensions',
    actor: { kind: 'owner' },
    data,
  }),
};

export const smsTemplateKind: DirectoryKind<SmsTemplate> = {
  name: 'sms_templates',
  entry: SmsTemplate,
  columns: ['id', 'name', 'text'],
  tableOf: ({ smsTemplates }) => smsTemplates,
  changed: (data) => ({
    kind: 'sms_templates.changed',
    subject: 'sms_templates',
    actor: { kind: 'owner' },
    data,
  }),
};

const digits = /^\d+$/;

/** Entries sorted by id as people expect: numbers first, by their value. */
export function inOrder<Entry extends { readonly id: string }>(entries: Iterable<Entry>): Entry[] {
  return [...entries].sort((one, other) => compareIds(one.id, other.id));
}

function compareIds(one: string, other: string): number {
  const [isNumber, isOtherNumber] = [digits.test(one), digits.test(other)];
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return (isNumber ? compareNumbers(one, other) : 0) || compareTexts(one, other);
}

/** By length and then by digits: an id may be longer than a number can be exact. */
function compareNumbers(one: string, other: string): number {
  const [value, otherValue] = [one.replace(/^0+/, ''), other.replace(/^0+/, '')];
  if (value.length !== otherValue.length) return value.length - otherValue.length;
  return compareTexts(value, otherValue);
}
