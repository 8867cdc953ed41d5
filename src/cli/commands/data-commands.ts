import { resolve } from 'node:path';
import { backupPath } from '../../contract/address.ts';
import { backupHelp, backupText, restoreHelp } from '../../text/service/backup-text.ts';
import { isServiceRunning } from '../chosen-service.ts';
import {
  type VaultOptions,
  withPassphrase,
  chosenTeamVault,
  type ChosenVault,
  chosenVault,
  vaultKinds,
} from '../chosen-vault.ts';
import { withHost, wrongUsage } from '../command-failure.ts';
import { customCommand, type CommandGroup } from '../command-table.ts';
import { commandIo } from '../command-io.ts';
import { chosenDataDir, type GlobalOptions } from '../chosen-data-dir.ts';
import { openDownload } from '../download.ts';
import { askSecret, canAsk, askToAgree } from '../read-token.ts';
import { print, printJson, say } from '../terminal.ts';
import { journalHelp, journalText } from '../../text/cli/cli-journal.ts';
import { journalText as serviceJournalText } from '../../text/cli/cli-service.ts';
import type { MovedFrom } from '../../contract/service/moved-from.ts';
import {
  confirmMoveHelp,
  confirmMoveText,
  movedDataText,
  movedFromText,
} from '../../text/service/moved-data.ts';
import { openPortal } from '../open-portal.ts';

interface PassphraseOptions extends GlobalOptions {
  readonly passphraseFile?: string;
  readonly json: boolean;
}

interface BackupOptions extends PassphraseOptions, VaultOptions {}

interface RestoreOptions extends PassphraseOptions {
  readonly replace?: true;
}

export const backupCommand = customCommand({
  help: backupHelp,
  arguments: { '<file>': backupHelp.file },
  options: {
    '--passphrase-file <file>': backupHelp.passphraseFile,
    '--vault-passphrase-file <file>': backupHelp.vaultPassphraseFile,
  },
  run: ({ file, ...options }) => backUp(file, options),
});

export const restoreCommand = customCommand({
  help: restoreHelp,
  arguments: { '<file>': restoreHelp.file },
  options: { '--passphrase-file <file>': restoreHelp.passphraseFile, '--replace': restoreHelp.replace },
  run: ({ file, ...options }) => restore(file, options),
});

/** The running service writes its backup itself; otherwise the data folder is opened for it. */
async function backUp(file: string, options: BackupOptions): Promise<void> {
  const isRunning = await isServiceRunning(options);
  const { assertBackupPlace, saveBackup } = await import('../../host/backup/save-backup.ts');
  await withHost(async () => {
    const dataDir = chosenDataDir(options);
    const place = { file, dataDir };
    // Before anybody is asked for a passphrase.
    await assertBackupPlace(place);
    const passphrase = await chosenPassphrase(options, 'new');
    const save = (bytes: AsyncIterable<Uint8Array>): Promise<number> => saveBackup(place, bytes, passphrase);
    const bytes = isRunning
      ? await save(await openDownload(options, backupPath, { passphrase }))
      : await backUpFolder(dataDir, { options, passphrase, save });
    if (options.json) printJson({ file: resolve(file), bytes });
    else print(backupText.written(file, bytes));
    say(backupText.keepPassphrase);
  });
}

interface FolderWork {
  readonly options: BackupOptions;
  readonly passphrase: string;
  readonly save: (bytes: AsyncIterable<Uint8Array>) => Promise<number>;
}

async function backUpFolder(dataDir: string, { options, passphrase, save }: FolderWork): Promise<number> {
  const [{ backUpFolder: backUpNow }, { whatOpensFolder }] = await Promise.all([
    import('../../host/backup/folder-backup.ts'),
    import('../../host/change-passphrase.ts'),
  ]);
  const hasPassphrase = (await whatOpensFolder(dataDir)) === 'passphrase';
  const choice = hasPassphrase ? await withPassphrase('file', options, commandIo().env) : undefined;
  return backUpNow({ dataDir, passphrase, choice, say }, save);
}

async function restore(file: string, options: RestoreOptions): Promise<void> {
  const [{ restoreFolder }, { readBackupFile }] = await Promise.all([
    import('../../host/backup/folder-backup.ts'),
    import('../../host/backup/save-backup.ts'),
  ]);
  await withHost(async () => {
    const dataDir = chosenDataDir(options);
    const passphrase = await chosenPassphrase(options, 'known');
    const replace = options.replace === true;
    const restored = await restoreFolder({ dataDir, passphrase, source: readBackupFile(file), replace, say });
    if (options.json) {
      printJson(restored);
      return;
    }
    for (const line of backupText.summary(restored)) print(line);
    print(backupText.done(dataDir));
    const { readVaultChoice } = await import('../../host/vault-choice-file.ts');
    const place = readVaultChoice(dataDir)?.place;
    if (place?.kind === 'file' && place.key === 'file') say(backupText.keyFile);
    if (restored.aside !== null) say(backupText.kept(restored.aside));
  });
}

