import type { DraftNode, IvrDocument, NodeId } from '../../contract/menu/ivr-draft.ts';
import type { IvrProblem } from '../../contract/menu/ivr-problem.ts';
import { compileMenus } from './compile/compile-draft.ts';
import type { Flow } from './flow.ts';
import type { IvrDirectory } from '../../contract/menu/ivr-reference.ts';
import { checkSpokenPrompts } from './prove/check-spoken-prompts.ts';
import { prove, proveMenus } from './prove/prove.ts';
import { runScenario, type ScenarioRun } from './call/run-scenario.ts';
import { linesOfMenu, nodeOf } from './edit/lines.ts';
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
 * A scenario that fails is an error. Without a directory (null) references are not compared.
 */
export function checkDraft(document: IvrDocument, directory: IvrDirectory | null): DraftCheck {
  const { start, menus, problems: open } = compileMenus(document);
  const flow = start === null || open.length > 0 ? null : { start, menus };
  const runs =
    flow === null ? [] : Object.values(document.scenarios).map((scenario) => runScenario(flow, scenario));
  const problems = [
    ...open,
    ...findUnreachable(document),
    ...(flow === null ? proveMenus(menus.values(), directory) : prove(flow, directory)),
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
 * Nodes that no call reaches: an error for a menu, because it would be published; a warning for a destination.
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
  if (node.kind === 'end') return [];
  const canBeWrong = hasWrongKey((key) => node.keys.some((used) => used.key === key));
  return linesOfMenu(node)
    .filter(({ from }) => from.kind !== 'invalid' || canBeWrong)
    .map(({ to }) => to);
}

function unreachableProblem(node: DraftNode): IvrProblem {
  return {
    code: 'unreachable',
    severity: node.kind === 'menu' ? 'error' : 'warning',
    path: `nodes.${node.id}`,
    node: node.id,
    field: null,
    scenario: null,
    params:
      node.kind === 'menu'
        ? { kind: 'menu', node: node.name }
        : { kind: 'destination', node: writeReference({ type: node.type, id: node.ref }) },
  };
}
