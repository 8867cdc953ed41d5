#!/usr/bin/env node
/**
 * The command line. A command is a value in a table (`command-table.ts`), the commands about one thing are a file in `commands/`; each calls
 * the running service through `client` and prints results on stdout and messages on stderr. It decides nothing and reads no state
 * file; only `commands/serve.ts` starts the host. Start reading here, then `run-fast.ts`, `run-cli.ts` and `command-table.ts`.
 *
 * This file and its imports have only syntax of Node 12, so that a Node that is too old says so.
 */
import packageJson from '../../package.json' with { type: 'json' };
import { isOlderNode } from './is-older-node.ts';
import { nodeTooOldText } from '../text/service/node-version.ts';

const { version, engines } = packageJson;
const { execPath, versions } = process;

if (isOlderNode(versions.node, engines.node)) {
  // oxlint-disable-next-line no-console -- terminal.ts needs a newer Node, and this text is our own
  console.error(nodeTooOldText({ version, needed: engines.node, found: versions.node, execPath }));
  process.exitCode = 1;
} else {
  // No await at the top level: the executable of the desktop packages starts this file by require().
  void import('./run-fast.ts').then(({ runFast }) => runFast(process.argv.slice(2)));
}
