import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, cp, mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { checkoutDir } from '../../src/launcher/checkout.ts';
import { copyNode, makeRoot } from './debian-root.ts';

const execute = promisify(execFile);
const env = { ...process.env, BUILDAH_ISOLATION: 'chroot' };

/**
 * The image of the Dockerfile, built and run without a registry: on a bare Debian with Node and npm under the name of the
 * base image, which is of the same kind.
 */
export class ContainerImage {
  /** For files that containers of it get. */
  readonly folder: string;
  readonly #mounts: ChildProcess;

  private constructor(folder: string) {
    this.folder = folder;
    // Layers are mounted, where the system can, and not copied. Mounts are seen by commands of this image alone, and end with this process.
    const options = ['--pdeathsig', 'KILL', 'unshare', '--mount', 'sh', '-c', 'echo; exec sleep infinity'];
    this.#mounts = spawn('setpriv', options, { stdio: ['ignore', 'pipe', 'inherit'] });
  }

  static async build(tarball: string): Promise<ContainerImage> {
    const image = new ContainerImage(await mkdtemp(join(tmpdir(), 'rotavox-image-')));
    try {
      await once(image.#mounts.stdout!, 'data');
      await image.#makeBase();
      await image.#build(tarball);
      return image;
    } catch (error) {
      await image.remove();
      throw error;
    }
  }

  async #makeBase(): Promise<void> {
    const base = join(this.folder, 'base');
    await makeRoot(base, []);
    await copyNode(base);
    const { stdout: npm } = await execute('sh', ['-c', 'command -v npm']);
    const modules = join(base, 'usr', 'lib', 'node_modules');
    await mkdir(modules, { recursive: true });
    await cp(join(await realpath(npm.trim()), '../..'), join(modules, 'npm'), {
      recursive: true,
      dereference: true,
    });
    await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(base, 'usr', 'bin', 'npm'));
    const scratch = await this.buildah('from', 'scratch');
    await this.buildah('copy', '--quiet', scratch, base, '/');
    await this.buildah('commit', '--quiet', scratch, 'docker.io/library/node:24-bookworm-slim');
  }

  async #build(tarball: string): Promise<void> {
    const context = join(this.folder, 'context');
    await mkdir(context);
    await copyFile(tarball, join(context, basename(tarball)));
    for (const name of ['Dockerfile', '.dockerignore'])
      await copyFile(join(checkoutDir, name), join(context, name));
    await this.buildah('bud', '--format=docker', '--pull-never', '--quiet', '--tag', 'rotavox', context);
  }

  /** Runs a command of buildah to its end, and returns what it prints. */
  async buildah(...args: string[]): Promise<string> {
    return (await execute('nsenter', this.#entering(args), { env })).stdout.trim();
  }

  /** A container of the image; returns its name. */
  container(): Promise<string> {
    return this.buildah('from', '--pull-never', 'rotavox');
  }

  /** Begins a command of buildah. */
  start(...args: string[]) {
    return spawn('nsenter', this.#entering(args), { env, stdio: ['ignore', 'pipe', 'inherit'] });
  }

  #entering(args: readonly string[]): string[] {
    const storage = ['--root', join(this.folder, 'store'), '--runroot', join(this.folder, 'run')];
    return ['-t', String(this.#mounts.pid), '--mount', 'buildah', ...storage, ...args];
  }

  async remove(): Promise<void> {
    const ended = once(this.#mounts, 'exit');
    this.#mounts.kill('SIGKILL');
    await ended;
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
