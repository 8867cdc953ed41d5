import type { EventDraft } from '../../contract/history/audit-event.ts';
import type { IvrId, IvrWarning } from '../../contract/menu/ivr.ts';
import type { FamilyId } from '../../contract/token/token.ts';
import { isoInstant } from '../iso-instant.ts';
import { replayKeptMs } from '../token/token-record.ts';

/** What is stored so that a lost reply about a new menu can be given again (`Idempotency-Key`). It has no secret in it. */
export interface IvrCreation {
  /** Of the family of the token that called and the key: a token that was rotated meanwhile may ask again. */
  readonly id: string;
  /** SHA-256 of the body as it is read. */
  readonly bodyDigest: string;
  readonly ivrId: IvrId;
  readonly warnings: readonly IvrWarning[];
  readonly untilMs: number;
}

/** A call with an `Idempotency-Key`. */
export interface KeyedCreation {
  readonly id: string;
  readonly bodyDigest: string;
}

export function creationIdOf(familyId: FamilyId, keyDigest: string): string {
  return `${familyId} ${keyDigest}`;
}

/**
 * The creation that a call repeats; `other_body` where its key belongs to another menu; null where it is new.
 *
 * As for a rotation the same key counts for 24 h. The reply is the one that was given, also when the menu was changed or deleted since.
 */
export function findCreation(
  creations: { get(id: string): IvrCreation | undefined },
  { id, bodyDigest }: KeyedCreation,
  nowMs: number,
): IvrCreation | 'other_body' | null {
  const before = creations.get(id);
  if (before === undefined || nowMs >= before.untilMs) return null;
  return before.bodyDigest === bodyDigest ? before : 'other_body';
}

/** What the event of a creation seals for that. */
export function sealedCreation(
  { id, bodyDigest }: KeyedCreation,
  warnings: readonly IvrWarning[],
  nowMs: number,
): NonNullable<EventDraft<'ivr.created'>['sealed']> {
  const until = isoInstant(nowMs + replayKeptMs);
  return { replay: { creation_id: id, body_digest: bodyDigest, warnings: [...warnings], until } };
}
