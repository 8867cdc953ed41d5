import type { AddCredential, CredentialId, ReplaceValue } from '../../contract/credential/credential.ts';
import { type ClientCertificate, clientCertificateInput } from '../../contract/service/network.ts';
import { defaultProvider, type ProviderChoice } from '../../contract/credential/provider.ts';
import type { Credential } from '../../core/credential/credential-state.ts';
import {
  type CredentialRefusal,
  isNameTaken,
  missingHelper,
  validityRefusal,
} from '../../core/credential/find-credential.ts';
import { defaultOverlapMs } from '../../core/credential/retirement.ts';
import {
  type AddCommand,
  addCredential,
  changeStandby,
  isOfToken,
  nameTaken,
  otherCredentialWith,
  replaceValue,
  type StoredToken,
  tokenTaken,
} from '../../core/credential/store-token.ts';
import { done, refused } from '../../core/result.ts';
import {
  isEndedWhenReplaced,
  isKnownProvider,
  isRefreshed,
  mayHaveStandby,
} from '../../providers/catalogue.ts';
import { changeClientCertificate } from '../../core/credential/change-credential.ts';
import {
  clientCertificateEntry,
  clientCertificateFingerprint,
  clientCertificateProblem,
  type ClientCertificates,
} from '../vault/client-certificates.ts';
import type { CredentialPorts, Records } from '../ports.ts';
import type { AttemptMemory } from '../rotation/attempt-memory.ts';
import { runExclusive } from '../run-exclusive.ts';
import {
  currentEntry,
  forgetPending,
  forgetRetiring,
  retiringEntry,
  standbyEntry,
  vaultThenRecord,
  writeAndReadBack,
} from '../vault/token-entries.ts';
import { readCurrentToken, type TokenStorage } from '../vault/token-fingerprints.ts';
import { type Answer, answerFor, inTurnOf, rotationOpen } from './answer-for.ts';
import { enteredSecret, inspectEndpoint, inspectToken, type NewSecret } from './inspect-token.ts';

export function addToken(
  ports: CredentialPorts,
  id: CredentialId,
  wanted: AddCredential,
): Answer<CredentialId> {
  return whileNameIsFree(ports, wanted.name, async () => {
    const { ledger, services } = ports;
    const { name, base_url: baseUrl, policy, provider = defaultProvider } = wanted;
    if (!isKnownProvider(provider.id)) {
      const reason = { code: 'no_provider', id: provider.id } as const;
      return refused({ problem: 'conflict', reason });
    }
    const helperless = missingHelper(ledger.state, { baseUrl, provider }, services.urlOf({ baseUrl: null }));
    if (helperless !== null) return refused(helperless);
    const untold = validityRefusal({ baseUrl, provider }, policy, 'policy.validity_days');
    if (untold !== null) return refused(untold);
    const { client_certificate: clientCertificate } = wanted;
    const unusable = certificateRefusal(clientCertificate);
    if (unusable !== null) return refused(unusable);
    const of = { baseUrl, provider, ...(clientCertificate === undefined ? {} : { clientCertificate }) };
    const entered = await enteredSecret(ports, of, wanted);
    if (!entered.ok) return entered;
    const endpoint = isRefreshed(provider) ? done(true) : await inspectEndpoint(services, of, wanted);
    if (!endpoint.ok) return endpoint;
    const { secret, stored: known } = entered.value;
    // A person may know the id of the first token where its service does not tell it.
    const stored = { ...known, upstreamId: known.upstreamId ?? provider.inputs['token_id'] ?? null };
    const command = { id, name, provider, baseUrl, policy, stored, canRotate: endpoint.value };
    return unlessTaken(ports, stored, id, () => storeFirst(ports, command, secret, clientCertificate));
  });
}

/** Exclusive for a new name, so that two concurrent requests do not both get it. */
export function whileNameIsFree<T>(
  { ledger }: Pick<CredentialPorts, 'ledger'>,
  name: string,
  add: () => Answer<T>,
): Answer<T> {
  return runExclusive(`name ${name.toLowerCase()}`, () =>
    answerFor(async () => (isNameTaken(ledger.state, name) ? refused(nameTaken(name)) : add())),
  );
}

/** Secret first, then the record: a crash leaves an orphan secret, never a record without one. */
export async function storeFirst(
  { ledger, vault }: CredentialPorts,
  command: AddCommand & { readonly provider: ProviderChoice },
  secret: string,
  certificate: ClientCertificate | undefined,
): Answer<CredentialId> {
  const { name, provider } = command;
  await writeAndReadBack(vault, currentEntry(name), secret);
  if (certificate === undefined) return ledger.transact((state) => addCredential(state, command));
  await writeAndReadBack(vault, clientCertificateEntry(name), JSON.stringify(certificate));
  const presenting = { ...command, provider: withCertificate(provider, certificate) };
  return ledger.transact((state) => addCredential(state, presenting));
}

export interface ReplacementPorts extends CredentialPorts {
  readonly memory: Pick<AttemptMemory, 'unsaved'>;
}

