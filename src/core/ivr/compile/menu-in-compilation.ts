import type { MenuNode, NodeId } from '../../../contract/ivr-draft.ts';
import type { FlowTarget } from '../flow.ts';
import type { MenuFinding } from '../menu-problem.ts';

/** Where a line ends: at what may run, at an end that is wrong itself (told there), or at nothing. */
export type LineEnd = FlowTarget | 'broken' | 'unknown';

/** A menu on its way from the drawing into a flow. */
export interface MenuInCompilation {
  readonly menu: MenuNode;
  /** As messages call it. */
  readonly name: string;
  readonly endOf: (to: NodeId) => LineEnd;
  readonly tell: (finding: MenuFinding) => void;
}

/** Where a port leads; null, and told, when it leads nowhere. `advice` says what to draw. */
export function compileLine(
  { endOf, tell }: MenuInCompilation,
  to: NodeId | null,
  { field, at = field, advice }: { field: string; at?: string; advice: string },
): FlowTarget | null {
  if (to === null) {
    tell({ code: 'destination_open', at, field, message: advice });
    return null;
  }
  const end = endOf(to);
  if (end === 'unknown') {
    const message = `This line leads to what is not there any more. ${advice}`;
    tell({ code: 'node_unknown', at, field, message });
  }
  return typeof end === 'string' ? null : end;
}
