import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ensureTestPackages } from '../../tools/debian-packages.ts';
import { startDesktop } from '../../tools/desktop-session.ts';
import { type GroupLeader, spawnGroup, within } from './desktop-app.ts';

export interface DesktopSession {
  /** The environment of programs on it. */
  readonly env: NodeJS.ProcessEnv;
  close(): Promise<void>;
}

const patienceMs = 60_000;

/**
 * Starts a new desktop, like the test command: a virtual screen, a message bus, a keychain; and a panel.
 *
 * Its files are in the system's temporary folder, because the paths of Chromium's sockets must be short. Throws an Error that
 * says what this machine lacks.
 */
export async function startSession(): Promise<DesktopSession> {
  if (process.platform !== 'linux') {
    throw new Error('What an app does in the tray is watched on a Linux message bus; run this on Linux.');
  }
  const lacks = await ensureTestPackages(
    (line) => {
      console.log(`  (${line})`);
    },
    { desktop: true },
  );
  if (lacks !== null) throw new Error(`A desktop to measure on is missing; ${lacks}`);

  const home = mkdtempSync(join(tmpdir(), 'rotavox-bench-'));
  const removeHome = (): void => {
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once('exit', removeHome);
  const config = join(home, 'config');
  mkdirSync(config);
  const desktop = await startDesktop(home);
  const leader = spawnGroup([process.execPath, join(import.meta.dirname, 'session.ts')], {
    ...process.env,
    ...desktop.env,
    XDG_CONFIG_HOME: config,
    // Set in the terminals of some editors; it would turn every Electron into a bare Node.
    ELECTRON_RUN_AS_NODE: undefined,
  });
  const env = await within(patienceMs, 'a desktop with a panel', environmentFrom(leader));
  return {
    env,
    async close() {
      const exited = once(leader, 'exit');
      leader.stdin.end();
      await within(patienceMs, 'the end of the panel', exited);
      await desktop.close();
      removeHome();
    },
  };
}

/** Reads the output of session.ts. Services of the desktop print to the same place, then and later. */
function environmentFrom(leader: GroupLeader): Promise<NodeJS.ProcessEnv> {
  let complaints = '';
  leader.stderr.on('data', (chunk: Buffer) => (complaints = (complaints + chunk.toString()).slice(-4000)));
  return new Promise((resolve, reject) => {
    createInterface({ input: leader.stdout }).on('line', (line) => {
      if (line.startsWith('{')) resolve(JSON.parse(line) as NodeJS.ProcessEnv);
    });
    leader.once('exit', () => {
      reject(new Error(`The desktop to measure on ended: ${complaints}`));
    });
  });
}
