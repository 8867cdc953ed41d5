import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import { type CertificateNotice, certificateText } from '../text/service/host-text.ts';
import type { Clock } from '../core/ledger.ts';
import type { Certificate } from '../service/guard/network-server.ts';
import { HostError } from './host-error.ts';

/** How long before its end a certificate is reported. Programs that renew one do so a month before. */
const reportedMs = 14 * 86_400_000;
const dayMs = 86_400_000;
const readableByOthers = 0o004;

interface Loaded {
  readonly certificate: Certificate;
  readonly x509: X509Certificate;
  readonly files: Stamp;
}

interface Stamp {
  /** Differs when a file was written or replaced. */
  readonly text: string;
  readonly isKeyReadable: boolean;
}

export interface CertificateOptions {
  readonly certFile: string;
  readonly keyFile: string;
  readonly clock: Clock;
  readonly tell: (notice: CertificateNotice) => void;
}

/** The certificate of the network address and its key, from files that another program may renew at any time. */
export class CertificateFiles {
  readonly #options: CertificateOptions;
  #loaded: Loaded;
  /** The files that could not be used, and were reported. */
  #refused = '';
  #toldAtMs = -Infinity;

  /** Throws `HostError` if they cannot be used. */
  constructor(options: CertificateOptions) {
    this.#options = options;
    const loaded = load(options, stampOf(options));
    if ('kind' in loaded) throw new HostError('CERTIFICATE_UNUSABLE', certificateText(loaded));
    this.#loaded = loaded;
    this.#tellReadable();
    this.#tellEnd();
  }

  get certificate(): Certificate {
    return this.#loaded.certificate;
  }

  /** SHA-256, as Node prints it. */
  get fingerprint(): string {
    return this.#loaded.x509.fingerprint256;
  }

  /** The end of its validity, for monitoring. */
  get expiresAtMs(): number {
    return this.#loaded.x509.validToDate.getTime();
  }

  /** Reports the names that it is not for: browsers and apps refuse it there. */
  tellNames(hosts: readonly string[]): void {
    const { x509 } = this.#loaded;
    const missing = hosts.filter((host) => {
      const name = host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
      return (isIP(name) === 0 ? x509.checkHost(name) : x509.checkIP(name)) === undefined;
    });
    if (missing.length > 0)
      this.#options.tell({ kind: 'other_names', file: this.#options.certFile, names: missing });
  }

  /** The certificate, if the files have changed since the last look; one that cannot be used is reported and not taken. */
  look(): Certificate | null {
    const files = stampOf(this.#options);
    const isNew = files !== null && files.text !== this.#loaded.files.text && files.text !== this.#refused;
    const loaded = isNew ? load(this.#options, files) : null;
    if (loaded !== null && 'kind' in loaded) {
      // Certificate and key are two files: between their replacements they do not fit, which the next look finds repaired.
      this.#refused = files?.text ?? '';
      this.#options.tell({ kind: 'not_taken', because: loaded });
    } else if (loaded !== null) {
      this.#loaded = loaded;
      this.#refused = '';
      this.#toldAtMs = -Infinity;
      this.#tellReadable();
    }
    this.#tellEnd();
    return loaded !== null && 'certificate' in loaded ? loaded.certificate : null;
  }

  #tellReadable(): void {
    const { keyFile, tell } = this.#options;
    if (this.#loaded.files.isKeyReadable) tell({ kind: 'key_readable', file: keyFile });
  }

  /** Once a day. */
  #tellEnd(): void {
    const { clock, tell, certFile } = this.#options;
    const nowMs = clock();
    const { expiresAtMs } = this;
    if (expiresAtMs - nowMs > reportedMs || nowMs - this.#toldAtMs < dayMs) return;
    this.#toldAtMs = nowMs;
    const at = new Date(expiresAtMs).toISOString();
    tell({ kind: expiresAtMs <= nowMs ? 'expired' : 'expires_soon', file: certFile, at });
  }
}

function load({ certFile, keyFile }: CertificateOptions, files: Stamp | null): Loaded | CertificateNotice {
  const cert = read(certFile);
  if ('kind' in cert) return cert;
  const key = read(keyFile);
  if ('kind' in key) return key;
  let x509: X509Certificate;
  try {
    x509 = new X509Certificate(cert);
  } catch {
    return { kind: 'no_certificate', file: certFile };
  }
  try {
    if (!x509.checkPrivateKey(createPrivateKey(key))) return { kind: 'other_key', file: keyFile, certFile };
    createSecureContext({ cert, key });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ERR_MISSING_PASSPHRASE'
      ? { kind: 'key_encrypted', file: keyFile }
      : { kind: 'no_key', file: keyFile, reason: error instanceof Error ? error.message : String(error) };
  }
  // A file that was missing a moment ago is looked at again.
  return { certificate: { cert, key }, x509, files: files ?? { text: '', isKeyReadable: false } };
}

function read(file: string): Buffer | CertificateNotice {
  try {
    return readFileSync(file);
  } catch (error) {
    return { kind: 'unreadable', file, code: (error as NodeJS.ErrnoException).code ?? 'unknown' };
  }
}

/** Of the files behind links: renewed certificates are often new files with a link to them. Null if one is missing. */
function stampOf({ certFile, keyFile }: Pick<CertificateOptions, 'certFile' | 'keyFile'>): Stamp | null {
  try {
    const [certificate, key] = [statSync(certFile), statSync(keyFile)];
    const text = [certificate, key]
      .map(({ dev, ino, size, mtimeMs }) => `${dev} ${ino} ${size} ${mtimeMs}`)
      .join(' ');
    const isKeyReadable = process.platform !== 'win32' && (key.mode & readableByOthers) !== 0;
    return { text, isKeyReadable };
  } catch {
    return null;
  }
}
