import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDesktop } from '../../tools/desktop-session.ts';

/**
 * Gives this process a desktop of its own, which all that it starts from then on uses. Returns how to end it.
 *
 * Workers side by side share no screen, message bus, keychain, clipboard and settings, so that none sees the panel, the notices
 * or the windows of another.
 */
export async function moveToOwnDesktop(): Promise<() => Promise<void>> {
  // A short name: addresses of sockets have at most 107 letters.
  const scratch = mkdtempSync(join(tmpdir(), 'd-'));
  const desktop = await startDesktop(scratch);
  const there: NodeJS.ProcessEnv = { ...desktop.env, XDG_CONFIG_HOME: join(scratch, 'config') };
  for (const [name, value] of Object.entries(there)) {
    if (value === undefined) Reflect.deleteProperty(process.env, name);
    else process.env[name] = value;
  }
  return async () => {
    await desktop.close();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  };
}
