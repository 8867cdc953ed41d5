import { InvalidArgumentError } from 'commander';
import { setTimeout as wait } from 'node:timers/promises';
import { originOf } from '../../contract/address.ts';
import type { ConnectionTest } from '../../contract/credential/credential-checks.ts';
import type { CredentialView, TargetView } from '../../contract/credential/credential-view.ts';
import { ChangePolicy, PauseCredential, RotationPolicy } from '../../contract/credential/credential.ts';
import { BaseUrl } from '../../contract/shapes.ts';
import {
  credentialAddressText,
  credentialHelp,
  credentialText,
  credentialToDo,
  getHelp,
  oldTokenLine,
} from '../../text/cli/cli-credential.ts';
import { rotateNowText } from '../../text/cli/cli-rotation.ts';
import { receiptLine } from '../../text/cli/cli-delivery.ts';
import { historyText } from '../../text/cli/cli-service.ts';
import { optionProblem } from '../../text/cli/cli.ts';
import { eventLine } from '../../text/window/events.ts';
import { takenWayText } from '../../text/service/network-text.ts';
import { CommandFailure, exitCodes } from '../command-failure.ts';
import { type CommandGroup, credentialName, customCommand, routeCommand } from '../command-table.ts';
import { durationMs, hoursIn, numberIn, shareIn, tokenOptions, validityFields } from '../option-values.ts';
import { openPortal, type Portal } from '../open-portal.ts';
import { historyOptions } from './history-command.ts';
import { readHistory, readings } from '../readings.ts';
import { askToAgree, askWhether, canAsk, readToken } from '../read-token.ts';
import { print, printJson, remark, say } from '../terminal.ts';
import { credentialAddCommand, credentialSetCommand, credentialSignInCommand } from './credential-add.ts';
import { credentialFindCommand } from './credential-find.ts';
import { credentialImportCommand } from './credential-import.ts';
import { credentialTargetCommand } from './credential-target.ts';
import { useHeader, writeUse } from '../../contract/credential/use-header.ts';
import { parentProgram } from '../parent-program.ts';
import { type AskPortal, type Ended, type EndItem, planRevocation } from '../../client/revocation.ts';
import { endAllReason, revokeAllHelp, revokeAllText } from '../../text/token/end-all.ts';
import type { GlobalOptions } from '../chosen-data-dir.ts';

/** In an object, because commander treats null as an empty text. */
const Hours = RotationPolicy.pick({ preferred_hours: true });

/** In an object, as above. */
const Validity = ChangePolicy.pick({ validity_days: true }).required();

