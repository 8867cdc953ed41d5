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
