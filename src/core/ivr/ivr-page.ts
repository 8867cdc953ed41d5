import type { Ivr, IvrId } from '../../contract/menu/ivr.ts';
import type { State } from '../state.ts';

const maxMenus = 1000;
/** How many characters the texts of a page may have in total. The longest valid menus have ten thousand. */
const maxCharacters = 1024 * 1024;

/**
 * A page of the stored menus, in the order of creation, and the cursor of the next page; null if there is none.
 *
 * A page has at least one menu. A cursor contains the id and the creation time of the last menu of its page. If that
 * menu was deleted, the next page starts with those created at that time or later, so that none is skipped.
 */
export function ivrPage(
  { ivrs }: State,
  { limit, cursor }: { readonly limit?: string | undefined; readonly cursor?: string | undefined },
): { readonly ivrs: Ivr[]; readonly next: string | null } {
  const most = limit === undefined ? maxMenus : Number(limit);
  const rest = cursor === undefined ? ivrs.values() : after(ivrs, cursor);
  const page: Ivr[] = [];
  let characters = 0;
  for (const ivr of rest) {
    characters += charactersOf(ivr);
    const last = page.at(-1);
    if (last !== undefined && (page.length === most || characters > maxCharacters)) {
      return { ivrs: page, next: `${last.created_at}_${last.id}` };
    }
    page.push(ivr);
  }
  return { ivrs: page, next: null };
}

function* after(ivrs: State['ivrs'], cursor: string): Generator<Ivr> {
  const [createdAt = ''] = cursor.split('_', 1);
  const id = cursor.slice(createdAt.length + 1) as IvrId;
  const isThere = ivrs.has(id);
  let isAfter = false;
  for (const ivr of ivrs.values()) {
    if (isAfter || (!isThere && ivr.created_at >= createdAt)) yield ivr;
    isAfter ||= ivr.id === id;
  }
}

function charactersOf(ivr: Ivr): number {
  let count = 0;
  for (const value of Object.values(ivr)) {
    if (typeof value === 'string') count += value.length;
    else if (Array.isArray(value)) for (const one of value) count += one.length;
  }
  return count;
}
