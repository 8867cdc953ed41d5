import type { IvrBody } from '../../../../contract/ivr.ts';
import { bodyOfMenu } from '../../../../core/ivr/body/menu-body.ts';
import type { Flow } from '../../../../core/ivr/flow.ts';
import { publishPlan } from '../../../../core/ivr/body/publish-plan.ts';
import { invariant } from '../../../../core/unreachable.ts';

/** A request that publishing would send. */
export interface PlannedRequest {
  readonly method: 'POST' | 'PUT';
  /** Behind the base address of the service. */
  readonly path: string;
  readonly menu: string;
  readonly body: IvrBody;
  /** Why it is sent, where that is not plain: it completes what was stored before. */
  readonly completes: boolean;
}

/**
 * What publishing would send, in its order. `known` says which id each menu has at the target.
 *
 * An id that only the target gives is written `<id of …>`; whatever else stands here is sent to the letter.
 */
export function plannedRequests(
  flow: Flow,
  known: Readonly<Record<string, string>>,
): readonly PlannedRequest[] {
  const ids = new Map(Object.entries(known));
  return publishPlan(flow, known).map(({ kind, menu: id }) => {
    const menu = flow.menus.get(id);
    invariant(menu !== undefined, 'a plan is about the menus of its flow');
    const body = bodyOfMenu(menu, (to) => ids.get(to) ?? null);
    const own = ids.get(id) ?? `<id of ${menu.name}>`;
    ids.set(id, own);
    return kind === 'create'
      ? { method: 'POST', path: '/v1/ivr', menu: menu.name, body, completes: false }
      : { method: 'PUT', path: `/v1/ivr/${own}`, menu: menu.name, body, completes: kind === 'complete' };
  });
}
