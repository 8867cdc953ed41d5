import type { Command } from 'commander';
import { extensionsCsvPath, smsTemplatesCsvPath } from '../contract/address.ts';
import { addCommand, jsonOption } from './add-command.ts';
import type { GlobalOptions } from './data-dir.ts';
import { download } from './download.ts';
import { openPortal } from './portal.ts';
import { readFileText } from './read-file-bytes.ts';
import { print, printDocument, printJson, say } from './terminal.ts';

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
