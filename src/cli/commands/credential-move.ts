import { type Command, Option } from 'commander';
import { PauseCredential } from '../../contract/credential.ts';
import { addCommand, jsonOption } from '../add-command.ts';
import { credentialNameArgument } from '../credential-name-argument.ts';
import { nextRotation } from '../credential-lines.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { durationMs, localTime } from '../moments.ts';
import { valueOf } from '../option-values.ts';
import { openPortal } from '../portal.ts';
import { printJson, say } from '../terminal.ts';

interface PauseOptions extends GlobalOptions {
  readonly until?: string;
  /** Milliseconds. */
  readonly for?: number;
  readonly json?: true;
}

/** Stopping rotation, going on with it, and doing without it: sides of one thing, so they share this file. */
export function credentialMoveCommands(credential: Command): void {
  addCommand(credential, 'pause', {
    description:
      'Begin no rotation of a credential until it is resumed, or for a time. It may expire meanwhile.',
    examples: ['rotavox credential pause pbx --for 2h', 'rotavox credential pause pbx'],
  })
    .argument(...credentialNameArgument)
    .addOption(
      new Option('--until <instant>', 'go on by itself at this instant')
        .argParser(valueOf(PauseCredential.shape.until))
        .conflicts('for'),
    )
    .option('--for <time>', 'go on by itself after this time, such as 30m, 2h or 1d', durationMs)
    .option(...jsonOption)
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<PauseOptions>();
      const until =
        options.for === undefined ? options.until : new Date(Date.now() + options.for).toISOString();
      const view = await openPortal(options).ask('pauseCredential', {
        params: { name },
        ...(until === undefined ? {} : { body: { until } }),
      });
      if (options.json) {
        printJson(view);
        return;
      }
      const end = view.paused?.until ?? null;
      say(`${view.name} is paused ${end === null ? 'until it is resumed' : `until ${localTime(end)}`}.`);
      if (view.message !== null) say(view.message);
    });

  addCommand(credential, 'resume', {
    description: 'Rotate a paused credential again.',
    examples: ['rotavox credential resume pbx'],
  })
    .argument(...credentialNameArgument)
    .option(...jsonOption)
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const view = await openPortal(options).ask('resumeCredential', { params: { name } });
      if (options.json) printJson(view);
      else say(`${view.name} is resumed; next rotation: ${nextRotation(view, Date.now())}.`);
    });

  addCommand(credential, 'remind', {
    description:
      'Only be reminded before a credential expires, where its service is known to have no rotate endpoint.',
    examples: ['rotavox credential remind pbx'],
  })
    .argument(...credentialNameArgument)
    .option(...jsonOption)
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const view = await openPortal(options).ask('remindOnly', { params: { name } });
      if (options.json) printJson(view);
      else
        say(`${view.name} is not rotated; you are reminded before it expires ${localTime(view.expires_at)}.`);
    });
}