/** From a file, or typed on a terminal: a new one twice. */
async function chosenPassphrase(
  { passphraseFile: file }: PassphraseOptions,
  kind: 'new' | 'known',
): Promise<string> {
  if (file === '') throw wrongUsage(backupText.noFile);
  const { orVaultError, passphraseOf } = await import('../../host/open-vault-choice.ts');
  if (file !== undefined) return orVaultError(() => passphraseOf({ passphraseFile: resolve(file) }));
  if (!canAsk()) throw wrongUsage(backupText.noTerminal);
  if (kind === 'known') return askSecret(backupText.question);
  const passphrase = await askSecret(backupText.newQuestion);
  if ((await askSecret(backupText.repeatQuestion)) !== passphrase) throw wrongUsage(backupText.notRepeated);
  return passphraseOf({ passphrase });
}

interface CopyOptions extends VaultOptions {
  readonly folderPassphraseFile?: string;
  readonly json: boolean;
}

const isUrl = (place: string): boolean => /^postgres(?:ql)?:\/\//.test(place);

export const journalCommands: CommandGroup = {
  help: journalHelp,
  commands: {
    copy: customCommand({
      help: journalHelp.copy,
      arguments: { '<from>': journalHelp.copy.from, '<to>': journalHelp.copy.to },
      options: {
        '--vault <kind>': { help: journalHelp.copy.vault, choices: vaultKinds },
        '--vault-passphrase-file <file>': journalHelp.copy.passphraseFile,
        '--folder-passphrase-file <file>': journalHelp.copy.folderPassphraseFile,
      },
      run: ({ from, to, ...options }) => copy(from, to, options),
    }),
  },
};

/** The vault of the folder; undefined: none was named that a folder can have. */
async function folderVault(
  kind: string | undefined,
  passphraseFile: string | undefined,
): Promise<ChosenVault | undefined> {
  if (kind === 'keychain') return { kind };
  if (kind !== 'file') return undefined;
  const withPassphrase = passphraseFile === undefined ? {} : { vaultPassphraseFile: passphraseFile };
  return chosenVault({ vault: 'file', ...withPassphrase }, {});
}

async function copy(from: string, to: string, options: CopyOptions): Promise<void> {
  if (isUrl(from) === isUrl(to)) throw wrongUsage(journalText.needsBoth);
  if (!URL.canParse(isUrl(to) ? to : from)) throw wrongUsage(serviceJournalText.badUrl);
  const { env } = commandIo();
  const direction = isUrl(to) ? 'into database' : 'into folder';
  const folder = resolve(isUrl(to) ? from : to);
  const teamVault = await chosenTeamVault({ ...options, vault: 'postgres' }, env);
  const kind = options.vault ?? env['ROTAVOX_VAULT'];
  const passphraseFile = options.folderPassphraseFile ?? teamVault.passphraseFile;
  const vault = await folderVault(kind, passphraseFile);
  const { copyJournal } = await import('../../host/copy-journal.ts');
  await withHost(async () => {
    const copied = await copyJournal({
      folder,
      url: isUrl(to) ? to : from,
      direction,
      vault,
      teamVault,
      onCopied: (seq) => say(journalText.progress(seq)),
      say,
    });
    if (options.json) printJson(copied);
    else for (const line of journalText.copied(copied, isUrl(to) ? withoutPassword(to) : folder)) print(line);
    say(journalText.providersStay, isUrl(to) ? journalText.intoDatabase : journalText.intoFolder(folder));
  });
}

function withoutPassword(url: string): string {
  const parsed = new URL(url);
  parsed.password = '';
  parsed.searchParams.delete('password');
  return parsed.href;
}

interface ConfirmOptions extends GlobalOptions {
  readonly yes?: true;
}

export const confirmMoveCommand = customCommand({
  help: confirmMoveHelp,
  options: { '--yes': confirmMoveHelp.yes },
  async run({ json, ...options }) {
    const confirmed = (await isServiceRunning(options))
      ? await confirmAtService(options)
      : await confirmInFolder(options);
    if (json) printJson({ confirmed });
    else print(confirmed === null ? confirmMoveText.nothing : confirmMoveText.confirmed);
  },
});

async function confirmAtService(options: ConfirmOptions): Promise<MovedFrom | null> {
  const portal = openPortal(options);
  const { moved_from: from } = await portal.ask('portalStatus');
  if (from === null) return null;
  await agreeTo(options)(from);
  return (await portal.ask('confirmMove', { body: {} })).confirmed;
}

/** The folder is locked until it is confirmed, so that no host starts on it before. */
async function confirmInFolder(options: ConfirmOptions): Promise<MovedFrom | null> {
  const { confirmInFolder: confirm } = await import('../../host/open-folder-origin.ts');
  return withHost(() => confirm({ dataDir: chosenDataDir(options), agree: agreeTo(options), say }));
}

/** Shows what is confirmed and asks; throws where the person does not agree, or cannot be asked. */
function agreeTo({ yes }: ConfirmOptions): (from: MovedFrom) => Promise<void> {
  return async (from) => {
    if (yes) return;
    say(movedFromText(from));
    say(movedDataText.consequence(from));
    const { ask, noTerminal, notConfirmed } = confirmMoveText;
    await askToAgree({ ask, noTerminal, notAgreed: notConfirmed });
  };
}
