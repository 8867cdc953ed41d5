import type {
  AddCredential,
  CredentialId,
  DeliveryTarget,
  ReplaceValue,
  TargetId,
} from '../contract/credential.ts';
import type {
  ConnectionTest,
  DeliveryPreview,
  RotationStep,
  TestConnection,
} from '../contract/credential-checks.ts';
import type { VaultStatus } from '../contract/credential-view.ts';
import type { Target } from '../core/credential/credential.ts';
import { noSuchTarget } from '../core/credential/change-credential.ts';
import type { CredentialKeeper, ServiceAnswer, ServiceCall } from '../core/credential/credential-keeper.ts';
import { isNameTaken, findCredential } from '../core/credential/find-credential.ts';
import {
  addCredential,
  type HeldValue,
  heldAlready,
  nameTaken,
  otherHolder,
  removeCredential,
  replaceValue,
} from '../core/credential/hold-value.ts';
import { presentCredential } from '../core/credential/present-credential.ts';
import { done, refused } from '../core/result.ts';
import type { AgentParts } from './agent-parts.ts';
import { type Answer, answerFor } from './answer-for.ts';
import { appraiseValue } from './appraise-value.ts';
import { callService } from './call-service.ts';
import { turnOf } from './deliver-value.ts';
import { inTurn, lookInTurn } from './in-turn.ts';
import { noValue, readPresentValue } from './present-value.ts';
import { checkTarget, previewTarget } from './preview-target.ts';
import { findRotateEndpoint } from './remote/find-rotate-endpoint.ts';
import { rotateCredential } from './rotate-credential.ts';
import { testConnection, testCredential } from './test-credential.ts';
import { vaultThenRecord } from './vault-then-record.ts';
import type { VaultWatch } from './vault-watch.ts';
import { currentEntry, forgetPending, pendingEntry, writeAndReadBack } from './value-entries.ts';

/** The owner's wishes about credentials that need the vault or another service. */
export class CredentialDesk implements CredentialKeeper {
  readonly #parts: AgentParts;
  readonly #vault: Pick<VaultWatch, 'status' | 'onChange'>;
  readonly #deliver: (id: CredentialId, target: Target) => Promise<void>;

  constructor(
    parts: AgentParts,
    more: {
      readonly vault: Pick<VaultWatch, 'status' | 'onChange'>;
      /** Brings the present value to a target, unless that is under way already. */
      readonly deliver: (id: CredentialId, target: Target) => Promise<void>;
    },
  ) {
    this.#parts = parts;
    this.#vault = more.vault;
    this.#deliver = more.deliver;
  }

