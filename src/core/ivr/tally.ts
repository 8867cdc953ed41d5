import type { IvrProblem } from '../../contract/menu/ivr-problem.ts';

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
