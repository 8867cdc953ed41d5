#!/usr/bin/env node
/**
 * CLI: the owner's side of Rotavox on the command line. One file per command in `commands/`; each asks the running
 * service through `client` and prints: results on stdout, words on stderr. It decides nothing and reads no state file;
 * only `commands/serve.ts` starts the host. Start reading here, then `build-program.ts` and `portal.ts`.
 */
import { runCli } from './run-cli.ts';
import { bearClosedPipes } from './terminal.ts';

bearClosedPipes();
// Set, not called: what was printed gets out first.
process.exitCode = await runCli(process.argv.slice(2), process);
