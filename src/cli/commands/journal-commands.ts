import { resolve } from 'node:path';
import { journalHelp, journalText } from '../../text/cli/cli-journal.ts';
import { journalText as serviceJournalText } from '../../text/cli/cli-service.ts';
import { type CommandGroup, customCommand } from '../command-table.ts';
import { chosenTeamVault, chosenVault, vaultKinds, type VaultOptions } from '../chosen-vault.ts';
import { wrongUsage } from '../command-failure.ts';
import { commandIo } from '../command-io.ts';
import { print, printJson, say } from '../terminal.ts';
import { withHost } from '../with-host.ts';

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

async function copy(from: string, to: string, options: CopyOptions): Promise<void> {
  if (isUrl(from) === isUrl(to)) throw wrongUsage(journalText.needsBoth);
  if (!URL.canParse(isUrl(to) ? to : from)) throw wrongUsage(serviceJournalText.badUrl);
  const { env } = commandIo();
  const direction = isUrl(to) ? 'into database' : 'into folder';
  const folder = resolve(isUrl(to) ? from : to);
  const teamVault = await chosenTeamVault({ ...options, vault: 'postgres' }, env);
  const kind = options.vault ?? env['ROTAVOX_VAULT'];
  const passphraseFile = options.folderPassphraseFile ?? teamVault.passphraseFile;
  const vault =
    kind === 'file'
      ? await chosenVault(
          { vault: 'file', ...(passphraseFile === undefined ? {} : { vaultPassphraseFile: passphraseFile }) },
          {},
        )
      : kind === 'keychain'
        ? ({ kind } as const)
        : undefined;
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
