import packageJson from '../../package.json' with { type: 'json' };
import { exitCodes } from './command-failure.ts';
import { ignoreClosedPipes, print, remark } from './terminal.ts';
import type { CredentialValue } from '../contract/credential/credential-view.ts';
import { commandIo } from './command-io.ts';
import { chosenDataDir } from './chosen-data-dir.ts';
import { useHeader, writeUse } from '../contract/credential/use-header.ts';
import { findService, readLocal } from './find-service.ts';
import { rememberDataDir } from './own-command.ts';
import { parentProgram } from './parent-program.ts';

/** Runs a command and sets the exit code; what scripts call often without loading the rest. */
export async function runFast(args: readonly string[]): Promise<void> {
  ignoreClosedPipes();
  if (args.includes('helper')) {
    const { readToolCall, answerTool } = await import('./connect/answer-tool.ts');
    const call = readToolCall(args);
    if (call !== null) {
      process.exitCode = await answerTool(call);
      return;
    }
  }
  // Set, without process.exit: the output is flushed first.
  if (await didQuickly(args)) {
    process.exitCode = exitCodes.done;
    return;
  }
  const { runCli } = await import('./run-cli.ts');
  const end = await runCli(args, process);
  if (typeof end === 'number') process.exitCode = end;
  // At once: nothing that is still open may keep this process running after the command.
  else (await import('./command-failure.ts')).endAs(end);
}

/**
 * Does what scripts call often, without loading the other commands, the schemas or Node's `fetch`; returns whether it did.
 *
 * Only `--version`, and of this machine `get NAME`, `status`, lists and what shows one thing, if they succeed. Everything else, also every failure, is for `runCli`, which asks
 * again and explains: see decisions/start-of-the-command-line.md.
 */
async function didQuickly(args: readonly string[]): Promise<boolean> {
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
    print(packageJson.version);
    return true;
  }
  const asked = readGet(args);
  const reading = asked === null ? readReading(args) : null;
  const { dataDir } = asked ?? reading ?? {};
  if (dataDir === undefined && (commandIo().env['ROTAVOX_HOST'] ?? '') !== '') return false;
  rememberDataDir(dataDir);
  if (reading !== null) return (await import('./read-quickly.ts')).readQuickly(reading.typed, reading);
  if (asked === null) return false;
  try {
    const { baseUrl, authorization, prove } = findService(chosenDataDir(asked));
    await prove();
    // As in the route `readCredentialValue` of the contract.
    const path = `/portal/credentials/${encodeURIComponent(asked.name)}/value`;
    const use = writeUse({ way: 'get', program: parentProgram() });
    const { status, body } = await readLocal(`${baseUrl}${path}`, { authorization, [useHeader]: use });
    if (status !== 200) return false;
    const reply: unknown = JSON.parse(body);
    if (!isCredentialValue(reply)) return false;
    print(reply.value);
    if (reply.note !== undefined) remark(reply.note);
    return true;
  } catch {
    return false;
  }
}

/** The arguments of `get`, if they are a name and perhaps a data folder; null for everything else. */
function readGet(args: readonly string[]): { readonly name: string; readonly dataDir?: string } | null {
  const [command, name, ...rest] = args[0] === '--data-dir' ? [...args.slice(2), ...args.slice(0, 2)] : args;
  // `.` and `..` would be steps in the path.
  if (command !== 'get' || name === undefined || /^(?:-|\.{0,2}$)/.test(name)) return null;
  if (rest.length === 0) return { name };
  const [option, dataDir] = rest;
  return rest.length === 2 && option === '--data-dir' && dataDir !== undefined ? { name, dataDir } : null;
}

/** The command, if it may be one of `readings` and has no options but those of all commands; null for everything else. */
function readReading(
  args: readonly string[],
): { readonly typed: readonly string[]; readonly json: boolean; readonly dataDir?: string } | null {
  const at = args.indexOf('--data-dir');
  const dataDir = args[at + 1];
  if (at >= 0 && dataDir === undefined) return null;
  const left = at < 0 ? args : args.toSpliced(at, 2);
  // Options of a command come after it.
  const json = left.at(-1) === '--json';
  const typed = json ? left.slice(0, -1) : left;
  const [first, ...more] = typed;
  const isReading =
    first === 'status' ||
    ((first === 'settings' || first === 'history') && more.length === 0) ||
    more.at(-1) === 'list' ||
    more.at(-2) === 'show';
  if (!isReading || typed.some((word) => word.includes('/'))) return null;
  return { typed, json, ...(at < 0 || dataDir === undefined ? {} : { dataDir }) };
}

/** The same check as the contract's. */
function isCredentialValue(value: unknown): value is CredentialValue {
  const reply: Partial<Record<keyof CredentialValue, unknown>> = value ?? {};
  const { note = '' } = reply;
  const texts = [reply.name, reply.value, reply.expires_at, note];
  return texts.every((text) => typeof text === 'string') && Number.isSafeInteger(reply.generation);
}