/** Replaces the token by one that a person entered, or that was issued again. */
export function replaceToken(
  ports: ReplacementPorts,
  name: string,
  replacement: ReplaceValue,
  cause: 'pasted' | 'reissued',
): Answer<CredentialId> {
  return inTurnOf(ports, name, async (credential) => {
    const before = await ports.vault.read(currentEntry(name));
    const entered = await enteredSecret(ports, credential, replacement, before);
    return entered.ok ? storeReplacement(ports, credential, entered.value, cause) : entered;
  });
}

export async function storeReplacement(
  ports: ReplacementPorts,
  { id, name, provider, fingerprint, generation, retiring }: Credential,
  { secret, stored }: NewSecret,
  cause: 'pasted' | 'reissued' | 'signed_in',
): Answer<CredentialId> {
  const { ledger, vault, memory } = ports;
  const old = isOfToken(fingerprint, stored) ? null : await readCurrentToken(ports, { name, fingerprint });
  const isEnded = old !== null && isEndedWhenReplaced(provider, old);
  const replaced = await unlessTaken(ports, stored, id, () =>
    vaultThenRecord(vault, currentEntry(name), {
      async change() {
        // The old one first: overwritten, nobody could revoke it.
        if (isEnded) await writeAndReadBack(vault, retiringEntry(name, generation), old);
        await writeAndReadBack(vault, currentEntry(name), secret);
      },
      record: () =>
        ledger.transact((state, nowMs) => {
          const retireByMs = isEnded ? nowMs + defaultOverlapMs : null;
          return replaceValue(state, name, { stored, cause, retireByMs });
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
  memory.unsaved.delete(id);
  await forgetPending(vault, name);
  // One that was entered again is in use, and nothing revokes it.
  const usedAgain = retiring.filter((one) => isOfToken(one.fingerprint, stored));
  await forgetRetiring(
    vault,
    name,
    usedAgain.map((one) => one.generation),
  );
  return replaced;
}

/** Stores a second token of the same owner beside the current one; null: removes it. */
export function setStandby(
  ports: CredentialPorts,
  name: string,
  wanted: ReplaceValue | null,
): Answer<CredentialId> {
  return inTurnOf(ports, name, async (credential) => {
    const { ledger, vault } = ports;
    const { id, provider, rotation, standby } = credential;
    if (rotation !== null) return refused(rotationOpen(name));
    const expected = standby?.fingerprint ?? null;
    const record = (stored: StoredToken | null) => () =>
      ledger.transact((state) =>
        changeStandby(state, id, { expected, stored, actor: 'owner', message: null }),
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
    const inspected = await inspectToken(ports, credential, wanted);
    if (!inspected.ok) return inspected;
    const stored = inspected.value;
    if (isOfToken(credential.fingerprint, stored)) return refused(tokenTaken(name));
    return unlessTaken(ports, stored, id, async () => {
      const change = () => writeAndReadBack(vault, entry, wanted.value);
      await vaultThenRecord(vault, entry, { change, record: record(stored) });
      return done(id);
    });
  });
}

/**
 * Stores a token for one credential, unless another one has it. Exclusive, so that two concurrent requests do not
 * both get it.
 */
function unlessTaken<T>(
  { ledger }: Pick<CredentialPorts, 'ledger'>,
  stored: StoredToken,
  id: CredentialId,
  store: () => Answer<T>,
): Answer<T> {
  return runExclusive(`value ${stored.alike?.[0] ?? stored.fingerprint}`, async () => {
    const holder = otherCredentialWith(ledger.state, stored, id);
    return holder === null ? store() : refused(tokenTaken(holder));
  });
}

/** Stores what is presented to a service that asks for a client certificate; null: removes it. */
export function setClientCertificate(
  ports: Records & Pick<TokenStorage, 'vault'> & { readonly clientCertificates: ClientCertificates },
  name: string,
  certificate: ClientCertificate | null,
): Answer<CredentialId> {
  return inTurnOf(ports, name, async (credential) => {
    const { ledger, vault, clientCertificates } = ports;
    const unusable = certificateRefusal(certificate);
    if (unusable !== null) return refused(unusable);
    const entry = clientCertificateEntry(name);
    const fingerprint = certificate === null ? null : clientCertificateFingerprint(certificate);
    const changed = await vaultThenRecord(vault, entry, {
      change: () =>
        certificate === null
          ? vault.remove(entry)
          : writeAndReadBack(vault, entry, JSON.stringify(certificate)),
      record: () => ledger.transact((state) => changeClientCertificate(state, name, fingerprint)),
    });
    // Its key or its passphrase may be another one although the certificate is the same.
    clientCertificates.forget(credential);
    return changed.ok ? done(credential.id) : changed;
  });
}

/** Why a certificate cannot be presented; null: it can, or there is none. */
export function certificateRefusal(
  certificate: ClientCertificate | null | undefined,
): CredentialRefusal | null {
  const why =
    certificate === null || certificate === undefined ? null : clientCertificateProblem(certificate);
  return why === null ? null : { problem: 'bad_request', reason: { code: 'client_certificate', why } };
}

/** The inputs of a provider with the fingerprint of a certificate, which is what is recorded of it. */
function withCertificate(provider: ProviderChoice, certificate: ClientCertificate): ProviderChoice {
  const fingerprint = clientCertificateFingerprint(certificate);
  return { ...provider, inputs: { ...provider.inputs, [clientCertificateInput]: fingerprint } };
}
