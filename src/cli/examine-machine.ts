import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { defaultPort, loopbackAddress } from '../contract/address.ts';
import type { PortalStatus } from '../contract/service/portal.ts';
import { proxyName, readProxyAddress } from '../contract/service/proxy-address.ts';
import type { Settings } from '../contract/service/settings.ts';
import { askSessionBus, notificationsQuestion, trayHostQuestion } from '../host/ask-session-bus.ts';
import type { DoctorCheck, DoctorOutcome } from '../text/service/doctor-text.ts';
import { doctorText as text } from '../text/service/doctor-text.ts';
import { proxyAddressText } from '../text/service/network-text.ts';
import { sizeText } from '../text/menu/recordings-text.ts';
import { localTime } from '../text/time.ts';
import { whereTokensAre } from '../text/credential/vault-text.ts';
import { leastSharedBytes } from './start-app.ts';

export interface DoctorFinding {
  readonly name: DoctorCheck;
  readonly outcome: DoctorOutcome;
  readonly message: string;
}

export interface Examined {
  readonly dataDir: string;
  readonly env: NodeJS.ProcessEnv;
  readonly platform: NodeJS.Platform;
  /** What the running service says of itself; a sentence where it does not answer as it should; null where none runs. */
  readonly service: RunningService | string | null;
  /** The program of the desktop app; null where it is not installed. */
  readonly app: string | null;
}

export interface RunningService {
  readonly status: PortalStatus;
  readonly settings: Pick<Settings, 'port'>;
  /** What keeps the vault from being used; null: nothing. */
  readonly vaultMessage: string | null;
  /** The connected tools, and what of them is broken, as far as files show it. */
  readonly tools: { readonly count: number; readonly broken: readonly string[] };
}

type Found = Omit<DoctorFinding, 'name'>;

/** Less than this is soon full. */
const leastFreeBytes = 50_000_000;
const answerMs = 2_000;
/** This program was made later. */
const firstInstant = Date.parse('2026-01-01T00:00:00Z');

/** Looks at everything that Rotavox needs or can use. Changes nothing, sends nothing to other machines, and shows no secret. */
export async function examine(about: Examined): Promise<DoctorFinding[]> {
  const checks: readonly (readonly [DoctorCheck, Found | Promise<Found>])[] = [
    ['service', ofService(about)],
    ['folder', ofFolder(about)],
    ['vault', ofVault(about)],
    ['tools', ofTools(about)],
    ['port', ofPort(about)],
    ['network', ofNetwork(about)],
    ['clock', ofClock()],
    ['display', ofDisplay(about)],
    ['bus', ofBus(about)],
    ['tray', ofTray(about)],
    ['notifications', ofNotifications(about)],
    ['shared_memory', ofSharedMemory(about)],
    ['sandbox', ofSandbox(about)],
  ];
  return Promise.all(checks.map(async ([name, found]) => ({ name, ...(await found) })));
}

function ok(message: string): Found {
  return { outcome: 'ok', message };
}

function note(message: string): Found {
  return { outcome: 'note', message };
}

function failed(message: string): Found {
  return { outcome: 'failed', message };
}

function ofService({ service }: Examined): Found {
  if (service === null) return note(text.service.none);
  if (typeof service === 'string') return failed(text.service.silent(service));
  const { version, base_url: url, pid } = service.status;
  const runs = text.service.runs(version, url, pid);
  if (version === packageJson.version) return ok(runs);
  return failed(`${runs} ${text.service.otherVersion(version, packageJson.version)}`);
}

function ofFolder({ dataDir, service, platform }: Examined): Found {
  if (service !== null && typeof service !== 'string' && service.status.store.status === 'refusing')
    return failed(text.folder.refuses(service.status.store.reason));
  if (!existsSync(dataDir)) return note(text.folder.missing(dataDir));
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    const { mode } = statSync(dataDir);
    if (platform !== 'win32' && (mode & 0o022) !== 0)
      return failed(text.folder.open(dataDir, (mode & 0o777).toString(8)));
    const { bavail, bsize } = statfsSync(dataDir);
    const free = bavail * bsize;
    const shown = sizeText(free);
    return free < leastFreeBytes
      ? failed(text.folder.full(dataDir, shown))
      : ok(text.folder.ok(dataDir, shown));
  } catch (error) {
    return failed(text.folder.unreadable(dataDir, codeOf(error)));
  }
}

async function ofVault({ service, env, platform }: Examined): Promise<Found> {
  if (service !== null && typeof service !== 'string') {
    const { vaultMessage, status } = service;
    if (vaultMessage !== null) return failed(vaultMessage);
    return ok(status.vault === undefined ? '' : whereTokensAre(status.vault));
  }
  const { hasKeychainHere } = await import('../host/open-vault-choice.ts');
  return (await hasKeychainHere({ platform, environment: env }))
    ? ok(text.vault.keychain)
    : note(text.vault.file);
}

function ofTools({ service }: Examined): Found {
  if (service === null || typeof service === 'string') return note(text.tools.unknown);
  const { count, broken } = service.tools;
  if (broken.length > 0) return failed(broken.join(' '));
  return count === 0 ? note(text.tools.none) : ok(text.tools.ok(count));
}

async function ofPort({ service, env }: Examined): Promise<Found> {
  const running = service !== null && typeof service !== 'string' ? service : null;
  const port = running?.settings.port ?? (Number(env['ROTAVOX_PORT'] ?? defaultPort) || defaultPort);
  if (running !== null && URL.parse(running.status.base_url)?.port === String(port))
    return ok(text.port.ours(port));
  if (!(await connects({ port, host: loopbackAddress }))) return ok(text.port.free(port));
  const { rotavoxAt } = await import('../host/other-rotavox.ts');
  // A start takes another port then.
  return (await rotavoxAt(loopbackAddress, port)) === null
    ? failed(text.port.taken(port))
    : note(text.port.rotavox(port));
}

