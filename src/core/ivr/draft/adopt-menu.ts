import type { State } from '../../state.ts';
import { findList, isObject } from '../import/find-menus.ts';
import { ImportNotes } from '../import/import-notes.ts';
import { textOf } from '../import/menu-reader.ts';
import { readMenu } from '../import/read-menu.ts';
import { isSameTarget, type PublishTarget, type SentBody } from './draft.ts';

/** A menu that a target lists. */
export interface ListedMenu {
  readonly id: string;
  readonly entry: Readonly<Record<string, unknown>>;
}

/** The menus in the answer to `GET /v1/ivrs`: the list itself, or one in an envelope; null for an answer that has none. */
export function menusListed(reply: unknown): ListedMenu[] | null {
  return (
    findList(reply)?.flatMap((entry) => {
      const id = idOf(entry);
      return id === null || !isObject(entry) ? [] : [{ id, entry }];
    }) ?? null
  );
}

/** The id in a reply about a menu. */
export function idOf(reply: unknown): string | null {
  if (!isObject(reply)) return null;
  const id = ['id', 'ivr_id', '_id'].map((name) => textOf(reply[name])).find((one) => one !== null);
  return id === undefined || id === '' ? null : id;
}

/**
 * The menu that a body became whose reply was lost: the last of those with exactly its fields.
 *
 * Menus that a draft is known to have published there are left out: they are somebody's already.
 */
export function adoptableMenu(
  state: State,
  target: PublishTarget,
  { sent, listed }: { readonly sent: SentBody; readonly listed: readonly ListedMenu[] },
): ListedMenu | null {
  const publications = [...state.drafts.values()].flatMap((draft) => draft.publications);
  const taken = new Set(
    publications.filter((one) => isSameTarget(one, target)).flatMap(({ menus }) => Object.values(menus)),
  );
  return listed.findLast(({ id, entry }) => !taken.has(id) && isSameMenu(sent, entry)) ?? null;
}

/** Compared as the importer reads them: the platform shows a menu in other words than it takes it in. */
function isSameMenu(sent: SentBody, entry: SentBody): boolean {
  const [one, other] = [fieldsOf(sent), fieldsOf(entry)];
  // A service with its SMS setting off leaves the templates out.
  const hasTemplates = other.keys.some(({ sms_template: template }) => template !== null);
  const keys = hasTemplates ? one.keys : one.keys.map((key) => ({ ...key, sms_template: null }));
  return JSON.stringify({ ...one, keys }) === JSON.stringify(other);
}

/** What a menu says, in one form, its keys in one order; what could not be read is null, which nothing that was sent is. */
function fieldsOf(fields: SentBody) {
  const { storedAs: _, keys, ...rest } = readMenu({ path: '', fields }, new ImportNotes());
  return { ...rest, keys: keys.toSorted((one, other) => (one.key < other.key ? -1 : 1)) };
}
