import type { CredentialId } from '../../contract/credential/credential.ts';
import { type ClientCertificate, clientCertificateInput } from '../../contract/service/network.ts';
import type { ProviderChoice } from '../../contract/credential/provider.ts';
import { changeClientCertificate } from '../../core/credential/change-credential.ts';
import type { CredentialRefusal } from '../../core/credential/find-credential.ts';
import { done, refused } from '../../core/result.ts';
import {
  clientCertificateFingerprint,
  clientCertificateProblem,
} from '../../network/check-client-certificate.ts';
import type { Records } from '../ports.ts';
import { type ClientCertificates, clientCertificateEntry } from '../vault/client-certificates.ts';
import { vaultThenRecord, writeAndReadBack } from '../vault/token-entries.ts';
import type { TokenStorage } from '../vault/token-fingerprints.ts';
import { type Answer, inTurnOf } from './answer-for.ts';

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
export function withCertificate(provider: ProviderChoice, certificate: ClientCertificate): ProviderChoice {
  const fingerprint = clientCertificateFingerprint(certificate);
  return { ...provider, inputs: { ...provider.inputs, [clientCertificateInput]: fingerprint } };
}
