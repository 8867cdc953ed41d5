import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import type { CertificateFileProblem, ClientCertificate } from '../contract/service/network.ts';

export interface RootOptions {
  /** The file of the setting `certificates`; null: none. */
  readonly file: () => string | null;
  /** PEM, in addition. */
  readonly extra: string | null;
}

/**
 * Whom connections trust: the roots of Node, those that `NODE_EXTRA_CA_CERTS` names, those of the system, and a file that a person
 * named. The file is read again when it has changed.
 */
export class TrustedRoots {
  readonly #options: RootOptions;
  #system: readonly string[] | null = null;
  #read: {
    readonly stamp: string;
    readonly certificates: readonly string[];
    readonly problem: CertificateFileProblem | null;
  } = {
    stamp: '',
    certificates: [],
    problem: null,
  };
  /** Creating one reads some hundred certificates, so they are kept. By client certificate; '' is without. */
  #contexts = new Map<string, SecureContext>();

  constructor(options: RootOptions) {
    this.#options = options;
  }

  /** Why the file is not used; null: it is, or there is none. */
  get problem(): CertificateFileProblem | null {
    return this.#read.problem;
  }

  /** Throws what OpenSSL says of a client certificate that cannot be used. */
  contextFor(client: ClientCertificate | null): SecureContext {
    this.#look();
    const key = client === null ? '' : JSON.stringify([client.certificate, client.key, client.passphrase]);
    const known = this.#contexts.get(key);
    if (known !== undefined) return known;
    const { extra } = this.#options;
    const named = extra === null ? this.#read.certificates : [...this.#read.certificates, extra];
    const made = createSecureContext({
      ca: [...this.#ofSystem(), ...named],
      // What a person names is trusted also where it is not a root: companies hand out what they have.
      allowPartialTrustChain: named.length > 0,
      ...(client === null ? {} : keyOptions(client)),
    });
    this.#contexts.set(key, made);
    return made;
  }

  #ofSystem(): readonly string[] {
    this.#system ??= [...new Set([...getCACertificates('default'), ...getCACertificates('system')])];
    return this.#system;
  }

  #look(): void {
    const file = this.#options.file();
    const stamp = file === null ? '' : stampOf(file);
    if (stamp === this.#read.stamp) return;
    this.#contexts = new Map();
    this.#read =
      file === null ? { stamp, certificates: [], problem: null } : { stamp, ...readCertificateFile(file) };
  }
}

export function keyOptions({ certificate, key, passphrase }: ClientCertificate) {
  return { cert: certificate, key, ...(passphrase === null ? {} : { passphrase }) };
}

function stampOf(file: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(file);
    return `${file}\n${mtimeMs} ${size} ${ino}`;
  } catch {
    return `${file}\nmissing`; // reading it says why
  }
}

/** The certificates of a file: PEM with whatever stands between them, or one in DER. */
export function readCertificateFile(file: string): {
  readonly certificates: readonly string[];
  readonly problem: CertificateFileProblem | null;
} {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return { certificates: [], problem: { file, code: isMissing ? 'missing' : 'unreadable' } };
  }
  const certificates = certificatesIn(bytes);
  const problem = certificates.length === 0 ? ({ file, code: 'no_certificate' } as const) : null;
  return { certificates, problem };
}

const pemBlock =
  /-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----[^-]*-----END (?:TRUSTED |X509 )?CERTIFICATE-----/g;

/** One block that is damaged does not keep the others from being trusted. */
function certificatesIn(bytes: Buffer): readonly string[] {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  const blocks = bytes.toString(isUtf16 ? 'utf16le' : 'latin1').match(pemBlock);
  const candidates: readonly (string | Buffer)[] = blocks ?? [bytes];
  return candidates.flatMap((one) => {
    try {
      return [new X509Certificate(one).toString()];
    } catch {
      return []; // reported where the file has none at all
    }
  });
}
