import type { OwnerId } from '../../contract/service/owner.ts';

/** A person with a key. A revoked one is forgotten; the history keeps the name. */
export interface Owner {
  readonly id: OwnerId;
  readonly name: string;
  /** SHA-256 of the key, base64url. */
  readonly digest: string;
  readonly createdAtMs: number;
  /** The last recorded use; a use is recorded once an hour at most for each address. */
  readonly lastUsedAtMs: number | null;
}
