/** Whether a target has the value now; if not, the message names the place and what to do. Holds no secret. */
export type DeliveryOutcome =
  | {
      readonly ok: true;
      /** What a hook said; other targets say nothing. */
      readonly note: string | null;
    }
  | {
      readonly ok: false;
      readonly message: string;
      /** False only where no later attempt can succeed with this target. */
      readonly retry: boolean;
    };

export function delivered(note: string | null = null): DeliveryOutcome {
  return { ok: true, note };
}

/** Not there yet: the same delivery may succeed later, by itself or after somebody mended something. */
export function undelivered(message: string): DeliveryOutcome {
  return { ok: false, message, retry: true };
}

export function undeliverable(message: string): DeliveryOutcome {
  return { ok: false, message, retry: false };
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
