#!/usr/bin/env node
/**
 * The command line. One file per command in `commands/`; each calls the running service through `client` and prints results
 * on stdout and messages on stderr. It decides nothing and reads no state file; only `commands/serve.ts` starts the host. Start reading here, then `build-program.ts` and `portal.ts`.
 */
import { runCli } from './run-cli.ts';
import { ignoreClosedPipes } from './terminal.ts';

ignoreClosedPipes();
// Set, without process.exit: the output is flushed first.
process.exitCode = await runCli(process.argv.slice(2), process);
