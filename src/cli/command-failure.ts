import { type ExitCode, exitCodes } from './exit-codes.ts';

/** A command did not do what it was asked: a sentence for stderr, and the exit code that says of which kind it is. */
export class CommandFailure extends Error {
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, options?: { cause: unknown }) {
    super(message, options);
    this.name = 'CommandFailure';
    this.exitCode = exitCode;
  }
}

export function wrongUsage(message: string): CommandFailure {
  return new CommandFailure(exitCodes.wrongUsage, message);
}
