/**
 * How each kind of destination is reached on a telephone system: the one table that live calls, the checks and the exports
 * for Asterisk and FreeSWITCH read. What one of them can reach, all can.
 */
// see decisions/exports.md
import type { OutsideRules } from '../../contract/calls/outside-calls.ts';
import { readReference } from '../../contract/menu/ivr-reference.ts';
import type { IvrProblemParams } from '../../contract/menu/ivr-problem.ts';
import { defaultDestinationRules, type DestinationRules, RoutedType } from '../../contract/calls/pbx.ts';
import { whyNotCalled } from './outside-number.ts';

/** A place in a dialplan; a call there begins at priority 1. */
export interface DialplanPlace {
  readonly context: string;
  readonly extension: string;
}

export type Route =
  | { readonly kind: 'hang_up' }
  | ({ readonly kind: 'dialplan' } & DialplanPlace)
  /** To an outside number: counted, since only so many are called in an hour. */
  | ({ readonly kind: 'outside' } & DialplanPlace)
  /** `ivr||<id>` of a menu that is not part of the flow. */
  | { readonly kind: 'other_menu'; readonly id: string }
  | { readonly kind: 'none'; readonly why: NoRoute };

/** Why no call can reach a destination. */
export type NoRoute =
  /**
   * Its id contains what no extension of a dialplan can have, or is an outside number that menus do not call. `suggested`: the id
   * that is probably meant.
   */
  | IvrProblemParams['destination_unreachable']['why']
  /** The telephone system has no place for destinations of this type. */
  | { readonly code: 'no_rule'; readonly type: RoutedType }
  | { readonly code: 'unknown_type' };

/** What an extension may contain. Nothing with a meaning in a dialplan (`,` `$` `{` `(` `&` `|` and spaces). */
const plainId = /^[A-Za-z0-9*#+_-]+$/;
const longestId = 80;
/** Extensions with a meaning of their own (Asterisk, main/pbx.c), and what is nothing without the dashes that it leaves out. */
const reservedId = /^(?:[aefhioTt]|[+_-]+)$/;

/**
 * The route to a destination by the rules of a telephone system.
 *
 * An id with any other character has none and is never changed: it would be another place, or dialplan of somebody else's
 * making.
 */
export function routeOf(destination: string, rules: DestinationRules, outside: OutsideRules): Route {
  const reference = readReference(destination);
  if (reference === null) return { kind: 'none', why: { code: 'unknown_type' } };
  const { type, id } = reference;
  if (type === 'hangup') return { kind: 'hang_up' };
  if (type === 'ivr') return { kind: 'other_menu', id };
  const routed = RoutedType.safeParse(type);
  if (!routed.success) return { kind: 'none', why: { code: 'unknown_type' } };
  const wrong = whatIsWrong(routed.data, id, outside);
  if (wrong !== null) return { kind: 'none', why: wrong };
  const rule = rules[routed.data];
  if (rule === undefined) return { kind: 'none', why: { code: 'no_rule', type: routed.data } };
  const isOutside = routed.data === 'number';
  const dialled = rule.extension.replaceAll('{id}', id);
  const extension = isOutside ? dialled.replaceAll('{digits}', id.slice(1)) : dialled;
  return extension.length > longestId
    ? { kind: 'none', why: { code: 'too_long', most: longestId } }
    : { kind: isOutside ? 'outside' : 'dialplan', context: rule.context, extension };
}

/** Why no telephone system can reach a destination, whatever its rules are; null when one can. `outside`: null while not known. */
export function whyUnreachable(destination: string, outside: OutsideRules | null): Unreachable | null {
  const { type, id } = readReference(destination) ?? { type: '', id: '' };
  const routed = RoutedType.safeParse(type);
  const why = routed.success ? whatIsWrong(routed.data, id, outside) : null;
  return routed.success && why !== null ? { type: routed.data, id, why } : null;
}
type Unreachable = IvrProblemParams['destination_unreachable'];

function whatIsWrong(type: RoutedType, id: string, outside: OutsideRules | null): Unreachable['why'] | null {
  if (type === 'number') return whyNotCalled(id, outside);
  if (id.length > longestId) return { code: 'too_long', most: longestId };
  if (plainId.test(id)) return reservedId.test(id) ? { code: 'reserved' } : null;
  const character = Array.from(id).find((one) => !plainId.test(one)) ?? '';
  return { code: 'character', character, suggested: dialled(id) };
}

/** A telephone number as it is dialled, without what people write between its digits (ITU-T E.123); null for anything else. */
function dialled(id: string): string | null {
  const number = id
    // Wide digits are digits, and what nobody sees comes with what is copied (signalapp/Signal-Android#11630, signalwire/freeswitch#1488).
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/^(?:tel|sips?):/i, '')
    .replace(/@[\w.:-]*$/, '')
    .replace(/\(0\)/g, '')
    .replace(/[\s()./-]+/gu, '');
  return /^[+*#]?\d{2,20}$/.test(number) && number !== id ? number : null;
}

/** The types of destinations for which every one of the telephone systems has a place; the usual ones without any. */
export function routedTypes(pbxs: readonly { readonly destinations: DestinationRules }[]): RoutedType[] {
  const tables = pbxs.length === 0 ? [defaultDestinationRules] : pbxs.map(({ destinations }) => destinations);
  return RoutedType.options.filter((type) => tables.every((rules) => rules[type] !== undefined));
}

/** How an application of FreeSWITCH is called. */
export interface FreeswitchStep {
  readonly application: string;
  readonly data: string;
}

/**
 * The same for FreeSWITCH, as its own configuration has it: extensions, feature codes and outside numbers are in the context
 * `default` (conf/vanilla/dialplan/default.xml), where groups of the directory are called as `group/<name>`, too; voicemail and queues are
 * applications (mod_voicemail, mod_callcenter). `limit` counts within a time (mod_hash) and leads on to `limit_exceeded`, which the
 * context of the menus does not have: such a call ends.
 */
const freeswitchSteps: Readonly<
  Partial<Record<RoutedType, (id: string, outside: OutsideRules) => readonly FreeswitchStep[]>>
> = {
  extension: (id) => [{ application: 'transfer', data: `${id} XML default` }],
  voicemail: (id) => [{ application: 'voicemail', data: `default \${domain_name} ${id}` }],
  department: (id) => [{ application: 'callcenter', data: `${id}@default` }],
  ring_group: (id) => [{ application: 'bridge', data: `group/${id}@\${domain_name}` }],
  number: (id, { perHour }) => [
    { application: 'limit', data: ['hash', 'rotavox', 'outside', `${perHour}/3600`].join(' ') },
    { application: 'transfer', data: `${id} XML default` },
  ],
};

/** What FreeSWITCH does for a destination; empty where nobody knows. */
export function freeswitchPath(destination: string, outside: OutsideRules): readonly FreeswitchStep[] {
  const { type, id } = readReference(destination) ?? { type: '', id: '' };
  const routed = RoutedType.safeParse(type);
  if (!routed.success || whatIsWrong(routed.data, id, outside) !== null) return [];
  return freeswitchSteps[routed.data]?.(id, outside) ?? [];
}
