import type { Command } from 'commander';
import {
  credentialHelp,
  credentialListHead,
  credentialListRow,
  credentialRows,
  credentialText,
  vaultProblem,
} from '../../text/cli-credential.ts';
import { targetListHead, targetListRow } from '../../text/cli-delivery.ts';
import { historyText } from '../../text/cli-service.ts';
import { optionHelp } from '../../text/cli.ts';
import { linesOfUse, userListHead, userListRow } from '../../text/use-text.ts';
import { addCommand, credentialNameArgument, jsonOption } from '../add-command.ts';
import { formatTable } from '../format-table.ts';
import type { GlobalOptions } from '../chosen-data-dir.ts';
import { eventLine } from '../../text/events.ts';
import { wholeNumber } from '../option-values.ts';
import { asCalledHere } from '../own-command.ts';
import { openPortal } from '../open-portal.ts';
import { readHistory } from '../read-history.ts';
import { plainText, print, printJson, say } from '../terminal.ts';

export function credentialListCommand(credential: Command): void {
  addCommand(credential, 'list', credentialHelp.list)
    .option(...jsonOption)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const { credentials, vault } = await openPortal(options).ask('listCredentials');
      if (options.json) printJson({ credentials, vault });
      else if (credentials.length === 0) say(credentialText.none);
      else {
        const nowMs = Date.now();
        const rows = credentials.map((credential) => credentialListRow(credential, nowMs));
        for (const line of formatTable(rows, credentialListHead)) print(line);
      }
      say(...vaultProblem(vault));
    });
}

export function credentialShowCommand(credential: Command): void {
  addCommand(credential, 'show', credentialHelp.show)
    .argument(...credentialNameArgument)
    .option(...jsonOption)
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const portal = openPortal(options);
      const view = await portal.ask('readCredential', { params: { name } });
      const use = await portal.ask('readCredentialUse', { params: { name } });
      if (options.json) {
        printJson({ ...view, use });
        return;
      }
      for (const line of formatTable(credentialRows(view, Date.now()))) print(asCalledHere(line));
      const uses = linesOfUse(use).map((line) => userListRow(line, use.generation));
      printPart(view.targets.map(targetListRow), targetListHead);
      printPart(uses, userListHead);
    });
}

/** A table after an empty line; nothing without rows. */
function printPart(rows: readonly string[][], head: readonly string[]): void {
  if (rows.length === 0) return;
  print('');
  for (const line of formatTable(rows, head)) print(line);
}

interface CredentialHistoryOptions extends GlobalOptions {
  readonly limit: number;
  readonly before?: number;
  readonly json?: true;
}

export function credentialHistoryCommand(credential: Command): void {
  addCommand(credential, 'history', credentialHelp.history)
    .argument(...credentialNameArgument)
    .option('--limit <n>', optionHelp.historyLimit, wholeNumber(1, 1_000_000), 100)
    .option('--before <seq>', optionHelp.before, wholeNumber(0, 999_999_999_999_999))
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
      if (next !== null) say(historyText.older(`credential history ${name}`, next));
    });
}
