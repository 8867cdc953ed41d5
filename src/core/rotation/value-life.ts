/** From when to when one value of a credential is good, by the wall clock. */
export interface ValueLife {
  readonly obtainedAtMs: number;
  readonly expiresAtMs: number;
}
