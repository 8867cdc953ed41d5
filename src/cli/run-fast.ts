import { exitCodes } from './command-failure.ts';
import { didQuickly } from './quick-command.ts';
import { ignoreClosedPipes } from './terminal.ts';

/** Runs a command and sets the exit code; what scripts call often without loading the rest. */
export async function runFast(args: readonly string[]): Promise<void> {
  ignoreClosedPipes();
  // Set, without process.exit: the output is flushed first.
  process.exitCode = (await didQuickly(args))
    ? exitCodes.done
    : await (await import('./run-cli.ts')).runCli(args, process);
}
