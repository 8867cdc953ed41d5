import { originOf } from '../contract/address.ts';
import type { SignInView, StartSignIn } from '../contract/sign-in.ts';
import { vaultTroubleOf } from '../contract/vault-problem.ts';
import type {
  AddressChange,
  ChangeAddress,
  ConnectionTest,
  DeliveryPreview,
  RotationStep,
  TestConnection,
  TokenEnded,
} from '../contract/credential-checks.ts';
import type { VaultStatus } from '../contract/credential-view.ts';
import type {
  AddCredential,
  CredentialId,
  DeliveryTarget,
  ReplaceValue,
  TargetId,
} from '../contract/credential.ts';
import {
  type ClientCertificate,
  clientCertificateInput,
  type ClientCertificateProblem,
} from '../contract/network.ts';
import { recordEnd } from '../core/credential/check-credential.ts';
import { changeClientCertificate, noSuchTarget } from '../core/credential/change-credential.ts';
import { tokenPageOf } from '../contract/provider-inputs.ts';
import { defaultProvider, type ProviderChoice } from '../contract/provider.ts';
import type {
  CallAccess,
  CredentialAgent,
  ServiceAnswer,
  ServiceCall,
} from '../core/credential/credential-agent.ts';
import type { Credential, Target } from '../core/credential/credential-state.ts';
import {
  type CredentialRefusal,
  findCredential,
  isNameTaken,
  missingHelper,
  validityRefusal,
} from '../core/credential/find-credential.ts';
import { defaultOverlapMs } from '../core/credential/retirement.ts';
import {
  addCredential,
  changeStandby,
  tokenTaken,
  isOfToken,
  type StoredToken,
  nameTaken,
  otherCredentialWith,
  removeCredential,
  replaceValue,
} from '../core/credential/store-token.ts';
import { deriveCredential } from '../core/credential/derive-credential.ts';
import { isoInstant } from '../core/iso-instant.ts';
import { done, refused, type Result } from '../core/result.ts';
import { type ServiceHold, waitOf } from '../core/rotation/retry-at.ts';
import { dayMs } from '../core/token/token-record.ts';
import { invariant } from '../core/unreachable.ts';
import type { Vault, VaultEntry } from '../core/vault.ts';
import {
  clientCertificateFingerprint,
  clientCertificateProblem,
} from '../network/check-client-certificate.ts';
import {
  isAssisted,
  isKnownProvider,
  isEndedWhenReplaced,
  isRefreshed,
  isRevoked,
  isSignedIn,
  mayHaveStandby,
  tokenPageIfAssisted,
} from '../providers/catalogue.ts';
import { type AgentParts, type AskingParts, heldToken, type OfService, presented } from './agent-parts.ts';
import { type Answer, answerFor, unusableNow, waitsForMove } from './requests/answer-for.ts';
import { clientCertificateEntry } from './vault/client-certificates.ts';
import { callService } from './requests/call-service.ts';
import { lockKeyOf } from './delivery/deliver-token.ts';
import { runExclusive, readExclusive } from './run-exclusive.ts';
import type { RunningCalls } from './requests/running-calls.ts';
import { checkTarget, previewTarget } from './requests/preview-target.ts';
import { parseOAuthSecret } from '../providers/oauth2/oauth-secret.ts';
import { endToken, failed, type MintedToken, partsOf, type TokenToEnd } from '../providers/provider-port.ts';
import { refreshOnDemand } from './rotation/refresh-on-demand.ts';
import { believedMs } from '../providers/http/read-expiry.ts';
import { jwtExpiryMs } from '../providers/http/read-reply.ts';
import { idIn, inspectLimitMs, rotateCredential } from './rotation/rotate-credential.ts';
import type { SignIns } from './requests/sign-ins.ts';
import { changeAddress } from './requests/change-address.ts';
import { testConnection, testCredential } from './requests/test-credential.ts';
import {
  currentEntry,
  forgetPending,
  forgetRetiring,
  noCurrentToken,
  pendingEntry,
  readPending,
  retiringEntry,
  standbyEntry,
  writeAndReadBack,
} from './vault/token-entries.ts';
import { readCurrentToken } from './vault/token-fingerprints.ts';
import type { VaultWatch } from './vault/vault-watch.ts';

