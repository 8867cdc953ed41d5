import { OwnerName } from '../../contract/service/owner.ts';
import { ownerCliText, ownerHelp, ownerRow } from '../../text/service/owners.ts';
import { type CommandGroup, routeCommand } from '../command-table.ts';

export const ownerCommands: CommandGroup = {
  help: ownerHelp,
  commands: {
    add: routeCommand({
      help: ownerHelp.add,
      arguments: { '<name>': { help: ownerHelp.newName, schema: OwnerName } },
      call: (portal, { name }) => portal.ask('addOwner', { body: { name } }),
      lines: ({ key }) => [key],
      words: ({ name }) => ownerCliText.added(name),
    }),
    list: routeCommand({
      help: ownerHelp.list,
      call: (portal) => portal.ask('listOwners'),
      rows: ({ owners }) => owners.map(ownerRow),
      head: ownerCliText.columns,
      none: ownerCliText.none,
    }),
    revoke: routeCommand({
      help: ownerHelp.revoke,
      arguments: { '<name>': ownerHelp.name },
      call: (portal, { name }) => portal.ask('revokeOwner', { params: { name } }),
      words: ownerCliText.revoked,
    }),
  },
};
