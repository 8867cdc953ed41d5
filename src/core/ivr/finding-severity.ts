import type { IvrProblem } from '../../contract/menu/ivr-problem.ts';

/**
 * The findings while publishing has not been tried: what is merely not done yet is a to-do instead of an error.
 *
 * Errors first, then to-dos, then warnings. It blocks publishing all the same, so whoever decides about publishing asks
 * `blocksPublishing` or takes the findings of `check-draft.ts` as they are.
 */
export function withToDos(problems: readonly IvrProblem[]): readonly IvrProblem[] {
  const marked = problems.map((problem): IvrProblem => {
    return problem.severity === 'error' && isUnfinished(problem) ? { ...problem, severity: 'todo' } : problem;
  });
  return severities.flatMap((severity) => marked.filter((problem) => problem.severity === severity));
}

/** The worst first. */
export const severities = ['error', 'todo', 'warning'] as const;

export function blocksPublishing({ severity }: Pick<IvrProblem, 'severity'>): boolean {
  return severity !== 'warning';
}

const unfinished: ReadonlySet<IvrProblem['code']> = new Set([
  'field_open',
  'no_start',
  'no_keys',
  'destination_open',
  'unreachable',
] as const);

/** Whether something is still empty or not connected, as in every new menu. Everything else is a mistake. */
function isUnfinished(problem: IvrProblem): boolean {
  if (problem.code === 'key_not_allowed') return problem.params.key === '';
  return unfinished.has(problem.code);
}

/** How much the checks find in a call flow. */
export interface Tally {
  readonly errors: number;
  /** What is merely not done yet, where that is told apart from errors. */
  readonly todos: number;
  readonly warnings: number;
}

export function tallyOf(problems: readonly Pick<IvrProblem, 'severity'>[]): Tally {
  const count = (sought: IvrProblem['severity']): number =>
    problems.filter(({ severity }) => severity === sought).length;
  return { errors: count('error'), todos: count('todo'), warnings: count('warning') };
}
