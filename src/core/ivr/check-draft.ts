import type { DraftNode, IvrDocument, NodeId } from '../../contract/menu/ivr-draft.ts';
import type { IvrProblem, IvrProblemParams } from '../../contract/menu/ivr-problem.ts';
import { unreachable } from '../unreachable.ts';
import { compileNodes } from './compile/compile-draft.ts';
import type { Flow, FlowSources } from './flow.ts';
import type { IvrDirectory } from '../../contract/menu/ivr-reference.ts';
import { checkSpokenPrompts } from './prove/check-spoken-prompts.ts';
import { prove, proveNodes } from './prove/prove.ts';
import { runScenario, type ScenarioRun } from './call/run-scenario.ts';
import { linesOfNode, nodeOf } from './edit/lines.ts';
import { writeReference } from '../../contract/menu/ivr-reference.ts';
import { hasWrongKey } from './prove/prove-exits.ts';

export interface DraftCheck {
  /** Null while the draft cannot run. It may run with errors: then it can be played, but not published. */
  readonly flow: Flow | null;
  /** Errors first. */
  readonly problems: readonly IvrProblem[];
  /** Empty while the draft cannot run. */
  readonly runs: readonly ScenarioRun[];
}

/**
 * All findings about a draft: what the window shows, the CLI prints, and what blocks publishing.
 *
 * A scenario that fails is an error; `nowMs` is when calls come whose scenarios do not say it. Without a directory (null) references
 * are not compared. `sources`: what goes into the flow, where that is known without a directory.
 */
export function checkDraft(
  document: IvrDocument,
  directory: IvrDirectory | null,
  nowMs: number,
  sources: FlowSources = directory ?? {},
): DraftCheck {
  const { start, problems: open, ...parts } = compileNodes(document, sources);
  const flow = start === null || open.length > 0 ? null : { start, ...parts };
  const runs =
    flow === null
      ? []
      : Object.values(document.scenarios).map((scenario) => runScenario(flow, scenario, nowMs));
  const problems = [
    ...open,
    ...findUnreachable(document),
    ...(flow === null ? proveNodes(parts, directory) : prove(flow, directory)),
    ...(directory?.speech === undefined ? [] : checkSpokenPrompts(document, directory.speech)),
    ...runs.flatMap(scenarioProblem),
  ];
  return { flow, problems: errorsFirst(problems), runs };
}

function scenarioProblem({ scenario, failure }: ScenarioRun): IvrProblem[] {
  if (failure === null) return [];
  return [
    {
      code: 'scenario_failed',
      severity: 'error',
      path: `scenarios.${scenario}.expected`,
      node: null,
      field: null,
      scenario,
      params: failure,
    },
  ];
}

function errorsFirst(problems: readonly IvrProblem[]): IvrProblem[] {
  const errors = problems.filter(({ severity }) => severity === 'error');
  return [...errors, ...problems.filter(({ severity }) => severity === 'warning')];
}

/**
 * Nodes that no call reaches: an error for what would be published; a warning for a destination.
 *
 * Checks the document, not the flow, so that incomplete drafts are checked too. Nothing is reported while the caller is
 * not connected, because then every node would be.
 */
function findUnreachable(document: IvrDocument): IvrProblem[] {
  const first = nodeOf(document, document.caller.to);
  if (first === null) return [];
  const reached = new Set<NodeId>();
  const toVisit = [first];
  for (let node = toVisit.pop(); node !== undefined; node = toVisit.pop()) {
    if (reached.has(node.id)) continue;
    reached.add(node.id);
    for (const to of ledTo(node)) {
      const next = nodeOf(document, to);
      if (next !== null) toVisit.push(next);
    }
  }
  return Object.values(document.nodes)
    .filter(({ id }) => !reached.has(id))
    .map(unreachableProblem);
}

function ledTo(node: DraftNode): NodeId[] {
  const isWrong =
    node.kind !== 'menu' ||
    (node.direct_dial ?? null) !== null ||
    hasWrongKey((key) => node.keys.some((used) => used.key === key));
  return linesOfNode(node)
    .filter(({ from }) => from.kind !== 'invalid' || isWrong)
    .map(({ to }) => to);
}

function unreachableProblem(node: DraftNode): IvrProblem {
  return {
    code: 'unreachable',
    severity: node.kind === 'end' ? 'warning' : 'error',
    path: `nodes.${node.id}`,
    node: node.id,
    field: null,
    scenario: null,
    params: unreachedNode(node),
  };
}

function unreachedNode(node: DraftNode): IvrProblemParams['unreachable'] {
  switch (node.kind) {
    case 'menu':
    case 'message':
      return { kind: node.kind, node: node.name };
    case 'hours':
      return { kind: 'hours', node: '' };
    case 'end':
      return { kind: 'destination', node: writeReference({ type: node.type, id: node.ref }) };
    default:
      return unreachable(node);
  }
}
