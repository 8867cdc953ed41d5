import { CommanderError } from 'commander';
import { unexpectedFailure } from '../text/cli/cli.ts';
import { stackOf } from '../text/service/stack-of.ts';
import { buildProgram } from './build-program.ts';
import { CommandFailure, EndsAs, type ExitCode, exitCodes } from './command-failure.ts';
import { type CommandIo, withIo } from './command-io.ts';
import type { Ending } from './end-as.ts';
import { say } from './terminal.ts';

/** Runs one command to its end and returns its exit code, or how the program ended that it ran. `serve` ends the process itself. */
export function runCli(args: readonly string[], io: CommandIo): Promise<ExitCode | Ending> {
  return withIo(io, async () => {
    try {
      await buildProgram().parseAsync(args, { from: 'user' });
      return exitCodes.done;
    } catch (error) {
      // Commander has printed it already. Its exit code is 0 after help and version.
      if (error instanceof CommanderError)
        return error.exitCode === 0 ? exitCodes.done : exitCodes.wrongUsage;
      if (error instanceof EndsAs) return error.ending;
      if (error instanceof CommandFailure) {
        say(...error.lines);
        return error.exitCode;
      }
      say(...unexpectedFailure(stackOf(error)));
      return exitCodes.failed;
    }
  });
}
