import { app } from 'electron';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { OpenAtLogin } from '../contract/bridge.ts';
import { ownAppImage } from './own-app-image.ts';
import { autostartEntry, isAutostartOn } from './autostart-entry.ts';
import { hiddenFlag } from './start-options.ts';

/** Whether the app opens, hidden, when the person logs in: asked of the system, which the person may have told otherwise. */
export function readOpenAtLogin(): OpenAtLogin {
  if (process.platform === 'linux') {
    return { isOn: isAutostartOn(readAutostart() ?? 'Hidden=true'), isPossible: true, note: null };
  }
  if (process.platform !== 'darwin' && process.platform !== 'win32') {
    return notPossible('This system has no place that we know for it.');
  }
  if (!app.isPackaged) return notPossible('Only the installed app can open at login.');
  const { openAtLogin, executableWillLaunchAtLogin, status } = app.getLoginItemSettings(loginItem());
  const note =
    status === 'requires-approval' ? 'Allow it in System Settings, under Login Items, to take effect.' : null;
  // Windows: the person may have switched it off in the task manager, which leaves our entry as it is.
  const isOn = process.platform === 'win32' ? executableWillLaunchAtLogin : openAtLogin;
  return { isOn, isPossible: true, note };
}

/** Sets it and says how it stands then. */
export function setOpenAtLogin(isOn: boolean): OpenAtLogin {
  const before = readOpenAtLogin();
  if (!before.isPossible) return before;
  if (process.platform !== 'linux') {
    app.setLoginItemSettings({ ...loginItem(), openAtLogin: isOn });
    return readOpenAtLogin();
  }
  try {
    if (isOn) writeAutostart();
    else rmSync(autostartPath(), { force: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { ...before, note: `${autostartPath()} could not be changed (${code ?? String(error)}).` };
  }
  return readOpenAtLogin();
}

/**
 * An installed app that was moved starts from its new place the next time.
 *
 * A checkout, or an app on another data folder, leaves the entry alone: it is not its own.
 */
export function refreshAutostart(): void {
  if (process.platform !== 'linux' || !app.isPackaged || process.env['ROTAVOX_DATA_DIR']) return;
  const entry = readAutostart();
  const isOurs = entry !== undefined && isAutostartOn(entry) && !entry.includes('ROTAVOX_DATA_DIR');
  if (isOurs && entry !== autostartEntry(loginCommand())) setOpenAtLogin(true);
}

function notPossible(note: string): OpenAtLogin {
  return { isOn: false, isPossible: false, note };
}

function loginItem() {
  return process.platform === 'win32' ? { args: [hiddenFlag] } : {};
}

function autostartPath(): string {
  return join(configHome(process.env), 'autostart', 'rotavox.desktop');
}

/** As the XDG Base Directory Specification has it: empty counts as not set. */
function configHome(env: NodeJS.ProcessEnv): string {
  const asked = env['XDG_CONFIG_HOME'];
  return asked === undefined || asked === '' ? join(homedir(), '.config') : asked;
}

function readAutostart(): string | undefined {
  try {
    return readFileSync(autostartPath(), 'utf8');
  } catch {
    return undefined; // not there: not on
  }
}

function writeAutostart(): void {
  mkdirSync(dirname(autostartPath()), { recursive: true, mode: 0o700 });
  writeFileSync(autostartPath(), autostartEntry(loginCommand()));
}

/** What starts this very app again, hidden, on the same data folder. */
function loginCommand(): string[] {
  const settings = ['ROTAVOX_DATA_DIR', 'ROTAVOX_PORT'].flatMap((name) =>
    process.env[name] ? [`${name}=${process.env[name]}`] : [],
  );
  // An AppImage runs from a place that is gone after its end.
  const program = ownAppImage(process) ?? process.execPath;
  return [
    ...(settings.length > 0 ? ['env', ...settings] : []),
    program,
    ...(app.isPackaged
      ? []
      : [...process.argv.slice(1).filter((one) => one.startsWith('--no-sandbox')), app.getAppPath()]),
    hiddenFlag,
  ];
}
