import type { Command } from 'commander';
import { ClientCertificate, clientCertificateInput } from '../../contract/network.ts';
import { clientCertificateCliText, credentialHelp } from '../../text/cli-credential.ts';
import { addCommand, credentialNameArgument, jsonOption } from '../add-command.ts';
import { wrongUsage } from '../command-failure.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { openPortal } from '../portal.ts';
import { readFileText } from '../read-file-bytes.ts';
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
        if (!isRemoved && key === undefined) throw wrongUsage(clientCertificateCliText.keyMissing);
        const view = isRemoved
          ? await portal.ask('removeClientCertificate', { params })
          : await portal.ask('setClientCertificate', {
              params,
              body: await readClientCertificate(certificate, key ?? '', options),
            });
        if (options.json) printJson(view);
        else say(isRemoved ? clientCertificateCliText.removed(name) : clientCertificateCliText.stored(name));
      },
    );
}

/** Reads a client certificate and its key from files; the passphrase of a key is asked for, or is in a file, never an argument. */
export async function readClientCertificate(
  certificateFile: string,
  keyFile: string,
  { keyPassphraseFile }: PassphraseOptions,
): Promise<ClientCertificate> {
  const certificate = await readFileText(certificateFile, largestFile);
  const key = await readFileText(keyFile, largestFile);
  const passphrase = key.includes('ENCRYPTED') ? await passphraseFor(keyFile, keyPassphraseFile) : null;
  const read = ClientCertificate.safeParse({ certificate: certificate.trim(), key: key.trim(), passphrase });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw wrongUsage(clientCertificateCliText.invalid(String(issue?.path[0]), issue?.message));
}

async function passphraseFor(keyFile: string, file: string | undefined): Promise<string | null> {
  if (file !== undefined) return (await readFileText(file, largestFile)).split(/\r?\n/)[0] ?? null;
  if (canAsk()) return askSecret(clientCertificateCliText.question(keyFile));
  throw wrongUsage(clientCertificateCliText.passphraseNeeded(keyFile));
}
