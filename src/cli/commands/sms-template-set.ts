import { Argument, type Command } from 'commander';
import { SmsTemplate } from '../../contract/directory.ts';
import { addCommand } from '../add-command.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { valueOf } from '../option-values.ts';
import { openPortal } from '../portal.ts';
import { say } from '../terminal.ts';

const { shape } = SmsTemplate;

export function smsTemplateSetCommand(smsTemplate: Command): void {
  addCommand(smsTemplate, 'set', {
    description: 'Add an SMS template, or change its name and text.',
    examples: ['rotavox sms-template set 31 Directions "You find us at 1 Main Street."'],
  })
    .addArgument(new Argument('<id>', "the template's id in a menu").argParser(valueOf(shape.id)))
    .addArgument(new Argument('<name>', 'what it is called').argParser(valueOf(shape.name)))
    .addArgument(new Argument('<text>', 'what is sent').argParser(valueOf(shape.text)))
    .action(async (id: string, name: string, text: string, _options, command: Command) => {
      const portal = openPortal(command.optsWithGlobals<GlobalOptions>());
      await portal.ask('changeSmsTemplates', { body: { set: [{ id, name, text }] } });
      say(`SMS template ${id} is ${name}.`);
    });
}
