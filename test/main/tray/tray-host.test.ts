import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { isTrayHostThere } from '../../../src/main/tray/tray-host.ts';
import { compileCache } from '../../tools/root.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import {
  menuTemplate,
  type TrayAction,
  type TrayItem,
  type UpdateAction,
  updateItem,
} from '../../../src/main/tray/tray-item.ts';
import { panelTheme } from '../../../src/main/tray/tray-icon-name.ts';
import { menuText } from '../../../src/text/time.ts';
import type { UpdateState } from '../../../src/contract/service/update.ts';

const execute = promisify(execFile);
const isLinux = process.platform === 'linux';

/** What a script can use: the tested code, and a name on the bus. */
const given = `
  const { isTrayHostThere, onceTrayHostIsThere, watchTrayHost } = await import('${sourceOf('../../../src/main/tray/tray-host.ts')}');
  const { ownBusName } = await import('${sourceOf('own-bus-name.ts')}');
  const watcher = 'org.kde.StatusNotifierWatcher';
  const say = (words) => process.stdout.write(words + '\\n');
`;

function sourceOf(file: string): string {
  return new URL(file, import.meta.url).href;
}

/** The output of a script in a separate process, in an environment without a desktop except what is given. */
async function run(script: string, { env = {}, onBus = false } = {}): Promise<string[]> {
  const node = [process.execPath, '--input-type=module', '-e', `${given}${script}`];
  const [program = '', ...args] = onBus ? ['dbus-run-session', '--', ...node] : node;
  try {
    const usual = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compileCache };
    const { stdout } = await execute(program, args, { env: { ...usual, ...env } });
    return stdout.split('\n').slice(0, -1);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Error(
      'There is no dbus-run-session here, so nothing can be said about tray hosts. Install it (Debian: apt-get install dbus).',
      { cause: error },
    );
  }
}

const look = 'say(String(await isTrayHostThere()));';

