import type { IvrProblem } from '../../contract/ivr-problem.ts';

/** How much the checks find in a drawing. */
export interface Tally {
  readonly errors: number;
  readonly warnings: number;
}

export function tallyOf(problems: readonly Pick<IvrProblem, 'severity'>[]): Tally {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  return { errors, warnings: problems.length - errors };
}
