import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from './run-command.ts';

/**
 * The same command, on a desktop of its own: a virtual screen, a message bus and an unlocked, empty keychain.
 *
 * Only Linux needs and has it; elsewhere the command runs on the desktop that is there. The keychain lives in
 * `scratch`, which goes away afterwards: the developer's own is neither read nor asked for its password.
 */
export async function onDesktop(command: Command, scratch: string): Promise<Command> {
  if (process.platform !== 'linux') return command;
  const home = await mkdtemp(join(scratch, 'desktop-'));
  const runtime = join(home, 'runtime');
  const temporary = join(home, 'tmp');
  await mkdir(runtime, { mode: 0o700 });
  await mkdir(temporary);
  return {
    ...command,
    argv: ['xvfb-run', '-a', 'dbus-run-session', '--', 'sh', '-c', unlockThenRun, 'sh', ...command.argv],
    env: {
      ...command.env,
      XDG_DATA_HOME: join(home, 'data'),
      XDG_RUNTIME_DIR: runtime,
      // xvfb-run leaves its folder behind when it is ended.
      TMPDIR: temporary,
      // Without these, the real session's keychain daemon and screen would be found.
      GNOME_KEYRING_CONTROL: undefined,
      WAYLAND_DISPLAY: undefined,
    },
  };
}

/** The daemon reads the password of its new keychain from stdin and goes away with the bus. */
const unlockThenRun = `
  printf test | gnome-keyring-daemon --unlock --components=secrets >/dev/null || exit 70
  exec "$@"
`;
