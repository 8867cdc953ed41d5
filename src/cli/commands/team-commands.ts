import { readHostUrl } from '../../contract/service/team-host.ts';
import { hostCommandText, hostHelp, hostUrlText } from '../../text/service/team-host-text.ts';
import { type CommandGroup, customCommand, routeCommand } from '../command-table.ts';
import { CommandFailure, exitCodes, wrongUsage } from '../command-failure.ts';
import { chosenDataDir } from '../chosen-data-dir.ts';
import { addHostKey, withHostKeys } from '../connect-team-host.ts';
import { print, printJson, say } from '../terminal.ts';
import { OwnerName } from '../../contract/service/owner.ts';
import { ownerCliText, ownerHelp, ownerRow } from '../../text/service/owners.ts';

export const hostCommands: CommandGroup = {
  help: hostHelp,
  commands: {
    add: customCommand({
      help: hostHelp.add,
      arguments: { '<url>': hostHelp.url },
      json: false,
      async run({ url: text, ...options }) {
        const url = urlOf(text);
        await addHostKey(url, chosenDataDir(options));
        say(hostCommandText.added(url));
      },
    }),
    list: customCommand({
      help: hostHelp.list,
      async run({ json, ...options }) {
        const urls = await withHostKeys(chosenDataDir(options), (keys) => keys.list());
        if (json) printJson({ hosts: urls.map((url) => ({ url })) });
        else if (urls.length === 0) say(hostCommandText.none);
        else for (const url of urls) print(url);
      },
    }),
    remove: customCommand({
      help: hostHelp.remove,
      arguments: { '<url>': hostHelp.url },
      json: false,
      async run({ url: text, ...options }) {
        const url = urlOf(text);
        const had = await withHostKeys(chosenDataDir(options), (keys) => keys.remove(url));
        if (!had) throw new CommandFailure(exitCodes.failed, hostCommandText.noKey(url));
        say(hostCommandText.removed(url));
      },
    }),
  },
};

function urlOf(text: string): string {
  const url = readHostUrl(text);
  if (url === null) throw wrongUsage(hostUrlText.invalid);
  return url;
}

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
