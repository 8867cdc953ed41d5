import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
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
import { noProxyVariables, proxyVariables } from '../../contract/service/network.ts';
import {
  type ProxyAddress,
  proxyName,
  proxyUrl,
  readProxyAddress,
} from '../../contract/service/proxy-address.ts';
import type { SettingsChange } from '../../contract/service/settings.ts';
import { proxyAddressText } from '../../text/service/network-text.ts';
import { replacePath } from '../../system/replace-path.ts';

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
    await remove(runner, dataDir);
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
  await remove(runner, dataDir);
  say(backgroundServiceText.uninstalled, backgroundServiceText.dataKept(dataDir));
  const passphraseFile = runner.passphraseFile(dataDir);
  if (existsSync(passphraseFile)) say(backgroundServiceText.passphraseKept(passphraseFile));
}

async function remove(runner: ServiceRunner, dataDir: string): Promise<void> {
  if (!existsSync(runner.file)) return;
  if (runner.endsHard && (await runner.state()).isRunning) await stopByCall(dataDir);
  await runner.disable();
  for (const { path } of runner.files({ command: [], logFile: '' }, null)) await rm(path, { force: true });
  await runner.forget();
}

/** How long a service that was asked to end may take, in milliseconds: ten seconds of its own, and a slow disk. */
const stopLimitMs = 20_000;

/**
 * Asks the service of a data folder to end, and waits until it has. False: it does not answer, refuses, or goes on; then nothing is lost but
 * the calls that it is answering.
 */
export async function stopByCall(dataDir: string): Promise<boolean> {
  try {
    await openPortal({ dataDir }).ask('stopService', { body: {} });
  } catch (error) {
    if (error instanceof CommandFailure) return false;
    throw error;
  }
  const endMs = performance.now() + stopLimitMs;
  while (isRunning(dataDir)) {
    if (performance.now() > endMs) return false;
    await wait(100);
  }
  return true;
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

async function writeWhole({ path, content, mode }: ServiceFile): Promise<void> {
  const fresh = `${path}.new`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(fresh, content, { mode, flush: true });
    await replacePath(fresh, path);
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

/** What a terminal says about the network, which a service that the system starts would not know. */
interface CarriedNetwork {
  readonly proxy: ProxyAddress | null;
  readonly noProxy: string | null;
  readonly certificates: string | null;
}

/** Reads it, and throws a failure for what could not be used. */
function networkOf(
  env: NodeJS.ProcessEnv,
  { mayRead }: { readonly mayRead: (file: string) => boolean },
): CarriedNetwork {
  const named = firstOf([...proxyVariables['https:'], ...proxyVariables['http:']], env);
  const read = named === null ? null : readProxyAddress(named.value);
  if (named !== null && read?.ok === false)
    throw failure({ code: 'proxy_invalid', variable: named.name, because: proxyAddressText(read.problem) });
  const file = firstOf(['NODE_EXTRA_CA_CERTS'], env)?.value;
  const certificates = file === undefined ? null : resolve(file);
  if (certificates !== null && !(existsSync(certificates) && mayRead(certificates)))
    throw failure({ code: 'certificates_unreadable', file: certificates });
  return {
    proxy: read?.ok === true ? read.value : null,
    noProxy: firstOf(noProxyVariables, env)?.value ?? null,
    certificates,
  };
}

function firstOf(names: readonly string[], env: NodeJS.ProcessEnv) {
  for (const name of names) {
    const value = env[name]?.trim() ?? '';
    if (value !== '') return { name, value };
  }
  return null;
}

/**
 * Gives it to the service of a data folder as its settings, which name no secret; the login of a proxy goes into its vault. What was
 * set there before stays. Returns what was taken over, for people.
 */
async function carryNetwork(
  { proxy, noProxy, certificates }: CarriedNetwork,
  dataDir: string,
): Promise<readonly string[]> {
  if (proxy === null && certificates === null) return [];
  const portal = openPortal({ dataDir });
  const now = await portal.ask('readSettings');
  const takesProxy = proxy !== null && now.proxy === 'system';
  const takesCertificates = certificates !== null && now.certificates === null;
  const change: SettingsChange = {
    ...(takesProxy ? { proxy: proxyUrl(proxy) } : {}),
    ...(takesProxy && noProxy !== null && now.no_proxy === null ? { no_proxy: noProxy } : {}),
    ...(takesCertificates ? { certificates } : {}),
  };
  if (Object.keys(change).length === 0) return [];
  await portal.ask('changeSettings', { body: change });
  if (takesProxy && proxy.login !== null) await portal.ask('setProxyLogin', { body: proxy.login });
  return [...(takesProxy ? [proxyName(proxy)] : []), ...(takesCertificates ? [certificates] : [])];
}
