import type { Command } from 'commander';
import { addCommand, jsonOption } from '../add-command.ts';
import { credentialNameArgument } from '../credential-name-argument.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { eventLine } from '../event-line.ts';
import { wholeNumber } from '../option-values.ts';
import { openPortal } from '../portal.ts';
import { readHistory } from '../read-history.ts';
import { print, printJson, say } from '../terminal.ts';

interface CredentialHistoryOptions extends GlobalOptions {
  readonly limit: number;
  readonly before?: number;
  readonly json?: true;
}

export function credentialHistoryCommand(credential: Command): void {
  addCommand(credential, 'history', {
    description: 'Show what happened to one credential, newest first.',
    examples: ['rotavox credential history pbx'],
  })
    .argument(...credentialNameArgument)
    .option('--limit <n>', 'how many events at most', wholeNumber(1, 1_000_000), 100)
    .option('--before <seq>', 'only events before this one', wholeNumber(0, 999_999_999_999_999))
    .option(...jsonOption)
    .action(async (name: string, _options, command: Command) => {
      const { limit, before, ...options } = command.optsWithGlobals<CredentialHistoryOptions>();
      const page = await readHistory(openPortal(options), { limit, before }, { credential: name });
      if (options.json) {
        printJson(page);
        return;
      }
      for (const event of page.events) print(eventLine(event));
      const { next_before: next } = page;
      if (next !== null) say(`There are older ones: rotavox credential history ${name} --before ${next}`);
    });
}