describe.skipIf(!isLinux)('whether something shows tray icons', () => {
  it('is no on a bus without a watcher, and otherwise what the watcher says', async () => {
    const script = `
      ${look}
      let isThere = true;
      const letGo = await ownBusName(watcher, () => isThere);
      ${look}
      isThere = false;
      ${look}
      letGo();`;
    expect(await run(script, { onBus: true })).toEqual(['false', 'true', 'false']);
  });

  it('is no when the session has no bus, without a question that would start one', async () => {
    const folder = makeFolder();
    writeFileSync(join(folder, 'dbus-send'), '#!/bin/sh\necho boolean true\n', { mode: 0o755 });
    expect(await run(look, { env: { PATH: folder } })).toEqual(['false']);
    // It would have been found.
    const address = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' };
    expect(await run(look, { env: { PATH: folder, ...address } })).toEqual(['true']);
  });

  it('is no when nothing listens where the bus should be', async () => {
    const runtime = makeFolder();
    expect(await run(look, { env: { XDG_RUNTIME_DIR: runtime } })).toEqual(['false']);
    const address = `unix:path=${join(runtime, 'bus')}`;
    expect(await run(look, { env: { DBUS_SESSION_BUS_ADDRESS: address } })).toEqual(['false']);
  });

  it('finds the bus of a session that names only its runtime folder', async () => {
    const script = `
      import { symlinkSync } from 'node:fs';
      const [, socket] = /^unix:path=([^,]+)/.exec(process.env.DBUS_SESSION_BUS_ADDRESS);
      symlinkSync(socket, process.env.XDG_RUNTIME_DIR + '/bus');
      const letGo = await ownBusName(watcher, () => true);
      delete process.env.DBUS_SESSION_BUS_ADDRESS;
      ${look} letGo();`;
    expect(await run(script, { onBus: true, env: { XDG_RUNTIME_DIR: makeFolder() } })).toEqual(['true']);
  });

  it('is believed where the program that asks is missing', async () => {
    const env = { PATH: makeFolder(), DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nowhere' };
    expect(await run(look, { env })).toEqual(['true']);
  });
});

describe.skipIf(!isLinux)('waiting for a tray host', () => {
  it('tells anew when the name that shows them comes and goes, and leaves no process behind', async () => {
    const script = `
      let next = () => undefined;
      const changed = () => new Promise((resolve) => (next = resolve));
      const stop = watchTrayHost(() => next());
      await new Promise((resolve) => setTimeout(resolve, 1500));
      const coming = changed();
      const letGo = await ownBusName(watcher, () => true);
      await coming;
      say('came ' + (await isTrayHostThere()));
      const going = changed();
      letGo();
      await going;
      say('went');
      stop();`;
    expect(await run(script, { onBus: true })).toEqual(['came true', 'went']);
  });

  it('calls back once, when there is one, and then stops checking', async () => {
    const script = `
      let asked = 0;
      const letGo = await ownBusName(watcher, () => (asked += 1) > 1);
      onceTrayHostIsThere(() => { say('there, asked ' + asked + ' times'); letGo(); });`;
    expect(await run(script, { onBus: true })).toEqual(['there, asked 2 times']);
  });

  it(
    'does not call back and leaves nothing behind when it is stopped, even during a check',
    { tags: ['long'] },
    async () => {
      const script = (isThere: boolean): string => `
      const letGo = await ownBusName(watcher, () => {
        stop();
        say('asked');
        setImmediate(letGo);
        return ${isThere};
      });
      const stop = onceTrayHostIsThere(() => say('there'));`;
      expect(await run(script(true), { onBus: true })).toEqual(['asked']);
      // It ends without being stopped: no timer is left.
      expect(await run(script(false), { onBus: true })).toEqual(['asked']);
    },
  );
});

it.each(['darwin', 'win32'] as const)('a desktop of %s shows tray icons', async (platform) => {
  expect(await isTrayHostThere(platform)).toBe(true);
});

/** A click as Electron makes it; its arguments are ignored. */
function click(entry: { click?: unknown } | undefined): void {
  (entry?.click as () => void)();
}

describe('the menu as Electron wants it', () => {
  const quit: TrayAction = { kind: 'quit' };
  const items: TrayItem[] = [
    { kind: 'text', label: 'Starting …' },
    { kind: 'separator' },
    { kind: 'submenu', label: 'token', items: [{ kind: 'action', label: 'Quit', action: quit }] },
    { kind: 'switch', label: 'Open at login', isOn: true, action: { kind: 'open-at-login', isOn: false } },
  ];

  it('has an entry for every item, in order, and items without an action cannot be clicked', () => {
    expect(menuTemplate(items, () => undefined)).toEqual([
      { label: 'Starting …', enabled: false },
      { type: 'separator' },
      { label: 'token', submenu: [{ label: 'Quit', click: expect.any(Function) as unknown }] },
      { label: 'Open at login', type: 'checkbox', checked: true, click: expect.any(Function) as unknown },
    ]);
  });

  it('asks for the action of the entry that is clicked, also below another', () => {
    const asked: TrayAction[] = [];
    const [, , submenu, login] = menuTemplate(items, (action) => asked.push(action));
    click(login);
    click((submenu?.submenu as { click?: unknown }[])[0]);
    expect(asked).toEqual([{ kind: 'open-at-login', isOn: false }, quit]);
  });

  it('shows an ampersand as one, at every depth', () => {
    const [words, below] = menuTemplate(
      [
        { kind: 'text', label: 'R&D && more' },
        { kind: 'submenu', label: 'A&B', items: [{ kind: 'text', label: '&' }] },
      ],
      () => undefined,
    );
    expect(words?.label).toBe('R&&D &&&& more');
    expect(below).toMatchObject({ label: 'A&&B', submenu: [{ label: '&&' }] });
  });
});

describe('the drawing for the panel', () => {
  it.each([true, false])('is a template on macOS, which colours it itself (dark: %s)', (isDark) => {
    expect(panelTheme({ platform: 'darwin', isDark, desktop: undefined, wanted: null })).toBe('template');
  });

  it.each([
    [true, 'light'],
    [false, 'dark'],
  ] as const)('on Windows stands out from a taskbar that is dark: %s', (isDark, theme) => {
    expect(panelTheme({ platform: 'win32', isDark, desktop: undefined, wanted: null })).toBe(theme);
    // Variables of other systems are ignored there.
    expect(panelTheme({ platform: 'win32', isDark, desktop: 'GNOME', wanted: null })).toBe(theme);
  });

  it.each([undefined, '', 'GNOME', 'ubuntu:GNOME', 'Unity:Unity7:ubuntu', 'X-Cinnamon', 'XFCE', 'sway'])(
    'on Linux is light for the dark panel that %s has whatever its windows are',
    (desktop) => {
      expect(panelTheme({ platform: 'linux', isDark: false, desktop, wanted: null })).toBe('light');
      expect(panelTheme({ platform: 'linux', isDark: true, desktop, wanted: null })).toBe('light');
    },
  );

  it.each(['KDE', 'MATE', 'ubuntu:MATE', 'LXQt', 'Deepin'])('follows the windows on %s', (desktop) => {
    expect(panelTheme({ platform: 'linux', isDark: false, desktop, wanted: null })).toBe('dark');
    expect(panelTheme({ platform: 'linux', isDark: true, desktop, wanted: null })).toBe('light');
  });

  it('is what the person has chosen, on Linux alone', () => {
    const asked = { isDark: true, desktop: 'XFCE', wanted: 'coloured' } as const;
    expect(panelTheme({ platform: 'linux', ...asked })).toBe('coloured');
    expect(panelTheme({ platform: 'win32', ...asked })).toBe('light');
    expect(panelTheme({ platform: 'darwin', ...asked })).toBe('template');
  });
});

describe('the menu item about updates', () => {
  const rows: [UpdateState, string, UpdateAction | null][] = [
    [{ kind: 'off' }, 'Updates are off', 'settings'],
    [{ kind: 'cannot', why: { code: 'checkout' } }, 'This copy does not update itself…', 'explain'],
    [{ kind: 'idle' }, 'Check for updates…', 'check'],
    [{ kind: 'checking', asked: false }, 'Checking for updates…', null],
    [
      { kind: 'current', checkedAt: '2026-11-21T12:30:59.000Z', asked: true },
      `Up to date · checked ${menuText('2026-11-21T12:30:59.000Z')}`,
      'check',
    ],
    [
      { kind: 'available', version: '0.2.0', asked: false },
      'Rotavox 0.2.0 is available: download',
      'download',
    ],
    [{ kind: 'downloading', version: '0.2.0', percent: null }, 'Downloading 0.2.0…', null],
    [{ kind: 'downloading', version: '0.2.0', percent: 43 }, 'Downloading 0.2.0 · 43 %', null],
    [{ kind: 'ready', version: '0.2.0' }, 'Restart to install 0.2.0', 'install'],
    [{ kind: 'installing', version: '0.2.0' }, 'Installing 0.2.0…', null],
    [
      { kind: 'failed', step: 'check', problem: { code: 'disk_full' }, asked: false },
      'Update check failed: try again',
      'check',
    ],
    [
      { kind: 'failed', step: 'download', problem: { code: 'disk_full' }, asked: true },
      'Update failed: try again',
      'check',
    ],
    [
      { kind: 'failed', step: 'install', problem: { code: 'disk_full' }, asked: true },
      'Update failed: try again',
      'check',
    ],
  ];
  it.each(rows)('of %j', (state, label, action) => {
    expect(updateItem(state)).toEqual(
      action === null
        ? { kind: 'text', label }
        : { kind: 'action', label, action: { kind: 'update', step: action } },
    );
  });
});
