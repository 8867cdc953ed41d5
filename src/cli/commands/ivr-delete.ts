import type { Command } from 'commander';
import { addCommand, jsonOption } from '../add-command.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { openPortal } from '../portal.ts';
import { printJson, say } from '../terminal.ts';

export function ivrDeleteCommand(ivr: Command): void {
  addCommand(ivr, 'delete', {
    description: 'Delete an IVR. Its versions stay in the history.',
    examples: ['rotavox ivr delete ivr_…'],
  })
    .argument('<id>', "the IVR's id, as `rotavox ivr list` shows it")
    .option(...jsonOption)
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const deleted = await openPortal(options).ask('portalDeleteIvr', { params: { id } });
      if (options.json) printJson(deleted);
      else say(deleted.Message);
    });
}
