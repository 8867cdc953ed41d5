import {
  type AddCredential,
  type CredentialId,
  defaultPolicy,
  type ReplaceValue,
  type TargetId,
} from '../contract/credential.ts';
import type { VaultStatus } from '../contract/credential-view.ts';
import type { Target } from '../core/credential/credential.ts';
import { changedPolicy } from '../core/credential/changed-policy.ts';
import { noSuchTarget } from '../core/credential/change-credential.ts';
import type { CredentialKeeper } from '../core/credential/credential-keeper.ts';
import { type CredentialRefusal, isNameTaken, findCredential } from '../core/credential/find-credential.ts';
import { addCredential, nameTaken, removeCredential, replaceValue } from '../core/credential/hold-value.ts';
import { done, refused, type Result } from '../core/result.ts';
import { type Vault, type VaultEntry, VaultUnavailable } from '../core/vault.ts';
import type { AgentParts } from './agent-parts.ts';
import { appraiseValue } from './appraise-value.ts';
import { turnOf } from './deliver-value.ts';
import { inTurn } from './in-turn.ts';
import { rotateCredential } from './rotate-credential.ts';
import { currentEntry, forgetPending, pendingEntry, writeAndReadBack } from './value-entries.ts';

type Answer<T> = Promise<Result<T, CredentialRefusal>>;

/** How long a reader waits for a rotation that is under way, in milliseconds: it may hang at its service. */
const patienceMs = 2_000;

/** The owner's wishes about credentials that need the vault or another service. */
export class CredentialDesk implements CredentialKeeper {
  readonly #parts: AgentParts;
  readonly #vaultStatus: () => VaultStatus;
  readonly #deliver: (id: CredentialId, target: Target) => Promise<void>;

  constructor(
    parts: AgentParts,
    more: {
      readonly vaultStatus: () => VaultStatus;
      /** Brings the present value to a target, unless that is under way already. */
      readonly deliver: (id: CredentialId, target: Target) => Promise<void>;
    },
  ) {
    this.#parts = parts;
    this.#vaultStatus = more.vaultStatus;
    this.#deliver = more.deliver;
  }

  add(id: CredentialId, wish: AddCredential): Answer<CredentialId> {
    return inTurn(`name ${wish.name.toLowerCase()}`, () =>
      answerFor(async () => {
        const { ledger, vault } = this.#parts;
        if (isNameTaken(ledger.state, wish.name)) return refused(nameTaken(wish.name));
        const appraised = await appraiseValue(this.#parts, wish.base_url ?? this.#parts.embeddedUrl(), wish);
        if (!appraised.ok) return appraised;
        // Secret first, then the record: a crash leaves an orphan secret, never a record without one.
        await writeAndReadBack(vault, currentEntry(wish.name), wish.value);
        const command = {
          id,
          name: wish.name,
          baseUrl: wish.base_url,
          policy: changedPolicy(defaultPolicy, wish.policy),
          held: appraised.value,
        };
        return ledger.transact((state) => addCredential(state, command));
      }),
    );
  }

  valueOf(name: string): Answer<string> {
    return this.#with(name, async ({ id }) => {
      await Promise.race([inTurn(turnOf(id), () => Promise.resolve()), patience()]);
      const value = await this.#parts.vault.read(currentEntry(name));
      if (value !== null) return done(value);
      return refused({
        problem: 'conflict',
        message: `The keychain has no value for “${name}”. Paste the present token: \`rotavox credential replace ${name}\`.`,
      });
    });
  }

  replaceValue(name: string, brought: ReplaceValue, cause: 'pasted' | 'reissued'): Answer<CredentialId> {
    return this.#inTurnOf(name, async (credential) => {
      const { ledger, vault, inHand } = this.#parts;
      const appraised = await appraiseValue(
        this.#parts,
        credential.baseUrl ?? this.#parts.embeddedUrl(),
        brought,
      );
      if (!appraised.ok) return appraised;
      const replaced = await vaultThenRecord(vault, name, {
        change: (entry) => writeAndReadBack(vault, entry, brought.value),
        record: () => ledger.transact((state) => replaceValue(state, name, { held: appraised.value, cause })),
      });
      if (!replaced.ok) return replaced;
      inHand.delete(credential.id);
      await forgetPending(vault, name);
      return replaced;
    });
  }

  rotateNow(name: string): Answer<CredentialId> {
    return this.#inTurnOf(name, async ({ id }) => {
      await rotateCredential(this.#parts, id, 'owner');
      return done(id);
    });
  }

  remove(name: string): Answer<null> {
    return this.#inTurnOf(name, async ({ id }) => {
      const { ledger, vault, inHand } = this.#parts;
      await vault.remove(pendingEntry(name));
      const removed = await vaultThenRecord(vault, name, {
        change: (entry) => vault.remove(entry),
        record: () => ledger.transact((state) => removeCredential(state, id)),
      });
      inHand.delete(id);
      return removed;
    });
  }

  deliverNow(name: string, targetId: TargetId): Answer<CredentialId> {
    return this.#with(name, async (credential) => {
      const target = credential.targets.find(({ id }) => id === targetId);
      if (target === undefined) return refused(noSuchTarget(name));
      await this.#deliver(credential.id, target);
      return done(credential.id);
    });
  }

  vaultStatus(): VaultStatus {
    return this.#vaultStatus();
  }

  #with<T>(name: string, act: (credential: Found) => Answer<T>): Answer<T> {
    return answerFor(async () => {
      const found = findCredential(this.#parts.ledger.state, name);
      return found.ok ? act(found.value) : found;
    });
  }

  /** Looks the credential up again when its turn has come: it may be another one by then, or gone. */
  #inTurnOf<T>(name: string, act: (credential: Found) => Answer<T>): Answer<T> {
    return this.#with(name, ({ id }) => inTurn(turnOf(id), () => this.#with(name, act)));
  }
}

type Found = Extract<ReturnType<typeof findCredential>, { ok: true }>['value'];

/** A vault that cannot be used is an answer, with its sentence. */
async function answerFor<T>(act: () => Answer<T>): Answer<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof VaultUnavailable)) throw error;
    return refused({ problem: 'vault_unavailable', message: error.message });
  }
}

/**
 * Changes the present value in the vault, then the record: a crash between the two leaves a value without its record, never
 * a record without its value. A record that could not be written puts the vault back, so that nothing was changed.
 */
async function vaultThenRecord<T>(
  vault: Vault,
  name: string,
  {
    change,
    record,
  }: { readonly change: (entry: VaultEntry) => Promise<void>; readonly record: () => Promise<T> },
): Promise<T> {
  const entry = currentEntry(name);
  const before = await vault.read(entry);
  await change(entry);
  try {
    return await record();
  } catch (error) {
    await (before === null ? vault.remove(entry) : vault.write(entry, before));
    throw error;
  }
}

function patience(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, patienceMs).unref();
  });
}
