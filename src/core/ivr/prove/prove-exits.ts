import type { NodeId } from '../../../contract/ivr-draft.ts';
import type { IvrProblem } from '../../../contract/ivr-problem.ts';
import { findCircles } from './find-circles.ts';
import type { Flow, FlowMenu } from '../flow.ts';
import { menuProblem } from '../menu-problem.ts';
import { type MenuWay, menusAmong, menuWays, waysWithoutKey } from './menu-ways.ts';
import { quoted } from '../quoted.ts';

/**
 * Menus that a caller cannot leave, and circles that whoever presses no used key cannot leave.
 *
 * A menu with no way out at all is not told a second time as part of a circle: it needs a way out first.
 */
export function proveExits({ menus }: Flow): IvrProblem[] {
  const locked = lockedMenus(menus);
  const noWayOut = [...locked].map(([id, menu]) =>
    menuProblem(id, {
      code: 'no_way_out',
      at: 'keys',
      message: `Whoever comes to ${quoted(menu.name)} meets menus only, for ever. Lead a key, the wrong key or silence to a destination.`,
    }),
  );
  const ways = new Map<NodeId, readonly MenuWay[]>();
  for (const [id, menu] of menus) if (!locked.has(id)) ways.set(id, waysWithoutKey(menu));
  const circles = findCircles(new Map([...ways].map(([id, out]) => [id, menusAmong(out)])));
  return [...noWayOut, ...circles.map((circle) => endless(circle, menus, ways))];
}

/** Found from the end: whatever leads out, or to what leads out, is not locked. */
function lockedMenus(menus: Flow['menus']): Map<NodeId, FlowMenu> {
  const locked = new Map(menus);
  const leadingTo = new Map<NodeId, NodeId[]>([...menus.keys()].map((id) => [id, []]));
  const leadingOut: NodeId[] = [];
  for (const [id, menu] of menus) {
    const ways = menuWays(menu);
    if (ways.some(({ to }) => to.kind === 'destination' || !menus.has(to.menu))) leadingOut.push(id);
    for (const to of menusAmong(ways)) leadingTo.get(to)?.push(id);
  }
  for (const id of leadingOut) if (locked.delete(id)) leadingOut.push(...(leadingTo.get(id) ?? []));
  return locked;
}

function endless(
  circle: readonly [NodeId, ...NodeId[]],
  menus: Flow['menus'],
  ways: ReadonlyMap<NodeId, readonly MenuWay[]>,
): IvrProblem {
  const [first, next = first] = circle;
  const way = ways.get(first)?.find(({ to }) => to.kind === 'menu' && to.menu === next);
  const cause = way?.port.kind === 'wrong_key' ? 'wrong key' : 'silence';
  const names = [...circle, first].map((id) => quoted(menus.get(id)?.name ?? ''));
  const round =
    circle.length === 1
      ? `${names[0] ?? ''} begins again and again`
      : `it goes ${names.join(' → ')} and so on`;
  return menuProblem(first, {
    code: 'endless_without_key',
    at: way?.at ?? 'timeout_destination',
    field: way?.field ?? 'timeout_destination',
    message: `Whoever presses none of the keys never gets out: ${round}. Lead the ${cause} of ${names[0] ?? ''} out of the circle.`,
  });
}
