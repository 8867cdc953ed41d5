import type { IvrDocument } from '../../contract/ivr-draft.ts';
import type { IvrProblem } from '../../contract/ivr-problem.ts';
import { compileMenus } from './compile/compile-draft.ts';
import { findUnreachable } from './prove/find-unreachable.ts';
import type { Flow } from './flow.ts';
import type { IvrDirectory } from '../../contract/ivr-reference.ts';
import { prove, proveMenus } from './prove/prove.ts';
import { runScenario, type ScenarioRun } from './call/run-scenario.ts';

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
