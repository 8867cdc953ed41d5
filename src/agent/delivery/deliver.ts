/**
 * Delivery: how a new value comes to the places that must have it. One file a kind of target, and this one to choose.
 * Nothing here remembers anything or tries again; the loop that calls `deliver` does. No message, note, argument or
 * file name may hold a value. `preview-delivery.ts` says beforehand what would happen, by the same code up to where it
 * writes. Start reading here, then `replace-private-file.ts`, `dotenv-file.ts`, `deliver-to-hook.ts`.
 */
import { type DeliveryTarget, type DeliveryTargetOf, isOwnService } from '../../contract/credential.ts';
import { unreachable } from '../../core/unreachable.ts';
import { type Vault, VaultUnavailable } from '../../core/vault.ts';
import { deliverToHook } from './deliver-to-hook.ts';
import {
  delivered,
  type DeliveryOutcome,
  undeliverable,
  undelivered,
  VariableRefused,
} from './delivery-outcome.ts';
import type { DeliveryContext } from './delivery-context.ts';
import { FileTrouble } from './file-trouble.ts';
import type { ContentChange } from './plan-replacement.ts';
import { mostAssignments, setVariable } from './dotenv-file.ts';
import { replacePrivateFile } from './replace-private-file.ts';
export type { DeliveryContext } from './delivery-context.ts';
export type { DeliveryOutcome } from './delivery-outcome.ts';

/**
 * Brings a value to one target and proves that it arrived.
 *
 * May be repeated: a target that has the value already keeps it. Never rejects for what the world can do (a missing
 * folder, a full disk, a hook that fails, a locked keychain): that is an outcome. A rejection is a bug.
 */
export async function deliver(
  target: DeliveryTarget,
  value: string,
  context: DeliveryContext,
): Promise<DeliveryOutcome> {
  if (context.signal?.aborted === true) {
    return undelivered('Rotavox was stopped before this delivery began. It is made after the next start.');
  }
  switch (target.kind) {
    case 'keychain':
      return deliverToKeychain(target, value, context.vault);
    case 'file':
      return deliverToFile(target, value, context);
    case 'dotenv':
      return deliverToDotenv(target, value, context);
    case 'hook':
      return deliverToHook(target, value, context);
    default:
      return unreachable(target);
  }
}

/** Gives one variable of a dotenv file the value; makes the file where there is none. */
async function deliverToDotenv(
  { path, variable }: DeliveryTargetOf<'dotenv'>,
  value: string,
  { ownPlaces }: Pick<DeliveryContext, 'ownPlaces'>,
): Promise<DeliveryOutcome> {
  try {
    await replacePrivateFile(path, dotenvContentOf(variable, value), ownPlaces);
    return delivered();
  } catch (error) {
    if (error instanceof FileTrouble) return error.outcome;
    if (!(error instanceof VariableRefused)) throw error;
    const words = refusalWords(error, path, variable);
    return error.code === 'VALUE_UNQUOTABLE' ? undeliverable(words) : undelivered(words);
  }
}

/** What becomes of a dotenv file whose variable gets a value. Throws `VariableRefused`. */
export function dotenvContentOf(variable: string, value: string): ContentChange {
  return (content) => setVariable(content ?? Buffer.alloc(0), variable, value);
}

/** Why a variable cannot be set in a file, and what to do. */
export function refusalWords({ code }: VariableRefused, path: string, variable: string): string {
  switch (code) {
    case 'VALUE_UNQUOTABLE':
      return (
        `The value cannot stand in ${path}: with its line break, NUL, last backslash or mix of quotes, no way to write ` +
        `${variable}=… is read the same by all readers. Use a file target, or a hook.`
      );
    case 'NOT_TEXT':
      return `${path} is not a text that dotenv readers understand (it has NUL bytes, as UTF-16 has). Save it as UTF-8.`;
    case 'TOO_MANY':
      return `${path} sets more than ${mostAssignments} variables, so it was hardly made to hold a token. Change the path of the target.`;
    case 'QUOTES_ENTANGLED':
      return (
        `${variable} cannot be set in ${path} without changing how its other lines are read: a quote that is never ` +
        'closed is the likely reason. Close it.'
      );
    default:
      return unreachable(code);
  }
}

/** Makes a file hold the value and a newline, nothing else. */
async function deliverToFile(
  { path }: DeliveryTargetOf<'file'>,
  value: string,
  { ownPlaces }: Pick<DeliveryContext, 'ownPlaces'>,
): Promise<DeliveryOutcome> {
  try {
    await replacePrivateFile(path, () => fileContentOf(value), ownPlaces);
    return delivered();
  } catch (error) {
    if (error instanceof FileTrouble) return error.outcome;
    throw error;
  }
}

/** All that a file of one value holds. */
export function fileContentOf(value: string): Buffer {
  return Buffer.from(`${value}\n`);
}

/**
 * Writes the entry that another program looks for, and reads it back.
 *
 * Only where the vault is a keychain: an entry in our encrypted file would be found by nobody.
 */
async function deliverToKeychain(
  target: DeliveryTargetOf<'keychain'>,
  value: string,
  vault: Vault,
): Promise<DeliveryOutcome> {
  const { service, account } = target;
  const entry = `The ${entryWords(target)}`;
  const obstacle = whyNoEntry(target, vault);
  if (obstacle !== null) return undeliverable(obstacle);
  try {
    await vault.write({ service, account }, value);
    if ((await vault.read({ service, account })) === value) return delivered();
  } catch (error) {
    if (error instanceof VaultUnavailable) return undelivered(`${entry} was not written: ${error.message}`);
    throw error;
  }
  return undelivered(
    `${entry} was written, but something else was read back. See whether another program writes the same entry.`,
  );
}

/** Why an entry can never be written here, and what to do; null where it can. */
export function whyNoEntry(
  target: DeliveryTargetOf<'keychain'>,
  { kind }: Pick<Vault, 'kind'>,
): string | null {
  const entry = `The ${entryWords(target)}`;
  if (isOwnService(target.service)) {
    return `${entry} is among those that Rotavox keeps for itself. Choose another service for this target.`;
  }
  if (kind === 'file') {
    return (
      `${entry} cannot be written, because this host keeps values in an encrypted file instead of an OS keychain. ` +
      'Use a file, dotenv or hook target here.'
    );
  }
  return null;
}

/** How an entry is named to a person. */
export function entryWords({ service, account }: DeliveryTargetOf<'keychain'>): string {
  return `keychain entry of service “${service}”, account “${account}”`;
}
