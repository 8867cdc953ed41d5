import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { ClientCertificate, ClientCertificateProblem } from '../contract/service/network.ts';
import { systemCodeIn } from './connect-failure.ts';
import { keyOptions } from './trusted-roots.ts';

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
