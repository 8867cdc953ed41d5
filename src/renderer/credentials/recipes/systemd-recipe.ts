import { shellWord } from '../../../core/shell-word.ts';
import { callWith } from './call-script.ts';
import { unitPath, unitWord } from './quote-word.ts';
import type { Recipe, RecipeOrder } from './recipe.ts';
import { shellRecipe, variableOf } from './shell-recipe.ts';

/** For a service of the person's own systemd. */
export function systemdRecipe(order: RecipeOrder): Recipe {
  const { name, source } = order;
  const unit = `${name}-call.service`;
  return {
    place: `Save it as \`~/.config/systemd/user/${unit}\` and start it.`,
    text: [
      '[Unit]',
      `Description=A call with the token ${name}`,
      '',
      '[Service]',
      'Type=oneshot',
      ...serviceOf(order),
    ].join('\n'),
    run: `systemctl --user daemon-reload && systemctl --user start ${unit}`,
    note:
      source.kind === 'command'
        ? `\`journalctl --user -u ${unit}\` shows what it printed. For a service that stays, drop \`Type=oneshot\` and put \`--restart-on-rotate\` before the two dashes.`
        : `\`journalctl --user -u ${unit}\` shows what it printed. A service that stays keeps the value that it was started with: add the command \`systemctl --user try-restart ${unit}\` as a delivery target.`,
  };
}

function serviceOf(order: RecipeOrder): string[] {
  const { source, url } = order;
  const variable = variableOf(source);
  const call = callWith(variable, url);
  if (source.kind === 'command') {
    // The command line is written for a shell, which also finds programs by their names; systemd wants their whole paths.
    return [runByShell(`exec ${source.commandLine} exec ${source.name} -- sh -c ${shellWord(call)}`)];
  }
  const path = unitPath(source.path);
  // What systemd cannot read for us, the shell reads.
  if (path === null) return [runByShell(shellRecipe(order).text)];
  return source.kind === 'file'
    ? [
        `LoadCredential=token:${path}`,
        runByShell(`${variable}=$(cat "$CREDENTIALS_DIRECTORY/token") && ${call}`),
      ]
    : [`EnvironmentFile=${path}`, runByShell(call)];
}

function runByShell(script: string): string {
  return `ExecStart=/bin/sh -c ${unitWord(script)}`;
}
