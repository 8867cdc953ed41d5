import { extensionsCsvPath, smsTemplatesCsvPath } from '../../contract/address.ts';
import { Extension, SmsTemplate } from '../../contract/menu/directory.ts';
import {
  type DirectoryKind,
  directoryFileHelp,
  extensionHelp,
  extensionText,
  importedText,
  smsTemplateHelp,
  smsTemplateText,
} from '../../text/cli/cli-directories.ts';
import { optionHelp } from '../../text/cli/cli.ts';
import { columnsNote, importNotes } from '../../text/menu/directory-text.ts';
import { type CommandGroup, type CommandTable, customCommand, routeCommand } from '../command-table.ts';
import { readings } from '../readings.ts';
import { download, tableLimitBytes } from '../download.ts';
import { inputsOf } from '../option-values.ts';
import { readFileText } from '../read-file-bytes.ts';
import { printDocument } from '../terminal.ts';

const { shape } = SmsTemplate;

export const extensionCommands: CommandGroup = {
  help: extensionHelp,
  commands: {
    list: routeCommand({
      help: extensionHelp.list,
      ...readings['extension/list'],
    }),
    set: routeCommand({
      help: extensionHelp.set,
      arguments: {
        '<id>': { help: extensionHelp.set.id, schema: Extension.shape.id },
        '<name>': { help: extensionHelp.set.name, schema: Extension.shape.name },
      },
      json: false,
      call: (portal, { id, name }) => portal.ask('changeExtensions', { body: { set: [{ id, name }] } }),
      words: (_changed, { id, name }) => extensionText.set(id, name),
    }),
    remove: routeCommand({
      help: extensionHelp.remove,
      arguments: { '<id>': extensionHelp.id },
      json: false,
      call: (portal, { id }) => portal.ask('changeExtensions', { body: { remove: [id] } }),
      words: (_changed, { id }) => extensionText.removed(id),
    }),
    ...fileCommands('extension'),
  },
};

export const smsTemplateCommands: CommandGroup = {
  help: smsTemplateHelp,
  commands: {
    list: routeCommand({
      help: smsTemplateHelp.list,
      ...readings['sms-template/list'],
    }),
    set: routeCommand({
      help: smsTemplateHelp.set,
      arguments: {
        '<id>': { help: smsTemplateHelp.set.id, schema: shape.id },
        '<name>': { help: smsTemplateHelp.set.name, schema: shape.name },
        '<text>': { help: smsTemplateHelp.set.text, schema: shape.text },
      },
      json: false,
      call: (portal, { id, name, text }) =>
        portal.ask('changeSmsTemplates', { body: { set: [{ id, name, text }] } }),
      words: (_changed, { id, name }) => smsTemplateText.set(id, name),
    }),
    remove: routeCommand({
      help: smsTemplateHelp.remove,
      arguments: { '<id>': smsTemplateHelp.id },
      json: false,
      call: (portal, { id }) => portal.ask('changeSmsTemplates', { body: { remove: [id] } }),
      words: (_changed, { id }) => smsTemplateText.removed(id),
    }),
    ...fileCommands('sms-template'),
  },
};

/** Import and export, the same for both directories. */
function fileCommands(kind: DirectoryKind): CommandTable {
  const help = directoryFileHelp(kind);
  const isExtension = kind === 'extension';
  return {
    import: routeCommand({
      help: help.import,
      arguments: { '<file>': optionHelp.inputFile },
      options: {
        '--column <field=heading>': { help: help.import.column, read: inputsOf },
        '--dry-run': optionHelp.dryRun,
      },
      // More than the limit of the service, so that the service reports it.
      prepare: ({ file }) => readFileText(file, 8 * 1024 * 1024),
      call: (portal, { column: columns = {}, dryRun = false }, csv) =>
        portal.ask(isExtension ? 'importExtensions' : 'importSmsTemplates', {
          body: { csv, columns, dry_run: dryRun },
        }),
      lines: ({ added, changed }) => [...added.map((id) => `+ ${id}`), ...changed.map((id) => `~ ${id}`)],
      words: (imported, { dryRun: isDryRun = false }) => [
        ...[columnsNote(imported) ?? [], importNotes(imported)].flat(),
        importedText({
          isDryRun,
          added: imported.added.length,
          changed: imported.changed.length,
          unchanged: imported.unchanged,
        }),
      ],
    }),
    export: customCommand({
      help: help.export,
      json: false,
      async run(options) {
        const path = isExtension ? extensionsCsvPath : smsTemplatesCsvPath;
        printDocument(await download(options, path, tableLimitBytes));
      },
    }),
  };
}
