import type { Command } from 'commander';
import { OwnerName } from '../../contract/owner.ts';
import { ownerCliText, ownerHelp, ownerRow } from '../../text/owners.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import type { GlobalOptions } from '../chosen-data-dir.ts';
import { formatTable } from '../format-table.ts';
import { valueOf } from '../option-values.ts';
import { openPortal } from '../open-portal.ts';
import { print, printJson, say } from '../terminal.ts';

type JsonOptions = GlobalOptions & { readonly json?: true };

export function ownerCommands(program: Command): void {
  const owner = addCommand(program, 'owner', ownerHelp);
  addCommand(owner, 'add', ownerHelp.add)
    .argument('<name>', ownerHelp.newName, valueOf(OwnerName))
    .option(...jsonOption)
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<JsonOptions>();
      const added = await openPortal(options).ask('addOwner', { body: { name } });
      if (options.json) {
        printJson(added);
        return;
      }
      print(added.key);
      say(ownerCliText.added(added.name));
    });

  addCommand(owner, 'list', ownerHelp.list)
    .option(...jsonOption)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<JsonOptions>();
      const list = await openPortal(options).ask('listOwners');
      if (options.json) printJson(list);
      else if (list.owners.length === 0) say(ownerCliText.none);
      else for (const line of formatTable(list.owners.map(ownerRow), ownerCliText.columns)) print(line);
    });

  addCommand(owner, 'revoke', ownerHelp.revoke)
    .argument('<name>', ownerHelp.name)
    .option(...jsonOption)
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<JsonOptions>();
      const revoked = await openPortal(options).ask('revokeOwner', { params: { name } });
      if (options.json) printJson(revoked);
      else say(ownerCliText.revoked(revoked));
    });
}
