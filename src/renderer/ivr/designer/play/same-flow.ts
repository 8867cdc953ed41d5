import type { Flow } from '../../../../core/ivr/flow.ts';

/** Whether two flows are the same to a caller. Each edit makes a new one, also where a part was only moved. */
export function isSameFlow(one: Flow, other: Flow): boolean {
  return one === other || written(one) === written(other);
}

function written({ start, menus }: Flow): string {
  return JSON.stringify([start, [...menus.values()].map((menu) => ({ ...menu, keys: [...menu.keys] }))]);
}
