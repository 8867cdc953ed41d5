import type { Command } from 'commander';
import { addCommand } from '../add-command.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { openPortal } from '../portal.ts';
import { say } from '../terminal.ts';

export function smsTemplateRemoveCommand(smsTemplate: Command): void {
  addCommand(smsTemplate, 'remove', {
    description: 'Take an SMS template out of the directory. Menus that send it stay as they are.',
    examples: ['rotavox sms-template remove 31'],
  })
    .argument('<id>', "the template's id, as `rotavox sms-template list` shows it")
    .action(async (id: string, _options, command: Command) => {
      const portal = openPortal(command.optsWithGlobals<GlobalOptions>());
      await portal.ask('changeSmsTemplates', { body: { remove: [id] } });
      say(`SMS template ${id} is removed.`);
    });
}
