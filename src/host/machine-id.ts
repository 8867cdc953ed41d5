import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { promisify } from 'node:util';
import { systemCodeOf } from '../store/store-error.ts';

/** The computer that a program runs on, as far as it can be told. */
export interface Machine {
  /** For people only: a container has another one at each start. */
  readonly name: string;
  readonly id: MachineId;
}

/** `none`: it has no id of its own. `unknown`: it could not be read now. */
export type MachineId =
  | { readonly kind: 'known'; readonly id: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown' };

const run = promisify(execFile);
/** A start does not wait longer for a program of the system. */
const options = { encoding: 'utf8', timeout: 5_000, windowsHide: true } as const;

/**
 * Reads which machine this is. It is not read from the environment, where anyone who starts the program could set it.
 *
 * Not the id of the hardware, which only root may read on Linux, nor that of the boot, which changes:
 * https://github.com/hashicorp/consul/issues/4914
 */
export async function readMachine(): Promise<Machine> {
  return { name: hostname(), id: await readId() };
}

async function readId(): Promise<MachineId> {
  const { platform } = process;
  try {
    if (platform === 'linux') return idOfLinux();
    if (platform === 'darwin') {
      const { stdout } = await run('/usr/sbin/ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice'], options);
      return known(/"IOPlatformUUID" = "([0-9A-Fa-f-]{36})"/.exec(stdout)?.[1]);
    }
    if (platform === 'win32') {
      const key = 'HKLM\\SOFTWARE\\Microsoft\\Cryptography';
      const { stdout } = await run('reg', ['query', key, '/v', 'MachineGuid', '/reg:64'], options);
      return known(/MachineGuid\s+REG_SZ\s+([0-9A-Fa-f-]{36})/.exec(stdout)?.[1]);
    }
    return { kind: 'none' };
  } catch {
    return { kind: 'unknown' };
  }
}

function known(id: string | undefined): MachineId {
  return id === undefined ? { kind: 'unknown' } : { kind: 'known', id: id.toLowerCase() };
}

interface LinuxFiles {
  /** The content of a file; null where there is none. */
  readonly read: (path: string) => string | null;
  readonly exists: (path: string) => boolean;
}

const systemFiles: LinuxFiles = { read: readIfThere, exists: existsSync };

/**
 * The id of an installed Linux.
 *
 * In a container the file belongs to the image: all containers of the image have the same id, and those of its next version have
 * another (https://github.com/debuerreotype/docker-debian-artifacts/issues/151). Images also have it empty, or as the word
 * "uninitialized" (https://github.com/rook/rook/issues/182). Neither tells a machine apart.
 */
export function idOfLinux({ read, exists }: LinuxFiles = systemFiles): MachineId {
  if (exists('/.dockerenv') || exists('/run/.containerenv')) return { kind: 'none' };
  if (isImage(read('/proc/self/mountinfo') ?? '')) return { kind: 'none' };
  for (const path of ['/etc/machine-id', '/var/lib/dbus/machine-id']) {
    const id = read(path)?.trim().toLowerCase() ?? '';
    if (/^[0-9a-f]{32}$/.test(id) && !/^0+$/.test(id)) return { kind: 'known', id };
  }
  return { kind: 'none' };
}

/** Whether the root of the file system is made of the layers of an image. */
function isImage(mounts: string): boolean {
  return mounts.split('\n').some((line) => {
    const [before = '', after = ''] = line.split(' - ');
    const [, , , , place] = before.split(' ');
    return place === '/' && /^(?:overlay|fuse\.fuse-overlayfs|aufs)$/.test(after.split(' ')[0] ?? '');
  });
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
