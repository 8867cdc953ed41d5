import { unreachable } from '../../../core/unreachable.ts';
import { callWith } from './call-script.ts';
import { unitPath, unitWord } from './quote-word.ts';
import type { Recipe, RecipeOrder } from './recipe.ts';
import type { RecipeSource } from './recipe-source.ts';
import { variableOf } from './shell-recipe.ts';

/** For a service of the person's own systemd. */
export function systemdRecipe({ name, source, url }: RecipeOrder): Recipe {
  const unit = `${name}-call.service`;
  return {
    place: `Save it as \`~/.config/systemd/user/${unit}\` and start it.`,
    text: [
      '[Unit]',
      `Description=A call with the token ${name}`,
      '',
      '[Service]',
      'Type=oneshot',
      ...serviceOf(source, url),
    ].join('\n'),
    run: `systemctl --user daemon-reload && systemctl --user start ${unit}`,
    note:
      source.kind === 'command'
        ? `\`journalctl --user -u ${unit}\` shows what it printed. For a service that stays, drop \`Type=oneshot\` and put \`--restart-on-rotate\` before the two dashes.`
        : `\`journalctl --user -u ${unit}\` shows what it printed. A service that stays keeps the value that it was started with: add the command \`systemctl --user try-restart ${unit}\` as a delivery target.`,
  };
}

function serviceOf(source: RecipeSource, url: string): string[] {
  const script = unitWord(callWith(variableOf(source), url));
  switch (source.kind) {
    case 'command':
      // By env, which finds a program by its name; systemd itself wants the whole path of one.
      return [
        `ExecStart=/usr/bin/env ${unitCommand(source.commandLine)} exec ${source.name} -- sh -c ${script}`,
      ];
    case 'file': {
      const variable = variableOf(source);
      const read = `${variable}=$(cat "$CREDENTIALS_DIRECTORY/token") && ${callWith(variable, url)}`;
      return [`LoadCredential=token:${unitPath(source.path)}`, `ExecStart=/bin/sh -c ${unitWord(read)}`];
    }
    case 'dotenv':
      return [`EnvironmentFile=${unitPath(source.path)}`, `ExecStart=/bin/sh -c ${script}`];
    default:
      return unreachable(source);
  }
}

/** The command line's own words stay words; systemd reads quotes much as a shell does. */
function unitCommand(commandLine: string): string {
  return commandLine.replaceAll('%', '%%').replaceAll('$', '$$$$');
}