  add(id: CredentialId, wish: AddCredential): Answer<CredentialId> {
    return inTurn(`name ${wish.name.toLowerCase()}`, () =>
      answerFor(async () => {
        const { ledger, vault } = this.#parts;
        if (isNameTaken(ledger.state, wish.name)) return refused(nameTaken(wish.name));
        const appraised = await appraiseValue(this.#parts, wish.base_url ?? this.#parts.embeddedUrl(), wish);
        if (!appraised.ok) return appraised;
        const { name, base_url: baseUrl, policy } = wish;
        const endpoint = await this.#endpointFor(wish);
        if (!endpoint.ok) return endpoint;
        const command = { id, name, baseUrl, policy, held: appraised.value, canRotate: endpoint.value };
        return this.#unlessHeld(appraised.value, id, async () => {
          // Secret first, then the record: a crash leaves an orphan secret, never a record without one.
          await writeAndReadBack(vault, currentEntry(name), wish.value);
          return ledger.transact((state) => addCredential(state, command));
        });
      }),
    );
  }

  valueOf(name: string): Answer<string> {
    // In turn: between two rotations the old token is dead and the new one is not stored yet.
    return this.#with(name, ({ id }) =>
      lookInTurn(turnOf(id), () =>
        this.#withUsable(name, async (credential) => {
          const { vault } = this.#parts;
          const value = await readPresentValue(vault, credential);
          if (value !== null) return done(value);
          return refused(noValue(credential, { isGone: (await vault.read(currentEntry(name))) === null }));
        }),
      ),
    );
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
      const replaced = await this.#unlessHeld(appraised.value, credential.id, () =>
        vaultThenRecord(vault, name, {
          change: (entry) => writeAndReadBack(vault, entry, brought.value),
          record: () =>
            ledger.transact((state) => replaceValue(state, name, { held: appraised.value, cause })),
        }),
      );
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
    return this.#with(name, async (found) => {
      const target = found.targets.find(({ id }) => id === targetId);
      if (target === undefined) return refused(noSuchTarget(name));
      const usable = await lookInTurn(turnOf(found.id), () =>
        this.#withUsable(name, async ({ id }) => done(id)),
      );
      if (usable.ok) await this.#deliver(found.id, target);
      return usable;
    });
  }

  testCredential(name: string): Answer<ConnectionTest> {
    return testCredential(this.#parts, name);
  }

  testConnection(wish: TestConnection): Promise<ConnectionTest> {
    return testConnection(this.#parts, wish);
  }

  callService(name: string, call: ServiceCall): Answer<ServiceAnswer> {
    return callService(this.#parts, name, call);
  }

  checkTarget(target: DeliveryTarget): Answer<null> {
    return checkTarget(this.#parts, target);
  }

  previewTarget(name: string, target: DeliveryTarget): Answer<DeliveryPreview> {
    return previewTarget(this.#parts, name, target);
  }

  onStep(listener: (step: RotationStep) => void): () => void {
    return this.#parts.steps.listen(listener);
  }

  vaultStatus(): VaultStatus {
    return this.#vault.status();
  }

  onVaultChange(listener: () => void): () => void {
    return this.#vault.onChange(listener);
  }

  /** Holds a value for one credential, unless another one has it. In turn, so that two who bring it at once do not both get it. */
  #unlessHeld<T>(held: HeldValue, id: CredentialId, hold: () => Answer<T>): Answer<T> {
    return inTurn(`value ${held.fingerprint}`, async () => {
      const holder = otherHolder(this.#parts.ledger.state, held, id);
      return holder === null ? hold() : refused(heldAlready(holder));
    });
  }

  #with<T>(name: string, act: (credential: Found) => Answer<T>): Answer<T> {
    return answerFor(async () => {
      const found = findCredential(this.#parts.ledger.state, name);
      return found.ok ? act(found.value) : found;
    });
  }

  /** Whether the service of a new credential can rotate; null: not found out. Refused where it cannot and nobody agreed to that. */
  async #endpointFor({ base_url: baseUrl, remind_only: isReminder }: AddCredential): Answer<boolean | null> {
    if (baseUrl === null) return done(null);
    const { outcome, message } = await findRotateEndpoint(this.#parts.caller, { baseUrl });
    if (outcome === 'can_rotate') return done(true);
    if (isReminder) return done(false);
    if (outcome === 'unknown') return done(null);
    return refused({
      problem: 'cannot_rotate',
      message: `${message} The token was not added. To be reminded before it expires, and nothing more, add it with --remind-only.`,
    });
  }

  /** Acts with a token that is not known to be dead; else says why it is. */
  #withUsable<T>(name: string, act: (credential: Found) => Answer<T>): Answer<T> {
    return this.#with(name, async (credential) => {
      const { ledger, clock } = this.#parts;
      const { unusable } = presentCredential(ledger.state, credential, clock());
      return unusable === null ? act(credential) : refused({ problem: 'token_unusable', message: unusable });
    });
  }

  /** Looks the credential up again when its turn has come: it may be another one by then, or gone. */
  #inTurnOf<T>(name: string, act: (credential: Found) => Answer<T>): Answer<T> {
    return this.#with(name, ({ id }) => inTurn(turnOf(id), () => this.#with(name, act)));
  }
}

type Found = Extract<ReturnType<typeof findCredential>, { ok: true }>['value'];
