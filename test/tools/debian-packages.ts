import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Names of one package: any one of them will do. */
type Row = readonly [string, ...string[]];

/** What suites start without a desktop: lines that apps copy, what makes certificates, what lists and ends processes. */
const programs: readonly Row[] = [['curl'], ['python3'], ['openssl'], ['procps']];

/**
 * What the suites with a desktop need, as Debian packages. Where releases disagree on a name, any one of the row will
 * do and the first one the release knows is installed.
 */
const forDesktop: readonly Row[] = [
  // A screen, a message bus, a keychain and a way to read it from outside.
  ['xvfb'],
  ['xauth'],
  ['dbus'],
  ['dbus-x11'],
  ['gnome-keyring'],
  ['libsecret-1-0'],
  ['libsecret-tools'],
  // What Electron links to.
  ['libnss3'],
  ['libatk1.0-0t64', 'libatk1.0-0'],
  ['libatk-bridge2.0-0t64', 'libatk-bridge2.0-0'],
  ['libcups2t64', 'libcups2'],
  ['libdrm2'],
  ['libgbm1'],
  ['libgtk-3-0t64', 'libgtk-3-0'],
  ['libasound2t64', 'libasound2'],
  ['libxss1'],
  ['libxtst6'],
  // A panel that shows tray icons, a window manager that minimises, and what reads and clicks them.
  ['xfce4-panel'],
  ['adwaita-icon-theme'],
  ['openbox'],
  ['libglib2.0-bin'],
  // What tells the class of a window.
  ['x11-utils'],
  // What shows notifications, how Electron asks for them, and what listens on the bus.
  ['dunst'],
  ['libnotify4'],
  ['dbus-bin', 'dbus'],
  // Shells that complete commands; everybody has bash.
  ['zsh'],
  ['fish'],
  // A browser.
  ['chromium'],
  // What verifies the units of the service, and what makes a clean system to install it on.
  ['systemd'],
  ['mmdebstrap'],
  // What a checkout for it is cloned with.
  ['git'],
  // What makes the container image.
  ['buildah'],
  // What makes the installer for Windows.
  ['nsis'],
  // A telephone that calls over SIP.
  ['baresip-core'],
];

/**
 * What makes the suites faster where it can be had, and is not needed: the browser without the parts that a person sees, with
 * which the same journeys take two thirds of the processor time.
 */
const wished: readonly Row[] = [['chromium-headless-shell']];

/** `null` when everything is there; otherwise what to do, in one line. */
export async function ensureTestPackages(
  say: (line: string) => void,
  { desktop }: { readonly desktop: boolean },
): Promise<string | null> {
  if (process.platform !== 'linux') return null;
  if (!(await isDebian())) return missingPrograms({ desktop });

  const lack = await ensurePackages([...programs, ...(desktop ? forDesktop : [])], say);
  if (desktop && lack === null && process.getuid?.() === 0) await installWished(say);
  return lack;
}

/** On Debian. `null` when they are installed now; otherwise what to do, in one line. Elsewhere it does nothing. */
export async function ensurePackages(
  rows: readonly Row[],
  say: (line: string) => void,
): Promise<string | null> {
  if (!(await isDebian())) return null;
  const missing = await missingOf(rows);
  if (missing.length === 0) return null;
  if (process.getuid?.() !== 0) return `run: sudo ${installLine(await namesHere(missing))}`;

  try {
    say('updating the list of Debian packages');
    await aptGet('update');
    const names = await namesHere(missing);
    say(`installing ${names.join(' ')}`);
    await aptGet('install', '-y', '--no-install-recommends', ...names);
    return null;
  } catch (error) {
    const reason = (error as { stderr?: string }).stderr?.trim().split('\n').at(-1) ?? String(error);
    return `apt-get failed (${reason}); run: apt-get update && ${installLine(await namesHere(missing))}`;
  }
}

/** Where it cannot be had, also because there is no network, the tests do without. */
async function installWished(say: (line: string) => void): Promise<void> {
  for (const [name] of await missingOf(wished)) {
    if (!(await isKnown(name))) continue;
    say(`installing ${name}`);
    const soon = ['-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=15'];
    await aptGet('install', '-y', '--no-install-recommends', ...soon, name).catch(() =>
      say(`${name} could not be installed; the tests go without`),
    );
  }
}

