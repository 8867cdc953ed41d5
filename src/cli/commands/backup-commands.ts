import { resolve } from 'node:path';
import { backupPath } from '../../contract/address.ts';
import { backupHelp, backupText, restoreHelp } from '../../text/service/backup-text.ts';
import { isServiceRunning } from '../chosen-service.ts';
import { type VaultOptions, withPassphrase } from '../chosen-vault.ts';
import { wrongUsage } from '../command-failure.ts';
import { customCommand } from '../command-table.ts';
import { commandIo } from '../command-io.ts';
import { chosenDataDir, type GlobalOptions } from '../chosen-data-dir.ts';
import { openDownload } from '../download.ts';
import { askSecret, canAsk } from '../read-token.ts';
import { print, printJson, say } from '../terminal.ts';
import { withHost } from '../with-host.ts';

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
