import type { Command } from 'commander';
import { addCommand, jsonOption } from '../add-command.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { warningLines } from '../ivr-problem-lines.ts';
import { openPortal } from '../portal.ts';
import { readJsonFile } from '../read-json-file.ts';
import { print, printJson, say } from '../terminal.ts';

export function ivrCreateCommand(ivr: Command): void {
  addCommand(ivr, 'create', {
    description: 'Create an IVR from a JSON file with the fields of POST /v1/ivr. Prints its id.',
    examples: ['rotavox ivr create menu.json', 'rotavox ivr create - < menu.json'],
  })
    .argument('<file>', 'the file, or - for stdin')
    .option(...jsonOption)
    .action(async (file: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const body = await readJsonFile(file);
      const created = await openPortal(options).ask('portalCreateIvr', { body });
      if (options.json) {
        printJson(created);
        return;
      }
      print(created.id);
      say(created.Message);
      for (const line of warningLines(created.warnings)) say(line);
    });
}
