import type { Ending } from './end-as.ts';

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
