import type { IvrProblem } from '../../../contract/ivr-problem.ts';
import type { Flow } from '../flow.ts';
import { menuProblem } from '../menu-problem.ts';
import { menuWays } from './menu-ways.ts';
import { quoted } from '../quoted.ts';

/** Steps that a call could come to and that the flow does not have. A flow that was compiled has none. */
export function findUndefinedSteps({ start, menus }: Flow): IvrProblem[] {
  const problems: IvrProblem[] = [];
  if (!menus.has(start)) {
    const message = 'The caller is connected with a menu that is not there. Draw a line to another.';
    problems.push({
      ...menuProblem(start, { code: 'node_unknown', message }),
      path: 'caller.to',
      node: null,
    });
  }
  for (const [id, menu] of menus) {
    for (const { to, at, field } of menuWays(menu)) {
      if (to.kind === 'destination' || menus.has(to.menu)) continue;
      const message = `A line of ${quoted(menu.name)} leads to a menu that is not there. Draw it to another.`;
      problems.push(menuProblem(id, { code: 'node_unknown', at, field, message }));
    }
  }
  return problems;
}
