import type { NodeId } from '../../../contract/ivr-draft.ts';
import type { FlowTarget } from '../../../contract/ivr-call.ts';
import type { Flow, FlowMenu } from '../flow.ts';

/**
 * One menu on its way to a target.
 *
 * `create`: POST, and the reply has its id. `complete`: PUT to a menu created before in this plan, which then led to
 * `hangup` where it now can lead to a menu. `replace`: PUT to one that was known before.
 */
export interface PublishStep {
  readonly kind: 'create' | 'complete' | 'replace';
  readonly menu: NodeId;
}

/**
 * The order in which the menus of a flow are stored; `known` says which id a menu has there already.
 *
 * First every new menu, what is led to before what leads there. Where new menus lead to each other in a circle, the first
 * of them leads to `hangup` until it can be completed. Last those that are known: callers are in them now, so they change
 * when all that they will lead to is there, and none of them ever leads to a stopgap. The body of each step is
 * `bodyOfMenu` with the ids had by then.
 */
// see decisions/publishing.md
export function publishPlan(flow: Flow, known: Readonly<Record<string, string>>): readonly PublishStep[] {
  const order = ledToFirst(flow);
  const isNew = (menu: NodeId): boolean => !Object.hasOwn(known, menu);
  const created = order.filter(({ id }) => isNew(id));
  const places = new Map(created.map(({ id }, place) => [id, place]));
  const unfinished = created.filter((menu, place) =>
    menusLedTo(menu).some((to) => (places.get(to) ?? -1) >= place),
  );
  const replaced = order.filter(({ id }) => !isNew(id));
  return [
    ...created.map(({ id }): PublishStep => ({ kind: 'create', menu: id })),
    ...unfinished.map(({ id }): PublishStep => ({ kind: 'complete', menu: id })),
    ...replaced.map(({ id }): PublishStep => ({ kind: 'replace', menu: id })),
  ];
}

/** Depth first from the first menu, each after those that it leads to; in a circle, the one met last comes first. */
function ledToFirst({ start, menus }: Flow): FlowMenu[] {
  const order: FlowMenu[] = [];
  const met = new Set<NodeId>();
  for (const id of [start, ...menus.keys()]) visit(id);
  return order;

  function visit(id: NodeId): void {
    const menu = menus.get(id);
    if (menu === undefined || met.has(id)) return;
    met.add(id);
    for (const to of menusLedTo(menu)) visit(to);
    order.push(menu);
  }
}

/** Also by a port that no caller can take: the body names it all the same. */
function menusLedTo({ keys, wrongKey, silence }: FlowMenu): NodeId[] {
  const targets: FlowTarget[] = [...[...keys.values()].map(({ to }) => to), wrongKey.to, silence.to];
  return targets.flatMap((to) => (to.kind === 'menu' ? [to.menu] : []));
}
