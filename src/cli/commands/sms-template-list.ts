import type { Command } from 'commander';
import { addCommand, jsonOption } from '../add-command.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { formatTable } from '../format-table.ts';
import { openPortal } from '../portal.ts';
import { print, printJson, say } from '../terminal.ts';

export function smsTemplateListCommand(smsTemplate: Command): void {
  addCommand(smsTemplate, 'list', {
    description: 'List the SMS templates that keys of menus can send.',
    examples: ['rotavox sms-template list', 'rotavox sms-template list --json'],
  })
    .option(...jsonOption)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const list = await openPortal(options).ask('listSmsTemplates');
      if (options.json) {
        printJson(list);
        return;
      }
      if (list.sms_templates.length === 0) {
        say('There is no SMS template. Add one with `rotavox sms-template set ID NAME TEXT`.');
        return;
      }
      const rows = list.sms_templates.map(({ id, name, text }) => [id, name, text]);
      for (const line of formatTable(rows, ['id', 'name', 'text'])) print(line);
    });
}
