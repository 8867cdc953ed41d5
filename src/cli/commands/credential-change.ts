import { type Command, Option } from 'commander';
import { setTimeout as wait } from 'node:timers/promises';
import { PauseCredential } from '../../contract/credential.ts';
import type { CredentialView, TargetView } from '../../contract/credential-view.ts';
import { credentialHelp, credentialText, credentialToDo, oldTokenLine } from '../../text/cli-credential.ts';
import { takenWayText } from '../../text/network-text.ts';
import { addCommand, credentialNameArgument, jsonOption } from '../add-command.ts';
import { CommandFailure, exitCodes } from '../command-failure.ts';
import type { GlobalOptions } from '../chosen-data-dir.ts';
import { addTokenOptions, durationMs, validityFields, type TokenOptions, valueOf } from '../option-values.ts';
import { openPortal, type Portal } from '../open-portal.ts';
import { readToken } from '../read-token.ts';
import { receiptLine } from '../../text/cli-delivery.ts';
import { printJson, say } from '../terminal.ts';

interface PauseOptions extends GlobalOptions {
  readonly until?: string;
  /** Milliseconds. */
  readonly for?: number;
  readonly json?: true;
}

/** Pausing a rotation, resuming it, and replacing it by reminders. */
export function credentialRotationCommands(credential: Command): void {
  addCommand(credential, 'pause', credentialHelp.pause)
    .argument(...credentialNameArgument)
    .addOption(
      new Option('--until <instant>', credentialHelp.pause.until)
        .argParser(valueOf(PauseCredential.shape.until))
        .conflicts('for'),
    )
    .option('--for <time>', credentialHelp.pause.for, durationMs)
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
      say(credentialText.paused(view));
      if (view.message !== null) say(view.message);
    });

  addCommand(credential, 'resume', credentialHelp.resume)
    .argument(...credentialNameArgument)
    .option(...jsonOption)
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const view = await openPortal(options).ask('resumeCredential', { params: { name } });
      if (options.json) printJson(view);
      else say(credentialText.resumed(view, Date.now()));
    });

  addCommand(credential, 'remind', credentialHelp.remind)
    .argument(...credentialNameArgument)
    .option(...jsonOption)
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const view = await openPortal(options).ask('remindOnly', { params: { name } });
      if (options.json) printJson(view);
      else say(credentialText.remindOnly(view));
    });
}

export function credentialRotateCommand(credential: Command): void {
  addCommand(credential, 'rotate', credentialHelp.rotate)
    .argument(...credentialNameArgument)
    .option(...jsonOption)
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const portal = openPortal(options);
      const rotated = await portal.ask('rotateCredential', { params: { name } });
      const view = rotated.trouble === null ? await untilDelivered(portal, rotated) : rotated;
      if (options.json) printJson(view);
      if (view.trouble !== null) {
        const lines = [credentialText.notRotated(view), ...credentialToDo(view)];
        throw new CommandFailure(exitCodes.failed, lines);
      }
      if (!options.json) say(credentialText.rotated(view, Date.now()));
      const without = view.targets.filter(({ status }) => status !== 'delivered');
      // The token is another one all the same, and a script must not go on with the old one.
      if (without.length > 0) throw new CommandFailure(exitCodes.failed, without.map(receiptLine));
    });
}

/** How often it is asked, and for how long: a command that is a target may run for minutes. */
const deliveryPollMs = 100;
const deliveryLimitMs = 40_000;

/** Waits until each target has the new token, its delivery failed, or it waits for one whose delivery failed. */
async function untilDelivered(portal: Portal, rotated: CredentialView): Promise<CredentialView> {
  const { id, name } = rotated;
  const limit = performance.now() + deliveryLimitMs;
  let view = rotated;
  while (view.targets.some(isUnderWay) && performance.now() < limit) {
    await wait(deliveryPollMs);
    const now = await portal.ask('readCredential', { params: { name } });
    if (now.id !== id) break;
    view = now;
  }
  return view;
}

function isUnderWay({ status, waits_for: waits }: TargetView): boolean {
  return status === 'owed' && waits === undefined;
}

export function credentialTestCommand(credential: Command): void {
  addCommand(credential, 'test', credentialHelp.test)
    .argument(...credentialNameArgument)
    .option(...jsonOption)
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const portal = openPortal(options);
      const test = await portal.ask('testCredential', { params: { name } });
      if (options.json) printJson(test);
      const found = test.rotation === undefined ? '' : ` ${test.rotation.message}`;
      const way = test.way === undefined ? [] : [takenWayText(test.way)];
      const message = `${test.message}${found}`;
      if (test.outcome !== 'works')
        throw new CommandFailure(exitCodes.failed, [message, ...way, ...(await portal.toDo(name))]);
      if (!options.json) say(message, ...way);
    });
}

interface ReplaceOptions extends GlobalOptions, TokenOptions {
  readonly json?: true;
}

export function credentialReplaceCommand(credential: Command): void {
  const command = addCommand(credential, 'replace', credentialHelp.replace).argument(
    ...credentialNameArgument,
  );
  addTokenOptions(command)
    .option(...jsonOption)
    .action(async (name: string, _options, parsed: Command) => {
      const options = parsed.optsWithGlobals<ReplaceOptions>();
      const portal = openPortal(options);
      const view = await portal.ask('replaceCredentialValue', {
        params: { name },
        body: {
          value: await readToken(name, options),
          ...validityFields(options),
        },
      });
      if (options.json) {
        printJson(view);
        return;
      }
      say(credentialText.rotated(view, Date.now()));
      const old = oldTokenLine(view);
      if (old !== null) say(old);
      if (view.message !== null) say(view.message);
    });
}

/** Stores or removes the token that works beside the current one. */
export function credentialSecondTokenCommand(credential: Command): void {
  const help = credentialHelp.secondToken;
  const command = addCommand(credential, 'second-token', help).argument(...credentialNameArgument);
  addTokenOptions(command)
    .option('--remove', help.remove)
    .option(...jsonOption)
    .action(async (name: string, _options, parsed: Command) => {
      const options = parsed.optsWithGlobals<ReplaceOptions & { readonly remove?: true }>();
      const portal = openPortal(options);
      const params = { name };
      const view = options.remove
        ? await portal.ask('removeStandbyToken', { params })
        : await portal.ask('setStandbyToken', {
            params,
            body: { value: await readToken(name, options), ...validityFields(options) },
          });
      if (options.json) printJson(view);
      else say(credentialText.secondToken(view));
    });
}

export function credentialReissueCommand(credential: Command): void {
  addCommand(credential, 'reissue', credentialHelp.reissue)
    .argument(...credentialNameArgument)
    .option(...jsonOption)
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const view = await openPortal(options).ask('reissueCredential', { params: { name } });
      if (options.json) {
        printJson(view);
        return;
      }
      say(credentialText.rotated(view, Date.now()));
      if (view.message !== null) say(view.message);
    });
}

export function credentialRemoveCommand(credential: Command): void {
  addCommand(credential, 'remove', credentialHelp.remove)
    .argument(...credentialNameArgument)
    .option(...jsonOption)
    .action(async (name: string, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { json?: true }>();
      const removed = await openPortal(options).ask('removeCredential', { params: { name } });
      if (options.json) printJson(removed);
      else say(credentialText.removed(name), ...(removed.message === undefined ? [] : [removed.message]));
    });
}
