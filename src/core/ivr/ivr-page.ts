import type { Ivr, IvrId } from '../../contract/ivr.ts';
import type { State } from '../state.ts';

const maxMenus = 1000;
/** How many characters the texts of a page may have in all. The longest menus that are allowed have ten thousand. */
const maxCharacters = 1024 * 1024;

/**
 * A page of the stored menus, in the order in which they were created, and the cursor of the next; null where there is none.
 *
 * A page has at least one menu. A cursor names the last menu of its page: created when, and which. Where that one was deleted
 * meanwhile the next page begins with those created at that time or later, so that none is left out.
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