/** The owner's requests about credentials that need the vault or another service. */
export class CredentialService implements CredentialAgent {
  readonly #parts: AgentParts;
  readonly #vault: Pick<VaultWatch, 'kind' | 'openedBy' | 'problem' | 'onChange' | 'contact'>;
  readonly #calls: RunningCalls;
  readonly #deliver: (id: CredentialId, target: Target) => Promise<void>;
  readonly #signIns: SignIns;
  /** What people have asked for and is not over. */
  readonly #rotations = new Map<CredentialId, Answer<CredentialId>>();

  constructor(
    parts: AgentParts,
    more: {
      readonly vault: Pick<VaultWatch, 'kind' | 'openedBy' | 'problem' | 'onChange' | 'contact'>;
      /** The calls with a token that others make. */
      readonly calls: RunningCalls;
      /** Delivers the current token to a target, unless that is under way already. */
      readonly deliver: (id: CredentialId, target: Target) => Promise<void>;
      readonly signIns: SignIns;
    },
  ) {
    this.#parts = parts;
    this.#vault = more.vault;
    this.#calls = more.calls;
    this.#deliver = more.deliver;
    this.#signIns = more.signIns;
  }

  add(id: CredentialId, wanted: AddCredential): Answer<CredentialId> {
    return runExclusive(`name ${wanted.name.toLowerCase()}`, () =>
      answerFor(async () => {
        const { ledger } = this.#parts;
        if (isNameTaken(ledger.state, wanted.name)) return refused(nameTaken(wanted.name));
        const { name, base_url: baseUrl, policy, provider = defaultProvider } = wanted;
        if (!isKnownProvider(provider.id)) {
          const reason = { code: 'no_provider', id: provider.id } as const;
          return refused({ problem: 'conflict', reason });
        }
        const helperless = missingHelper(ledger.state, { baseUrl, provider }, this.#parts.embeddedUrl());
        if (helperless !== null) return refused(helperless);
        const untold = validityRefusal({ baseUrl, provider }, policy, 'policy.validity_days');
        if (untold !== null) return refused(untold);
        const { client_certificate: clientCertificate } = wanted;
        const unusable = clientCertificate === undefined ? null : clientCertificateProblem(clientCertificate);
        if (unusable !== null) return refused(unusableCertificate(unusable));
        const of = { baseUrl, provider, ...(clientCertificate === undefined ? {} : { clientCertificate }) };
        const entered = await enteredSecret(this.#parts, of, wanted);
        if (!entered.ok) return entered;
        const { secret } = entered.value;
        const endpoint = isRefreshed(provider) ? done(true) : await this.#endpointFor(wanted, of);
        if (!endpoint.ok) return endpoint;
        const canRotate = endpoint.value;
        // A person may know the id of the first token where its service does not tell it.
        const upstreamId = entered.value.held.upstreamId ?? provider.inputs['token_id'] ?? null;
        const held = { ...entered.value.held, upstreamId };
        const command = { id, name, provider, baseUrl, policy, held, canRotate };
        return this.#unlessHeld(held, id, () => this.#storeNew(command, secret, clientCertificate));
      }),
    );
  }

  /** Secret first, then the record: a crash leaves an orphan secret, never a record without one. */
  async #storeNew(
    command: Parameters<typeof addCredential>[1] & { readonly provider: ProviderChoice },
    secret: string,
    certificate: ClientCertificate | undefined,
  ): Answer<CredentialId> {
    const { ledger, vault } = this.#parts;
    const { name, provider } = command;
    await writeAndReadBack(vault, currentEntry(name), secret);
    if (certificate === undefined) return ledger.transact((state) => addCredential(state, command));
    await writeAndReadBack(vault, clientCertificateEntry(name), JSON.stringify(certificate));
    const presenting = { ...command, provider: withCertificate(provider, certificate) };
    return ledger.transact((state) => addCredential(state, presenting));
  }

  async valueOf(name: string): Answer<string> {
    const refresh = refreshOnDemand(this.#parts, name);
    if (refresh !== null) await refresh;
    // Exclusive: during a rotation the previous token no longer works and the new one is not stored yet.
    return this.#with(name, ({ id }) =>
      readExclusive(lockKeyOf(id), () =>
        this.#withUsable(name, async (credential) => {
          const { vault, providers } = this.#parts;
          const secret = await readCurrentToken(this.#parts, credential);
          const provider = providers.of(credential.provider.id);
          const token = secret === null ? null : partsOf(provider, secret).accessToken;
          if (token !== null) return done(token);
          return refused(
            noCurrentToken(credential, { isGone: (await vault.read(currentEntry(name))) === null }),
          );
        }),
      ),
    );
  }

