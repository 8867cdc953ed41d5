import type { Command } from 'commander';
import { resolve } from 'node:path';
import { passphraseText, vaultHelp } from '../../text/cli-vault.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import { chosenJournal, type JournalOptions } from '../chosen-journal.ts';
import { type VaultOptions, withPassphrase } from '../chosen-vault.ts';
import { commandIo } from '../command-io.ts';
import { CommandFailure, exitCodes, wrongUsage } from '../command-failure.ts';
import { chosenDataDir, type GlobalOptions } from '../data-dir.ts';
import { askSecret, canAsk } from '../read-token.ts';
import { print, printJson, say } from '../terminal.ts';

interface PassphraseOptions extends GlobalOptions, VaultOptions, JournalOptions {
  readonly newPassphraseFile?: string;
  readonly json?: true;
}

export function vaultCommand(program: Command): void {
  const vault = addCommand(program, 'vault', vaultHelp);
  const help = vaultHelp.passphrase;
  addCommand(vault, 'passphrase', help)
    .option('--journal <url>', help.journal)
    .option('--vault-passphrase-file <file>', help.passphraseFile)
    .option('--new-passphrase-file <file>', help.newPassphraseFile)
    .option(...jsonOption)
    .action(async (_options, command: Command) => {
      await changePassphraseOf(command.optsWithGlobals<PassphraseOptions>());
    });
}

async function changePassphraseOf(options: PassphraseOptions): Promise<void> {
  if (options.dataDir !== undefined && options.journal !== undefined)
    throw wrongUsage(passphraseText.bothPlaces);
  // A folder that is named counts more than a team that is only in the environment.
  const { env } = commandIo();
  const journal = options.dataDir === undefined ? chosenJournal(options, env) : null;
  const [{ changePassphrase, whatOpensFolder }, { HostError }] = await Promise.all([
    import('../../host/change-passphrase.ts'),
    import('../../host/host-error.ts'),
  ]);
  try {
    const hasKeyFile = journal === null && (await whatOpensFolder(chosenDataDir(options))) === 'file';
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
  } catch (error) {
    if (error instanceof HostError)
      throw new CommandFailure(exitCodes.failed, error.message, { cause: error });
    throw error;
  }
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
