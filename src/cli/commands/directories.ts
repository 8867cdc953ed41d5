import { Argument, type Command } from 'commander';
import { extensionsCsvPath, smsTemplatesCsvPath } from '../../contract/address.ts';
import { Extension, SmsTemplate } from '../../contract/directory.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { download } from '../download.ts';
import { formatTable } from '../format-table.ts';
import { valueOf } from '../option-values.ts';
import { openPortal } from '../portal.ts';
import { readFileText } from '../read-file-bytes.ts';
import { print, printDocument, printJson, say } from '../terminal.ts';

export function extensionListCommand(extension: Command): void {
  addCommand(extension, 'list', {
    description: 'List the extensions that menus can be checked against.',
    examples: ['rotavox extension list', 'rotavox extension list --json'],
  })
    .option(...jsonOption)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const list = await openPortal(options).ask('listExtensions');
      if (options.json) {
        printJson(list);
        return;
      }
      if (list.extensions.length === 0) {
        say('There is no extension. Add one with `rotavox extension set ID NAME`.');
        return;
      }
      const rows = list.extensions.map(({ id, name }) => [id, name]);
      for (const line of formatTable(rows, ['id', 'name'])) print(line);
    });
}

export function extensionSetCommand(extension: Command): void {
  addCommand(extension, 'set', {
    description: 'Add an extension, or change its name.',
    examples: ['rotavox extension set 101 "Front desk"'],
  })
    .addArgument(
      new Argument('<id>', 'what stands behind extension|| in a menu').argParser(valueOf(Extension.shape.id)),
    )
    .addArgument(new Argument('<name>', 'who answers there').argParser(valueOf(Extension.shape.name)))
    .action(async (id: string, name: string, _options, command: Command) => {
      const portal = openPortal(command.optsWithGlobals<GlobalOptions>());
      await portal.ask('changeExtensions', { body: { set: [{ id, name }] } });
      say(`Extension ${id} is ${name}.`);
    });
}

export function extensionRemoveCommand(extension: Command): void {
  addCommand(extension, 'remove', {
    description: 'Take an extension out of the directory. Menus that lead to it stay as they are.',
    examples: ['rotavox extension remove 101'],
  })
    .argument('<id>', "the extension's id, as `rotavox extension list` shows it")
    .action(async (id: string, _options, command: Command) => {
      const portal = openPortal(command.optsWithGlobals<GlobalOptions>());
      await portal.ask('changeExtensions', { body: { remove: [id] } });
      say(`Extension ${id} is removed.`);
    });
}

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

const kinds = {
  extension: { call: 'importExtensions', path: extensionsCsvPath, columns: 'id and name' },
  'sms-template': { call: 'importSmsTemplates', path: smsTemplatesCsvPath, columns: 'id, name and text' },
} as const;

/** More than the service takes, so that it is the service that says so. */
const limitBytes = 8 * 1024 * 1024;

/** Both directories come from a CSV file and become one in the same way. */
export function directoryFileCommands(parent: Command, kind: keyof typeof kinds): void {
  const { call, path, columns } = kinds[kind];
  addCommand(parent, 'import', {
    description: `Add and change entries from a CSV file with the columns ${columns}: all of it or, when something is wrong, nothing.`,
    examples: [`rotavox ${kind} import ${kind}s.csv --dry-run`, `rotavox ${kind} import - < ${kind}s.csv`],
  })
    .argument('<file>', 'the file, or - for stdin')
    .option('--dry-run', 'say what would change, and change nothing')
    .option(...jsonOption)
    .action(async (file: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { dryRun?: true; json?: true }>();
      const isDryRun = options.dryRun === true;
      const csv = await readFileText(file, limitBytes);
      const changed = await openPortal(options).ask(call, { body: { csv, dry_run: isDryRun } });
      if (options.json) {
        printJson(changed);
        return;
      }
      const { added, changed: differing, unchanged } = changed;
      for (const id of added) print(`+ ${id}`);
      for (const id of differing) print(`~ ${id}`);
      say(
        `${isDryRun ? 'Would be added' : 'Added'}: ${added.length}, changed: ${differing.length}, the same: ${unchanged}.`,
      );
    });

  addCommand(parent, 'export', {
    description: `Print the entries as CSV with the columns ${columns}; import reads the same.`,
    examples: [`rotavox ${kind} export > ${kind}s.csv`],
  }).action(async (_options, command: Command) => {
    const csv = await download(command.optsWithGlobals<GlobalOptions>(), path);
    printDocument(csv);
  });
}