  replaceValue(name: string, replacement: ReplaceValue, cause: 'pasted' | 'reissued'): Answer<CredentialId> {
    return this.#inTurnOf(name, async (credential) => {
      const before = await this.#parts.vault.read(currentEntry(name));
      const entered = await enteredSecret(this.#parts, credential, replacement, before);
      return entered.ok ? this.#replaceSecret(credential, entered.value, cause) : entered;
    });
  }

  async #replaceSecret(
    { id, name, provider, fingerprint, generation, retiring }: Found,
    { secret, held }: NewSecret,
    cause: 'pasted' | 'reissued' | 'signed_in',
  ): Answer<CredentialId> {
    const { ledger, vault, unsaved } = this.#parts;
    const old = isOfToken(fingerprint, held)
      ? null
      : await readCurrentToken(this.#parts, { name, fingerprint });
    const isEnded = old !== null && isEndedWhenReplaced(provider, old);
    const replaced = await this.#unlessHeld(held, id, () =>
      vaultThenRecord(vault, currentEntry(name), {
        async change() {
          // The old one first: overwritten, nobody could revoke it.
          if (isEnded) await writeAndReadBack(vault, retiringEntry(name, generation), old);
          await writeAndReadBack(vault, currentEntry(name), secret);
        },
        record: () =>
          ledger.transact((state, nowMs) => {
            const retireByMs = isEnded ? nowMs + defaultOverlapMs : null;
            return replaceValue(state, name, { held, cause, retireByMs });
          }),
      }),
    ).catch(async (error: unknown) => {
      if (isEnded) await forgetRetiring(vault, name, [generation]);
      throw error;
    });
    if (!replaced.ok) {
      if (isEnded) await forgetRetiring(vault, name, [generation]);
      return replaced;
    }
    unsaved.delete(id);
    await forgetPending(vault, name);
    // One that was entered again is in use, and nothing revokes it.
    const usedAgain = retiring.filter((one) => isOfToken(one.fingerprint, held));
    await forgetRetiring(
      vault,
      name,
      usedAgain.map((one) => one.generation),
    );
    return replaced;
  }

  startSignIn(id: CredentialId, wanted: StartSignIn): Answer<SignInView> {
    return wanted.provider === undefined
      ? this.#signInAgain(wanted)
      : this.#signInFirst(id, { ...wanted, provider: wanted.provider });
  }

  async #signInFirst(
    id: CredentialId,
    wanted: StartSignIn & { readonly provider: ProviderChoice },
  ): Answer<SignInView> {
    const { ledger } = this.#parts;
    const { name, provider, base_url: baseUrl, policy, client_secret: clientSecret = null } = wanted;
    const { client_certificate: certificate } = wanted;
    if (!isSignedIn(provider)) {
      return refused({ problem: 'conflict', reason: { code: 'no_sign_in', name } });
    }
    if (isNameTaken(ledger.state, name)) return refused(nameTaken(name));
    const untold = validityRefusal({ baseUrl, provider }, policy, 'policy.validity_days');
    if (untold !== null) return refused(untold);
    const unusable = certificate === undefined ? null : clientCertificateProblem(certificate);
    if (unusable !== null) return refused(unusableCertificate(unusable));
    invariant(baseUrl !== null, 'the contract fills in the address of a provider');
    const clientCertificate = certificate === undefined ? undefined : () => Promise.resolve(certificate);
    const at = { provider, baseUrl, clientSecret, clientCertificate };
    return this.#signIns.start(wanted, at, (minted, obtainedAtMs) =>
      runExclusive(`name ${name.toLowerCase()}`, () =>
        answerFor(async () => {
          if (isNameTaken(ledger.state, name)) return refused(nameTaken(name));
          const { secret, held } = await newSecretOf(this.#parts, baseUrl, minted, obtainedAtMs);
          const command = { id, name, provider, baseUrl, policy, held, canRotate: true };
          return this.#storeNew(command, secret, certificate);
        }),
      ),
    );
  }

  /** With the same client, so that the person is asked for nothing but to sign in. */
  #signInAgain(wanted: StartSignIn): Answer<SignInView> {
    const { name } = wanted;
    return this.#with(name, async (credential) => {
      const waiting = waitsForMove(this.#parts);
      if (waiting !== null) return refused(waiting);
      const { provider, baseUrl } = credential;
      if (!isSignedIn(provider) || baseUrl === null) {
        return refused({ problem: 'conflict', reason: { code: 'no_sign_in', name } });
      }
      const entry = await this.#parts.vault.read(currentEntry(name));
      const known = entry === null ? null : parseOAuthSecret(entry);
      const clientSecret = wanted.client_secret ?? known?.client_secret ?? null;
      const { clientCertificate } = presented(this.#parts, credential);
      const at = { provider, baseUrl, clientSecret, clientCertificate };
      return this.#signIns.start(wanted, at, (minted, obtainedAtMs) =>
        this.#inTurnOf(name, async (now) => {
          const entered = await newSecretOf(this.#parts, now.baseUrl, minted, obtainedAtMs);
          return this.#replaceSecret(now, entered, 'signed_in');
        }),
      );
    });
  }

  signIn(id: string): SignInView | null {
    return this.#signIns.get(id);
  }

  cancelSignIn(id: string): SignInView | null {
    return this.#signIns.cancel(id);
  }

  setStandby(name: string, wanted: ReplaceValue | null): Answer<CredentialId> {
    return this.#inTurnOf(name, async (credential) => {
      const { ledger, vault } = this.#parts;
      const { id, provider, rotation, standby } = credential;
      if (rotation !== null) return refused({ problem: 'conflict', reason: { code: 'rotation_open', name } });
      const expected = standby?.fingerprint ?? null;
      const record = (held: StoredToken | null) => () =>
        ledger.transact((state) =>
          changeStandby(state, id, { expected, held, actor: 'owner', message: null }),
        );
      const entry = standbyEntry(name);
      if (wanted === null) {
        if (standby === null) return done(id);
        await vaultThenRecord(vault, entry, { change: () => vault.remove(entry), record: record(null) });
        return done(id);
      }
      if (!mayHaveStandby(provider)) {
        return refused({ problem: 'conflict', reason: { code: 'no_standby', name } });
      }
      const inspected = await inspectToken(this.#parts, credential, wanted);
      if (!inspected.ok) return inspected;
      const held = inspected.value;
      if (isOfToken(credential.fingerprint, held)) return refused(tokenTaken(name));
      return this.#unlessHeld(held, id, async () => {
        const change = () => writeAndReadBack(vault, entry, wanted.value);
        await vaultThenRecord(vault, entry, { change, record: record(held) });
        return done(id);
      });
    });
  }

  setClientCertificate(name: string, certificate: ClientCertificate | null): Answer<CredentialId> {
    return this.#inTurnOf(name, async (credential) => {
      const { ledger, vault, clientCertificates } = this.#parts;
      const { id } = credential;
      const unusable = certificate === null ? null : clientCertificateProblem(certificate);
      if (unusable !== null) return refused(unusableCertificate(unusable));
      const fingerprint = certificate === null ? null : clientCertificateFingerprint(certificate);
      const changed = await vaultThenRecord(vault, clientCertificateEntry(name), {
        change: () =>
          certificate === null
            ? vault.remove(clientCertificateEntry(name))
            : writeAndReadBack(vault, clientCertificateEntry(name), JSON.stringify(certificate)),
        record: () => ledger.transact((state) => changeClientCertificate(state, name, fingerprint)),
      });
      // Its key or its passphrase may be another one although the certificate is the same.
      clientCertificates.forget(credential);
      return changed.ok ? done(id) : changed;
    });
  }

  async rotateNow(name: string): Answer<CredentialId> {
    const found = findCredential(this.#parts.ledger.state, name);
    if (!found.ok) return found;
    const { id } = found.value;
    // A second command while one runs joins it: it wants a new token, and not two.
    const asked = this.#rotations.get(id);
    if (asked !== undefined) return asked;
    const running = this.#parts.attempts.get(id);
    const rotating =
      running === undefined
        ? this.#rotateNow(name)
        : answerFor<CredentialId>(() => running.then(() => done(id)));
    this.#rotations.set(id, rotating);
    try {
      return await rotating;
    } finally {
      this.#rotations.delete(id);
    }
  }

  #rotateNow(name: string): Answer<CredentialId> {
    return this.#inTurnOf(name, async ({ id, provider, baseUrl }) => {
      if (isAssisted(provider)) {
        const page = tokenPageIfAssisted(provider, baseUrl ?? '');
        return refused({ problem: 'conflict', reason: { code: 'person_creates', name, page } });
      }
      const hold = this.holdOf({ baseUrl, provider });
      if (hold !== null) {
        const service = originOf(baseUrl ?? this.#parts.embeddedUrl());
        const reason = { code: 'asked_to_wait', service, ...waitOf(hold) } as const;
        return refused({ problem: 'conflict', reason });
      }
      await rotateCredential(this.#parts, id, 'owner');
      return done(id);
    });
  }

  remove(name: string): Answer<{ readonly message: string | null }> {
    return this.#inTurnOf(name, async (credential) => {
      const { id } = credential;
      const { ledger, vault, unsaved } = this.#parts;
      const revoke = await this.#revocationOf(credential);
      const deleteOld = await this.#deletionOfOld(credential);
      await vault.remove(pendingEntry(name));
      await vault.remove(standbyEntry(name));
      await vault.remove(clientCertificateEntry(name));
      for (const { generation } of credential.retiring) await vault.remove(retiringEntry(name, generation));
      const removed = await vaultThenRecord(vault, currentEntry(name), {
        change: () => vault.remove(currentEntry(name)),
        record: () => ledger.transact((state) => removeCredential(state, id)),
      });
      unsaved.delete(id);
      // After the record: a removal that is refused leaves a token that works.
      if (!removed.ok) return removed;
      const old = await deleteOld();
      const problems = [await revoke(), ...old].filter((problem) => problem !== null);
      return done({ message: problems.length === 0 ? null : problems.join(' ') });
    });
  }

  end(name: string): Answer<TokenEnded> {
    return this.#inTurnOf(name, async (credential) => {
      const { id, fingerprint, rotation } = credential;
      const { ledger, vault, providers, text } = this.#parts;
      const page = tokenPageOf(
        credential.provider,
        heldToken(this.#parts, credential, '', revokeLimitMs).baseUrl,
      );
      const provider = providers.of(credential.provider.id);
      const current = await readCurrentToken(this.#parts, credential);
      // While the current one works: the service may ask for it.
      const old = await (await this.#deletionOfOld(credential))();
      const pending = (await readPending(vault, name))?.value ?? null;
      const others = [pending, await vault.read(standbyEntry(name))];
      const alive: string[] = [...old];
      let outcome: TokenEnded['outcome'] = 'ended_before';
      for (const token of new Set([...others, current])) {
        if (token === null) continue;
        const held = heldToken(this.#parts, credential, token, revokeLimitMs);
        const ended = (await endToken(provider, held, { by: 'itself' })) ?? done('no_call');
        if (!ended.ok) alive.push(text.notEnded(ended.refusal.trouble));
        else if (ended.value === 'no_call' || ended.value === 'key_stays')
          alive.push(text.endByPerson[ended.value]);
        else {
          if (ended.value === 'deleted') outcome = 'ended';
          // It must not become the current one.
          if (token === pending) await forgetPending(vault, name);
          if (token === current)
            await ledger.transact((state) => recordEnd(state, id, { fingerprint, message: text.endedHere }));
        }
      }
      if (current === null && pending === null) alive.push(text.noTokenToEnd);
      // Its reply was lost: the service may have made a token that nobody here knows.
      if (rotation !== null && pending === null) alive.push(text.unknownToken);
      return done({
        outcome: alive.length > 0 ? 'alive' : outcome,
        message: alive.length > 0 ? [...new Set(alive)].join(' ') : null,
        page,
      });
    });
  }

  /**
   * Deletes the old tokens that still work at the service, with the current one. It resolves to why each of the others still
   * works, and until when.
   */
  async #deletionOfOld(credential: Found): Promise<() => Promise<string[]>> {
    const { vault, providers, text, clock, fingerprints } = this.#parts;
    const provider = providers.of(credential.provider.id);
    const alive = credential.retiring.filter(({ lifetime }) => lifetime.expiresAtMs > clock());
    const secret = alive.length === 0 ? null : await readCurrentToken(this.#parts, credential);
    const values = new Map<number, string>();
    for (const { generation, fingerprint } of provider.endsBy.includes('value') ? alive : []) {
      const value = await vault.read(retiringEntry(credential.name, generation));
      // Whatever the record says, the current token is never ended as an old one.
      if (value === null || value === secret) continue;
      if ((await fingerprints.compare(value, fingerprint)) === 'same') values.set(generation, value);
    }
    return async () => {
      const problems: string[] = [];
      for (const { generation, upstreamId, lifetime } of alive) {
        const held = heldToken(this.#parts, credential, secret ?? '', revokeLimitMs);
        const value = values.get(generation);
        const which: TokenToEnd | null =
          value !== undefined
            ? { by: 'value', value }
            : upstreamId === null
              ? null
              : { by: 'id', id: upstreamId };
        const ended = secret === null || which === null ? null : await endToken(provider, held, which);
        const deleted = ended ?? failed({ code: 'id_unknown', service: originOf(held.baseUrl) });
        if (deleted.ok) continue;
        const { trouble } = deleted.refusal;
        problems.push(text.notDeleted(generation, isoInstant(lifetime.expiresAtMs), trouble));
      }
      return problems;
    };
  }

  /** Ends the token at its service. It resolves to why the token still works; null where the service has no such call. */
  async #revocationOf(credential: Found): Promise<() => Promise<string | null>> {
    const { providers, text } = this.#parts;
    const provider = providers.of(credential.provider.id);
    const secret = isRevoked(credential.provider) ? await readCurrentToken(this.#parts, credential) : null;
    return async () => {
      if (secret === null) return null;
      const held = heldToken(this.#parts, credential, secret, revokeLimitMs);
      const ended = await endToken(provider, held, { by: 'itself' });
      return ended === null || ended.ok ? null : text.notRevoked(ended.refusal.trouble);
    };
  }

  async deliverNow(name: string, targetId: TargetId): Answer<CredentialId> {
    const refresh = refreshOnDemand(this.#parts, name);
    if (refresh !== null) await refresh;
    return this.#with(name, async (found) => {
      const target = found.targets.find(({ id }) => id === targetId);
      if (target === undefined) return refused(noSuchTarget(name));
      const waiting = waitsForMove(this.#parts);
      if (waiting !== null) return refused(waiting);
      const usable = await readExclusive(lockKeyOf(found.id), () =>
        this.#withUsable(name, async ({ id }) => done(id)),
      );
      if (usable.ok) await this.#deliver(found.id, target);
      return usable;
    });
  }

  testCredential(name: string): Answer<ConnectionTest> {
    return testCredential(this.#parts, name);
  }

  changeAddress(name: string, wanted: ChangeAddress): Answer<AddressChange> {
    return changeAddress(this.#parts, name, wanted);
  }

  testConnection(wanted: TestConnection): Promise<ConnectionTest> {
    return testConnection(this.#parts, wanted);
  }

  callService(name: string, call: ServiceCall): Answer<ServiceAnswer> {
    return callService(this.#parts, name, call);
  }

  accessFor(name: string): Answer<CallAccess> {
    return this.#calls.accessFor(this.#parts, name);
  }

  checkTarget(name: string, target: DeliveryTarget): Answer<null> {
    return checkTarget(this.#parts, name, target);
  }

  previewTarget(name: string, target: DeliveryTarget): Answer<DeliveryPreview> {
    return previewTarget(this.#parts, name, target);
  }

  onStep(listener: (step: RotationStep) => void): () => void {
    return this.#parts.steps.listen(listener);
  }

  holdOf(credential: Pick<Credential, 'baseUrl' | 'provider'>): ServiceHold | null {
    return this.#parts.pace.holdOf(credential);
  }

  vaultStatus(): VaultStatus {
    const { kind, openedBy: key, problem } = this.#vault;
    const { text } = this.#parts;
    return {
      kind,
      ...(key === undefined ? {} : { key }),
      description: text.vaultDescription({ kind, key }),
      status: problem === null ? 'ok' : vaultTroubleOf(problem),
      message: problem === null ? null : text.vaultProblem(problem),
    };
  }

  contactVault(): void {
    this.#vault.contact().catch(this.#parts.onFailure);
  }

  onVaultChange(listener: () => void): () => void {
    return this.#vault.onChange(listener);
  }

  /**
   * Stores a token for one credential, unless another one has it. Exclusive, so that two concurrent requests do not
   * both get it.
   */
  #unlessHeld<T>(held: StoredToken, id: CredentialId, hold: () => Answer<T>): Answer<T> {
    return runExclusive(`value ${held.alike?.[0] ?? held.fingerprint}`, async () => {
      const holder = otherCredentialWith(this.#parts.ledger.state, held, id);
      return holder === null ? hold() : refused(tokenTaken(holder));
    });
  }

  #with<T>(name: string, act: (credential: Found) => Answer<T>): Answer<T> {
    return answerFor(async () => {
      const found = findCredential(this.#parts.ledger.state, name);
      return found.ok ? act(found.value) : found;
    });
  }

  /** Whether the service of a new credential can rotate; null: not found out. Refused if it cannot and the owner did not agree. */
  async #endpointFor(wanted: AddCredential, of: OfService): Answer<boolean | null> {
    const { base_url: baseUrl, provider = defaultProvider, value, remind_only: isReminder } = wanted;
    if (isAssisted(provider)) return done(false);
    if (baseUrl === null) return done(null);
    const held = heldToken(this.#parts, of, value, inspectLimitMs);
    const endpoint = await this.#parts.providers.of(provider.id).inspectRotation(held);
    if (endpoint.outcome === 'can_rotate') return done(true);
    if (isReminder) return done(false);
    if (endpoint.outcome === 'unknown') return done(null);
    return refused({ problem: 'cannot_rotate', reason: { code: 'cannot_rotate', endpoint } });
  }

  /** Acts with a token unless it is known not to work; then it is refused with the reason. */
  #withUsable<T>(name: string, act: (credential: Found) => Answer<T>): Answer<T> {
    return this.#with(name, async (credential) => {
      const { ledger, clock } = this.#parts;
      const { unusable } = deriveCredential(ledger.state, credential, clock());
      if (unusable === null) return act(credential);
      return refused(unusableNow(this.#parts, unusable));
    });
  }

  /**
   * Changes what is stored of a credential, in its turn. Reads it again after waiting for the lock: it may have changed, or been
   * removed. Refused while the data may also be in use elsewhere: there the same token counts, perhaps in the same keychain.
   */
  #inTurnOf<T>(name: string, act: (credential: Found) => Answer<T>): Answer<T> {
    return this.#with(name, async ({ id }) => {
      const waiting = waitsForMove(this.#parts);
      if (waiting !== null) return refused(waiting);
      return runExclusive(lockKeyOf(id), () => this.#with(name, act));
    });
  }
}

function unusableCertificate(why: ClientCertificateProblem): CredentialRefusal {
  return { problem: 'bad_request', reason: { code: 'client_certificate', why } };
}

function withCertificate(provider: ProviderChoice, certificate: ClientCertificate): ProviderChoice {
  const fingerprint = clientCertificateFingerprint(certificate);
  return { ...provider, inputs: { ...provider.inputs, [clientCertificateInput]: fingerprint } };
}

/** A person waits for the removal. */
const revokeLimitMs = 5_000;

/** A secret as it goes into the vault, and what is known of it. */
interface NewSecret {
  readonly secret: string;
  readonly held: StoredToken;
}

async function newSecretOf(
  { fingerprints }: AgentParts,
  baseUrl: string | null,
  { token, expiresAtMs, expiryAssumed = null }: MintedToken,
  obtainedAtMs: number,
): Promise<NewSecret> {
  const lifetime = { obtainedAtMs, expiresAtMs: expiresAtMs ?? obtainedAtMs };
  return {
    secret: token,
    held: { ...(await fingerprints.of(token, baseUrl)), lifetime, expiryAssumed, validityDays: null },
  };
}

/** What a person entered, as it goes into the vault: a token, or a client secret with the access token that it obtains. */
async function enteredSecret(
  parts: AgentParts,
  of: OfService,
  entered: EnteredToken & Pick<ReplaceValue, 'password'>,
  before: string | null = null,
): Promise<Result<NewSecret, CredentialRefusal>> {
  const { provider } = of;
  if (!isRefreshed(provider)) {
    const inspected = await inspectToken(parts, of, entered);
    return inspected.ok ? done({ secret: entered.value, held: inspected.value }) : inspected;
  }
  if (isSignedIn(provider)) return refused({ problem: 'conflict', reason: { code: 'sign_in_needed' } });
  const at = parts.providers.of(provider.id);
  const { value, password, expires_at: end } = entered;
  const expiresAtMs = end === undefined ? null : Date.parse(end);
  if (password !== undefined && !provider.inputs['email']) {
    const field = 'provider.inputs.email';
    return refused({ problem: 'bad_request', field, reason: { code: 'email_needed' } });
  }
  const secret = at.secret?.first({ value, password, expiresAtMs }, before) ?? null;
  if (secret === null) {
    return refused({ problem: 'bad_request', field: 'value', reason: { code: 'not_a_key' } });
  }
  if (partsOf(at, secret).accessToken !== null) {
    const inspected = await inspectToken(parts, of, entered);
    if (inspected.ok) {
      return done({
        secret,
        held: { ...inspected.value, ...(await parts.fingerprints.of(secret, of.baseUrl)) },
      });
    }
    // With a login, a token that has ended is no obstacle.
    if (password === undefined) return inspected;
  }
  const nowMs = parts.clock();
  invariant(at.obtain !== undefined, 'a secret that is no token obtains one');
  const minted = await at.obtain(heldToken(parts, of, secret, inspectLimitMs));
  if (minted.ok) return done(await newSecretOf(parts, of.baseUrl, minted.value, nowMs));
  const { trouble } = minted.refusal;
  const reason = { code: 'client_not_accepted', trouble } as const;
  return refused({
    problem: trouble.code === 'client_refused' ? 'conflict' : 'other_service_failed',
    reason,
  });
}

type Found = Extract<ReturnType<typeof findCredential>, { ok: true }>['value'];

export interface EnteredToken {
  readonly value: string;
  readonly validity_days?: number | undefined;
  readonly expires_at?: string | undefined;
}

/**
 * The properties of a token that a person enters, or why it cannot be added.
 *
 * The service's reply takes precedence over what the person entered. If the service refuses the token, that is final.
 * If it cannot be reached, or does not say, the entered expiry or the JWT's `exp` is used, whichever is earlier, then
 * the entered validity; without any of them it would be unknown when to rotate, and the token is refused.
 */
export async function inspectToken(
  parts: AskingParts,
  of: OfService,
  entered: EnteredToken,
): Promise<Result<StoredToken, CredentialRefusal>> {
  const { value: token, validity_days: givenDays } = entered;
  const held = heldToken(parts, of, token, inspectLimitMs);
  const { reply: told } = await parts.providers.of(of.provider.id).inspect(held);
  const nowMs = parts.clock();
  const service = originOf(held.baseUrl);
  if (told.kind === 'refused') {
    const reason = { code: 'token_refused', service, said: told.said } as const;
    return refused({ problem: 'bad_request', field: 'value', reason });
  }
  if (told.kind === 'known') {
    const { createdAtMs, expiresAtMs } = told;
    if (expiresAtMs < nowMs - earliestReadingMs) return refused(endedBefore(service, expiresAtMs));
    const lifetime = { obtainedAtMs: Math.min(createdAtMs ?? nowMs, nowMs), expiresAtMs };
    const validityDays = told.validityDays ?? givenDays ?? null;
    return done({
      ...(await parts.fingerprints.of(token, of.baseUrl)),
      lifetime,
      validityDays,
      upstreamId: idIn(told),
    });
  }
  const ownEndMs = believedMs(jwtExpiryMs(token), nowMs);
  if (ownEndMs !== null && ownEndMs <= nowMs) return refused(endedBefore(null, ownEndMs));
  const ends = [entered.expires_at === undefined ? null : Date.parse(entered.expires_at), ownEndMs].filter(
    (end) => end !== null,
  );
  if (ends.length === 0 && givenDays !== undefined) ends.push(nowMs + givenDays * dayMs);
  const expiresAtMs = ends.length === 0 ? null : Math.min(...ends);
  if (expiresAtMs === null) {
    return told.kind === 'unreachable'
      ? refused({
          problem: 'other_service_failed',
          reason: { code: 'expiry_unknown', service, failure: told.failure },
        })
      : refused({
          problem: 'bad_request',
          field: 'expires_at',
          reason: { code: 'expiry_unknown', service, failure: null, told: told.reason },
        });
  }
  if (expiresAtMs <= nowMs) {
    return refused({ problem: 'bad_request', field: 'expires_at', reason: { code: 'not_in_future' } });
  }
  if (believedMs(expiresAtMs, nowMs) === null) {
    return refused({ problem: 'bad_request', field: 'expires_at', reason: { code: 'too_far' } });
  }
  return done({
    ...(await parts.fingerprints.of(token, of.baseUrl)),
    lifetime: { obtainedAtMs: nowMs, expiresAtMs },
    validityDays: givenDays ?? null,
    upstreamId: idIn(told),
  });
}

/** A date without a time of day is read as the earliest instant that it may mean: the token may work for a day after that. */
const earliestReadingMs = dayMs + 3_600_000 * 2;

function endedBefore(service: string | null, atMs: number): CredentialRefusal {
  const reason = { code: 'ended_before', service, at: isoInstant(atMs) } as const;
  return { problem: 'bad_request', field: 'value', reason };
}

/**
 * Changes a token in the vault, then the record: after a crash between the two, a token without its record remains, never a
 * record without its token. If the record could not be written, the vault is restored.
 */
async function vaultThenRecord<T>(
  vault: Vault,
  entry: VaultEntry,
  { change, record }: { readonly change: () => Promise<void>; readonly record: () => Promise<T> },
): Promise<T> {
  const before = await vault.read(entry);
  await change();
  try {
    return await record();
  } catch (error) {
    await (before === null ? vault.remove(entry) : vault.write(entry, before));
    throw error;
  }
}
