import { CommanderError } from 'commander';
import { buildProgram } from './build-program.ts';
import { CommandFailure, type ExitCode, exitCodes } from './command-failure.ts';
import { type CommandIo, withIo } from './command-io.ts';
import { say } from './terminal.ts';

/** Runs one command to its end and returns its exit code. `serve` and `exec` end the process themselves. */
export function runCli(args: readonly string[], io: CommandIo): Promise<ExitCode> {
  return withIo(io, async () => {
    try {
      await buildProgram().parseAsync(args, { from: 'user' });
      return exitCodes.done;
    } catch (error) {
      // Commander has said it already, and ends with 0 after help and version.
      if (error instanceof CommanderError)
        return error.exitCode === 0 ? exitCodes.done : exitCodes.wrongUsage;
      if (error instanceof CommandFailure) {
        say(...error.lines);
        return error.exitCode;
      }
      say(
        'rotavox failed unexpectedly. This is a bug; please report it with these lines:',
        ...storyOf(error),
      );
      return exitCodes.failed;
    }
  });
}

function storyOf(error: unknown): string[] {
  return (error instanceof Error ? (error.stack ?? error.message) : String(error)).split('\n');
}
