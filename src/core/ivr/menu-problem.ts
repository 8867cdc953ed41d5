import type { NodeId } from '../../contract/ivr-draft.ts';
import type { IvrProblem, IvrProblemCode } from '../../contract/ivr-problem.ts';

/** What is wrong with a menu: `at` is the path into it, such as `keys.0.to`; without one it is the menu as a whole. */
export interface MenuFinding {
  readonly code: IvrProblemCode;
  readonly at?: string;
  readonly field?: string;
  readonly message: string;
}

export function menuProblem(
  menu: NodeId,
  { code, at, field, message }: MenuFinding,
  severity: IvrProblem['severity'] = 'error',
): IvrProblem {
  const path = `nodes.${menu}${at === undefined ? '' : `.${at}`}`;
  return { code, severity, path, node: menu, field: field ?? null, scenario: null, message };
}
