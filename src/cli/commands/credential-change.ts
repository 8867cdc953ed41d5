import { type Command, Option } from 'commander';
import type { CredentialView } from '../../contract/credential-view.ts';
import { PauseCredential } from '../../contract/credential.ts';
import { addCommand, credentialNameArgument, jsonOption } from '../add-command.ts';
import { CommandFailure, exitCodes } from '../command-failure.ts';
import { lifeWords, nextRotation } from '../credential-lines.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { credentialRemedies, remedyCommand } from '../../text/attention.ts';
import { localTime } from '../../text/time.ts';
import { addLifeOptions, durationMs, lifeFields, type LifeOptions, valueOf } from '../option-values.ts';
import { openPortal } from '../portal.ts';
import { readTokenValue } from '../read-token-value.ts';
import { receiptLine } from '../target-lines.ts';
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

export function credentialRotateCommand(credential: Command): void {
  addCommand(credential, 'rotate', {
    description: 'Replace the value of a credential now. Ends with 1 when that did not succeed.',
    examples: ['rotavox credential rotate pbx'],
  })
    .argument(...credentialNameArgument)
    .option(...jsonOption)
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const view = await openPortal(options).ask('rotateCredential', { params: { name } });
      if (options.json) printJson(view);
      if (view.trouble !== null) throw new CommandFailure(exitCodes.failed, troubleWords(view));
      if (options.json) return;
      say(`${view.name} has a new value, which ${lifeWords(view, Date.now())}`);
      for (const target of view.targets) {
        if (target.status === 'failing') say(receiptLine(target)); // others get it in a moment
      }
    });
}

/** Why the rotation failed, and the command that helps; another attempt is no news to who has just made one. */
function troubleWords(view: CredentialView): string {
  const message = view.message ?? view.trouble?.message ?? 'The rotation did not succeed.';
  const [remedy] = credentialRemedies(view);
  const command = remedy === undefined || remedy.kind === 'rotate' ? null : remedyCommand(remedy);
  return command === null ? message : `${message} Run: rotavox ${command}`;
}

export function credentialTestCommand(credential: Command): void {
  addCommand(credential, 'test', {
    description:
      'Ask the service of a credential whether its present value works and whether it can rotate tokens, without rotating it. ' +
      'Ends with 1 unless the value is known to work.',
    examples: ['rotavox credential test pbx'],
  })
    .argument(...credentialNameArgument)
    .option(...jsonOption)
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const test = await openPortal(options).ask('testCredential', { params: { name } });
      if (options.json) printJson(test);
      const found = test.rotation === undefined ? '' : ` ${test.rotation.message}`;
      const message = `${test.message}${found}`;
      if (test.outcome !== 'works') throw new CommandFailure(exitCodes.failed, message);
      if (!options.json) say(message);
    });
}

interface ReplaceOptions extends GlobalOptions, LifeOptions {
  readonly json?: true;
}

export function credentialReplaceCommand(credential: Command): void {
  const command = addCommand(credential, 'replace', {
    description:
      'Give a credential a value that you bring, for one that has lost its own. It is asked for, or comes on stdin.',
    examples: ['rotavox credential replace pbx < token.txt'],
  }).argument(...credentialNameArgument);
  addLifeOptions(command)
    .option(...jsonOption)
    .action(async (name: string, _options, parsed: Command) => {
      const options = parsed.optsWithGlobals<ReplaceOptions>();
      const portal = openPortal(options);
      const view = await portal.ask('replaceCredentialValue', {
        params: { name },
        body: {
          value: await readTokenValue(name),
          ...lifeFields(options),
        },
      });
      if (options.json) {
        printJson(view);
        return;
      }
      say(`${view.name} has the new value, which ${lifeWords(view, Date.now())}`);
      if (view.message !== null) say(view.message);
    });
}

export function credentialReissueCommand(credential: Command): void {
  addCommand(credential, 'reissue', {
    description:
      'Issue the token of a credential again, with the same settings: for one that has expired or was lost. ' +
      'This service has to be the one that issued it.',
    examples: ['rotavox credential reissue nightly-report'],
  })
    .argument(...credentialNameArgument)
    .option(...jsonOption)
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const view = await openPortal(options).ask('reissueCredential', { params: { name } });
      if (options.json) {
        printJson(view);
        return;
      }
      say(`${view.name} has a newly issued value, which ${lifeWords(view, Date.now())}`);
      if (view.message !== null) say(view.message);
    });
}

export function credentialRemoveCommand(credential: Command): void {
  addCommand(credential, 'remove', {
    description:
      'Take the value out of the vault and keep it fresh no more. The token itself stays as it is.',
    examples: ['rotavox credential remove pbx'],
  })
    .argument(...credentialNameArgument)
    .option(...jsonOption)
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const removed = await openPortal(options).ask('removeCredential', { params: { name } });
      if (options.json) printJson(removed);
      else say(`${name} is removed. Its token is not revoked, and what was delivered stays where it is.`);
    });
}
