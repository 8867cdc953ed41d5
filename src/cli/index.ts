#!/usr/bin/env node
/**
 * CLI: the owner's side of Rotavox on the command line. One file per command in `commands/`; each asks the running
 * service through `client` and prints: results on stdout, words on stderr. It decides nothing and reads no state file;
 * only `commands/serve.ts` starts the host. Start reading here, then `build-program.ts` and `portal.ts`.
 */
import { CommanderError } from 'commander';
import { buildProgram } from './build-program.ts';
import { CommandFailure, type ExitCode, exitCodes } from './command-failure.ts';
import { bearClosedPipes, say } from './terminal.ts';

async function run(args: readonly string[]): Promise<ExitCode> {
  const program = buildProgram();
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    // Commander has said it already, and ends with 0 after help and version.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.wrongUsage;
    if (error instanceof CommandFailure) {
      say(...error.lines);
      return error.exitCode;
    }
    say('rotavox failed unexpectedly. This is a bug; please report it with these lines:', ...storyOf(error));
    return exitCodes.failed;
  }
}

function storyOf(error: unknown): string[] {
  return (error instanceof Error ? (error.stack ?? error.message) : String(error)).split('\n');
}

bearClosedPipes();
// Set, not called: what was printed gets out first.
process.exitCode = await run(process.argv.slice(2));
