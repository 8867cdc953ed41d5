import type { Command } from 'commander';
import { readImport } from '../../core/ivr/import/read-import.ts';
import { importErrors, importWarnings } from '../../text/flow-import.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import { CommandFailure, exitCodes } from '../command-failure.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { fieldErrorLines } from '../ivr-problem-lines.ts';
import { importLimitBytes } from '../ivr-source.ts';
import { openPortal } from '../portal.ts';
import { readFileText } from '../read-file-bytes.ts';
import { print, printJson, say } from '../terminal.ts';

export function ivrImportCommand(ivr: Command): void {
  addCommand(ivr, 'import', {
    description:
      'Make a draft of menus in a JSON file: a body, a list of bodies, the reply of GET /v1/ivrs, or an exported draft. Prints its id.',
    examples: ['rotavox ivr import menus.json', 'rotavox ivr import - < menus.json'],
  })
    .argument('<file>', 'the file, or - for stdin')
    .option(...jsonOption)
    .action(async (file: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const imported = readImport(await readFileText(file, importLimitBytes));
      if (!imported.ok) {
        const lines = fieldErrorLines(importErrors(imported.refusal), 'The file');
        throw new CommandFailure(exitCodes.failed, ['Nothing was imported:', ...lines]);
      }
      const { document } = imported.value;
      const warnings = importWarnings(imported.value.warnings);
      const { id, revision } = await openPortal(options).ask('createDraft', { body: { document } });
      if (options.json) {
        printJson({ id, revision, name: document.name, warnings });
        return;
      }
      print(id);
      say(`Imported as the draft “${document.name}”.`);
      for (const warning of warnings) say(`Warning: ${warning}`);
    });
}
