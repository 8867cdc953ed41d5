import type { DeliveryProblem } from '../../contract/delivery-problem.ts';

/** Whether a target has the current token; if not, why. Holds no secret. */
export type DeliveryOutcome =
  | {
      readonly ok: true;
      /** What a hook said; other targets say nothing. */
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

/** Not delivered yet: the same delivery may succeed later, as it is or after somebody changed something. */
export function undelivered(problem: DeliveryProblem): DeliveryOutcome {
  return { ok: false, problem, retry: true };
}

export function undeliverable(problem: DeliveryProblem): DeliveryOutcome {
  return { ok: false, problem, retry: false };
}

/**
 * `VALUE_UNQUOTABLE`: no quotes carry the value. `NOT_TEXT`: not a file of lines. `QUOTES_ENTANGLED`: the file's open
 * quotes would make something else of the change. `TOO_MANY`: more assignments than a file of settings has.
 */
export type VariableRefusal = 'VALUE_UNQUOTABLE' | 'NOT_TEXT' | 'QUOTES_ENTANGLED' | 'TOO_MANY';

/** A variable cannot be set in this content. */
export class VariableRefused extends Error {
  readonly code: VariableRefusal;

  constructor(code: VariableRefusal) {
    super(`The variable cannot be set: ${code}`);
    this.name = 'VariableRefused';
    this.code = code;
  }
}
