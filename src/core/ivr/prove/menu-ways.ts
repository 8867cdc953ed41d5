import type { NodeId } from '../../../contract/ivr-draft.ts';
import type { CallPort } from '../call/call-state.ts';
import type { FlowMenu, FlowTarget } from '../flow.ts';
import { hasWrongKey } from './wrong-key.ts';

/** A way that a call can take out of a menu, and where that is written. */
export interface MenuWay {
  readonly port: CallPort;
  readonly to: FlowTarget;
  /** The path into the menu of the drawing. */
  readonly at: string;
  /** The field of the body. */
  readonly field: string;
}

/** Every way that a caller can take: no wrong key where all twelve are used. */
export function menuWays(menu: FlowMenu): MenuWay[] {
  const keys = [...menu.keys].map(([key, { to }], place) => ({
    port: { kind: 'key', key } as const,
    to,
    at: `keys.${place}.to`,
    field: `destination[${place}]`,
  }));
  return [...keys, ...waysWithoutKey(menu)];
}

/** The ways of a caller who presses none of the menu's keys. */
export function waysWithoutKey({ keys, wrongKey, silence }: FlowMenu): MenuWay[] {
  const ways: MenuWay[] = [];
  if (hasWrongKey((key) => keys.has(key))) {
    const field = 'invalid_destination';
    ways.push({ port: { kind: 'wrong_key' }, to: wrongKey.to, at: field, field });
  }
  const field = 'timeout_destination';
  ways.push({ port: { kind: 'silence' }, to: silence.to, at: field, field });
  return ways;
}

/** The menus that such ways lead to. */
export function menusAmong(ways: readonly MenuWay[]): NodeId[] {
  return ways.flatMap(({ to }) => (to.kind === 'menu' ? [to.menu] : []));
}