export const credentialCommands: CommandGroup = {
  help: credentialHelp,
  commands: {
    add: credentialAddCommand,
    find: credentialFindCommand,
    import: credentialImportCommand,
    list: routeCommand({
      help: credentialHelp.list,
      ...readings['credential/list'],
    }),
    show: routeCommand({
      help: credentialHelp.show,
      arguments: credentialName,
      ...readings['credential/show'],
    }),
    test: routeCommand({
      help: credentialHelp.test,
      arguments: credentialName,
      async call(portal, { name }) {
        const test = await portal.ask('testCredential', { params: { name } });
        return { test, toDo: test.outcome === 'works' ? [] : await portal.toDo(name) };
      },
      asJson: ({ test }) => test,
      failure: ({ test, toDo }) => (test.outcome === 'works' ? null : [...testLines(test), ...toDo]),
      words: ({ test }) => testLines(test),
    }),
    rotate: customCommand({
      help: credentialHelp.rotate,
      arguments: credentialName,
      options: { '--yes': credentialHelp.rotate.yes },
      async run({ name, json, yes, ...options }) {
        const portal = openPortal(options);
        if (!yes) await askForTools(portal, { name, json });
        const rotated = await portal.ask('rotateCredential', { params: { name } });
        const view = rotated.trouble === null ? await untilDelivered(portal, rotated) : rotated;
        if (json) printJson(view);
        if (view.trouble !== null) {
          const lines = [credentialText.notRotated(view), ...credentialToDo(view)];
          throw new CommandFailure(exitCodes.failed, lines);
        }
        if (!json) say(credentialText.rotated(view, Date.now()));
        const without = view.targets.filter(({ status }) => status !== 'delivered');
        // The token is another one all the same, and a script must not go on with the old one.
        if (without.length > 0) throw new CommandFailure(exitCodes.failed, without.map(receiptLine));
      },
    }),
    pause: routeCommand({
      help: credentialHelp.pause,
      arguments: credentialName,
      options: {
        '--until <instant>': {
          help: credentialHelp.pause.until,
          schema: PauseCredential.shape.until,
          conflicts: ['for'],
        },
        '--for <time>': { help: credentialHelp.pause.for, read: durationMs },
      },
      call(portal, { name, for: ms, until: instant }) {
        const until = ms === undefined ? instant : new Date(Date.now() + ms).toISOString();
        return portal.ask('pauseCredential', {
          params: { name },
          ...(until === undefined ? {} : { body: { until } }),
        });
      },
      words: (view) => [credentialText.paused(view), view.message],
    }),
    resume: routeCommand({
      help: credentialHelp.resume,
      arguments: credentialName,
      call: (portal, { name }) => portal.ask('resumeCredential', { params: { name } }),
      words: (view) => credentialText.resumed(view, Date.now()),
    }),
    remind: routeCommand({
      help: credentialHelp.remind,
      arguments: credentialName,
      call: (portal, { name }) => portal.ask('remindOnly', { params: { name } }),
      words: credentialText.remindOnly,
    }),
    policy: routeCommand({
      help: credentialHelp.policy,
      arguments: credentialName,
      options: {
        '--fraction <share>': {
          help: credentialHelp.policy.fraction,
          schema: ChangePolicy.shape.fraction,
          convert: shareIn,
        },
        '--preferred-hours <from-to>': { help: credentialHelp.policy.preferredHours, read: preferredHoursOf },
        '--validity <days>': { help: credentialHelp.policy.validity, schema: Validity, convert: validityIn },
      },
      call(portal, { name, fraction, preferredHours, validity }) {
        const change: ChangePolicy = {
          ...(fraction === undefined ? {} : { fraction }),
          ...preferredHours,
          ...validity,
        };
        return Object.keys(change).length === 0
          ? portal.ask('readCredential', { params: { name } })
          : portal.ask('changeCredentialPolicy', { params: { name }, body: change });
      },
      lines: (view) => [credentialText.policy(view, Date.now())],
    }),
    /** Shows the address of the service, or changes it once the token works at the new one. */
    address: customCommand({
      help: credentialHelp.address,
      arguments: { ...credentialName, '[url]': { help: credentialHelp.address.url, schema: BaseUrl } },
      options: { '--send-token-to <origin>': { help: credentialHelp.address.sendTokenTo, schema: BaseUrl } },
      async run({ name, url, sendTokenTo, json, ...options }) {
        const portal = openPortal(options);
        const view = await portal.ask('readCredential', { params: { name } });
        if (url === undefined) {
          if (json) printJson(view);
          else print(view.base_url);
          return;
        }
        const [from, to] = [originOf(view.base_url), originOf(url)];
        // The origin that may get the token.
        const confirmed = sendTokenTo === undefined ? undefined : originOf(sendTokenTo);
        if (view.service === 'remote' && from !== to && confirmed !== to)
          throw new CommandFailure(
            exitCodes.failed,
            credentialAddressText.notConfirmed(name, url, { from, to }),
          );
        const change = await portal.ask('changeCredentialAddress', {
          params: { name },
          body: { base_url: url, confirmed_origin: confirmed },
        });
        if (json) printJson(change);
        if (!change.is_saved)
          throw new CommandFailure(exitCodes.failed, credentialAddressText.notSaved(change.test.message));
        if (!json) say(credentialAddressText.saved(name, url));
      },
    }),
    set: credentialSetCommand,
    target: credentialTargetCommand,
    replace: routeCommand({
      help: credentialHelp.replace,
      arguments: credentialName,
      options: tokenOptions,
      async call(portal, { name, ...options }) {
        const body = { value: await readToken(name, options), ...validityFields(options) };
        return portal.ask('replaceCredentialValue', { params: { name }, body });
      },
      words: (view) => [credentialText.rotated(view, Date.now()), oldTokenLine(view), view.message],
    }),
    /** Stores or removes the token that works beside the current one. */
    'second-token': routeCommand({
      help: credentialHelp.secondToken,
      arguments: credentialName,
      options: { ...tokenOptions, '--remove': credentialHelp.secondToken.remove },
      async call(portal, { name, remove, ...options }) {
        const params = { name };
        if (remove) return portal.ask('removeStandbyToken', { params });
        const body = { value: await readToken(name, options), ...validityFields(options) };
        return portal.ask('setStandbyToken', { params, body });
      },
      words: credentialText.secondToken,
    }),
    reissue: routeCommand({
      help: credentialHelp.reissue,
      arguments: credentialName,
      call: (portal, { name }) => portal.ask('reissueCredential', { params: { name } }),
      words: (view) => [credentialText.rotated(view, Date.now()), view.message],
    }),
    'sign-in': credentialSignInCommand,
    history: routeCommand({
      help: credentialHelp.history,
      arguments: credentialName,
      options: historyOptions,
      call: (portal, { name, limit, before }) => readHistory(portal, { limit, before }, { credential: name }),
      lines: ({ events }) => events.map(eventLine),
      words: ({ next_before: next }, { name }) =>
        next === null ? [] : historyText.older(`credential history ${name}`, next),
    }),
    remove: routeCommand({
      help: credentialHelp.remove,
      arguments: credentialName,
      call: (portal, { name }) => portal.ask('removeCredential', { params: { name } }),
      words: ({ message }, { name }) => [credentialText.removed(name), message],
    }),
    'revoke-all': customCommand({
      help: revokeAllHelp,
      options: { '--dry-run': revokeAllHelp.dryRun, '--yes': revokeAllHelp.yes },
      run: revokeAll,
    }),
  },
};

