import { resolve } from 'node:path';
import { movedText, passphraseText, vaultHelp } from '../../text/cli/cli-vault.ts';
import { whereTokensAre } from '../../text/credential/vault-text.ts';
import { type CommandGroup, customCommand } from '../command-table.ts';
import { chosenJournal, type JournalOptions } from './serve.ts';
import { isServiceRunning } from '../chosen-service.ts';
import { vaultKinds, type VaultOptions, withPassphrase } from '../chosen-vault.ts';
import { commandIo } from '../command-io.ts';
import { withHost, wrongUsage } from '../command-failure.ts';
import { chosenDataDir, type GlobalOptions } from '../chosen-data-dir.ts';
import { askSecret, canAsk } from '../read-token.ts';
import { openPortal } from '../open-portal.ts';
import { print, printJson, say } from '../terminal.ts';

interface PassphraseOptions extends GlobalOptions, VaultOptions, JournalOptions {
  readonly newPassphraseFile?: string;
  readonly json: boolean;
}

interface MoveOptions extends GlobalOptions, VaultOptions {
  readonly json: boolean;
}

export const vaultCommands: CommandGroup = {
  help: vaultHelp,
  commands: {
    move: customCommand({
      help: vaultHelp.move,
      arguments: { '<to>': { help: vaultHelp.move.to, choices: vaultKinds } },
      options: { '--vault-passphrase-file <file>': vaultHelp.move.passphraseFile },
      run: ({ to, ...options }) => moveTokens(to, options),
    }),
    passphrase: customCommand({
      help: vaultHelp.passphrase,
      options: {
        '--journal <url>': vaultHelp.passphrase.journal,
        '--vault-passphrase-file <file>': vaultHelp.passphrase.passphraseFile,
        '--new-passphrase-file <file>': vaultHelp.passphrase.newPassphraseFile,
      },
      run: changePassphraseOf,
    }),
  },
};

/** The running service moves its tokens itself; otherwise the data folder is opened for it. */
async function moveTokens(to: (typeof vaultKinds)[number], options: MoveOptions): Promise<void> {
  const moved = (await isServiceRunning(options))
    ? await openPortal(options).ask('moveVault', { body: { to } })
    : await moveInFolder(to, options);
  if (options.json) printJson(moved);
  else print(movedText({ moved: moved.moved, to }));
  say(whereTokensAre(moved.vault));
}

async function moveInFolder(to: (typeof vaultKinds)[number], options: MoveOptions) {
  const dataDir = chosenDataDir(options);
  const [{ moveInFolder: move }, { whatOpensFolder }] = await Promise.all([
    import('../../host/open-vault-choice.ts'),
    import('../../host/change-passphrase.ts'),
  ]);
  return withHost(async () => {
    const hasPassphrase = (await whatOpensFolder(dataDir)) === 'passphrase';
    const choice = hasPassphrase ? await withPassphrase('file', options, commandIo().env) : undefined;
    return move({ dataDir, to, choice, say });
  });
}

async function changePassphraseOf(options: PassphraseOptions): Promise<void> {
  if (options.dataDir !== undefined && options.journal !== undefined)
    throw wrongUsage(passphraseText.bothPlaces);
  // A folder that is named counts more than a team that is only in the environment.
  const { env } = commandIo();
  const journal = options.dataDir === undefined ? chosenJournal(options, env) : null;
  const { changePassphrase, noVaultIn, whatOpensFolder } = await import('../../host/change-passphrase.ts');
  await withHost(async () => {
    const opens = journal === null ? await whatOpensFolder(chosenDataDir(options)) : 'passphrase';
    // Before a question; without a terminal, what is missing on the command line comes first.
    if (opens === null && canAsk()) throw noVaultIn(chosenDataDir(options));
    const hasKeyFile = opens === 'file';
    const old = hasKeyFile
      ? null
      : await withPassphrase(journal === null ? 'file' : 'postgres', options, env);
    const changed = await newPassphrase(options);
    const done = await changePassphrase({
      place:
        journal === null
          ? { kind: 'file', dataDir: chosenDataDir(options) }
          : { kind: 'postgres', url: journal.url },
      old,
      changed,
    });
    if (options.json) printJson({ ...done, entries: done.entries ?? 0, changed: done.entries !== null });
    else print(hasKeyFile ? passphraseText.set(done) : passphraseText.changed(done));
    say(hasKeyFile ? passphraseText.nextInsteadOfKeyFile : passphraseText.next(journal !== null));
    if (done.entries !== null) say(hasKeyFile ? passphraseText.keyInBackups : passphraseText.backups);
  });
}

/** From a file, or typed twice on a terminal. */
async function newPassphrase({
  newPassphraseFile: file,
}: PassphraseOptions): Promise<{ passphraseFile: string } | { passphrase: string }> {
  if (file === '') throw wrongUsage(passphraseText.noFile);
  if (file !== undefined) return { passphraseFile: resolve(file) };
  if (!canAsk()) throw wrongUsage(passphraseText.noTerminal);
  const passphrase = await askSecret(passphraseText.newQuestion);
  if ((await askSecret(passphraseText.repeatQuestion)) !== passphrase)
    throw wrongUsage(passphraseText.notRepeated);
  return { passphrase };
}
