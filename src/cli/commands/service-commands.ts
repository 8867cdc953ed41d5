import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { isSea } from 'node:sea';
import { setTimeout as wait } from 'node:timers/promises';
import { defaultPort } from '../../contract/address.ts';
import { backgroundServiceHelp, backgroundServiceText } from '../../text/cli/cli-background-service.ts';
import { vaultText } from '../../text/cli/cli-service.ts';
import { whereTokensAre } from '../../text/credential/vault-text.ts';
import { type CommandGroup, customCommand } from '../command-table.ts';
import { carryNetwork, networkOf } from '../carried-network.ts';
import { vaultKinds, type VaultOptions } from '../chosen-vault.ts';
import { CommandFailure, exitCodes, wrongUsage } from '../command-failure.ts';
import { commandIo } from '../command-io.ts';
import { chosenDataDir, type GlobalOptions } from '../chosen-data-dir.ts';
import { findService } from '../find-service.ts';
import { formatTable } from '../format-table.ts';
import { largestPort, wholeNumber } from '../option-values.ts';
import {
  builtScript,
  failure,
  type ServiceFile,
  type ServiceRunner,
  serviceRunner,
} from '../service-runner.ts';
import { openPortal } from '../open-portal.ts';
import { print, printJson, say } from '../terminal.ts';

interface ServiceOptions extends GlobalOptions {
  readonly system?: true;
}

interface InstallOptions extends ServiceOptions, VaultOptions {
  readonly port?: number;
}

/** How long an installed service may take to answer, in milliseconds. */
const startLimitMs = 30_000;

const { install: installHelp } = backgroundServiceHelp;
const system = { '--system': installHelp.system } as const;

export const serviceCommands: CommandGroup = {
  help: backgroundServiceHelp,
  commands: {
    install: customCommand({
      help: installHelp,
      options: {
        ...system,
        '--port <n>': { help: installHelp.port, read: wholeNumber(1, largestPort) },
        '--vault <kind>': { help: installHelp.vault, choices: vaultKinds },
        '--vault-passphrase-file <file>': installHelp.passphraseFile,
      },
      json: false,
      run: install,
    }),
    status: customCommand({ help: backgroundServiceHelp.status, options: system, run: showStatus }),
    uninstall: customCommand({
      help: backgroundServiceHelp.uninstall,
      options: system,
      json: false,
      run: uninstall,
    }),
  },
};

/** Writes the files, starts the service and waits until it answers; if anything fails, all of it is taken back. */
async function install(options: InstallOptions): Promise<void> {
  refuseWrongUsage(options);
  const { runner, dataDir, logFile } = runnerOf(options);
  if (existsSync(runner.file)) throw failure({ code: 'installed', file: runner.file });
  await runner.check();
  if (isRunning(dataDir)) throw failure({ code: 'running', dataDir });
  const port = options.port ?? (existsSync(dataDir) ? undefined : defaultPort);
  if (port !== undefined && !(await isFree(port))) throw failure({ code: 'port_taken', port });
  const program = isSea() ? [process.execPath] : [process.execPath, builtScript];
  const hidden = options.system ? program.find((file) => !isForEveryone(file)) : undefined;
  if (hidden !== undefined) throw failure({ code: 'private_program', file: hidden });

  const network = networkOf(commandIo().env, {
    mayRead: (file) => options.system !== true || isForEveryone(file),
  });
  const passphrase = passphraseFor(options, runner, dataDir);
  const args = ['serve', '--json', '--data-dir', dataDir];
  if (options.port !== undefined) args.push('--port', String(options.port));
  if (options.vault === 'keychain') args.push('--vault', 'keychain');
  else if (passphrase !== null && !runner.givesPassphrase)
    args.push('--vault', 'file', '--vault-passphrase-file', passphrase.file);
  const files = runner.files({ command: [...program, ...args], logFile }, passphrase?.file ?? null);

  let carried: readonly string[];
  try {
    if (passphrase?.isNew === true)
      await writeWhole({
        path: passphrase.file,
        content: `${randomBytes(32).toString('base64url')}\n`,
        mode: 0o600,
      });
    for (const file of files) await writeWhole(file);
    await runner.enable();
    await waitUntilRunning(dataDir, runner);
    carried = await carryNetwork(network, dataDir);
  } catch (error) {
    await remove(runner);
    // A vault that was made with it would be lost without it.
    if (passphrase?.isNew === true && !existsSync(join(dataDir, vaultName)))
      await rm(passphrase.file, { force: true }).catch(() => undefined); // it may be what cannot be written
    throw error;
  }
  say(backgroundServiceText.installed(findService(dataDir).baseUrl, dataDir));
  if (passphrase?.isNew === true) say(backgroundServiceText.passphraseMade(passphrase.file));
  else {
    const { vault: used } = await openPortal({ dataDir }).ask('portalStatus');
    if (used !== undefined) say(whereTokensAre(used));
  }
  if (carried.length > 0) say(backgroundServiceText.networkTaken(carried));
  const startTime = await runner.startTime();
  say(backgroundServiceText.startsAt[startTime]);
  if (startTime === 'sign_in' && process.platform === 'linux')
    say(backgroundServiceText.lingerCommand(userInfo().username));
  if (options.system) say(backgroundServiceText.useSystemData(dataDir));
}

