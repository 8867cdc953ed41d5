import type { DestinationRules } from '../../contract/pbx.ts';
import { RoutedType } from '../../contract/pbx.ts';
import { readReference } from '../../contract/ivr-reference.ts';

/** A place in the dialplan; a call there begins at priority 1. */
export interface DialplanPlace {
  readonly context: string;
  readonly extension: string;
}

export type Continuation =
  | { readonly kind: 'hang_up' }
  | ({ readonly kind: 'dialplan' } & DialplanPlace)
  /** `ivr||<id>` of a menu that is not stored. */
  | { readonly kind: 'unknown_menu' }
  /** Its id cannot be an extension as it is, or its type is unknown. */
  | { readonly kind: 'no_such_place' };

/** What an extension may contain. Nothing with a meaning in a dialplan (`,` `$` `{` `(` `&` `|` and spaces). */
const plainId = /^[A-Za-z0-9*#+_-]{1,80}$/;

/**
 * Where a call goes on in the dialplan that reached a destination, by the rules of its telephone system.
 *
 * An id with any other character is refused and never changed: it would be another place, or dialplan of somebody else's
 * making.
 */
export function whereCallContinues(destination: string, rules: DestinationRules): Continuation {
  const reference = readReference(destination);
  if (reference === null) return { kind: 'no_such_place' };
  const { type, id } = reference;
  if (type === 'hangup') return { kind: 'hang_up' };
  if (type === 'ivr') return { kind: 'unknown_menu' };
  const routed = RoutedType.safeParse(type);
  if (!routed.success || !plainId.test(id)) return { kind: 'no_such_place' };
  const { context, extension } = rules[routed.data];
  const place = extension.replaceAll('{id}', id);
  return plainId.test(place) ? { kind: 'dialplan', context, extension: place } : { kind: 'no_such_place' };
}
