import type { UnusableMenuId } from '../../../contract/ivr-problem.ts';
import { OtherIvrId } from '../../../contract/ivr.ts';
import type { State } from '../../state.ts';
import { findList, isObject } from '../import/find-menus.ts';
import { ImportNotes } from '../import/import-notes.ts';
import { readMenu, textOf } from '../import/read-menu.ts';
import { isSameTarget, type PublishTarget, type SentBody } from './draft.ts';

/** The id that a target gives a menu; where it cannot be used, what it is and why. */
export type ToldId = { readonly id: string } | { readonly id: null; readonly unusable: UnusableMenuId };

/** A menu that a target lists. */
export interface ListedMenu {
  readonly told: ToldId;
  readonly entry: Readonly<Record<string, unknown>>;
}

/** The menus in the answer to `GET /v1/ivrs`: the list itself, or one in an envelope; null for an answer that has none. */
export function menusListed(reply: unknown): ListedMenu[] | null {
  return (
    findList(reply)?.flatMap((entry) => {
      const told = idOf(entry);
      return told === null || !isObject(entry) ? [] : [{ told, entry }];
    }) ?? null
  );
}

/** The id in a reply about a menu; null when there is none. */
export function idOf(reply: unknown): ToldId | null {
  if (!isObject(reply)) return null;
  const id = ['id', 'ivr_id', '_id'].map((name) => textOf(reply[name])).find((one) => one !== null);
  return id === undefined || id === '' ? null : readToldId(id);
}

const shownCharacters = 40;

/** The border for menu ids of other services: nothing but what passes here is kept, sent or put into an address. */
export function readToldId(said: string): ToldId {
  const parsed = OtherIvrId.safeParse(said);
  if (parsed.success) return { id: parsed.data };
  const beginning = said.slice(0, shownCharacters).replace(/\p{C}/gu, '\ufffd');
  const rule = parsed.error.issues[0]?.message ?? '';
  return { id: null, unusable: { beginning, characters: said.length, rule } };
}

/**
 * The menu that a body became whose reply was lost: the last of those with exactly its fields.
 *
 * Menus that a draft is known to have published there are left out: they are somebody's already. One with an id that
 * cannot be used comes last, and is told all the same: it is there, so the menu must not be created once more.
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
  const fitting = listed.filter(
    ({ told: { id }, entry }) => (id === null || !taken.has(id)) && isSameMenu(sent, entry),
  );
  return fitting.findLast(({ told: { id } }) => id !== null) ?? fitting.at(-1) ?? null;
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
