import type { UnusableMenuId } from '../../../contract/menu/ivr-problem.ts';
import { OtherIvrId } from '../../../contract/menu/ivr.ts';
import type { State } from '../../state.ts';
import { findList, isObject } from '../import/find-menus.ts';
import { ImportNotes, readMenu, textOf } from '../import/read-menu.ts';
import { isSameTarget, type PublishTarget, type SentBody } from './draft.ts';

/** The id that a target gives a menu; if it cannot be used, what it is and why. */
export type RemoteId = { readonly id: string } | { readonly id: null; readonly unusable: UnusableMenuId };

/** A menu in the list of a target. */
export interface ListedMenu {
  readonly told: RemoteId;
  readonly entry: Readonly<Record<string, unknown>>;
}

/** The menus in the reply to `GET /v1/ivrs`: the list itself, or one in an envelope; null if there is none. */
export function menusListed(reply: unknown): ListedMenu[] | null {
  return (
    findList(reply)?.flatMap((entry) => {
      const told = idOf(entry);
      return told === null || !isObject(entry) ? [] : [{ told, entry }];
    }) ?? null
  );
}

/** The id in a reply about a menu; null if there is none. */
export function idOf(reply: unknown): RemoteId | null {
  if (!isObject(reply)) return null;
  const id = ['id', 'ivr_id', '_id'].map((name) => textOf(reply[name])).find((one) => one !== null);
  return id === undefined || id === '' ? null : readRemoteId(id);
}

const shownCharacters = 40;

/** Validates an id of another service: only an id that passes here is stored, sent or put into an address. */
export function readRemoteId(said: string): RemoteId {
  const parsed = OtherIvrId.safeParse(said);
  if (parsed.success) return { id: parsed.data };
  const beginning = said.slice(0, shownCharacters).replace(/\p{C}/gu, '\ufffd');
  const rule = parsed.error.issues[0]?.message ?? '';
  return { id: null, unusable: { beginning, characters: said.length, rule } };
}

/**
 * Finds the menu that was created by a request whose reply was lost: the last menu with exactly the same fields.
 *
 * Menus that a draft is known to have published there are excluded. A menu whose id cannot be used is considered last,
 * but also returned: it exists, so it must not be created again.
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

/** Compared as the importer reads them, because the platform returns a menu in another format than it accepts. */
function isSameMenu(sent: SentBody, entry: SentBody): boolean {
  const [one, other] = [fieldsOf(sent), fieldsOf(entry)];
  // A service with its SMS setting off leaves the templates out.
  const hasTemplates = other.keys.some(({ sms_template: template }) => template !== null);
  const keys = hasTemplates ? one.keys : one.keys.map((key) => ({ ...key, sms_template: null }));
  return JSON.stringify({ ...one, keys }) === JSON.stringify(other);
}

/**
 * The fields of a menu in a canonical form, keys sorted; null if it could not be read, which equals no menu that was
 * sent.
 */
function fieldsOf(fields: SentBody) {
  const { storedAs: _, keys, ...rest } = readMenu({ path: '', fields }, new ImportNotes());
  return { ...rest, keys: keys.toSorted((one, other) => (one.key < other.key ? -1 : 1)) };
}
