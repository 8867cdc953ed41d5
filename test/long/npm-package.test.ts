/**
 * The npm package, from `npm pack` to its removal: installed with a prefix of its own, with only Node on the path, and
 * without a network, because it needs no other package; and in the container image that is built of it.
 */
import { execFileSync, type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {
  chown,
  readFile,
  writeFile,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  realpath,
  rm,
  symlink,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, basename } from 'node:path';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { root } from '../tools/root.ts';
import { done, type Machine, run, serve, useInstalled } from './installed-program.ts';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { checkoutDir } from '../../src/launcher/checkout.ts';
import { copyNode, makeRoot } from './debian-root.ts';

const isRoot = process.platform === 'linux' && process.getuid?.() === 0;

const folder = mkdtempSync(join(tmpdir(), 'rotavox-package-'));
const tarball = join(folder, `rotavox-${packageJson.version}.tgz`);
const prefix = join(folder, 'prefix');
const tools = join(folder, 'tools');
const home = join(folder, 'home');

const machine: Machine = {
  shell: ['/bin/sh', '-c'],
  env: {
    npm_config_offline: 'true',
    PATH: [join(prefix, 'bin'), tools].join(':'),
    HOME: home,
    npm_config_prefix: prefix,
  },
  home: { here: home, there: home },
};

/** Node and its npm, and what a system has at least. */
function makeTools(): void {
  mkdirSync(tools);
  symlinkSync(process.execPath, join(tools, 'node'));
  for (const name of ['sh', 'uname']) symlinkSync(`/bin/${name}`, join(tools, name));
  const npm = realpathSync(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim());
  writeFileSync(join(tools, 'npm'), `#!/bin/sh\nexec node '${npm}' "$@"\n`);
  chmodSync(join(tools, 'npm'), 0o755);
}

beforeAll(() => {
  mkdirSync(home);
  makeTools();
  execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: root, stdio: 'inherit' });
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('the tarball', () => {
  it('is what publint accepts without a remark', async () => {
    const { buffer, byteOffset, byteLength } = readFileSync(tarball);
    const packed = buffer.slice(byteOffset, byteOffset + byteLength);
    const { messages } = await publint({ pack: { tarball: packed }, strict: true });
    expect(messages).toEqual([]);
  });

  it('has the program and nothing of how it is made', () => {
    const files = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).trim().split('\n');
    for (const file of [
      'out/cli/index.js',
      'out/client/index.d.ts',
      'out/renderer/index.html',
      'out/man/rotavox.1',
      'LICENSE',
    ])
      expect(files).toContain(`package/${file}`);
    expect(
      files.filter((file) => /\.(?:map|tsx|tgz)$|(?<!\.d)\.ts$|\/(?:src|test|main|preload)\//.test(file)),
    ).toEqual([]);
    const licences = execFileSync('tar', ['-xzOf', tarball, 'package/out/THIRD-PARTY-LICENCES.txt'], {
      encoding: 'utf8',
    });
    for (const name of ['fastify', 'react-dom', '@scalar/fastify-api-reference', '@github/keytar'])
      expect(licences).toContain(`\n${name} `);
    expect(licences).not.toContain('\nelectron ');
  });
});

describe('installed by npm', () => {
  beforeAll(() => {
    done(machine, `npm install --global '${tarball}'`);
  });

  it('brings no other package and runs no script, and finds the keychain library in itself', () => {
    const installed = join(prefix, 'lib', 'node_modules', 'rotavox');
    expect(existsSync(join(installed, 'node_modules'))).toBe(false);
    const { dependencies, scripts } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
      dependencies?: unknown;
      scripts: Record<string, string>;
    };
    expect(dependencies).toBeUndefined();
    expect(Object.keys(scripts)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^(?:pre|post)?install$|^prepare$/)]),
    );
    expect(
      existsSync(join(installed, 'out', 'prebuilds', `${process.platform}-${process.arch}`, 'keytar.node')),
    ).toBe(true);
    expect(done(machine, 'rotavox --version')).toBe(`${packageJson.version}\n`);
    expect(existsSync(join(prefix, 'share', 'man', 'man1', 'rotavox.1'))).toBe(true);
  });

  it('does everything from the first token on, and keeps its data when it is removed', async () => {
    const service = await serve(machine);
    try {
      await useInstalled(machine, service.ready);
      await useClient(service.ready.base_url);
    } finally {
      expect(await service.stop()).toBe(0);
    }
    const { data_dir: dataDir } = service.ready;
    expect(run(machine, 'rotavox status')).toMatchObject({ code: 3 });
    expect(run(machine, 'rotavox status').stderr).toContain('`rotavox serve`');
    done(machine, 'npm uninstall --global rotavox');
    expect(existsSync(join(prefix, 'bin', 'rotavox'))).toBe(false);
    expect(existsSync(join(dataDir, 'state.json'))).toBe(true);
    expect(readdirSync(join(dataDir, 'journal'))).not.toEqual([]);
  });
});

