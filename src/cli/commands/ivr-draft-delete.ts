import type { Command } from 'commander';
import { addCommand } from '../add-command.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { openPortal } from '../portal.ts';
import { say } from '../terminal.ts';

export function ivrDraftDeleteCommand(draft: Command): void {
  addCommand(draft, 'delete', {
    description: 'Delete a draft. What was published of it stays, and so do its versions.',
    examples: ['rotavox ivr draft delete draft_…'],
  })
    .argument('<id>', "the draft's id, as `rotavox ivr draft list` shows it")
    .action(async (id: string, _options, command: Command) => {
      const portal = openPortal(command.optsWithGlobals<GlobalOptions>());
      const deleted = await portal.ask('deleteDraft', { params: { id } });
      say(`${deleted.id} is deleted.`);
    });
}
