import type { NodeId } from '../../contract/menu/ivr-draft.ts';
import type { IvrProblem, IvrProblemCode, IvrProblemParams } from '../../contract/menu/ivr-problem.ts';

/** A finding about a menu: `at` is the path into it, such as `keys.0.to`; without it, the menu as a whole. */
export type MenuFinding = {
  [C in IvrProblemCode]: {
    readonly code: C;
    readonly params: IvrProblemParams[C];
    readonly at?: string;
    readonly field?: string;
  };
}[IvrProblemCode];

export function menuProblem(
  menu: NodeId,
  { at, field, ...finding }: MenuFinding,
  severity: IvrProblem['severity'] = 'error',
): IvrProblem {
  const path = `nodes.${menu}${at === undefined ? '' : `.${at}`}`;
  return { ...finding, severity, path, node: menu, field: field ?? null, scenario: null };
}
