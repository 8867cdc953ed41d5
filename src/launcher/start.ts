/*
 * `npm start`: Rotavox from a checkout.
 *
 * With a display and an Electron runtime, the desktop app. Without one of them the same host, headless, with the same
 * windows in a browser: one line says which is missing, and the sign-in link follows.
 */
import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { checkoutDir } from './checkout.ts';
import { lineForCommand } from './checkout-command.ts';
import { electronFlags, findElectronRuntime } from './electron-runtime.ts';
import { builtFile, ensureBuilt } from './ensure-built.ts';
import { failedDownloadNote } from './official-electron.ts';
import { capitalised, sentenceOf } from './sentence-of.ts';

const usage = `Usage: npm start -- [--headless] [--hidden | --quit] [--port N|0] [--data-dir DIR] [--host URL|none]

Starts the desktop app, or the service alone where no window can open.
  --headless       the service alone, with its windows in a browser
  --hidden         the desktop app in the tray, without a window
  --quit           ask the desktop app that runs to quit, and wait until it has
  --port N         the port to listen on (0 takes any free one)
  --data-dir DIR   where tokens, phone menus and their history are kept
  --host URL       the desktop app also shows this host for a team; none: only this computer

A download of Electron that failed is not tried again for a day, or until this file is deleted:
  ${failedDownloadNote(process.env)}
`;

interface StartOptions {
  readonly headless: boolean;
  readonly hidden: boolean;
  readonly quit: boolean;
  readonly port: string | undefined;
  readonly dataDir: string | undefined;
  readonly host: string | undefined;
}

/** How an Electron run ended: with an exit code after it was up, or before that. */
type ElectronEnd =
  | { readonly kind: 'ended'; readonly exitCode: number }
  /** It asks to be started again with these flags. */
  | { readonly kind: 'again'; readonly flags: readonly string[] }
  | { readonly kind: 'never-up'; readonly reason: string };

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

async function start(): Promise<void> {
  const options = readOptions();
  await ensureBuilt({ tell: say });
  const line = lineForCommand(checkoutDir);
  if (line !== null) say(`For the command rotavox in a terminal, type there: ${line}`);
  if (options.headless) return await startHeadless(options);

  const noDisplay = whyNoDisplay(process.env);
  if (noDisplay !== undefined) return await startWithout(noDisplay, options);
  const runtime = await findElectronRuntime({ tell: (line) => say(capitalised(line)) });
  if (runtime.kind === 'missing') return await startWithout(runtime.reason, options);
  let end = await runElectron(runtime.executablePath, options, []);
  while (end.kind === 'again') end = await runElectron(runtime.executablePath, options, end.flags);
  if (end.kind === 'never-up') return await startWithout(end.reason, options);
  process.exitCode = end.exitCode;
}

async function startWithout(reason: string, options: StartOptions): Promise<void> {
  if (options.quit) {
    say(`No app can be asked to quit: ${reason}.`);
    process.exitCode = 1;
    return;
  }
  say(`No window can open: ${reason}. Starting without one; sign in with a browser.`);
  await startHeadless(options);
}

function readOptions(): StartOptions {
  try {
    const { values } = parseArgs({
      options: {
        headless: { type: 'boolean', default: false },
        hidden: { type: 'boolean', default: false },
        quit: { type: 'boolean', default: false },
        port: { type: 'string' },
        'data-dir': { type: 'string' },
        host: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) {
      process.stdout.write(usage);
      process.exit(0);
    }
    const { headless, hidden, quit } = values;
    return { headless, hidden, quit, port: values.port, dataDir: values['data-dir'], host: values.host };
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n\n${usage}`);
    process.exit(2);
  }
}

function whyNoDisplay(env: NodeJS.ProcessEnv): string | undefined {
  if (process.platform !== 'linux' || env['DISPLAY'] || env['WAYLAND_DISPLAY']) return undefined;
  return 'there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)';
}

/** Runs `rotavox serve --open` in this process, which then handles its signals and its exit code. */
async function startHeadless({ port, dataDir }: StartOptions): Promise<void> {
  const cli = builtFile('cli/index.js');
  process.argv = [
    process.execPath,
    cli,
    'serve',
    '--open',
    ...(port === undefined ? [] : ['--port', port]),
    ...(dataDir === undefined ? [] : ['--data-dir', dataDir]),
  ];
  await import(pathToFileURL(cli).href);
}

/**
 * Runs the app until it ends, and passes every request to end on to it.
 *
 * The app reports over IPC when Electron is up. If Electron ends before (a library is missing, the display
 * refuses, the system forbids the sandbox), the caller runs the service headless.
 */
async function runElectron(
  executablePath: string,
  { hidden, quit, port, dataDir, host }: StartOptions,
  more: readonly string[],
): Promise<ElectronEnd> {
  const env: NodeJS.ProcessEnv = { ...process.env };
  delete env['ELECTRON_RUN_AS_NODE']; // set in the terminals of some editors; it would turn the app into a bare Node
  if (port !== undefined) env['ROTAVOX_PORT'] = port;
  if (dataDir !== undefined) env['ROTAVOX_DATA_DIR'] = dataDir;

  const chosen = [...(hidden ? ['--hidden'] : []), ...(quit ? ['--quit'] : [])];
  const flags = [...chosen, ...(host === undefined ? [] : [`--host=${host}`]), ...more];
  const child = spawn(executablePath, [...electronFlags(), checkoutDir, ...flags], {
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // In its own group: otherwise Ctrl+C would reach every process of Electron at once, and the app a second time
    // through us, which Chromium treats as a request to end without finishing anything.
    detached: process.platform !== 'win32',
  });
  let isUp = false;
  let isEndAsked = false;
  let again: readonly string[] | null = null;
  child.on('message', (message) => {
    isUp = true;
    if (Array.isArray(message)) again = message.map(String);
  });

  const askToEnd = (signal: NodeJS.Signals): void => {
    if (isEndAsked) return; // npm and the terminal both send it; a second one after three seconds ends the app
    isEndAsked = true;
    setTimeout(() => process.on(signal, () => child.kill('SIGKILL')), 3000).unref();
    // Windows has no signals to pass on: kill() would end the app during its work.
    if (process.platform === 'win32') child.send('quit');
    else child.kill(signal);
  };
  const signals: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, askToEnd);

  try {
    return await new Promise<ElectronEnd>((resolve) => {
      child.once('error', ({ message }) => {
        resolve({ kind: 'never-up', reason: `Electron could not be started (${message})` });
      });
      child.once('close', (code, signal) => {
        if (again !== null && !isEndAsked) return resolve({ kind: 'again', flags: again });
        // Code 0 before it was up: another instance already has this data folder, and its window was brought to the front.
        if (isUp || isEndAsked || code === 0) return resolve({ kind: 'ended', exitCode: code ?? 1 });
        const how = signal ?? `exit code ${String(code)}`;
        const display = env['WAYLAND_DISPLAY'] ?? env['DISPLAY'];
        const where = display === undefined ? '' : ` on display ${display}`;
        resolve({ kind: 'never-up', reason: `Electron ended before it was up${where} (${how})` });
      });
    });
  } finally {
    for (const signal of signals) process.removeAllListeners(signal);
  }
}

try {
  await start();
} catch (error) {
  say(sentenceOf(error));
  process.exitCode = 1;
}
