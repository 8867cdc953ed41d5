import type { Command } from 'commander';
import { addCommand } from '../add-command.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { openPortal } from '../portal.ts';
import { say } from '../terminal.ts';

export function recordingRemoveCommand(recording: Command): void {
  addCommand(recording, 'remove', {
    description: 'Remove a recording that no stored menu and no draft plays.',
    examples: ['rotavox recording remove welcome'],
  })
    .argument('<id>', "the recording's id, as `rotavox recording list` shows it")
    .action(async (id: string, _options, command: Command) => {
      const portal = openPortal(command.optsWithGlobals<GlobalOptions>());
      const removed = await portal.ask('removeRecording', { params: { id } });
      say(`Recording ${removed.id} is removed.`);
    });
}
