import type { AddCredential, CredentialId, ReplaceValue, TargetId } from '../../contract/credential.ts';
import type { VaultStatus } from '../../contract/credential-view.ts';
import type { Result } from '../result.ts';
import type { CredentialRefusal } from './find-credential.ts';

/**
 * The port to whoever keeps credentials fresh: everything about them that needs the vault or another service.
 *
 * `agent` implements it, `service` asks it, `host` brings them together. What is only a record (a pause, a policy, a
 * target) goes through the ledger instead, and the agent hears of it.
 */
export interface CredentialKeeper {
  /** The id is the caller's to mint, like a target's. */
  add(id: CredentialId, wish: AddCredential): Promise<Result<CredentialId, CredentialRefusal>>;
  /** The present value, as the vault has it. */
  valueOf(name: string): Promise<Result<string, CredentialRefusal>>;
  replaceValue(
    name: string,
    brought: ReplaceValue,
    cause: 'pasted' | 'reissued',
  ): Promise<Result<CredentialId, CredentialRefusal>>;
  /** One attempt, now, whatever the plan says. Settles when it is over; the credential then says what came of it. */
  rotateNow(name: string): Promise<Result<CredentialId, CredentialRefusal>>;
  /** Takes the value out of the vault and then the record away. */
  remove(name: string): Promise<Result<null, CredentialRefusal>>;
  /** Brings the present value to one target now. Settles when that is over, whatever came of it. */
  deliverNow(name: string, targetId: TargetId): Promise<Result<CredentialId, CredentialRefusal>>;
  vaultStatus(): VaultStatus;
}
