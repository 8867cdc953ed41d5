import type { Command } from 'commander';
import { parseIvrBody } from '../../core/ivr/parse-ivr-body.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import { CommandFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { plainText } from '../plain-text.ts';
import { readJsonFile } from '../read-json-file.ts';
import { printJson, say } from '../terminal.ts';

export function ivrValidateCommand(ivr: Command): void {
  addCommand(ivr, 'validate', {
    description: 'Check an IVR file without creating anything; needs no running service.',
    examples: ['rotavox ivr validate menu.json', 'rotavox ivr validate - --json < menu.json'],
  })
    .argument('<file>', 'the file, or - for stdin')
    .option(...jsonOption)
    .action(async (file: string, _options, command: Command) => {
      const { json } = command.opts<{ json?: true }>();
      // Whether SMS templates are on only the service knows; validation asks for what would be applied.
      const parsed = parseIvrBody(await readJsonFile(file), { smsTemplatesEnabled: true });
      const valid = parsed.ok;
      const errors = parsed.ok ? [] : parsed.refusal;
      const warnings = parsed.ok ? parsed.value.warnings : [];
      if (json) printJson({ valid, errors, warnings });
      for (const { field, message } of warnings) say(plainText(`Warning: ${field} ${message}`));
      if (!valid) {
        const lines = errors.map(({ field, message }) =>
          plainText(`  ${field === '' ? 'The body' : field} ${message}`),
        );
        throw new CommandFailure(
          exitCodes.failed,
          ['This is no IVR that can be created:', ...lines].join('\n'),
        );
      }
      say('Valid: it can be created as it is.');
    });
}
