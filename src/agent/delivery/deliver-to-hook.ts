import type { DeliveryTargetOf } from '../../contract/credential.ts';
import { unreachable } from '../../core/unreachable.ts';
import type { DeliveryContext } from './delivery-context.ts';
import { delivered, type DeliveryOutcome, undeliverable, undelivered } from './delivery-outcome.ts';
import { MaskedTail } from './masked-tail.ts';
import { type HookEnd, runHook } from './run-hook.ts';

const keptOutputBytes = 2048;

/**
 * Runs a command that takes the value on, on its stdin or in its environment; its exit code says whether it did.
 *
 * The value is never among its arguments, which every user of the machine can see. What it prints is kept without it.
 */
export async function deliverToHook(
  target: DeliveryTargetOf<'hook'>,
  value: string,
  context: DeliveryContext,
): Promise<DeliveryOutcome> {
  const [program = '', ...args] = target.command;
  // Checked here because the error of Node would quote the value.
  if (target.pass === 'env' && value.includes('\0')) {
    return undeliverable(
      `The value has a NUL character, which no environment can hold. Let the hook ${program} read it on stdin.`,
    );
  }
  const output = new MaskedTail(value, keptOutputBytes);
  const end = await runHook({
    program,
    args,
    env: environmentOf(target, value, context),
    input: target.pass === 'stdin' ? `${value}\n` : '',
    timeLimitMs: target.time_limit_seconds * 1000,
    signal: context.signal,
    onOutput: (stream, chunk) => output.add(stream, chunk),
  });
  const printed = output.end();
  if (end.kind === 'exited' && end.exitCode === 0) return delivered(printed === '' ? null : printed);
  const sentence = explainEnd(end, program, target.time_limit_seconds);
  return undelivered(printed === '' ? sentence : `${sentence} It printed: ${printed}`);
}

/** That of this process, without what opens the vault, and with what the hook should know. */
function environmentOf(
  { pass, variable }: DeliveryTargetOf<'hook'>,
  value: string,
  { credential, generation }: DeliveryContext,
): NodeJS.ProcessEnv {
  // Names have no case on Windows.
  const inherited = Object.entries(process.env).filter(([name]) => !/^ROTAVOX_VAULT_/i.test(name));
  return {
    ...Object.fromEntries(inherited),
    ROTAVOX_CREDENTIAL: credential,
    ROTAVOX_GENERATION: String(generation),
    ...(pass === 'env' ? { [variable]: value } : {}),
  };
}

function explainEnd(end: HookEnd, program: string, timeLimitSeconds: number): string {
  switch (end.kind) {
    case 'exited':
      return `The hook ${program} ended with exit code ${end.exitCode}. Run it by hand to see what it lacks, and mend it.`;
    case 'killed':
      return `The hook ${program} was ended by ${end.signal}. Find out who sent it, or why it crashed.`;
    case 'not_started':
      return explainNoStart(end.code, program);
    case 'time_limit':
      return (
        `The hook ${program} did not end within ${timeLimitSeconds} s, so it was ended with everything it had ` +
        'started. Make it quicker, or give the target a longer time limit.'
      );
    case 'stopped':
      return `The hook ${program} was ended because Rotavox stops. It is run again after the next start.`;
    default:
      return unreachable(end);
  }
}

/** Why a program cannot be started, by the system's code, and what to do. */
export function explainNoStart(code: string, program: string): string {
  switch (code) {
    case 'ENOENT':
      return (
        `The hook ${program} was not found, or the interpreter that its first line names was not. ` +
        'Install it, or correct the command of the target.'
      );
    case 'EACCES':
      return (
        `The hook ${program} may not be run. Make it an executable file (chmod +x), or name the program that runs ` +
        'it first in the command of the target.'
      );
    default:
      return `The hook ${program} could not be started (${code}). Try the command of the target by hand.`;
  }
}
