import { keyFileProtects } from '../credential/vault-text.ts';
import { localTime } from '../time.ts';

/** Why the program cannot start, and what it reports on stderr while it runs. */

/** Codes of the system where a disk has no hard links. */
const codesWithoutLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV']);

export const hostText = {
  cannotLock: (folder: string, code: string, lockPath: string) =>
    `The data folder ${folder} cannot be locked (${code}). ${
      codesWithoutLinks.has(code)
        ? 'Its disk does not seem to support hard links, as is often the case for USB sticks and network shares. Choose a folder on a disk of this machine with --data-dir.'
        : `Look at ${lockPath}: if no Rotavox runs with this folder, move it away.`
    }`,
  folderHeld: (folder: string, pid: number) =>
    `Rotavox already runs with the data folder ${folder} (process ${pid}). ` +
    'Open that one in a browser with `rotavox open`, quit it first, or choose another folder with --data-dir.',
  folderHeldElsewhere: (folder: string, host: string, pid: number) =>
    `Rotavox already runs with the data folder ${folder} on ${host} (process ${pid} there, which this machine or container does not see). ` +
    'One folder is for one Rotavox: stop that one first, or choose another folder with --data-dir. Hosts that share their data need a PostgreSQL: `rotavox serve --journal`.',
  folderBeingTaken: (folder: string) =>
    `Another process is about to use the data folder ${folder}. Try again.`,
  runtimeFileRefused: (path: string, code: string) =>
    `${path} cannot be written (${code}). Without it no command finds the service. Make the folder writable for yourself.`,
  passphraseRefused: (fault: string) => `The passphrase ${fault}. Choose a longer one.`,
  passphraseMissing:
    'The file vault needs a passphrase. Name a file that holds it with --vault-passphrase-file or ROTAVOX_VAULT_PASSPHRASE_FILE.',
  passphraseOfFolder: (path: string) =>
    `The tokens of this data folder are in ${path}, which a passphrase opens. Start with --vault file, and name a file that holds the passphrase with --vault-passphrase-file; or set ROTAVOX_VAULT=file and ROTAVOX_VAULT_PASSPHRASE_FILE.`,
  keyFileMade: (path: string, keyFile: string) =>
    `This machine has no keychain, so tokens are stored in the encrypted file ${path}. Its key is in ${keyFile}: ${keyFileProtects}. For more, set a passphrase with \`rotavox vault passphrase\`.`,
  keyFileWasOpen: (keyFile: string) =>
    `Other users of this machine might have read ${keyFile} until now. If they could enter its folder, rotate your tokens.`,
  opensWithKeyFile: (folder: string) =>
    `The vault in ${folder} is opened by its key file, not by a passphrase. Start without --vault-passphrase-file and ROTAVOX_VAULT_PASSPHRASE_FILE, or set a passphrase with \`rotavox vault passphrase\`.`,
  vaultElsewhere: (kind: 'keychain' | 'file', choiceFile: string) =>
    `The tokens of this data folder are in ${kind === 'keychain' ? 'the OS keychain' : 'an encrypted file'}. Start without --vault and ROTAVOX_VAULT, or move them with \`rotavox vault move ${kind === 'keychain' ? 'file' : 'keychain'}\`. To begin with an empty vault, delete ${choiceFile}.`,
  vaultChoiceDamaged: (path: string) =>
    `${path} says where tokens are stored, and cannot be read. Restore it from a backup; or delete it, and choose with --vault where they are.`,
  vaultChoiceTooNew: (path: string) =>
    `${path} was written by a newer Rotavox. Install the newer Rotavox again.`,
  vaultChoiceRefused: (path: string, code: string) =>
    `${path} cannot be written (${code}). Check that the disk has free space and that you own the file and its folder.`,
  portTaken: (port: number, host: string) =>
    `Port ${port} on ${host} is used by another program. Quit that program, or choose another port with ` +
    '--port N (or ROTAVOX_PORT), or permanently in the settings; apps that call Rotavox must then use that port.',
  /** `account` null: of the same account, or not known whose. */
  portMoved: ({
    from,
    to,
    account,
  }: {
    readonly from: number;
    readonly to: number;
    readonly account: string | null;
  }) =>
    `Port ${from} has the Rotavox of ${account === null ? 'another account or data folder' : `the account “${account}”`} already. This one is at port ${to} from now on: apps that call it must use that port.`,
  cannotListen: (port: number, host: string, code: string) =>
    `Rotavox cannot listen on ${host} port ${port} (${code}).`,
  notLoopback: (host: string) =>
    `With --host Rotavox serves this machine only, at 127.0.0.1 or ::1, and not at ${host}. ` +
    'For other machines, use --listen with --tls-cert and --tls-key, or with --behind-proxy.',
  unprotected: (host: string) =>
    `Rotavox does not listen on ${host} without protection, because tokens would be readable on the network. ` +
    'Add --tls-cert and --tls-key, or --behind-proxy with the address of a proxy that callers reach by https.',
  noHostNames: (host: string) =>
    `Rotavox cannot know by which name it is called on ${host}. Name it with --allow-host.`,
  leads: (epoch: number) => `This host leads now (epoch ${epoch}).`,
  follows: 'Another host leads now. This one passes calls on to it.',
  databaseLost: (place: string) =>
    `The database ${place} does not answer. Calls wait until it does; Rotavox keeps trying.`,
  unfinishedCopy: (place: string) =>
    `A copy into the database ${place} is not complete, so this host waits. Run \`rotavox journal copy\` again; it goes on where it ended.`,
  passphraseChanging: (place: string) =>
    `The vault passphrase of ${place} is being changed, so this host waits.`,
  foreignLeader: (place: string) =>
    `The database ${place} names a leader that has another vault passphrase than this host. Calls are not passed on to it.`,
  termFailed: (reason: string) => `This host could not lead. It follows, and tries again. (${reason})`,
  tlsBetweenHosts: (url: string) =>
    `The other hosts would send calls to ${url} without encryption. Give this host a certificate (--tls-cert and --tls-key; one that you made yourself is enough for the hosts, also behind a proxy), and name an address with https in --advertise.`,
  advertiseMissing:
    'The other hosts cannot know how to reach this one, because it listens on every address. Name one with --advertise.',
  ownJournal: (folder: string, place: string) =>
    `The data folder ${folder} has a journal of its own. It is not used: the journal is ${place}.`,
  callsFailed: (reason: string) => `A call or a telephone system had an unexpected failure. (${reason})`,
  agentFailed: (reason: string) =>
    `The agent had a failure that could not be recorded. It continues and tries again. (${reason})`,
} as const;

/** What a host of a team says of its `team-seal.json`. */
export const knownSealText = {
  unreadable: (path: string) =>
    `${path} cannot be read. It says from where on every event of the team was written by one of its hosts. Nothing was changed. Restore it from a backup. If there is none, and you trust what the database has now, delete it.`,
  refused: (path: string, code: string) =>
    `${path} could not be written (${code}), so this host will not know after a restart that its team's history is sealed. Check the folder, and start this host again.`,
} as const;

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
