import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';

/** A desktop that is running. */
export interface DesktopSession {
  /** What a program needs in its environment to be on it. */
  readonly env: NodeJS.ProcessEnv;
  close(): Promise<void>;
}

/**
 * The daemon reads the password of its new keychain from stdin, and says so once it serves. Two zero bytes end what is told.
 *
 * It ends with this shell, also by SIGKILL: one that begins while its bus ends would not notice that.
 */
const unlockThenTell = `
  told="$XDG_RUNTIME_DIR/keyring"
  printf test |
    setpriv --pdeathsig KILL gnome-keyring-daemon --foreground --unlock --components=secrets >"$told" &
  until [ -s "$told" ]; do kill -0 $! 2>/dev/null || exit 70; sleep 0.02; done
  env -0
  printf '\\0'
  exec cat >/dev/null
`;

/**
 * Starts a desktop of its own: a virtual screen, a message bus and an unlocked, empty keychain. A person's own keychain is
 * neither read nor asked for its password.
 *
 * Only Linux needs and has it; elsewhere the desktop that is there is used. Its files are in `scratch`, which goes away
 * afterwards. It ends with this process too, because its standard input does. Throws with what its programs said.
 */
export async function startDesktop(scratch: string): Promise<DesktopSession> {
  if (process.platform !== 'linux') return { env: {}, close: async () => undefined };
  const home = await mkdtemp(join(scratch, 'desktop-'));
  const runtime = join(home, 'runtime');
  await mkdir(runtime, { mode: 0o700 });
  const own = {
    // In a container without a language Chromium gives no file a name that is not ASCII.
    LANG: process.env['LANG'] ?? 'C.UTF-8',
    XDG_DATA_HOME: join(home, 'data'),
    XDG_RUNTIME_DIR: runtime,
    // Without these, the keychain daemon and the screen of the person's session would be found.
    GNOME_KEYRING_CONTROL: undefined,
    WAYLAND_DISPLAY: undefined,
  };
  const child = spawn('xvfb-run', ['-a', 'dbus-run-session', '--', 'sh', '-c', unlockThenTell], {
    env: { ...process.env, TMPDIR: home, ...own },
    stdio: ['pipe', 'pipe', 'pipe'],
    // Ctrl-C in a terminal must not end it before what uses it.
    detached: true,
  });
  const ended = once(child, 'close');
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  let told = '';
  for await (const text of child.stdout.setEncoding('utf8') as AsyncIterable<string>) {
    told += text;
    if (told.endsWith('\0\0')) break;
  }
  if (!told.endsWith('\0\0')) {
    await ended;
    throw new Error(`there is no desktop to test on: ${said.trim() || 'xvfb-run told nothing'}`);
  }
  const session = new Map(told.split('\0').map((line) => [line.split('=')[0], line.replace(/^[^=]*=/u, '')]));
  return {
    env: {
      ...own,
      DISPLAY: session.get('DISPLAY'),
      XAUTHORITY: session.get('XAUTHORITY'),
      DBUS_SESSION_BUS_ADDRESS: session.get('DBUS_SESSION_BUS_ADDRESS'),
    },
    close: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
