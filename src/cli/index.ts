#!/usr/bin/env node
/**
 * The command line. One file per command in `commands/`; each calls the running service through `client` and prints results
 * on stdout and messages on stderr. It decides nothing and reads no state file; only `commands/serve.ts` starts the host. Start reading here, then `build-program.ts` and `portal.ts`.
 */
import { exitCodes } from './command-failure.ts';
import { didQuickly } from './quick-command.ts';
import { ignoreClosedPipes } from './terminal.ts';

ignoreClosedPipes();
const args = process.argv.slice(2);
// No await at the top level: the executable of the desktop packages starts this file by require().
void run();

async function run(): Promise<void> {
  // Set, without process.exit: the output is flushed first.
  process.exitCode = (await didQuickly(args))
    ? exitCodes.done
    : await (await import('./run-cli.ts')).runCli(args, process);
}
