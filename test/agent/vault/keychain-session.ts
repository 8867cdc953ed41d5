/**
 * A private message bus and keychain daemon for a test: to lock, to kill, to leave out.
 *
 * Only what the test starts is on this bus. Every process is ended by its id when the test is over.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { makeFolder } from '../../fixtures/make-folder.ts';

const execute = promisify(execFile);

export interface KeychainSession {
  /** For processes that belong to the session. */
  readonly env: NodeJS.ProcessEnv;
  /** A daemon whose keychain is unlocked; may be started again after it ended. */
  startDaemon(): Promise<KeychainDaemon>;
  /** Locks the keychain, like a screen lock or a person. */
  lock(): Promise<void>;
  /** Unlocks it from outside, like signing in. */
  unlock(): Promise<void>;
  /** The entry as read from outside, or null. */
  lookUp(account: string): Promise<string | null>;
}

export interface KeychainDaemon {
  kill(): Promise<void>;
}

export interface KeychainSessionOptions {
  /** `missing`: a prompt cannot be shown. `silent`: it opens, and is never answered. */
  readonly prompter?: 'missing' | 'silent';
}

const password = 'test';
const secretService = 'org.freedesktop.secrets';
const prompterName = 'org.gnome.keyring.SystemPrompter';

/** Starts a bus without a daemon. */
export async function startKeychainSession({
  prompter = 'missing',
}: KeychainSessionOptions = {}): Promise<KeychainSession> {
  const folder = makeFolder();
  const runtime = join(folder, 'runtime');
  const services = join(folder, 'services');
  mkdirSync(runtime, { mode: 0o700 });
  mkdirSync(services);
  if (prompter === 'silent') offerSilentPrompter(folder, services);
  writeFileSync(join(folder, 'bus.conf'), busConfig(folder, services));

  const bus = spawn(
    'dbus-daemon',
    [`--config-file=${join(folder, 'bus.conf')}`, '--nofork', '--print-address=1'],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  endAfterTest(bus);
  onTestFinished(() => {
    endSilentPrompter(folder);
  });
  const [address] = (await once(createInterface(bus.stdout), 'line')) as [string];
  const env = {
    ...process.env,
    DBUS_SESSION_BUS_ADDRESS: address,
    XDG_DATA_HOME: join(folder, 'data'),
    XDG_RUNTIME_DIR: runtime,
    GNOME_KEYRING_CONTROL: undefined,
    DISPLAY: undefined,
    WAYLAND_DISPLAY: undefined,
  };
  return {
    env,
    startDaemon: () => startDaemon(env),
    lock: async () => {
      await execute(
        'gdbus',
        [...callOf(secretService), 'org.freedesktop.Secret.Service.Lock', loginKeyring],
        {
          env,
        },
      );
    },
    unlock: () => unlockAsSigningInDoes(join(runtime, 'keyring', 'control')),
    lookUp: (account) => lookUpOutside({ service: 'rotavox', account }, env),
  };
}

/** Ends the silent prompter of a session, as if its prompt had been dismissed. False when none is open. */
export function dismissPrompt({ env }: KeychainSession): boolean {
  return endSilentPrompter(join(env['XDG_RUNTIME_DIR'] ?? '', '..'));
}

/** Reads an entry with `secret-tool`, which shares only libsecret with keytar. */
export async function lookUpOutside(
  { service, account }: { service: string; account: string },
  env: NodeJS.ProcessEnv = process.env,
): Promise<string | null> {
  try {
    const { stdout } = await execute('secret-tool', ['lookup', 'service', service, 'account', account], {
      env,
    });
    return stdout;
  } catch (error) {
    if ((error as { code?: unknown }).code === 1) return null;
    throw error;
  }
}

async function startDaemon(env: NodeJS.ProcessEnv): Promise<KeychainDaemon> {
  const daemon = spawn('gnome-keyring-daemon', ['--foreground', '--unlock', '--components=secrets'], {
    env,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const end = endAfterTest(daemon);
  daemon.stdin.end(password);
  await execute('gdbus', ['wait', '--session', '--timeout', '30', secretService], { env });
  return { kill: end };
}

/** Uses the protocol of the daemon's PAM module: a zero byte, then length, operation and password. */
async function unlockAsSigningInDoes(controlSocket: string): Promise<void> {
  const unlockOperation = 1;
  const request = Buffer.alloc(1 + 3 * 4 + password.length);
  request.writeUInt32BE(request.length - 1, 1);
  request.writeUInt32BE(unlockOperation, 5);
  request.writeUInt32BE(password.length, 9);
  request.write(password, 13);

  const socket = connect(controlSocket);
  socket.write(request);
  const [reply] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  if (reply.readUInt32BE(4) !== 0) throw new Error(`The keychain was not unlocked: ${reply.toString('hex')}`);
}

const loginKeyring = "['/org/freedesktop/secrets/collection/login']";

function callOf(name: string): string[] {
  return ['call', '--session', '--dest', name, '--object-path', '/org/freedesktop/secrets', '--method'];
}

function endAfterTest(child: ChildProcess): () => Promise<void> {
  const gone = once(child, 'close');
  const end = async () => {
    child.kill('SIGKILL');
    await gone;
  };
  onTestFinished(end);
  return end;
}

function busConfig(folder: string, services: string): string {
  return `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path=${join(folder, 'bus')}</listen>
  <servicedir>${services}</servicedir>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`;
}

/** The bus starts it for a prompt and waits for it to claim its name, which it never does. */
function offerSilentPrompter(folder: string, services: string): void {
  const script = join(folder, 'prompter.sh');
  writeFileSync(script, `echo $$ > '${join(folder, 'prompter.pid')}'\nexec sleep 600\n`);
  writeFileSync(
    join(services, `${prompterName}.service`),
    `[D-BUS Service]\nName=${prompterName}\nExec=/bin/sh ${script}\n`,
  );
}

function endSilentPrompter(folder: string): boolean {
  const pidFile = join(folder, 'prompter.pid');
  if (!existsSync(pidFile)) return false;
  const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
  rmSync(pidFile); // an id is reused once its process has ended
  process.kill(pid, 'SIGKILL');
  return true;
}