function ofNetwork({ service, env }: Examined): Found {
  if (service !== null && typeof service !== 'string') {
    const { proxy, certificates } = service.status;
    const problem = proxy?.problem ?? certificates?.problem ?? null;
    if (problem !== null) return failed(problem);
    const used = proxy?.used ?? null;
    return ok(used === null ? text.network.direct : text.network.proxy(used, proxy?.source ?? ''));
  }
  for (const name of ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY']) {
    const value = env[name];
    if (value === undefined || value === '') continue;
    const read = readProxyAddress(value);
    if (!read.ok) return failed(`${name}: ${proxyAddressText(read.problem)}`);
    return ok(text.network.proxy(proxyName(read.value), name));
  }
  return ok(text.network.direct);
}

function ofClock(): Found {
  const now = Date.now();
  const shown = localTime(new Date(now).toISOString());
  return now < firstInstant ? failed(text.clock.wrong(shown)) : ok(text.clock.ok(shown));
}

async function ofDisplay({ env, platform }: Examined): Promise<Found> {
  if (platform !== 'linux') return ok(text.display.own);
  const wayland = env['WAYLAND_DISPLAY'] ?? '';
  const x = env['DISPLAY'] ?? '';
  if (wayland === '' && x === '') return note(text.display.none);
  const [, number] = /^(?:unix)?:(\d+)/.exec(x) ?? [];
  const socket =
    wayland === '' ? `/tmp/.X11-unix/X${number ?? ''}` : join(env['XDG_RUNTIME_DIR'] ?? '/', wayland);
  const where = wayland === '' ? x : wayland;
  // A display on another machine, through ssh, has no socket here.
  if (wayland === '' && number === undefined) return ok(text.display.ok(where));
  const isThere = (await connects({ path: socket })) || (await connects({ path: `\0${socket}` }));
  return isThere ? ok(text.display.ok(where)) : failed(text.display.silent(where));
}

async function ofBus({ env, platform }: Examined): Promise<Found> {
  if (platform !== 'linux') return ok(text.system);
  const runtime = env['XDG_RUNTIME_DIR'] ?? '';
  const given = env['DBUS_SESSION_BUS_ADDRESS'] ?? '';
  const address = given === '' && runtime !== '' ? `unix:path=${runtime}/bus` : given;
  if (address === '' || (given === '' && !existsSync(join(runtime, 'bus')))) return note(text.bus.none);
  const [, kind, path = ''] = /unix:(path|abstract)=([^,;]+)/.exec(address) ?? [];
  if (kind === undefined) return ok(text.bus.ok);
  return (await connects({ path: kind === 'path' ? path : `\0${path}` }))
    ? ok(text.bus.ok)
    : failed(text.bus.silent(address));
}

async function ofTray({ platform }: Examined): Promise<Found> {
  if (platform !== 'linux') return ok(text.tray.ok);
  const answer = await askSessionBus({ ...trayHostQuestion, answerLimitMs: answerMs });
  if (answer === undefined) return note(text.tray.unknown);
  return answer?.includes('boolean true') === true ? ok(text.tray.ok) : note(text.tray.none);
}

async function ofNotifications({ platform }: Examined): Promise<Found> {
  if (platform !== 'linux') return ok(text.notifications.ok);
  const answer = await askSessionBus({ ...notificationsQuestion, answerLimitMs: answerMs });
  if (answer === undefined) return note(text.tray.unknown);
  return answer === null ? note(text.notifications.none) : ok(text.notifications.ok);
}

function ofSharedMemory({ platform }: Examined): Found {
  if (platform !== 'linux') return ok(text.system);
  try {
    accessSync('/dev/shm', constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync('/dev/shm');
    const free = bavail * bsize;
    return free < leastSharedBytes
      ? failed(text.shared_memory.small(sizeText(free)))
      : ok(text.shared_memory.ok(sizeText(free)));
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? note(text.shared_memory.none) : failed(text.shared_memory.closed);
  }
}

function ofSandbox({ app, platform }: Examined): Found {
  if (platform !== 'linux') return ok(text.system);
  const helper = app === null ? null : join(app, '..', 'chrome-sandbox');
  if (helper !== null && existsSync(helper)) {
    const { uid, mode } = statSync(helper);
    if (uid === 0 && (mode & 0o7777) === 0o4755) return ok(text.sandbox.helper(helper));
  }
  const isClosed =
    kernelSays('kernel/unprivileged_userns_clone', '0') ||
    kernelSays('kernel/apparmor_restrict_unprivileged_userns', '1') ||
    kernelSays('user/max_user_namespaces', '0');
  if (!isClosed) return ok(text.sandbox.namespaces);
  return app === null ? note(text.sandbox.closed(null)) : failed(text.sandbox.closed(helper));
}

function kernelSays(setting: string, value: string): boolean {
  try {
    return readFileSync(`/proc/sys/${setting}`, 'utf8').trim() === value;
  } catch {
    return false; // this kernel has no such setting
  }
}

/** Whether something listens there. */
function connects(to: { path: string } | { port: number; host: string }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(to);
    const end = (isThere: boolean): void => {
      socket.destroy();
      resolve(isThere);
    };
    socket.setTimeout(answerMs, () => end(false));
    socket.once('connect', () => end(true));
    socket.on('error', () => end(false));
  });
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown';
}
