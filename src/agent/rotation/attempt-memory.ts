import type { CredentialId } from '../../contract/credential/credential.ts';
import type { OpenRotation } from '../../core/credential/credential-state.ts';
import type { MintedToken } from '../../providers/provider-port.ts';

/** A new token that was received and is not yet in the vault. */
export interface UnsavedToken {
  readonly idempotencyKey: string;
  readonly minted: MintedToken;
  readonly askedAtMs: number;
}

/** What this process knows of attempts to rotate beside the records. A restart knows nothing of it, and is safe without. */
export class AttemptMemory {
  /** Tokens that the vault did not take yet. They exist nowhere else until it does, or until the same key is used again. */
  readonly unsaved = new Map<CredentialId, UnsavedToken>();
  /** Keys that this process has used and whose outcome it knows; with any other key an earlier call may have been made. */
  readonly begunKeys = new Set<string>();
  /** Attempts that are under way, those of the loop and those that were asked for. */
  readonly underWay = new Map<CredentialId, Promise<void>>();

  /** Whether a call that is under way or was lost may have replaced the current token. */
  mayHaveActed(id: CredentialId, { mayHaveActed }: OpenRotation): boolean {
    return mayHaveActed || this.underWay.has(id);
  }
}
