import type { Command } from 'commander';
import { ClientCertificate, clientCertificateInput } from '../../contract/network.ts';
import { clientCertificateCliText, credentialHelp } from '../../text/cli-credential.ts';
import { addCommand, credentialNameArgument, jsonOption } from '../add-command.ts';
import { wrongUsage } from '../command-failure.ts';
import type { GlobalOptions } from '../chosen-data-dir.ts';
import { openPortal } from '../open-portal.ts';
import { readFileBytes, readFileText } from '../read-file-bytes.ts';
import { isPkcs12, readPkcs12 } from '../read-pkcs12.ts';
import { askSecret, canAsk } from '../read-token.ts';
import { printJson, say } from '../terminal.ts';

const help = credentialHelp.set;
/** More than any certificate with its chain. */
const largestFile = 1024 * 1024;

export interface PassphraseOptions {
  readonly keyPassphraseFile?: string;
}

/** Sets what a credential presents to a service that asks for a client certificate. */
export function credentialSetCommand(credential: Command): void {
  addCommand(credential, 'set', help)
    .argument(...credentialNameArgument)
    .argument('<what>', help.what)
    .argument('<certificate>', help.certificate)
    .argument('[key]', help.key)
    .option('--key-passphrase-file <file>', help.passphraseFile)
    .option(...jsonOption)
    .action(
      async (name: string, what: string, certificate: string, key: string | undefined, _options, command) => {
        const options = (command as Command).optsWithGlobals<
          GlobalOptions & PassphraseOptions & { json?: true }
        >();
        if (what !== clientCertificateInput) throw wrongUsage(clientCertificateCliText.unknown(what));
        const portal = openPortal(options);
        const params = { name };
        const isRemoved = certificate === 'none' && key === undefined;
        const view = isRemoved
          ? await portal.ask('removeClientCertificate', { params })
          : await portal.ask('setClientCertificate', {
              params,
              body: await readClientCertificate(certificate, key, options),
            });
        if (options.json) printJson(view);
        else say(isRemoved ? clientCertificateCliText.removed(name) : clientCertificateCliText.stored(name));
      },
    );
}

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
