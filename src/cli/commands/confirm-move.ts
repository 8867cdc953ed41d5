import type { MovedFrom } from '../../contract/service/moved-from.ts';
import {
  confirmMoveHelp,
  confirmMoveText,
  movedDataText,
  movedFromText,
} from '../../text/service/moved-data.ts';
import { customCommand } from '../command-table.ts';
import { isServiceRunning } from '../chosen-service.ts';
import { chosenDataDir, type GlobalOptions } from '../chosen-data-dir.ts';
import { openPortal } from '../open-portal.ts';
import { askToAgree } from '../read-token.ts';
import { print, printJson, say } from '../terminal.ts';
import { withHost } from '../with-host.ts';

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
  const { confirmInFolder: confirm } = await import('../../host/confirm-in-folder.ts');
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
