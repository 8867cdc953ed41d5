import { Argument, type Command } from 'commander';
import { extensionsCsvPath, smsTemplatesCsvPath } from '../../contract/address.ts';
import { Extension, SmsTemplate } from '../../contract/directory.ts';
import {
  type DirectoryKind,
  directoryFileHelp,
  extensionHelp,
  extensionListHead,
  extensionText,
  importedText,
  smsTemplateHelp,
  smsTemplateListHead,
  smsTemplateText,
} from '../../text/cli-directories.ts';
import { optionHelp } from '../../text/cli.ts';
import { columnsNote, importNotes } from '../../text/directory-text.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import type { GlobalOptions } from '../chosen-data-dir.ts';
import { download, tableLimitBytes } from '../download.ts';
import { formatTable } from '../format-table.ts';
import { inputsOf, valueOf } from '../option-values.ts';
import { openPortal } from '../open-portal.ts';
import { readFileText } from '../read-file-bytes.ts';
import { print, printDocument, printJson, say } from '../terminal.ts';

export function extensionListCommand(extension: Command): void {
  addCommand(extension, 'list', extensionHelp.list)
    .option(...jsonOption)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const list = await openPortal(options).ask('listExtensions');
      if (options.json) {
        printJson(list);
        return;
      }
      if (list.extensions.length === 0) {
        say(extensionText.none);
        return;
      }
      const rows = list.extensions.map(({ id, name }) => [id, name]);
      for (const line of formatTable(rows, extensionListHead)) print(line);
    });
}

export function extensionSetCommand(extension: Command): void {
  addCommand(extension, 'set', extensionHelp.set)
    .addArgument(new Argument('<id>', extensionHelp.set.id).argParser(valueOf(Extension.shape.id)))
    .addArgument(new Argument('<name>', extensionHelp.set.name).argParser(valueOf(Extension.shape.name)))
    .action(async (id: string, name: string, _options, command: Command) => {
      const portal = openPortal(command.optsWithGlobals<GlobalOptions>());
      await portal.ask('changeExtensions', { body: { set: [{ id, name }] } });
      say(extensionText.set(id, name));
    });
}

export function extensionRemoveCommand(extension: Command): void {
  addCommand(extension, 'remove', extensionHelp.remove)
    .argument('<id>', extensionHelp.id)
    .action(async (id: string, _options, command: Command) => {
      const portal = openPortal(command.optsWithGlobals<GlobalOptions>());
      await portal.ask('changeExtensions', { body: { remove: [id] } });
      say(extensionText.removed(id));
    });
}

export function smsTemplateListCommand(smsTemplate: Command): void {
  addCommand(smsTemplate, 'list', smsTemplateHelp.list)
    .option(...jsonOption)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const list = await openPortal(options).ask('listSmsTemplates');
      if (options.json) {
        printJson(list);
        return;
      }
      if (list.sms_templates.length === 0) {
        say(smsTemplateText.none);
        return;
      }
      const rows = list.sms_templates.map(({ id, name, text }) => [id, name, text]);
      for (const line of formatTable(rows, smsTemplateListHead)) print(line);
    });
}

const { shape } = SmsTemplate;

export function smsTemplateSetCommand(smsTemplate: Command): void {
  addCommand(smsTemplate, 'set', smsTemplateHelp.set)
    .addArgument(new Argument('<id>', smsTemplateHelp.set.id).argParser(valueOf(shape.id)))
    .addArgument(new Argument('<name>', smsTemplateHelp.set.name).argParser(valueOf(shape.name)))
    .addArgument(new Argument('<text>', smsTemplateHelp.set.text).argParser(valueOf(shape.text)))
    .action(async (id: string, name: string, text: string, _options, command: Command) => {
      const portal = openPortal(command.optsWithGlobals<GlobalOptions>());
      await portal.ask('changeSmsTemplates', { body: { set: [{ id, name, text }] } });
      say(smsTemplateText.set(id, name));
    });
}

export function smsTemplateRemoveCommand(smsTemplate: Command): void {
  addCommand(smsTemplate, 'remove', smsTemplateHelp.remove)
    .argument('<id>', smsTemplateHelp.id)
    .action(async (id: string, _options, command: Command) => {
      const portal = openPortal(command.optsWithGlobals<GlobalOptions>());
      await portal.ask('changeSmsTemplates', { body: { remove: [id] } });
      say(smsTemplateText.removed(id));
    });
}

const kinds = {
  extension: { call: 'importExtensions', path: extensionsCsvPath },
  'sms-template': { call: 'importSmsTemplates', path: smsTemplatesCsvPath },
} as const;

/** More than the limit of the service, so that the service reports it. */
const limitBytes = 8 * 1024 * 1024;

type ImportOptions = GlobalOptions & {
  readonly column?: Readonly<Record<string, string>>;
  readonly dryRun?: true;
  readonly json?: true;
};

/** Import and export, the same for both directories. */
export function directoryFileCommands(parent: Command, kind: DirectoryKind): void {
  const { call, path } = kinds[kind];
  const help = directoryFileHelp(kind);
  addCommand(parent, 'import', help.import)
    .argument('<file>', optionHelp.inputFile)
    .option('--column <field=heading>', help.import.column, inputsOf)
    .option('--dry-run', optionHelp.dryRun)
    .option(...jsonOption)
    .action(async (file: string, _options, command: Command) => {
      const options = command.optsWithGlobals<ImportOptions>();
      const isDryRun = options.dryRun === true;
      const csv = await readFileText(file, limitBytes);
      const { column: columns = {} } = options;
      const changed = await openPortal(options).ask(call, { body: { csv, columns, dry_run: isDryRun } });
      if (options.json) {
        printJson(changed);
        return;
      }
      const { added, changed: differing, unchanged } = changed;
      for (const id of added) print(`+ ${id}`);
      for (const id of differing) print(`~ ${id}`);
      say(...[columnsNote(changed) ?? [], importNotes(changed)].flat());
      say(importedText({ isDryRun, added: added.length, changed: differing.length, unchanged }));
    });

  addCommand(parent, 'export', help.export).action(async (_options, command: Command) => {
    const csv = await download(command.optsWithGlobals<GlobalOptions>(), path, tableLimitBytes);
    printDocument(csv);
  });
}
