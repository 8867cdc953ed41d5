import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { app } from 'electron';
import type { OpenAtLogin } from '../../contract/bridge.ts';
import { hiddenFlag } from '../start-options.ts';
import { autostartEntry, isAutostartOn } from './autostart-entry.ts';

/** Whether the app opens, hidden, when the person logs in: asked of the system, which the person may have told otherwise. */
export function readOpenAtLogin(): OpenAtLogin {
  if (process.platform === 'linux') {
    return { isOn: isAutostartOn(readAutostart() ?? 'Hidden=true'), isPossible: true, note: null };
  }
  if (process.platform !== 'darwin' && process.platform !== 'win32') {
    return notPossible('This system has no place that we know for it.');
  }
  if (!app.isPackaged) return notPossible('Only the installed app can open at login.');
  const { openAtLogin, status } = app.getLoginItemSettings(loginItem());
  const note =
    status === 'requires-approval' ? 'Allow it in System Settings, under Login Items, to take effect.' : null;
  return { isOn: openAtLogin, isPossible: true, note };
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

/** An app that was moved or updated starts from its new place the next time. */
export function refreshAutostart(): void {
  if (process.platform !== 'linux') return;
  const entry = readAutostart();
  if (entry === undefined || !isAutostartOn(entry) || entry === autostartEntry(loginCommand())) return;
  setOpenAtLogin(true);
}

function notPossible(note: string): OpenAtLogin {
  return { isOn: false, isPossible: false, note };
}

function loginItem() {
  return process.platform === 'win32' ? { args: [hiddenFlag] } : {};
}

function autostartPath(): string {
  const configHome = process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config');
  return join(configHome, 'autostart', 'rotavox.desktop');
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
  const dataDir = process.env['ROTAVOX_DATA_DIR'];
  // An AppImage runs from a place that is gone after its end; the variable names the file itself.
  const program = process.env['APPIMAGE'] ?? process.execPath;
  return [
    ...(dataDir ? ['env', `ROTAVOX_DATA_DIR=${dataDir}`] : []),
    program,
    ...(app.isPackaged
      ? []
      : [...process.argv.slice(1).filter((one) => one.startsWith('--no-sandbox')), app.getAppPath()]),
    hiddenFlag,
  ];
}