/** On other systems and for other accounts there is nothing to make a Debian with. */
describe.skipIf(!isRoot)('the container image', () => {
  let image: ContainerImage;
  beforeAll(async () => {
    image = await ContainerImage.build(tarball);
    return () => image.remove();
  });

  it('is not root, says so by number, and has a health check', async () => {
    const inspected = JSON.parse(await image.buildah('inspect', '--type=image', 'rotavox')) as {
      Docker: {
        config: { User: string; Healthcheck: { Test: string[] }; Entrypoint: string[]; Cmd: string[] };
      };
    };
    expect(inspected.Docker.config).toMatchObject({
      User: '1000:1000',
      Healthcheck: { Test: ['CMD', 'rotavox', 'status'] },
      Entrypoint: ['rotavox'],
      Cmd: ['serve', '--json'],
    });
  });

  it('serves with an encrypted file, is healthy while it does, and gives tokens to commands in it', async () => {
    const passphrase = join(image.folder, 'passphrase');
    await writeFile(passphrase, 'correct horse battery staple\n', { mode: 0o400 });
    await chown(passphrase, 1000, 1000);
    const container = await image.container();
    const run = (...command: string[]): Promise<string> =>
      image.buildah('run', container, '--', 'rotavox', ...command);
    await expect(run('status')).rejects.toMatchObject({ code: 3 });

    const mount = `${passphrase}:/run/secrets/rotavox-passphrase:ro`;
    const options = ['--isolation=chroot', '--env=ROTAVOX_PORT=0', '--volume', mount];
    const serve = image.start('run', ...options, container, '--', 'rotavox', 'serve', '--json');
    const ready = new Promise<number>((resolve) => {
      serve.stdout.once('data', (line: Buffer) =>
        resolve((JSON.parse(line.toString()) as { pid: number }).pid),
      );
    });
    const pid = await ready;
    try {
      expect(await run('status')).toContain('/data/rotavox');
      await run('token', 'issue', '--name', 'a', '--validity', '7', '--keep-as', 'nightly');
      expect(await run('get', 'nightly')).toMatch(/^rvx_/);
    } finally {
      process.kill(pid, 'SIGTERM');
    }
    const code = await new Promise<number | null>((resolve) => serve.once('exit', resolve));
    expect(code).toBe(0);
  });

  it('runs as the compose file for a team starts it: with both secrets, in a folder of its volume, and with that health check', async () => {
    const text = await readFile(join(root, 'resources/team/compose.yml'), 'utf8');
    const [, entry = ''] = /entrypoint: \['sh', '-c', '(.*)', 'rotavox'\]/.exec(text) ?? [];
    const [, list = ''] = /rotavox-1:[^]*?command:\n((?: {6}- .*\n)+)/.exec(text) ?? [];
    const command = [...list.matchAll(/- (.*)/g)].map(([, word = '']) => word);
    const variables = [...text.matchAll(/^ {4}(ROTAVOX_\w+): (.*)$/gm)].map(
      ([, name, value]) => `--env=${name}=${value}`,
    );
    // The rights that its instructions give them.
    expect(text).toContain('chown 1000 secrets/*');
    const volumes: string[] = [];
    const tls = join(root, 'test/fixtures/tls');
    const secrets = {
      passphrase: 'of the team\n',
      database: 'of the team\n',
      cert: await readFile(join(tls, 'certificate.pem')),
      key: await readFile(join(tls, 'key.pem')),
    };
    for (const [secret, content] of Object.entries(secrets)) {
      const file = join(image.folder, `secret-${secret}`);
      await writeFile(file, content, { mode: 0o600 });
      await chown(file, 1000, 1000);
      volumes.push('--volume', `${file}:/run/secrets/${secret}:ro`);
    }
    const container = await image.container();
    const run = (...words: string[]): Promise<string> =>
      image.buildah('run', ...variables, ...volumes, container, '--', ...words);
    const script = entry.replaceAll('$$', '$');
    expect(variables).not.toEqual([]);
    expect(command[0]).toBe('serve');
    expect(await run('sh', '-c', script.replace('exec rotavox', 'exec printenv PGPASSWORD #'))).toBe(
      'of the team',
    );
    // All that is missing is the database.
    await expect(run('sh', '-c', script, 'rotavox', ...command)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        'The database postgres://rotavox@database/rotavox cannot be reached',
      ) as string,
    });
    const [, check = ''] = /test: \['CMD', 'rotavox', '(\w+)'\]/.exec(text) ?? [];
    await expect(run('rotavox', check)).rejects.toMatchObject({ code: 3 });
  });
});

/** A program that has the package as a dependency: its types are checked, then it runs. */
async function useClient(baseUrl: string): Promise<void> {
  const project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "name": "project", "type": "module", "private": true }');
  const program = `
import { type Client, createClient, type ReplyOf } from 'rotavox';

const client: Client = createClient({ baseUrl: process.argv[2] ?? '', authorization: \`Bearer \${process.argv[3] ?? ''}\` });
const read = await client.call('readSelf');
if (!read.ok) throw new Error(read.message);
const self: ReplyOf<'readSelf'> = read.value;
const days: number = self.validity_days;
console.log(self.name, days);
// @ts-expect-error -- there is no such call
void client.call.bind(client, 'readSelves' satisfies Parameters<Client['call']>[0]);
// @ts-expect-error -- an id is needed
void (() => client.call('readIvr'));
`;
  writeFileSync(join(project, 'program.ts'), program);
  done(machine, `cd '${project}' && npm install '${tarball}'`);
  const options =
    '--noEmit --strict --exactOptionalPropertyTypes --target es2024 --module nodenext --types node';
  const types = join(root, 'node_modules', '@types');
  done(
    machine,
    `cd '${project}' && node '${join(root, 'node_modules/typescript-native/bin/tsc')}' ${options} --typeRoots '${types}' program.ts`,
  );
  const token = done(machine, 'rotavox get app').trim();
  expect(done(machine, `cd '${project}' && node program.ts '${baseUrl}' '${token}'`)).toBe('app 7\n');
}

const execute = promisify(execFile);
const env = { ...process.env, BUILDAH_ISOLATION: 'chroot' };

/**
 * The image of the Dockerfile, built and run without a registry: on a bare Debian with Node and npm under the name of the
 * base image, which is of the same kind.
 */
class ContainerImage {
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
