import type { Command } from 'commander';
import {
  providerCommandText,
  providerHelp,
  providerListHead,
  providerListRow,
  providerRows,
} from '../../text/cli-provider.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import { CommandFailure, exitCodes } from '../command-failure.ts';
import type { GlobalOptions } from '../chosen-data-dir.ts';
import { formatTable } from '../format-table.ts';
import { asCalledHere } from '../own-command.ts';
import { openPortal } from '../open-portal.ts';
import { print, printJson } from '../terminal.ts';

type ReadOptions = GlobalOptions & { readonly json?: true };

export function providerListCommand(provider: Command): void {
  addCommand(provider, 'list', providerHelp.list)
    .option(...jsonOption)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<ReadOptions>();
      const { providers } = await openPortal(options).ask('listProviders');
      if (options.json) printJson({ providers });
      else for (const line of formatTable(providers.map(providerListRow), providerListHead)) print(line);
    });
}

export function providerShowCommand(provider: Command): void {
  addCommand(provider, 'show', providerHelp.show)
    .argument('<id>', providerHelp.id)
    .option(...jsonOption)
    .action(async (id: string, _options, command: Command) => {
      const options = command.optsWithGlobals<ReadOptions>();
      const { providers } = await openPortal(options).ask('listProviders');
      const found = providers.find((one) => one.id === id);
      if (found === undefined) {
        const ids = providers.map((one) => one.id);
        throw new CommandFailure(exitCodes.failed, providerCommandText.unknown(id, ids));
      }
      if (options.json) {
        printJson(found);
        return;
      }
      for (const line of formatTable(providerRows(found))) print(asCalledHere(line));
    });
}
