import { execFile, spawn } from 'node:child_process';
import {
  chown,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkoutDir } from '../../src/launcher/checkout.ts';
import { copyNode, makeRoot } from './debian-root.ts';

const execute = promisify(execFile);
const isRoot = process.platform === 'linux' && process.getuid?.() === 0;

/**
 * The image of the Dockerfile, built and run without a registry: on a bare Debian with Node and npm under the name of the
 * base image, which is of the same kind.
 */
describe.skipIf(!isRoot)('the container image', () => {
  let folder: string;
  let buildah: (...args: string[]) => Promise<string>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rotavox-image-'));
    const env = { ...process.env, BUILDAH_ISOLATION: 'chroot', STORAGE_DRIVER: 'vfs' };
    const storage = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run')];
    buildah = async (...args) => (await execute('buildah', [...storage, ...args], { env })).stdout.trim();

    const base = join(folder, 'base');
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
    const scratch = await buildah('from', 'scratch');
    await buildah('copy', '--quiet', scratch, base, '/');
    await buildah('commit', '--quiet', scratch, 'docker.io/library/node:24-bookworm-slim');

    const context = join(folder, 'context');
    await mkdir(context);
    await execute('npm', ['pack', '--pack-destination', context], {
      cwd: checkoutDir,
      maxBuffer: 64 * 1024 * 1024,
    });
    for (const name of ['Dockerfile', '.dockerignore'])
      await copyFile(join(checkoutDir, name), join(context, name));
    await buildah('bud', '--format=docker', '--pull-never', '--quiet', '--tag', 'rotavox', context);
  });
  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

  it('is not root, says so by number, and has a health check', async () => {
    const inspected = JSON.parse(await buildah('inspect', '--type=image', 'rotavox')) as {
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
    const passphrase = join(folder, 'passphrase');
    await writeFile(passphrase, 'correct horse battery staple\n', { mode: 0o400 });
    await chown(passphrase, 1000, 1000);
    const container = await buildah('from', '--pull-never', 'rotavox');
    const run = (...command: string[]): Promise<string> =>
      buildah('run', container, '--', 'rotavox', ...command);
    await expect(run('status')).rejects.toMatchObject({ code: 3 });

    const mount = `${passphrase}:/run/secrets/rotavox-passphrase:ro`;
    const serve = spawn(
      'buildah',
      [
        '--root',
        join(folder, 'store'),
        '--runroot',
        join(folder, 'run'),
        'run',
        '--isolation=chroot',
        '--env=ROTAVOX_PORT=0',
        '--volume',
        mount,
        container,
        '--',
        'rotavox',
        'serve',
        '--json',
      ],
      { env: { ...process.env, STORAGE_DRIVER: 'vfs' }, stdio: ['ignore', 'pipe', 'inherit'] },
    );
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
    const text = await readFile(join(checkoutDir, 'resources/team/compose.yml'), 'utf8');
    const [, entry = ''] = /entrypoint: \['sh', '-c', '(.*)', 'rotavox'\]/.exec(text) ?? [];
    const [, list = ''] = /rotavox-1:[^]*?command:\n((?: {6}- .*\n)+)/.exec(text) ?? [];
    const command = [...list.matchAll(/- (.*)/g)].map(([, word = '']) => word);
    const variables = [...text.matchAll(/^ {4}(ROTAVOX_\w+): (.*)$/gm)].map(
      ([, name, value]) => `--env=${name}=${value}`,
    );
    // The rights that its instructions give them.
    expect(text).toContain('chown 1000 secrets/*');
    const volumes: string[] = [];
    const tls = join(checkoutDir, 'test/fixtures/tls');
    const secrets = {
      passphrase: 'of the team\n',
      database: 'of the team\n',
      cert: await readFile(join(tls, 'certificate.pem')),
      key: await readFile(join(tls, 'key.pem')),
    };
    for (const [secret, content] of Object.entries(secrets)) {
      const file = join(folder, `secret-${secret}`);
      await writeFile(file, content, { mode: 0o600 });
      await chown(file, 1000, 1000);
      volumes.push('--volume', `${file}:/run/secrets/${secret}:ro`);
    }
    const container = await buildah('from', '--pull-never', 'rotavox');
    const run = (...words: string[]): Promise<string> =>
      buildah('run', ...variables, ...volumes, container, '--', ...words);
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
