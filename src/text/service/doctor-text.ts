/** What `rotavox doctor` says: a line for each thing that Rotavox needs or can use, and what to do where it is missing. */
import type { CommandHelp } from '../cli/cli.ts';
import { countWords } from '../count.ts';

export const doctorHelp = {
  description: 'Check what Rotavox needs on this machine, with what to do where something is missing.',
  examples: ['rotavox doctor', 'rotavox doctor --json'],
} as const satisfies CommandHelp & Record<string, unknown>;

/** What is looked at, in the order in which it is shown. */
export const doctorChecks = [
  'service',
  'folder',
  'vault',
  'tools',
  'port',
  'network',
  'clock',
  'display',
  'bus',
  'tray',
  'notifications',
  'shared_memory',
  'sandbox',
] as const;
export type DoctorCheck = (typeof doctorChecks)[number];

/** `failed`: Rotavox cannot do its work so. `note`: something that it can do without. */
export type DoctorOutcome = 'ok' | 'note' | 'failed';

export const doctorSigns: Readonly<Record<DoctorOutcome, string>> = { ok: '✓', note: '·', failed: '✗' };

export const doctorLabels: Readonly<Record<DoctorCheck, string>> = {
  service: 'Service',
  folder: 'Data folder',
  vault: 'Tokens',
  tools: 'Connected tools',
  port: 'Port',
  network: 'Network',
  clock: 'Clock',
  display: 'Display',
  bus: 'Session bus',
  tray: 'Tray',
  notifications: 'Notifications',
  shared_memory: 'Shared memory',
  sandbox: 'Sandbox',
};

export const doctorText = {
  service: {
    runs: (version: string, url: string, pid: number) => `${version} answers at ${url} (process ${pid}).`,
    silent: (problem: string) => problem,
    none: 'It does not run. Start the desktop app, or `rotavox serve`.',
    otherVersion: (service: string, command: string) =>
      `It is version ${service}, and this command is ${command}. Restart Rotavox after an update; if two are installed, remove one.`,
  },
  folder: {
    ok: (path: string, free: string) => `${path}, ${free} free.`,
    missing: (path: string) => `${path} does not exist yet. The first start makes it.`,
    unreadable: (path: string, code: string) =>
      `${path} cannot be used (${code}). Make it belong to your account, or choose another one with --data-dir.`,
    open: (path: string, mode: string) =>
      `${path} can be changed by others (mode ${mode}). Run: chmod 700 ${path}`,
    full: (path: string, free: string) =>
      `Only ${free} are free at ${path}. Make room: a full disk stops every change, and no token is rotated.`,
    refuses: (reason: string) => `The service refuses changes. ${reason}`,
  },
  vault: {
    keychain: 'They will be in the keychain, which answers.',
    file: 'This session has no keychain: they will be in an encrypted file in the data folder.',
  },
  tools: {
    ok: (count: number) =>
      `${countWords(count, 'tool')} can ask, as far as files show it. \`rotavox connect check\` asks as they do.`,
    none: 'There is none. `rotavox connect` connects one.',
    unknown: 'They ask the service, which does not answer.',
  },
  port: {
    free: (port: number) => `${port} is free.`,
    ours: (port: number) => `${port} is that of the service.`,
    /** Another program, or the Rotavox of another account or folder. */
    rotavox: (port: number) =>
      `${port} is that of another Rotavox, of another account or data folder. This one takes the next free port and keeps it.`,
    taken: (port: number) =>
      `${port} is taken by another program. End it, or choose another port: \`rotavox serve --port 0\`, or the setting “port”.`,
  },
  network: {
    direct: 'Calls to services leave this machine directly.',
    proxy: (name: string, source: string) => `Calls to services go through ${name} (${source}).`,
    problem: (problem: string) => problem,
  },
  clock: {
    ok: (now: string) => `${now}.`,
    wrong: (now: string) =>
      `It says ${now}, which is before this version was made. Set it: tokens would be rotated at the wrong time.`,
  },
  display: {
    ok: (where: string) => `${where} answers.`,
    none: 'There is none. The desktop app needs one; `rotavox serve` does not.',
    silent: (where: string) =>
      `Nothing answers at ${where}. Start the app in a session with a desktop, or correct DISPLAY or WAYLAND_DISPLAY.`,
    own: 'That of this system.',
  },
  bus: {
    ok: 'It answers.',
    none: 'There is none, so there is no keychain, tray or notification. Nothing else needs it.',
    silent: (address: string) =>
      `Nothing answers at ${address}. Log in again, or start Rotavox with the DBUS_SESSION_BUS_ADDRESS of your session.`,
  },
  tray: {
    ok: 'The panel shows tray icons.',
    none: 'No panel shows tray icons: the app stays in the taskbar. On GNOME, the extension AppIndicator shows them.',
    unknown: 'It cannot be asked here.',
  },
  notifications: {
    ok: 'A program shows them.',
    none: 'No program shows them. The tray and the overview say the same.',
  },
  shared_memory: {
    ok: (free: string) => `/dev/shm has ${free}.`,
    closed: '/dev/shm is not writable for you: no window can be drawn. Run: sudo chmod 1777 /dev/shm',
    small: (free: string) =>
      `/dev/shm has only ${free}, and windows need about 64 MB. Start the container with --shm-size=256m.`,
    none: 'There is no /dev/shm. The desktop app needs it; `rotavox serve` does not.',
  },
  sandbox: {
    helper: (path: string) => `Its helper ${path} is set up.`,
    namespaces: 'The kernel allows it.',
    closed: (path: string | null) =>
      path === null
        ? 'This kernel allows none without a helper, and the desktop app would not start. Install its .deb or .rpm package.'
        : `This kernel allows none, and its helper is not set up. Run: sudo chown root ${path} && sudo chmod 4755 ${path}`,
  },
  failed: (failures: number, checks: number) =>
    `${failures} of ${checks} checks failed. What to do stands behind each.`,
  /** On systems where there is nothing to check. */
  system: 'Nothing to check on this system.',
} as const;
