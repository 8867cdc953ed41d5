import type { Command } from 'commander';
import { addCommand, credentialNameArgument, jsonOption } from '../add-command.ts';
import { credentialLines, credentialTable, vaultTrouble } from '../credential-lines.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { eventLine } from '../../text/events.ts';
import { wholeNumber } from '../option-values.ts';
import { openPortal } from '../portal.ts';
import { readHistory } from '../read-history.ts';
import { plainText, print, printJson, say } from '../terminal.ts';

export function credentialListCommand(credential: Command): void {
  addCommand(credential, 'list', {
    description: 'List credentials, the most urgent first, with the exact time of their next rotation.',
    examples: ['rotavox credential list', 'rotavox credential list --json'],
  })
    .option(...jsonOption)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const { credentials, vault } = await openPortal(options).ask('listCredentials');
      if (options.json) printJson({ credentials, vault });
      else if (credentials.length === 0)
        say('There is no credential. Add one with `rotavox credential add`.');
      else for (const line of credentialTable(credentials, Date.now())) print(line);
      const trouble = vaultTrouble(vault);
      if (trouble !== null) say(trouble);
    });
}

export function credentialShowCommand(credential: Command): void {
  addCommand(credential, 'show', {
    description: 'Show one credential: its state, what comes next, where its value is delivered.',
    examples: ['rotavox credential show pbx'],
  })
    .argument(...credentialNameArgument)
    .option(...jsonOption)
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const view = await openPortal(options).ask('readCredential', { params: { name } });
      if (options.json) printJson(view);
      else for (const line of credentialLines(view, Date.now())) print(line);
    });
}

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
      for (const event of page.events) print(plainText(eventLine(event)));
      const { next_before: next } = page;
      if (next !== null) say(`There are older ones: rotavox credential history ${name} --before ${next}`);
    });
}
