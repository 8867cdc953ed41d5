import type { State } from '../../state.ts';
import { parseIvrBody } from '../body/parse-ivr-body.ts';
import { isSameTarget, type PublishTarget, type SentBody } from './draft.ts';

/** A menu that a target lists. */
export interface ListedMenu {
  readonly id: string;
  readonly entry: Readonly<Record<string, unknown>>;
}

/** The menus in the answer to `GET /v1/ivrs`: the list itself, or one in an object; null for an answer that has none. */
export function menusListed(reply: unknown): ListedMenu[] | null {
  const list = Array.isArray(reply) ? reply : listIn(reply);
  if (list === null) return null;
  return list.flatMap((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null) return [];
    const id = idOf(entry);
    return id === null ? [] : [{ id, entry: entry as ListedMenu['entry'] }];
  });
}

/** The id in a reply about a menu. */
export function idOf(reply: unknown): string | null {
  const id = typeof reply === 'object' && reply !== null && 'id' in reply ? reply.id : null;
  if (typeof id === 'number') return String(id);
  return typeof id === 'string' && id !== '' ? id : null;
}

function listIn(reply: unknown): unknown[] | null {
  if (typeof reply !== 'object' || reply === null) return null;
  return Object.values(reply).find((value): value is unknown[] => Array.isArray(value)) ?? null;
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

function isSameMenu(sent: SentBody, entry: SentBody): boolean {
  const [one, other] = [fieldsOf(sent), fieldsOf(entry)];
  if (one === null || other === null) return false;
  // A service with its SMS setting off leaves the templates out.
  const templates = other.sms_template === undefined ? {} : { sms_template: one.sms_template };
  const { sms_template: _, ...rest } = one;
  return JSON.stringify({ ...rest, ...templates }) === JSON.stringify(other);
}

/** A body in the one form that it is stored in; null for what is none. */
function fieldsOf(body: SentBody) {
  const parsed = parseIvrBody(body, { smsTemplatesEnabled: true });
  return parsed.ok ? parsed.value.body : null;
}
