import type { LiveCall, MenuTraffic, Traffic } from '../../../../contract/calls/call.ts';
import type { IvrDocument } from '../../../../contract/menu/ivr-draft.ts';
import { menusOf } from '../../../../core/ivr/edit/lines.ts';

/** Which node of a draft each stored menu is. */
export type NodesByMenu = ReadonlyMap<string, string>;

/** From where the draft was published here: there each menu of it has the id of a stored one. */
export function nodesByMenu(menus: Readonly<Record<string, string>>): NodesByMenu {
  return new Map(Object.entries(menus).map(([node, stored]) => [stored, node]));
}

/**
 * The calls that are in menus of a draft, by the node.
 *
 * A call of a published menu names stored menus. A call that tries a draft names the nodes of that draft.
 */
export function callersByNode(
  calls: readonly LiveCall[],
  draft: string,
  nodes: NodesByMenu,
): ReadonlyMap<string, readonly LiveCall[]> {
  const byNode = new Map<string, LiveCall[]>();
  for (const call of calls) {
    const node = nodeOfCall(call, draft, nodes);
    if (node === undefined) continue;
    const here = byNode.get(node);
    if (here === undefined) byNode.set(node, [call]);
    else here.push(call);
  }
  return byNode;
}

/** Undefined: it is in no node of this draft. */
function nodeOfCall(call: LiveCall, draft: string, nodes: NodesByMenu): string | undefined {
  if (call.draft === null) return nodes.get(call.menu);
  return call.draft === draft ? call.menu : undefined;
}

/** What happened at an exit of a menu: a key, the wrong key or the timeout. */
export interface ExitTraffic {
  readonly count: number;
  /** How often a call left by it, where that is not each time. */
  readonly led: number | null;
  /** How often a call came into the menu. */
  readonly entered: number;
}

/** The traffic of the menus of a draft by the node, and of their exits by the ids of the lines (`lineId`). */
export function trafficByNode(
  { menus }: Pick<Traffic, 'menus'>,
  document: IvrDocument,
  stored: Readonly<Record<string, string>>,
): {
  readonly menus: ReadonlyMap<string, MenuTraffic>;
  readonly exits: ReadonlyMap<string, ExitTraffic>;
} {
  const byMenu = new Map(menus.map((one) => [one.menu, one]));
  const found = new Map<string, MenuTraffic>();
  const exits = new Map<string, ExitTraffic>();
  for (const { id, keys } of menusOf(document)) {
    const menu = stored[id];
    if (menu === undefined) continue;
    const traffic = byMenu.get(menu) ?? nothingOf(menu);
    const { entered, led } = traffic;
    found.set(id, traffic);
    for (const [index, { key }] of keys.entries()) {
      const count = Object.hasOwn(traffic.keys, key) ? (traffic.keys[key] ?? 0) : 0;
      exits.set(`${id}:key-${index}`, { count, led: null, entered });
    }
    exits.set(`${id}:invalid`, { count: traffic.wrong_keys, led: led.wrong_key, entered });
    exits.set(`${id}:timeout`, { count: traffic.timeouts, led: led.timeout, entered });
  }
  return { menus: found, exits };
}

/** Of a menu that no call came into. */
function nothingOf(menu: string): MenuTraffic {
  return {
    menu,
    entered: 0,
    keys: {},
    wrong_keys: 0,
    timeouts: 0,
    hung_up: 0,
    led: { wrong_key: 0, timeout: 0 },
  };
}

/**
 * Values by an id, outside of React: what shows one of them is rendered again only when that one changes.
 *
 * Hundreds of cards and lines follow one each, while calls change ten times a second.
 */
export class ById<T> {
  readonly #isSame: (one: T, other: T) => boolean;
  readonly #listeners = new Set<() => void>();
  #values: ReadonlyMap<string, T> = new Map();

  constructor(isSame: (one: T, other: T) => boolean = Object.is) {
    this.#isSame = isSame;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly all = (): ReadonlyMap<string, T> => this.#values;

  /** Replaces all values. One that is the same as before stays the same object. */
  set(values: ReadonlyMap<string, T>): void {
    const before = this.#values;
    let isChanged = before.size !== values.size;
    const next = new Map<string, T>();
    for (const [id, value] of values) {
      const known = before.get(id);
      const isKept = known !== undefined && this.#isSame(known, value);
      next.set(id, isKept ? known : value);
      isChanged ||= !isKept;
    }
    if (!isChanged) return;
    this.#values = next;
    for (const listener of this.#listeners) listener();
  }
}

/** Whether two lists have the same calls in the same state. */
export function areSameCalls(one: readonly LiveCall[], other: readonly LiveCall[]): boolean {
  return one.length === other.length && one.every((call, place) => call === other[place]);
}