async function showStatus(options: ServiceOptions & { readonly json: boolean }): Promise<void> {
  const { runner, dataDir } = runnerOf(options);
  const { file } = runner;
  const isInstalled = existsSync(file);
  const { isEnabled, isRunning: runs } = isInstalled
    ? await runner.state()
    : { isEnabled: false, isRunning: false };
  if (options.json)
    printJson({ installed: isInstalled, file, enabled: isEnabled, running: runs, data_dir: dataDir });
  if (!isInstalled) throw failure({ code: 'not_installed', file }, exitCodes.notRunning);
  const { rows } = backgroundServiceText;
  const yesNo = (value: boolean): string => (value ? rows.yes : rows.no);
  const table = [
    [rows.service, file],
    [rows.enabled, yesNo(isEnabled)],
    [rows.running, yesNo(runs)],
  ];
  if (!options.json) for (const line of formatTable(table)) print(line);
  if (runs) return;
  const reason = await runner.lastMessage();
  throw failure({ code: 'not_running', reason, program: missingProgram(file) }, exitCodes.notRunning);
}

async function uninstall(options: ServiceOptions): Promise<void> {
  const { runner, dataDir } = runnerOf(options);
  if (!existsSync(runner.file)) throw failure({ code: 'not_installed', file: runner.file });
  await runner.check();
  await remove(runner);
  say(backgroundServiceText.uninstalled, backgroundServiceText.dataKept(dataDir));
  const passphraseFile = runner.passphraseFile(dataDir);
  if (existsSync(passphraseFile)) say(backgroundServiceText.passphraseKept(passphraseFile));
}

async function remove(runner: ServiceRunner): Promise<void> {
  if (!existsSync(runner.file)) return;
  await runner.disable();
  for (const { path } of runner.files({ command: [], logFile: '' }, null)) await rm(path, { force: true });
  await runner.forget();
}

function runnerOf(options: ServiceOptions): { runner: ServiceRunner; dataDir: string; logFile: string } {
  const chosen = chosenDataDir(options);
  const logFile = join(chosen, '..', 'service.log');
  const runner = serviceRunner({ isSystem: options.system === true, logFile });
  return { runner, dataDir: runner.dataDir(chosen), logFile };
}

/** The file of the encrypted vault in a data folder. */
const vaultName = 'vault.json';
const keyFileName = 'vault.key';

interface Passphrase {
  readonly file: string;
  /** Whether it is still to be made. */
  readonly isNew: boolean;
}

/** Said before anything of this machine, which cannot make the options right. */
function refuseWrongUsage({ vault, vaultPassphraseFile, system }: InstallOptions): void {
  if (vault !== 'keychain') return;
  if (vaultPassphraseFile !== undefined) throw wrongUsage(vaultText.fileOptionOnly);
  if (system) throw failure({ code: 'no_keychain' }, exitCodes.wrongUsage);
}

/** The passphrase of the file vault that the service uses; null if it uses the keychain, or what any other start would use. */
function passphraseFor(options: InstallOptions, runner: ServiceRunner, dataDir: string): Passphrase | null {
  const { vault, vaultPassphraseFile: given } = options;
  if (vault === 'keychain') return null;
  if (given !== undefined) return { file: resolve(given), isNew: false };
  const file = runner.passphraseFile(dataDir);
  if (existsSync(file)) return { file, isNew: false };
  if (existsSync(join(dataDir, keyFileName))) return null;
  const vaultFile = join(dataDir, vaultName);
  if (existsSync(vaultFile)) throw failure({ code: 'passphrase_needed', vaultFile });
  return vault === 'file' || runner.givesPassphrase ? { file, isNew: true } : null;
}

function isRunning(dataDir: string): boolean {
  try {
    findService(dataDir);
    return true;
  } catch (error) {
    if (error instanceof CommandFailure) return false;
    throw error;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((settle) => {
    const server = createServer();
    server.once('error', () => settle(false));
    server.listen(port, '127.0.0.1', () => server.close(() => settle(true)));
  });
}

/** The services of systemd do not see the homes of people, and an account of its own has no rights of the owner. */
function isForEveryone(file: string): boolean {
  if (/^\/(?:home|root|run\/user)\//.test(file)) return false;
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return (statSync(file).mode & 0o004) !== 0;
  }
}

/** The program of an installed service if it is gone, for example with an old version of Node; otherwise null. */
function missingProgram(definition: string): string | null {
  const [line = ''] = /^ExecStart=.*$/m.exec(readFileSync(definition, 'utf8')) ?? [];
  const [program, script] = [...line.matchAll(/"(\/[^"\\%$]*)"/g)].map(([, path]) => path);
  return [program, script].find((path) => path !== undefined && !existsSync(path)) ?? null;
}

/** Writes a file as a whole or not at all. */
async function writeWhole({ path, content, mode }: ServiceFile): Promise<void> {
  const fresh = `${path}.new`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(fresh, content, { mode, flush: true });
    await rename(fresh, path);
  } catch (error) {
    await rm(fresh, { force: true }).catch(() => undefined); // it may be what cannot be written
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw failure({ code: 'not_written', file: path, error: code }, exitCodes.failed, error);
  }
}

/** Throws a failure when the service has not started in time, or has ended again. */
async function waitUntilRunning(dataDir: string, runner: ServiceRunner): Promise<void> {
  const endMs = performance.now() + startLimitMs;
  while (!isRunning(dataDir)) {
    const reason = (await runner.state()).isRunning ? null : await runner.lastMessage();
    if (reason !== null || performance.now() > endMs) throw failure({ code: 'not_started', reason });
    await wait(100);
  }
}
