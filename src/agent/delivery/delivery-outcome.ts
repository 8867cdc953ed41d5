import type { DeliveryProblem } from '../../contract/credential/delivery-problem.ts';

/** Whether a target has the current token; if not, why. Contains no secret. */
export type DeliveryOutcome =
  | {
      readonly ok: true;
      /** The output of a hook; null for other targets. */
      readonly note: string | null;
    }
  | {
      readonly ok: false;
      readonly problem: DeliveryProblem;
      /** False only where no later attempt can succeed with this target. */
      readonly retry: boolean;
    };

export function delivered(note: string | null = null): DeliveryOutcome {
  return { ok: true, note };
}

/** Not delivered yet: the same delivery may succeed later, either unchanged or after a person has changed something. */
export function undelivered(problem: DeliveryProblem): DeliveryOutcome {
  return { ok: false, problem, retry: true };
}

export function undeliverable(problem: DeliveryProblem): DeliveryOutcome {
  return { ok: false, problem, retry: false };
}

/**
 * `VALUE_UNQUOTABLE`: no quotes can contain the token. `NOT_TEXT`: not a text file. `QUOTES_ENTANGLED`: the file's open
 * quotes would change the meaning of the new line. `TOO_MANY`: more assignments than a settings file has. `NOT_DOTENV`: a file of
 * another kind. `MORE_ON_LINE`: what follows the value on its line is no comment, and would be lost.
 */
export type VariableRefusal =
  | 'VALUE_UNQUOTABLE'
  | 'NOT_TEXT'
  | 'QUOTES_ENTANGLED'
  | 'TOO_MANY'
  | 'NOT_DOTENV'
  | 'MORE_ON_LINE';

/** A variable cannot be set in this content. */
export class VariableRefused extends Error {
  readonly code: VariableRefusal;
  /** The line that shows it; null: the name of the file does. */
  readonly line: number | null;

  constructor(code: VariableRefusal, line: number | null = null) {
    super(`The variable cannot be set: ${code}`);
    this.name = 'VariableRefused';
    this.code = code;
    this.line = line;
  }
}
