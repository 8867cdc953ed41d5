import { exitCodes } from './command-failure.ts';
import { didQuickly } from './quick-command.ts';
import { ignoreClosedPipes } from './terminal.ts';

/** Runs a command and sets the exit code; what scripts call often without loading the rest. */
export async function runFast(args: readonly string[]): Promise<void> {
  ignoreClosedPipes();
  // Set, without process.exit: the output is flushed first.
  if (await didQuickly(args)) {
    process.exitCode = exitCodes.done;
    return;
  }
  const { runCli } = await import('./run-cli.ts');
  const end = await runCli(args, process);
  if (typeof end === 'number') process.exitCode = end;
  // At once: nothing that is still open may keep this process running after the command.
  else (await import('./end-as.ts')).endAs(end);
}
