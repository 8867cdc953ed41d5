import { isDeepStrictEqual } from 'node:util';
import type { DeliveryPreview } from '../../contract/credential/credential-checks.ts';
import {
  type CredentialView,
  type TargetView,
  waitsForPerson,
} from '../../contract/credential/credential-view.ts';
import { type DeliveryTarget, targetParts } from '../../contract/credential/credential.ts';
import { settingFormats } from '../../contract/credential/setting-key.ts';
import { credentialToDo } from '../../text/cli/cli-credential.ts';
import {
  previewLines,
  receiptLine,
  targetHelp,
  targetListHead,
  targetListRow,
  targetProblem,
  targetText,
  targetUsageHelp,
} from '../../text/cli/cli-delivery.ts';
import { credentialName, customCommand } from '../command-table.ts';
import { CommandFailure, exitCodes, wrongUsage } from '../command-failure.ts';
import type { GlobalOptions } from '../chosen-data-dir.ts';
import { readTarget, targetFields, type TargetOptions } from '../delivery-target.ts';
import { formatTable } from '../format-table.ts';
import { numberIn } from '../option-values.ts';
import { openPortal, type Portal } from '../open-portal.ts';
import { print, printJson, say } from '../terminal.ts';

interface CredentialTargetOptions extends GlobalOptions, TargetOptions {
  readonly dryRun?: true;
  readonly json: boolean;
}

const actions = { add: addTarget, list: listTargets, deliver: deliverTarget, remove: removeTarget } as const;

/**
 * `credential target NAME ACTION …`: the name comes before the action, so the actions cannot be commands of commander.
 * `delivery-target.ts` reads the arguments of `add`.
 */
export const credentialTargetCommand = customCommand({
  help: targetHelp,
  arguments: {
    ...credentialName,
    // Read below, where the name is known as well.
    '<action>': { help: targetHelp.action, choices: Object.keys(actions), read: (text: string) => text },
    '[what...]': targetHelp.what,
  },
  options: {
    '--service <service>': { help: targetHelp.service, schema: targetFields.service },
    '--account <account>': { help: targetHelp.account, schema: targetFields.account },
    '--variable <variable>': { help: targetHelp.variable, schema: targetFields.variable },
    '--key <key>': targetHelp.key,
    '--format <format>': { help: targetHelp.format, choices: settingFormats },
    '--template <text>': targetHelp.template,
    '--base64 <text>': targetHelp.base64,
    '--create': targetHelp.create,
    '--pass <way>': { help: targetHelp.pass, choices: ['stdin', 'env'] },
    '--time-limit <seconds>': {
      help: targetHelp.timeLimit,
      schema: targetFields.timeLimit,
      convert: numberIn,
    },
    '--part <part>': { help: targetHelp.part, choices: targetParts },
    '--in-place': targetHelp.inPlace,
    '--no-newline': targetHelp.noNewline,
    '--mode <mode>': targetHelp.mode,
    '--owner <user>': targetHelp.owner,
    '--group <group>': targetHelp.group,
    '--dry-run': targetHelp.dryRun,
  },
  more: targetUsageHelp,
  async run({ name, action, what, ...options }) {
    if (!isAction(action)) {
      throw wrongUsage(
        isAction(name)
          ? targetProblem.nameFirst(action, name)
          : targetProblem.action(action, Object.keys(actions)),
      );
    }
    await actions[action](name, what, options);
  },
});

function isAction(text: string): text is keyof typeof actions {
  return Object.hasOwn(actions, text);
}

async function addTarget(name: string, what: string[], options: CredentialTargetOptions): Promise<void> {
  const target = readTarget(what, options);
  if (options.dryRun) await previewTarget(name, target, options);
  else await addOne(openPortal(options), name, target, options);
}

/** Adds a target, says what became of the first delivery, and returns it. */
export async function addOne(
  portal: Portal,
  name: string,
  target: DeliveryTarget,
  { json }: { readonly json: boolean },
): Promise<TargetView | undefined> {
  const view = await portal.ask('addTarget', { params: { name }, body: target });
  if (json) printJson(view);
  const added = view.targets.findLast((one) => isDeepStrictEqual(one.target, target));
  const line = targetText.added(added);
  // It is added, and a script must not go on without the token.
  if (added?.status === 'failing' || added?.waits_for !== undefined) {
    throw new CommandFailure(exitCodes.failed, line);
  }
  if (!json) say(line);
  return added;
}

async function previewTarget(
  name: string,
  target: DeliveryTarget,
  options: CredentialTargetOptions,
): Promise<void> {
  const preview = await openPortal(options).ask('previewTarget', { params: { name }, body: target });
  showPreview(preview, options);
  if (!options.json) say(...targetText.preview(preview.message));
}

/** Prints what would change, and fails where the place cannot take the token. */
export function showPreview(preview: DeliveryPreview, { json }: { readonly json: boolean }): void {
  if (json) printJson(preview);
  else for (const line of previewLines(preview)) print(line);
  requirePossible(preview);
}

/** Fails where the place cannot take the token. */
export function requirePossible({ possible, message }: DeliveryPreview): void {
  if (!possible) throw new CommandFailure(exitCodes.failed, message.split('\n'));
}

async function listTargets(name: string, what: string[], options: CredentialTargetOptions): Promise<void> {
  if (what.length > 0) throw wrongUsage(targetProblem.listArguments);
  refuseTargetOptions('list', options);
  const { targets } = await openPortal(options).ask('readCredential', { params: { name } });
  if (options.json) printJson({ targets });
  else if (targets.length === 0) say(targetText.none(name));
  else for (const line of formatTable(targets.map(targetListRow), targetListHead)) print(line);
}

async function deliverTarget(name: string, what: string[], options: CredentialTargetOptions): Promise<void> {
  const id = targetIdOf('deliver', what, options);
  const view = await openPortal(options).ask('deliverTarget', { params: { name, target_id: id } });
  if (options.json) printJson(view);
  const receipt = receiptOf(view, id);
  if (receipt.status !== 'delivered') {
    // A place that cannot be written to is not helped by a new token.
    const toDo = waitsForPerson(view) ? credentialToDo(view) : [];
    throw new CommandFailure(exitCodes.failed, [receiptLine(receipt), ...toDo]);
  }
  if (!options.json) say(receiptLine(receipt));
}

async function removeTarget(name: string, what: string[], options: CredentialTargetOptions): Promise<void> {
  const id = targetIdOf('remove', what, options);
  const view = await openPortal(options).ask('removeTarget', { params: { name, target_id: id } });
  if (options.json) printJson(view);
  else say(targetText.removed(id));
}

function targetIdOf(action: string, [id, ...rest]: string[], options: CredentialTargetOptions): string {
  if (id === undefined || rest.length > 0) throw wrongUsage(targetProblem.id(action));
  refuseTargetOptions(action, options);
  return id;
}

function refuseTargetOptions(action: string, options: CredentialTargetOptions): void {
  const { service, account, variable, pass, timeLimit, dryRun, inPlace, newline, mode, owner, group } =
    options;
  if (dryRun) throw wrongUsage(targetProblem.dryRun);
  const describing = [service, account, variable, pass, timeLimit, inPlace, mode, owner, group];
  if (newline === false || describing.some((option) => option !== undefined))
    throw wrongUsage(targetProblem.describing(action));
}

function receiptOf({ targets }: CredentialView, id: string): TargetView {
  const receipt = targets.find((target) => target.id === id);
  if (receipt !== undefined) return receipt;
  throw new CommandFailure(exitCodes.failed, targetText.gone(id));
}
