import type { Command } from 'commander';
import type { MovedFrom } from '../../contract/moved-from.ts';
import { confirmMoveHelp, confirmMoveText, movedDataText, movedFromText } from '../../text/moved-data.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import { isServiceRunning } from '../chosen-service.ts';
import { CommandFailure, exitCodes, wrongUsage } from '../command-failure.ts';
import { chosenDataDir, type GlobalOptions } from '../chosen-data-dir.ts';
import { openPortal } from '../open-portal.ts';
import { askWhether, canAsk } from '../read-token.ts';
import { print, printJson, say } from '../terminal.ts';
import { withHost } from '../with-host.ts';

interface ConfirmOptions extends GlobalOptions {
  readonly yes?: true;
  readonly json?: true;
}

export function confirmMoveCommand(program: Command): void {
  addCommand(program, 'confirm-move', confirmMoveHelp)
    .option('--yes', confirmMoveHelp.yes)
    .option(...jsonOption)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<ConfirmOptions>();
      const confirmed = (await isServiceRunning(options))
        ? await confirmAtService(options)
        : await confirmInFolder(options);
      if (options.json) printJson({ confirmed });
      else print(confirmed === null ? confirmMoveText.nothing : confirmMoveText.confirmed);
    });
}

async function confirmAtService(options: ConfirmOptions): Promise<MovedFrom | null> {
  const portal = openPortal(options);
  const { moved_from: from } = await portal.ask('portalStatus');
  if (from === null) return null;
  await agreeTo(options)(from);
  return (await portal.ask('confirmMove', { body: {} })).confirmed;
}

/** The folder is locked until it is confirmed, so that no host starts on it before. */
async function confirmInFolder(options: ConfirmOptions): Promise<MovedFrom | null> {
  const { confirmInFolder: confirm } = await import('../../host/confirm-in-folder.ts');
  return withHost(() => confirm({ dataDir: chosenDataDir(options), agree: agreeTo(options), say }));
}

/** Shows what is confirmed and asks; throws where the person does not agree, or cannot be asked. */
function agreeTo({ yes }: ConfirmOptions): (from: MovedFrom) => Promise<void> {
  return async (from) => {
    if (yes) return;
    say(movedFromText(from));
    say(movedDataText.consequence(from));
    if (!canAsk()) throw wrongUsage(confirmMoveText.noTerminal);
    if (!(await askWhether(confirmMoveText.ask)))
      throw new CommandFailure(exitCodes.failed, confirmMoveText.notConfirmed);
  };
}
