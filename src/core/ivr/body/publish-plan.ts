import type { NodeId } from '../../../contract/menu/ivr-draft.ts';
import type { FlowTarget } from '../../../contract/menu/ivr-call.ts';
import type { Flow, FlowMenu } from '../flow.ts';

/**
 * One step of publishing a menu.
 *
 * `create`: POST; the reply contains its id. `complete`: PUT to a menu that this plan created with `hangup` where it
 * can now lead to a menu. `replace`: PUT to a menu that existed before.
 */
export interface PublishStep {
  readonly kind: 'create' | 'complete' | 'replace';
  readonly menu: NodeId;
}

/**
 * The order in which the menus of a flow are stored; `known` returns the id of a menu that exists already.
 *
 * New menus come first, each after the menus that it leads to. In a cycle of new menus, the first one leads to `hangup`
 * until it can be completed. Existing menus come last: callers use them now, so they change only when everything that
 * they lead to exists. The body of each step is `bodyOfMenu` with the ids known by then.
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

/**
 * Depth first from the first menu, each after those that it leads to; in a cycle, the one that is visited last comes
 * first.
 */
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

/** Also through an outcome that no caller can reach, because the body contains it. */
function menusLedTo({ keys, wrongKey, timeout }: FlowMenu): NodeId[] {
  const targets: FlowTarget[] = [...[...keys.values()].map(({ to }) => to), wrongKey.to, timeout.to];
  return targets.flatMap((to) => (to.kind === 'menu' ? [to.menu] : []));
}