function installLine(names: readonly string[]): string {
  return `apt-get install -y --no-install-recommends ${names.join(' ')}`;
}

async function missingOf(rows: readonly Row[]): Promise<Row[]> {
  // dpkg-query fails when it knows none of the names, and still prints those it knows.
  const { stdout } = await execute('dpkg-query', [
    '--show',
    '--showformat=${Package} ${db:Status-Status}\n',
    ...rows.flat(),
  ]).catch((error: unknown) => error as { stdout: string });
  const installed = new Set(
    stdout
      .split('\n')
      .filter((line) => line.endsWith(' installed'))
      .map((line) => line.split(' ')[0]),
  );
  return rows.filter((row) => !row.some((name) => installed.has(name)));
}

/** The name of each row that this release knows; with no package lists yet, the plain one. */
function namesHere(rows: readonly Row[]): Promise<string[]> {
  return Promise.all(
    rows.map(async (row) => {
      for (const name of row) if (await isKnown(name)) return name;
      return row.at(-1) ?? row[0];
    }),
  );
}

/** Whether this release has the package, as far as its lists say. */
async function isKnown(name: string): Promise<boolean> {
  const { stdout } = await execute('apt-cache', ['policy', name]);
  return /Candidate: (?!\(none\))/.test(stdout);
}

async function aptGet(...args: string[]): Promise<void> {
  await execute('apt-get', ['-qq', ...args], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    maxBuffer: 64 * 1024 * 1024,
  });
}

/** The lists of package sources of this machine, that of Debian first: an image and mmdebstrap name it differently. */
export function packageSourceLists(): string[] {
  const more = '/etc/apt/sources.list.d';
  const lists = [
    '/etc/apt/sources.list',
    ...(existsSync(more) ? readdirSync(more).map((name) => join(more, name)) : []),
  ].filter(
    (file) =>
      /\.(?:list|sources)$/.test(file) &&
      existsSync(file) &&
      /^(?:URIs:|deb )/m.test(readFileSync(file, 'utf8')),
  );
  if (lists.length === 0) throw new Error('There is no list of Debian package sources on this machine.');
  return lists.toSorted((one, other) => Number(other.includes('debian')) - Number(one.includes('debian')));
}

/** Throws what to do where the program is missing that makes a Debian in a folder. */
export function requireMmdebstrap(): void {
  const programs = (process.env['PATH'] ?? '').split(':');
  if (!programs.some((path) => existsSync(join(path, 'mmdebstrap'))))
    throw new Error('mmdebstrap is missing; run: sudo apt-get install -y --no-install-recommends mmdebstrap');
}

/** Debian, and what is made of it. */
async function isDebian(): Promise<boolean> {
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return /^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(release);
}

/** Other distributions name their packages differently: say which programs are missing. */
async function missingPrograms({ desktop }: { readonly desktop: boolean }): Promise<string | null> {
  const wanted = [
    ...['curl', 'python3', 'openssl', 'ps'],
    ...(desktop ? ['xvfb-run', 'dbus-run-session', 'gnome-keyring-daemon', 'secret-tool'] : []),
  ];
  const found = await Promise.all(
    wanted.map((program) =>
      execute('sh', ['-c', 'command -v "$1"', 'sh', program]).then(Boolean, () => false),
    ),
  );
  const missing = wanted.filter((_, index) => !found[index]);
  return missing.length === 0 ? null : `install the programs ${missing.join(', ')} with your package manager`;
}

/** Where this machine gets its packages of Debian from. */
export function packageSourceUri(): string {
  const lists = packageSourceLists().map((file) => readFileSync(file, 'utf8'));
  const uri = lists.map((list) => /^(?:URIs:|deb(?: \[.*?\])?)\s+(\S+)/m.exec(list)?.[1]).find(Boolean);
  if (uri === undefined) throw new Error('The lists of Debian package sources of this machine name none.');
  return uri;
}
