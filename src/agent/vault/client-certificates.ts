import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import {
  ClientCertificate,
  clientCertificateInput,
  type ClientCertificateProblem,
} from '../../contract/service/network.ts';
import { vaultService } from '../../contract/credential/credential.ts';
import type { Credential } from '../../core/credential/credential-state.ts';
import type { Vault, VaultEntry } from '../../core/vault.ts';
import { systemCodeIn } from '../../network/connect-failure.ts';
import { keyOptions } from '../../network/trusted-roots.ts';

/** The entry of the client certificate and its key. No credential can have this name. */
export function clientCertificateEntry(name: string): VaultEntry {
  return { service: vaultService, account: `${name} (client certificate)` };
}

type Owner = Pick<Credential, 'name' | 'provider'>;

/**
 * The client certificates of credentials: what is recorded of one is its fingerprint, among the inputs of the provider; the
 * certificate and its key are in the vault.
 */
export class ClientCertificates {
  readonly #vault: Vault;
  /** By fingerprint, so that calls in quick succession do not read the vault each. */
  readonly #known = new Map<string, ClientCertificate>();

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  /** Null: it has none, or the vault has another one than was recorded. Rejects when the vault cannot be used. */
  async of(owner: Owner): Promise<ClientCertificate | null> {
    const fingerprint = owner.provider.inputs[clientCertificateInput];
    if (fingerprint === undefined) return null;
    const known = this.#known.get(fingerprint);
    if (known !== undefined) return known;
    const read = readStored(await this.#vault.read(clientCertificateEntry(owner.name)));
    if (read === null || clientCertificateFingerprint(read) !== fingerprint) return null;
    this.#known.set(fingerprint, read);
    return read;
  }

  /** One that was read before. */
  known({ provider }: Pick<Owner, 'provider'>): ClientCertificate | null {
    return this.#known.get(provider.inputs[clientCertificateInput] ?? '') ?? null;
  }

  forget({ provider }: Pick<Owner, 'provider'>): void {
    this.#known.delete(provider.inputs[clientCertificateInput] ?? '');
  }
}

function readStored(text: string | null): ClientCertificate | null {
  if (text === null) return null;
  try {
    return ClientCertificate.parse(JSON.parse(text));
  } catch {
    return null; // not written by this program: nothing in it can be relied on
  }
}

/** Why a client certificate and its key cannot be used; null: they can. */
export function clientCertificateProblem(client: ClientCertificate): ClientCertificateProblem | null {
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(client.certificate);
  } catch {
    return 'no_certificate';
  }
  try {
    const { passphrase } = client;
    const key = createPrivateKey({ key: client.key, ...(passphrase === null ? {} : { passphrase }) });
    if (!certificate.checkPrivateKey(key)) return 'other_key';
  } catch (error) {
    const isEncrypted = /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(client.key);
    if (!isEncrypted) return 'no_key';
    return client.passphrase === null || systemCodeIn(error) === 'ERR_MISSING_PASSPHRASE'
      ? 'passphrase_needed'
      : 'wrong_passphrase';
  }
  try {
    createSecureContext(keyOptions(client));
    return null;
  } catch {
    return 'too_weak'; // what OpenSSL refuses to use although it can be read
  }
}

/** By which a client certificate is known: SHA-256, as certificates are shown everywhere. */
export function clientCertificateFingerprint({
  certificate,
}: Pick<ClientCertificate, 'certificate'>): string {
  return new X509Certificate(certificate).fingerprint256;
}
