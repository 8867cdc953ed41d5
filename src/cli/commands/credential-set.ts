import { ClientCertificate, clientCertificateInput } from '../../contract/service/network.ts';
import { clientCertificateCliText, credentialHelp } from '../../text/cli/cli-credential.ts';
import { credentialName, routeCommand } from '../command-table.ts';
import { wrongUsage } from '../command-failure.ts';
import { readFileBytes, readFileText } from '../read-file-bytes.ts';
import { isPkcs12, readPkcs12 } from '../read-pkcs12.ts';
import { askSecret, canAsk } from '../read-token.ts';

const help = credentialHelp.set;
/** More than any certificate with its chain. */
const largestFile = 1024 * 1024;

interface PassphraseOptions {
  readonly keyPassphraseFile?: string;
}

/** Sets what a credential presents to a service that asks for a client certificate. */
export const credentialSetCommand = routeCommand({
  help,
  arguments: { ...credentialName, '<what>': help.what, '<certificate>': help.certificate, '[key]': help.key },
  options: { '--key-passphrase-file <file>': help.passphraseFile },
  prepare({ what, certificate, key }) {
    if (what !== clientCertificateInput) throw wrongUsage(clientCertificateCliText.unknown(what));
    return { isRemoved: certificate === 'none' && key === undefined };
  },
  async call(portal, { name, certificate, key, ...options }, { isRemoved }) {
    const params = { name };
    if (isRemoved) return portal.ask('removeClientCertificate', { params });
    const body = await readClientCertificate(certificate, key, options);
    return portal.ask('setClientCertificate', { params, body });
  },
  words: (_view, { name }, { isRemoved }) =>
    isRemoved ? clientCertificateCliText.removed(name) : clientCertificateCliText.stored(name),
});

/**
 * Reads a client certificate and its key from two files in PEM, or from one in PKCS#12. A passphrase is asked for, or is in a file,
 * never an argument.
 */
export async function readClientCertificate(
  certificateFile: string,
  keyFile: string | undefined,
  options: PassphraseOptions,
): Promise<ClientCertificate> {
  const bytes = await readFileBytes(certificateFile, largestFile);
  if (isPkcs12(bytes)) {
    if (keyFile !== undefined) throw wrongUsage(clientCertificateCliText.keyInside(certificateFile, keyFile));
    return checked(await fromPkcs12(bytes, certificateFile, options));
  }
  if (keyFile === undefined) throw wrongUsage(clientCertificateCliText.keyMissing);
  const key = await readFileText(keyFile, largestFile);
  const passphrase = key.includes('ENCRYPTED')
    ? await passphraseFor(clientCertificateCliText.keyIn(keyFile), options)
    : null;
  return checked({ certificate: new TextDecoder().decode(bytes).trim(), key: key.trim(), passphrase });
}

function checked(read: unknown): ClientCertificate {
  const parsed = ClientCertificate.safeParse(read);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw wrongUsage(clientCertificateCliText.invalid(String(issue?.path[0]), issue?.message));
}

/** Without a passphrase first: many such files have none. */
async function fromPkcs12(
  bytes: Uint8Array,
  file: string,
  options: PassphraseOptions,
): Promise<Omit<ClientCertificate, 'passphrase'>> {
  const open = readPkcs12(bytes, '');
  const found =
    open.kind === 'wrong_passphrase'
      ? readPkcs12(bytes, (await passphraseFor(clientCertificateCliText.file(file), options)) ?? '')
      : open;
  if (found.kind === 'read') return { certificate: found.certificate, key: found.key };
  throw wrongUsage(clientCertificateCliText.pkcs12[found.kind](file));
}

async function passphraseFor(
  what: string,
  { keyPassphraseFile: file }: PassphraseOptions,
): Promise<string | null> {
  if (file !== undefined) return (await readFileText(file, largestFile)).split(/\r?\n/)[0] ?? null;
  if (canAsk()) return askSecret(clientCertificateCliText.question(what));
  throw wrongUsage(clientCertificateCliText.passphraseNeeded(what));
}
