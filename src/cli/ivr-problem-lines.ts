import type { IvrProblem } from '../contract/ivr-problem.ts';
import type { IvrWarning } from '../contract/ivr.ts';
import type { FieldError } from '../contract/problems.ts';
import { problemSentence } from '../text/flow-findings.ts';

/** What is wrong with a draft of phone menus, a line each: where, and what to do. */
export function ivrProblemLines(problems: readonly IvrProblem[]): string[] {
  return problems.map((problem) => `  ${problem.path}: ${problemSentence(problem)}`);
}

/** What is wrong with a file, field by field; `whole` is what the file was to be. */
export function fieldErrorLines(errors: readonly FieldError[], whole: string): string[] {
  return errors.map(({ field, message }) => `  ${field === '' ? whole : field} ${message}`);
}

/** What a body was warned of, a line each; most of it is whole sentences, so a colon stands before it. */
export function warningLines(warnings: readonly IvrWarning[]): string[] {
  return warnings.map(({ field, message }) => `Warning: ${field}: ${message}`);
}
