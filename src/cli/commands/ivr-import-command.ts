import type { Command } from 'commander';
import { readImport } from '../../core/ivr/import/read-import.ts';
import { importErrors, importWarnings } from '../../text/flow-import.ts';
import { fieldErrorLines, inputProblem, optionHelp } from '../../text/cli.ts';
import { ivrHelp, ivrText, warningLine } from '../../text/cli-ivr.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import { CommandFailure, exitCodes } from '../command-failure.ts';
import type { GlobalOptions } from '../chosen-data-dir.ts';
import { importLimitBytes } from '../ivr-source.ts';
import { openPortal } from '../open-portal.ts';
import { readFileText } from '../read-file-bytes.ts';
import { print, printJson, say } from '../terminal.ts';

export function ivrImportCommand(ivr: Command): void {
  addCommand(ivr, 'import', ivrHelp.import)
    .argument('<file>', optionHelp.inputFile)
    .option(...jsonOption)
    .action(async (file: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const imported = readImport(await readFileText(file, importLimitBytes));
      if (!imported.ok) {
        const lines = fieldErrorLines(importErrors(imported.refusal), inputProblem.file);
        throw new CommandFailure(exitCodes.failed, [ivrText.notImported, ...lines]);
      }
      const { document } = imported.value;
      const warnings = importWarnings(imported.value.warnings);
      const { id, revision } = await openPortal(options).ask('createDraft', { body: { document } });
      if (options.json) {
        printJson({ id, revision, name: document.name, warnings });
        return;
      }
      print(id);
      say(ivrText.imported(document.name));
      for (const warning of warnings) say(warningLine(warning));
    });
}
