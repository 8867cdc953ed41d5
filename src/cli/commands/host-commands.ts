import type { Command } from 'commander';
import { readHostUrl } from '../../contract/team-host.ts';
import { hostCommandText, hostHelp, hostUrlText } from '../../text/team-host-text.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import { CommandFailure, exitCodes, wrongUsage } from '../command-failure.ts';
import { chosenDataDir, type GlobalOptions } from '../chosen-data-dir.ts';
import { addHostKey, withHostKeys } from '../connect-team-host.ts';
import { print, printJson, say } from '../terminal.ts';

export function hostCommands(program: Command): void {
  const host = addCommand(program, 'host', hostHelp);
  addCommand(host, 'add', hostHelp.add)
    .argument('<url>', hostHelp.url)
    .action(async (text: string, _options, command: Command) => {
      const url = urlOf(text);
      await addHostKey(url, chosenDataDir(command.optsWithGlobals<GlobalOptions>()));
      say(hostCommandText.added(url));
    });
  addCommand(host, 'list', hostHelp.list)
    .option(...jsonOption)
    .action(async (_options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const urls = await withHostKeys(chosenDataDir(options), (keys) => keys.list());
      if (options.json) printJson({ hosts: urls.map((url) => ({ url })) });
      else if (urls.length === 0) say(hostCommandText.none);
      else for (const url of urls) print(url);
    });
  addCommand(host, 'remove', hostHelp.remove)
    .argument('<url>', hostHelp.url)
    .action(async (text: string, _options, command: Command) => {
      const url = urlOf(text);
      const dataDir = chosenDataDir(command.optsWithGlobals<GlobalOptions>());
      const had = await withHostKeys(dataDir, (keys) => keys.remove(url));
      if (!had) throw new CommandFailure(exitCodes.failed, hostCommandText.noKey(url));
      say(hostCommandText.removed(url));
    });
}

function urlOf(text: string): string {
  const url = readHostUrl(text);
  if (url === null) throw wrongUsage(hostUrlText.invalid);
  return url;
}
