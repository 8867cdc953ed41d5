/**
 * Delivery: writes a new token to its targets.
 *
 * One file for each kind of target; this one chooses. Nothing here stores anything or retries; the caller of
 * `deliver` does. No message, note, argument or file name may contain a token. `preview-delivery.ts` shows beforehand
 * what would happen, with the same code up to the write. Start reading here, then `replace-private-file.ts`,
 * `dotenv-file.ts`, `setting/edit-setting.ts`, `deliver-to-hook.ts`.
 */
import {
  type DeliveryTarget,
  type DeliveryTargetOf,
  isOwnService,
} from '../../contract/credential/credential.ts';
import type { DeliveryProblem } from '../../contract/credential/delivery-problem.ts';
import { unreachable } from '../../core/unreachable.ts';
import { type Vault, VaultUnavailable } from '../../core/vault.ts';
import { deliverToHook, type DeliveryContext } from './deliver-to-hook.ts';
import {
  delivered,
  type DeliveryOutcome,
  FileTrouble,
  undeliverable,
  undelivered,
  VariableRefused,
} from './delivery-outcome.ts';
import type { ContentChange } from './plan-replacement.ts';
import { isOtherFormat, mostAssignments, setVariable } from './dotenv-file.ts';
import { replacePrivateFile } from './replace-private-file.ts';
import { settingEditor } from './setting/edit-setting.ts';
import { SettingRefused } from './setting/setting-source.ts';

/**
 * Delivers a token to one target and verifies that it arrived.
 *
 * May be repeated: a target that already has the token stays unchanged. Never rejects for an expected failure (a missing
 * folder, a full disk, a hook that fails, a locked keychain): that is an outcome. A rejection is a bug.
 */
export async function deliver(
  target: DeliveryTarget,
  token: string,
  context: DeliveryContext,
): Promise<DeliveryOutcome> {
  if (context.signal?.aborted === true) {
    return undelivered({ code: 'stopped' });
  }
  switch (target.kind) {
    case 'keychain':
      return deliverToKeychain(target, token, context.vault);
    case 'file':
      return deliverToFile(target, token, context);
    case 'dotenv':
      return deliverToDotenv(target, token, context);
    case 'setting':
      return deliverToSetting(target, token, context);
    case 'hook':
      return deliverToHook(target, token, context);
    default:
      return unreachable(target);
  }
}

/** Sets one variable of a dotenv file to the token; creates the file if it does not exist. */
async function deliverToDotenv(
  { path, variable, ...options }: DeliveryTargetOf<'dotenv'>,
  token: string,
  { ownPlaces }: Pick<DeliveryContext, 'ownPlaces'>,
): Promise<DeliveryOutcome> {
  try {
    await replacePrivateFile(path, dotenvContentOf(path, variable, token), ownPlaces, options);
    return delivered();
  } catch (error) {
    if (error instanceof FileTrouble) return error.outcome;
    if (!(error instanceof VariableRefused)) throw error;
    const problem = variableProblem(error, path, variable);
    return error.code === 'VALUE_UNQUOTABLE' ? undeliverable(problem) : undelivered(problem);
  }
}

/** The change that sets a variable of a dotenv file to the token. Throws `VariableRefused`. */
export function dotenvContentOf(path: string, variable: string, token: string): ContentChange {
  return (content) => {
    if (isOtherFormat(path)) throw new VariableRefused('NOT_DOTENV');
    return setVariable(content ?? Buffer.alloc(0), variable, token);
  };
}

/** Why a variable cannot be set in a file. */
export function variableProblem(
  { code, line }: VariableRefused,
  path: string,
  variable: string,
): DeliveryProblem {
  switch (code) {
    case 'NOT_DOTENV':
      return { code: 'not_dotenv', path, line };
    case 'MORE_ON_LINE':
      return { code: 'more_on_line', path, variable, line: line ?? 1 };
    case 'GOES_ON':
      return { code: 'goes_on', path, variable, line: line ?? 1 };
    case 'ENCRYPTED':
      return { code: 'encrypted', path, variable, line: line ?? 1 };
    case 'VALUE_UNQUOTABLE':
      return { code: 'not_quotable', path, variable };
    case 'NOT_TEXT':
      return { code: 'not_text', path };
    case 'TOO_MANY':
      return { code: 'too_many_variables', path, limit: mostAssignments };
    case 'QUOTES_ENTANGLED':
      return { code: 'quotes_open', path, variable };
    default:
      return unreachable(code);
  }
}

/** Sets one value of a settings file. */
async function deliverToSetting(
  target: DeliveryTargetOf<'setting'>,
  token: string,
  { ownPlaces }: Pick<DeliveryContext, 'ownPlaces'>,
): Promise<DeliveryOutcome> {
  try {
    const edit = await settingEditor(target, token);
    await replacePrivateFile(target.path, (content) => edit(content).content, ownPlaces, target);
    return delivered();
  } catch (error) {
    if (error instanceof FileTrouble) return error.outcome;
    if (!(error instanceof SettingRefused)) throw error;
    const problem = settingProblem(error, target);
    return error.reason === 'unwritable' ? undeliverable(problem) : undelivered(problem);
  }
}

/** Why a value of a settings file is not set. */
export function settingProblem(
  { reason, line }: SettingRefused,
  { path, key }: Pick<DeliveryTargetOf<'setting'>, 'path' | 'key'>,
): DeliveryProblem {
  return { code: 'setting', reason, path, key, line };
}

/** Makes a file contain the token and a newline, nothing else. */
async function deliverToFile(
  { path, newline, ...options }: DeliveryTargetOf<'file'>,
  token: string,
  { ownPlaces }: Pick<DeliveryContext, 'ownPlaces'>,
): Promise<DeliveryOutcome> {
  try {
    await replacePrivateFile(path, () => fileContentOf(token, newline), ownPlaces, options);
    return delivered();
  } catch (error) {
    if (error instanceof FileTrouble) return error.outcome;
    throw error;
  }
}

export function fileContentOf(token: string, newline = true): Buffer {
  return Buffer.from(newline ? `${token}\n` : token);
}

/**
 * Writes the keychain entry that another program reads, and reads it back.
 *
 * Only if the vault is a keychain: another program cannot read entries in our encrypted file.
 */
async function deliverToKeychain(
  target: DeliveryTargetOf<'keychain'>,
  token: string,
  vault: Vault,
): Promise<DeliveryOutcome> {
  const { service, account } = target;
  const obstacle = entryProblem(target, vault);
  if (obstacle !== null) return undeliverable(obstacle);
  try {
    await vault.write({ service, account }, token);
    if ((await vault.read({ service, account })) === token) return delivered();
  } catch (error) {
    if (!(error instanceof VaultUnavailable)) throw error;
    return undelivered({ code: 'entry_not_written', service, account, problem: error.problem });
  }
  return undelivered({ code: 'entry_read_back', service, account });
}

/** Why an entry can never be written here; null if it can. */
export function entryProblem(
  { service, account }: DeliveryTargetOf<'keychain'>,
  { kind }: Pick<Vault, 'kind'>,
): DeliveryProblem | null {
  if (isOwnService(service)) return { code: 'own_entry', service, account };
  return kind === 'file' ? { code: 'no_keychain', service, account } : null;
}
