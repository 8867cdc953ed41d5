import type { CallFailure } from '../contract/credential/rotation-trouble.ts';

/** There is no connection to a service, so nothing was sent. `failure` says why. */
export class ConnectFailure extends Error {
  readonly failure: CallFailure;
  readonly code: string;

  constructor(failure: CallFailure, options?: { cause: unknown }) {
    super(`No connection: ${failure.code}`, options);
    this.name = 'ConnectFailure';
    this.failure = failure;
    this.code = 'systemCode' in failure ? failure.systemCode : failure.code;
  }
}

/** Why there is no connection, where that is why a call failed; null: something was sent, perhaps. */
export function connectFailureOf(error: unknown): CallFailure | null {
  for (let one = error; one instanceof Error; one = one.cause) {
    if (one instanceof ConnectFailure) return one.failure;
  }
  return clientCertificateFailure(systemCodeIn(error));
}

/**
 * The refusal of a client certificate, by the alert that ends a handshake (RFC 8446, section 6.2); null: it is something else.
 *
 * With TLS 1.3 the alert arrives after the client has finished, when a request may be on its way; a server that ended the handshake
 * has not read it.
 */
export function clientCertificateFailure(systemCode: string): CallFailure | null {
  if (systemCode.endsWith('ALERT_CERTIFICATE_REQUIRED')) {
    return { code: 'client_certificate', problem: 'needed', systemCode };
  }
  // TLS 1.2 has no alert for a certificate that is missing.
  if (systemCode.endsWith('ALERT_HANDSHAKE_FAILURE')) {
    return { code: 'client_certificate', problem: 'perhaps_needed', systemCode };
  }
  const isRefused =
    /ALERT_(?:BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_(?:REVOKED|EXPIRED|UNKNOWN)|UNKNOWN_CA|ACCESS_DENIED)$/.test(
      systemCode,
    );
  return isRefused ? { code: 'client_certificate', problem: 'refused', systemCode } : null;
}

/** OpenSSL's verification errors (X509_V_ERR_*) as Node names them, and those of the TLS module. */
export function isAboutTrust(code: string): boolean {
  return (
    /^(?:CERT_|CRL_|ERROR_IN_|ERR_TLS_|ERR_SSL_|EPROTO$|UNSPECIFIED$)/.test(code) ||
    /(?:SELF_SIGNED|UNABLE_TO_|DEPTH_ZERO|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED)/.test(
      code,
    )
  );
}

export function systemCodeIn(error: unknown): string {
  for (let one = error; one instanceof Error; one = one.cause) {
    const { code } = one as NodeJS.ErrnoException;
    if (typeof code === 'string') return code;
  }
  return error instanceof Error ? error.name : 'unknown';
}
