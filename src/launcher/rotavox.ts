/*
 * The launcher: starts Rotavox from a checkout.
 *
 * Here: building what is missing or stale, finding an Electron runtime, starting the app (`npm start`, start.ts) and the
 * command line (`out/rotavox`, or `npm run --silent rotavox -- <args>`: this file). Not here: anything the installed program needs; it has
 * no launcher. It may not import other modules, because it runs before they are built.
 * Start reading at start.ts, then ensure-built.ts and electron-runtime.ts.
 */
import { pathToFileURL } from 'node:url';
import { checkoutDir } from './checkout.ts';
import { builtFile, ensureBuilt } from './ensure-built.ts';
import { sentenceOf } from './sentence-of.ts';

try {
  await ensureBuilt({ tell: (line) => process.stderr.write(`${line}\n`) });
} catch (error) {
  process.stderr.write(`${sentenceOf(error)}\n`);
  process.exit(1);
}

// In this process, not in a child: stdin, stdout, the exit code and all signals are then the command's own.
const cli = builtFile('cli/index.js');
process.argv[1] = cli;

/**
 * Changes to the folder that `npm run rotavox` was called from, so that relative paths work as the person expects.
 *
 * npm runs a script in the folder of its package and stores the other one in `INIT_CWD`. If
 * that folder no longer exists, the working directory stays.
 */
function goWhereCalled(env: NodeJS.ProcessEnv): void {
  const { INIT_CWD: calledFrom, npm_lifecycle_event: script } = env;
  if (script !== 'rotavox' || calledFrom === undefined || process.cwd() !== checkoutDir) return;
  try {
    process.chdir(calledFrom);
  } catch {
    // It does not exist or may not be entered: see above.
  }
}

goWhereCalled(process.env);
await import(pathToFileURL(cli).href);