/**
 * Asks whether to rotate although connected tools run that would lose their token. Where nobody can be asked it is only said: a script that
 * wants a new token must not depend on what else runs at that time.
 */
async function askForTools(
  portal: Portal,
  { name, json }: { readonly name: string; readonly json: boolean },
): Promise<void> {
  const { tools } = await portal.ask('readCredentialUse', { params: { name } });
  if (tools.length === 0) return;
  say(rotateNowText.mayFail(tools));
  if (!json && canAsk() && !(await askWhether(rotateNowText.ask)))
    throw new CommandFailure(exitCodes.failed, rotateNowText.notAgreed);
}

function testLines({ message, rotation, way }: ConnectionTest): string[] {
  const found = rotation === undefined ? '' : ` ${rotation.message}`;
  return [message + found, ...(way === undefined ? [] : [takenWayText(way)])];
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

/** `90d`, `90` or `default`. */
function validityIn(text: string): unknown {
  return { validity_days: text === 'default' ? null : numberIn(text.replace(/d$/, '')) };
}

function preferredHoursOf(text: string): Pick<RotationPolicy, 'preferred_hours'> {
  const parsed = Hours.safeParse({ preferred_hours: text === 'any' ? null : hoursIn(text) });
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError(optionProblem.hours);
}

// see decisions/ask-the-service-for-the-current-token.md
export const getCommand = customCommand({
  help: getHelp,
  arguments: credentialName,
  async run({ name, json, ...options }) {
    const current = await openPortal(options).ask('readCredentialValue', {
      params: { name },
      headers: { [useHeader]: writeUse({ way: 'get', program: parentProgram() }) },
    });
    if (json) printJson(current);
    else print(current.value);
    // On a terminal only: a program that also captures stderr must get nothing but the token.
    if (current.note !== undefined) remark(current.note);
  },
});

interface RevokeOptions extends GlobalOptions {
  readonly dryRun?: true;
  readonly yes?: true;
  readonly json: boolean;
}

async function revokeAll(options: RevokeOptions): Promise<void> {
  const portal = openPortal(options);
  const ask: AskPortal = (name, ...input) => portal.ask(name, ...input);
  const plan = await planRevocation(ask, endAllReason);
  if (!options.json) showPlan(plan);
  if (options.dryRun || plan.length === 0) {
    if (options.json) printJson({ planned: plan.map(asJson) });
    else if (plan.length > 0) say(revokeAllText.dryRun);
    return;
  }
  if (!options.yes) await askToAgree(revokeAllText);
  const results: (EndItem & Ended)[] = [];
  for (const item of plan) {
    const ended = await item.end(ask).catch(whyAlive);
    results.push({ ...item, ...ended });
    if (!options.json) print(resultText(item, ended));
  }
  if (options.json)
    printJson({
      results: results.map((one) => ({ ...asJson(one), outcome: one.outcome, message: one.message })),
    });
  const failed = results.filter(({ byPerson, outcome }) => !byPerson && outcome === 'alive');
  if (failed.length > 0) throw new CommandFailure(exitCodes.failed, revokeAllText.failed(failed.length));
}

function showPlan(plan: readonly EndItem[]): void {
  if (plan.length === 0) print(revokeAllText.nothing);
  const [ours, others] = [plan.filter(({ byPerson }) => !byPerson), plan.filter(({ byPerson }) => byPerson)];
  if (ours.length > 0) print(revokeAllText.ends(ours.length));
  for (const item of ours) print(revokeAllText.item(item));
  if (others.length > 0) print(revokeAllText.byPerson(others.length));
  for (const item of others) print(revokeAllText.personItem(item));
}

function resultText(item: EndItem, { outcome, message }: Ended): string {
  if (outcome === 'alive') return revokeAllText.alive(item, message ?? '');
  return outcome === 'ended' ? revokeAllText.ended(item) : revokeAllText.endedBefore(item);
}

function asJson({ kind, name, service, page, byPerson }: EndItem) {
  return { kind, name, service, page, by_person: byPerson };
}

/** What fails is said at its place, and the others are ended all the same. */
function whyAlive(error: unknown): Ended {
  if (error instanceof CommandFailure) return { outcome: 'alive', message: error.message };
  throw error;
}
