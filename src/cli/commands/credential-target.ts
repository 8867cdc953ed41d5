import { Argument, type Command, Option } from 'commander';
import { isDeepStrictEqual } from 'node:util';
import type { CredentialView, TargetView } from '../../contract/credential-view.ts';
import type { DeliveryTarget } from '../../contract/credential.ts';
import { addCommand, credentialNameArgument, jsonOption } from '../add-command.ts';
import { CommandFailure, exitCodes, wrongUsage } from '../command-failure.ts';
import type { GlobalOptions } from '../data-dir.ts';
import { readTarget, targetFields, type TargetOptions, targetUsages } from '../delivery-target.ts';
import { numberIn, valueOf } from '../option-values.ts';
import { openPortal } from '../portal.ts';
import { previewLines, receiptLine, targetTable } from '../target-lines.ts';
import { print, printJson, say } from '../terminal.ts';

interface CredentialTargetOptions extends GlobalOptions, TargetOptions {
  readonly dryRun?: true;
  readonly json?: true;
}

const actions = { add: addTarget, list: listTargets, deliver: deliverTarget, remove: removeTarget } as const;

/**
 * `credential target NAME ACTION …`: the name comes before what is done with it, so the actions are no commands of their
 * own. `delivery-target.ts` knows what may follow `add`.
 */
export function credentialTargetCommand(credential: Command): void {
  const names = Object.keys(actions);
  addCommand(credential, 'target', {
    description: 'Say where every new value of a credential is to be brought, and look whether it is there.',
    examples: [
      'rotavox credential target pbx add dotenv ./.env --variable PBX_TOKEN',
      'rotavox credential target pbx add dotenv ./.env --variable PBX_TOKEN --dry-run',
      'rotavox credential target pbx add hook -- systemctl --user reload pbx-client',
      'rotavox credential target pbx list',
      'rotavox credential target pbx deliver tgt_…',
    ],
  })
    .argument(...credentialNameArgument)
    .addArgument(new Argument('<action>', 'what is to be done').choices(names))
    .argument(
      '[what...]',
      'after add: one of the targets below; after deliver and remove: the id of a target',
    )
    .option('--service <service>', 'keychain: the service of the entry', valueOf(targetFields.service))
    .option('--account <account>', 'keychain: the account of the entry', valueOf(targetFields.account))
    .option(
      '--variable <variable>',
      'dotenv, hook: the variable that has the value (default: ROTAVOX_TOKEN)',
      valueOf(targetFields.variable),
    )
    .addOption(
      new Option('--pass <way>', 'hook: how it gets the value (default: stdin)').choices(['stdin', 'env']),
    )
    .option(
      '--time-limit <seconds>',
      'hook: how long it may run (default: 30)',
      valueOf(targetFields.timeLimit, numberIn),
    )
    .option('--dry-run', 'add: only show what would change there; ends with 1 where it cannot be')
    .option(...jsonOption)
    .addHelpText('after', `\nTargets:\n${targetUsages.map((usage) => `  ${usage}`).join('\n')}`)
    .action(
      async (name: string, action: keyof typeof actions, what: string[], _options, command: Command) => {
        await actions[action](name, what, command.optsWithGlobals<CredentialTargetOptions>());
      },
    );
}

async function addTarget(name: string, what: string[], options: CredentialTargetOptions): Promise<void> {
  const target = readTarget(what, options);
  if (options.dryRun) {
    await previewTarget(name, target, options);
    return;
  }
  const view = await openPortal(options).ask('addTarget', { params: { name }, body: target });
  if (options.json) {
    printJson(view);
    return;
  }
  const added = view.targets.findLast((one) => isDeepStrictEqual(one.target, target));
  say(added === undefined ? 'The target is added.' : `Added ${added.id}, ${receiptLine(added)}`);
}

async function previewTarget(
  name: string,
  target: DeliveryTarget,
  options: CredentialTargetOptions,
): Promise<void> {
  const preview = await openPortal(options).ask('previewTarget', { params: { name }, body: target });
  if (options.json) printJson(preview);
  else for (const line of previewLines(preview)) print(line);
  const { message } = preview;
  if (!preview.possible) throw new CommandFailure(exitCodes.failed, message);
  if (!options.json) say(`${message} Nothing was changed.`);
}

async function listTargets(name: string, what: string[], options: CredentialTargetOptions): Promise<void> {
  if (what.length > 0) throw wrongUsage('Nothing follows list.');
  refuseTargetOptions('list', options);
  const { targets } = await openPortal(options).ask('readCredential', { params: { name } });
  if (options.json) printJson({ targets });
  else if (targets.length === 0)
    say(`${name} is delivered nowhere. Add a place with \`rotavox credential target ${name} add\`.`);
  else for (const line of targetTable(targets)) print(line);
}

async function deliverTarget(name: string, what: string[], options: CredentialTargetOptions): Promise<void> {
  const id = targetIdOf('deliver', what, options);
  const view = await openPortal(options).ask('deliverTarget', { params: { name, target_id: id } });
  if (options.json) printJson(view);
  const receipt = receiptOf(view, id);
  if (receipt.status !== 'delivered') throw new CommandFailure(exitCodes.failed, receiptLine(receipt));
  if (!options.json) say(receiptLine(receipt));
}

async function removeTarget(name: string, what: string[], options: CredentialTargetOptions): Promise<void> {
  const id = targetIdOf('remove', what, options);
  const view = await openPortal(options).ask('removeTarget', { params: { name, target_id: id } });
  if (options.json) printJson(view);
  else say(`${id} gets no more values. What is there stays there.`);
}

function targetIdOf(action: string, [id, ...rest]: string[], options: CredentialTargetOptions): string {
  if (id === undefined || rest.length > 0)
    throw wrongUsage(
      `One id of a target follows ${action}, as \`rotavox credential target NAME list\` shows it.`,
    );
  refuseTargetOptions(action, options);
  return id;
}

function refuseTargetOptions(action: string, options: CredentialTargetOptions): void {
  const { service, account, variable, pass, timeLimit, dryRun } = options;
  if (dryRun) throw wrongUsage('--dry-run goes with add only.');
  if ([service, account, variable, pass, timeLimit].some((option) => option !== undefined))
    throw wrongUsage(`Options that describe a target do not go with ${action}.`);
}

function receiptOf({ targets }: CredentialView, id: string): TargetView {
  const receipt = targets.find((target) => target.id === id);
  if (receipt !== undefined) return receipt;
  throw new CommandFailure(exitCodes.failed, `${id} is no target any more.`);
}
