import { localTime } from '../time.ts';

/** What is to be said about the certificate of a network address and about its key. */
export type CertificateNotice =
  | { readonly kind: 'unreadable'; readonly file: string; readonly code: string }
  | { readonly kind: 'no_certificate'; readonly file: string }
  | { readonly kind: 'no_key'; readonly file: string; readonly reason: string }
  | { readonly kind: 'key_encrypted'; readonly file: string }
  | { readonly kind: 'other_key'; readonly file: string; readonly certFile: string }
  | { readonly kind: 'not_taken'; readonly because: CertificateNotice }
  | { readonly kind: 'key_readable'; readonly file: string }
  | { readonly kind: 'other_names'; readonly file: string; readonly names: readonly string[] }
  | { readonly kind: 'expires_soon' | 'expired'; readonly file: string; readonly at: string };

export function certificateText(notice: CertificateNotice): string {
  if (notice.kind === 'not_taken')
    return `The TLS certificate was not replaced. ${certificateText(notice.because)} The previous one is still used.`;
  const { file } = notice;
  switch (notice.kind) {
    case 'unreadable':
      return `${file} cannot be read (${notice.code}). It is needed for TLS.`;
    case 'no_certificate':
      return `${file} has no certificate in PEM format.`;
    case 'no_key':
      return `${file} has no private key in PEM format that can be used. (${notice.reason})`;
    case 'key_encrypted':
      return `The private key in ${file} is encrypted. Rotavox needs it without a passphrase, in a file that only its account may read.`;
    case 'other_key':
      return `The private key in ${file} does not belong to the certificate in ${notice.certFile}.`;
    case 'key_readable':
      return `Every account of this machine can read the private key ${file}. Allow it to the account of Rotavox only: chmod 600.`;
    case 'other_names':
      return `The certificate ${file} is not for ${notice.names.join(', ')}. Browsers and apps refuse it there.`;
    case 'expires_soon':
      return `The certificate ${file} expires at ${localTime(notice.at)}. Renew it; Rotavox reads the new one without a restart.`;
    case 'expired':
      return `The certificate ${file} expired at ${localTime(notice.at)}. Browsers and apps refuse it. Renew it; Rotavox reads the new one without a restart.`;
  }
}
