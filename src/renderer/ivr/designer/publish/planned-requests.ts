import type { IvrBody } from '../../../../contract/menu/ivr.ts';
import { bodyOfMenu } from '../../../../core/ivr/body/menu-body.ts';
import { type Flow, nodeName } from '../../../../core/ivr/flow.ts';
import { publishPlan } from '../../../../core/ivr/body/publish-plan.ts';
import { invariant } from '../../../../core/unreachable.ts';
import { menuJsonText } from '../../../../text/menu/designer.ts';

/** A request that publishing would send. */
export interface PlannedRequest {
  readonly method: 'POST' | 'PUT';
  /** After the base address of the service. */
  readonly path: string;
  readonly menu: string;
  readonly body: IvrBody;
  /** Whether it completes a menu that was stored before the menus it leads to. */
  readonly completes: boolean;
}

/**
 * The requests of publishing, in their order. `known` has the id of each menu at the target.
 *
 * An id that the target will assign is written `<id of …>`; everything else is sent exactly as shown.
 */
export function plannedRequests(
  flow: Flow,
  known: Readonly<Record<string, string>>,
): readonly PlannedRequest[] {
  const ids = new Map(Object.entries(known));
  for (const id of [...flow.hours.keys(), ...flow.messages.keys()]) {
    if (!ids.has(id)) ids.set(id, menuJsonText.idOf(nodeName(flow, id)));
  }
  return publishPlan(flow, known).map(({ kind, menu: id }) => {
    const menu = flow.menus.get(id);
    invariant(menu !== undefined, 'a plan is about the menus of its flow');
    const body = bodyOfMenu(menu, (to) => ids.get(to) ?? null);
    const own = ids.get(id) ?? menuJsonText.idOf(menu.name);
    ids.set(id, own);
    return kind === 'create'
      ? { method: 'POST', path: '/v1/ivr', menu: menu.name, body, completes: false }
      : { method: 'PUT', path: `/v1/ivr/${own}`, menu: menu.name, body, completes: kind === 'complete' };
  });
}
