/** What a step came to. `notes` say what a reader has to know beyond the numbers: what could not run, and why. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly notes: readonly string[];
}

export const passedOnce: Outcome = { passed: 1, failed: 0, skipped: 0, notes: [] };

/** Something that failed as a whole, or could not run, counts as one failed test. */
export function failedOnce(...notes: string[]): Outcome {
  return { passed: 0, failed: 1, skipped: 0, notes };
}

/** Something that could not run where that is no failure. */
export function skippedOnce(...notes: string[]): Outcome {
  return { passed: 0, failed: 0, skipped: 1, notes };
}

export function addOutcomes(outcomes: readonly Outcome[]): Outcome {
  return {
    passed: outcomes.reduce((sum, { passed }) => sum + passed, 0),
    failed: outcomes.reduce((sum, { failed }) => sum + failed, 0),
    skipped: outcomes.reduce((sum, { skipped }) => sum + skipped, 0),
    notes: outcomes.flatMap(({ notes }) => notes),
  };
}

/** The words of the test command's last line. */
export function tally({ passed, failed, skipped }: Outcome): string {
  return `${String(passed)} passed, ${String(failed)} failed, ${String(skipped)} skipped`;
}
