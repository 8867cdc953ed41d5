import type { EndNode, IvrDocument, NodeId } from '../../../contract/menu/ivr-draft.ts';
import type { IvrProblem } from '../../../contract/menu/ivr-problem.ts';
import { IvrBody } from '../../../contract/menu/ivr.ts';
import { done, refused, type Result } from '../../result.ts';
import type { Flow, FlowMenu } from '../flow.ts';
import { menuProblem } from '../menu-problem.ts';
import { withFlowPrompts } from '../flow-prompts.ts';
import { menusOf, nodeOf } from '../edit/lines.ts';
import { writeReference } from '../../../contract/menu/ivr-reference.ts';
import { compileMenu, type LineEnd } from './compile-menu.ts';

/** The result of compiling a draft: the menus that can run, and all errors of the others. */
export interface Compilation {
  readonly start: NodeId | null;
  readonly menus: ReadonlyMap<NodeId, FlowMenu>;
  readonly problems: readonly IvrProblem[];
}

/**
 * Compiles a draft to a flow, or returns all its errors.
 *
 * Every menu has to be valid, also one that no call reaches. `prove.ts` then checks the flow, and `check-draft.ts`
 * whether every menu is reached.
 */
export function compileDraft(document: IvrDocument): Result<Flow, readonly IvrProblem[]> {
  const { start, menus, problems } = compileMenus(document);
  return start === null || problems.length > 0 ? refused(problems) : done({ start, menus });
}

/** The same for an incomplete draft: returns the menus that are valid already. */
export function compileMenus(document: IvrDocument): Compilation {
  const problems: IvrProblem[] = [];
  const start = compileStart(document, problems);
  const menus = new Map<NodeId, FlowMenu>();
  const ends = new Map<NodeId, LineEnd>();
  for (const menu of menusOf(document)) {
    const compiled = compileMenu({
      menu: withFlowPrompts(document, menu),
      endOf,
      tell: (finding) => problems.push(menuProblem(menu.id, finding)),
    });
    if (compiled !== null) menus.set(menu.id, compiled);
  }
  return { start, menus, problems };

  /** An invalid destination is reported once, however many lines lead to it, and not if no line does. */
  function endOf(to: NodeId): LineEnd {
    const known = ends.get(to);
    if (known !== undefined) return known;
    const end = compileNode(document, to, problems);
    ends.set(to, end);
    return end;
  }
}

function compileNode(document: IvrDocument, to: NodeId, problems: IvrProblem[]): LineEnd {
  const node = nodeOf(document, to);
  if (node === null) return 'unknown';
  if (node.kind === 'menu') return { kind: 'menu', menu: to };
  const compiled = compileEnd(node);
  if (compiled.ok) return { kind: 'destination', destination: compiled.value, node: to };
  problems.push(compiled.refusal);
  return 'broken';
}

function compileStart(document: IvrDocument, problems: IvrProblem[]): NodeId | null {
  const { to } = document.caller;
  const node = nodeOf(document, to);
  if (node?.kind === 'menu') return node.id;
  const [first] = menusOf(document);
  const suggested = { first: first?.name ?? null };
  problems.push({
    ...(to !== null && node === null
      ? { code: 'node_unknown', params: { from: 'caller', ...suggested } }
      : { code: 'no_start', params: suggested }),
    severity: 'error',
    path: 'caller.to',
    node: null,
    field: null,
    scenario: null,
  });
  return null;
}

const destination = IvrBody.shape.invalid_destination;

/** The destination as the body writes it, or its errors. */
function compileEnd({ id, type, ref }: EndNode): Result<string, IvrProblem> {
  const params = { of: 'destination', type } as const;
  if (ref === '' && type !== 'hangup') {
    return refused(menuProblem(id, { code: 'field_open', at: 'ref', params }));
  }
  const parsed = destination.safeParse(writeReference({ type, id: ref }));
  if (parsed.success) return done(parsed.data);
  return refused(menuProblem(id, { code: 'field_not_allowed', at: 'ref', params }));
}
