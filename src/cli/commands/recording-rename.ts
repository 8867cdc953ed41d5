import { Argument, type Command } from 'commander';
import { RenameRecording } from '../../contract/recording.ts';
import { addCommand } from '../add-command.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { valueOf } from '../option-values.ts';
import { openPortal } from '../portal.ts';
import { say } from '../terminal.ts';

export function recordingRenameCommand(recording: Command): void {
  addCommand(recording, 'rename', {
    description: 'Change the name of a recording; its id stays.',
    examples: ['rotavox recording rename welcome "Welcome, in summer"'],
  })
    .argument('<id>', "the recording's id, as `rotavox recording list` shows it")
    .addArgument(new Argument('<name>', 'what it is called').argParser(valueOf(RenameRecording.shape.name)))
    .action(async (id: string, name: string, _options, command: Command) => {
      const portal = openPortal(command.optsWithGlobals<GlobalOptions>());
      const renamed = await portal.ask('renameRecording', { params: { id }, body: { name } });
      say(`Recording ${renamed.id} is ${renamed.name}.`);
    });
}
