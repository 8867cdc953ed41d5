import { constants } from 'node:os';

/**
 * A command failed: its message for stderr and its exit code.
 *
 * A message stays on one line, whatever names are in it; a message of several lines is given as an array.
 */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode;
  readonly lines: readonly string[];

  constructor(exitCode: ExitCode, message: string | readonly string[], options?: { cause: unknown }) {
    const lines = typeof message === 'string' ? [message] : message;
    super(lines.join('\n'), options);
    this.name = 'CommandFailure';
    this.exitCode = exitCode;
    this.lines = lines;
  }
}

/** A command has to end as the program ended that it ran: for `run-fast.ts`, which then ends the process. */
export class EndsAs extends Error {
  readonly ending: Ending;

  constructor(ending: Ending) {
    super(JSON.stringify(ending));
    this.name = 'EndsAs';
    this.ending = ending;
  }
}

export function wrongUsage(message: string | readonly string[]): CommandFailure {
  return new CommandFailure(exitCodes.wrongUsage, message);
}

/** What the exit codes of commands mean. */
export const exitCodes = { done: 0, failed: 1, wrongUsage: 2, notRunning: 3 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/**
 * Does in this process what a host does. What the host refuses ends the command with its sentence; why it refuses is loaded only then,
 * so that no command waits for it.
 */
export async function withHost<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const { HostError } = await import('../host/host-error.ts');
    if (!(error instanceof HostError)) throw error;
    throw new CommandFailure(exitCodes.failed, error.message, { cause: error });
  }
}

/** How a process ended. */
export type Ending =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly signal: NodeJS.Signals };

/** A shell adds this to the number of a signal to make an exit code. */
const signalBase = 128;

/** Signals that write the memory of the process to disk: ours contains tokens. */
const dumping = new Set<NodeJS.Signals>([
  ...(['SIGQUIT', 'SIGILL', 'SIGTRAP', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGSEGV', 'SIGXCPU'] as const),
  ...(['SIGXFSZ', 'SIGSYS'] as const),
]);

/**
 * Ends this process as another one ended, so that its caller sees no difference.
 *
 * By the same signal, or with 128 plus its number, as a shell does, after a signal that would write a core dump or that does
 * not end this process (SIGPIPE). There may be no listener for the signal any more.
 */
export function endAs(ending: Ending): never {
  if (ending.kind === 'exited') process.exit(ending.code);
  const { signal } = ending;
  if (!dumping.has(signal)) process.kill(process.pid, signal);
  process.exit(signalBase + constants.signals[signal]);
}
