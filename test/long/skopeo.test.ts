/** The real skopeo (of Debian 13) against a registry. podman and buildah read their tokens by the same library. Docker's own client: see connect-docker.test.ts. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { ConnectedTool } from '../cli/connected-tool.ts';
import { unpackedRoot } from '../tools/asterisk-root.ts';
import { ImageRegistry } from '../tools/image-registry.ts';

/** Another account would need a range of user ids for buildah. */
const isRoot = process.getuid?.() === 0;
let tool: ConnectedTool;
let registry: ImageRegistry;
let own = '';
let config = '';
/** Whether the registry takes the token that works now. */
let isTaken = true;

beforeAll(async () => {
  tool = await ConnectedTool.start(
    (folder) => ({
      PATH: `${join(folder, 'home', '.local', 'bin')}:/usr/bin:/bin`,
      XDG_RUNTIME_DIR: join(folder, 'run'),
    }),
    (_request, response) => void response.end(),
  );
  own = join(tool.home, '.local', 'bin');
  config = join(tool.home, '.docker', 'config.json');
  mkdirSync(own, { recursive: true });
  mkdirSync(tool.env['XDG_RUNTIME_DIR']!);
  const { folder, loader, libraries } = await unpackedRoot(['skopeo'], 'trixie');
  const real = join(folder, 'usr/bin/skopeo');
  const script = `#!/bin/sh\nexec '${loader}' --library-path '${libraries}' '${real}' "$@"\n`;
  writeFileSync(join(own, 'skopeo'), script, { mode: 0o755 });
  registry = await ImageRegistry.start(async (password) => isTaken && password === (await tool.token()));
}, 300_000);
afterAll(async () => {
  registry.stop();
  await tool.stop();
});
beforeEach(async () => {
  await tool.disconnectAll();
  isTaken = true;
  for (const file of [config, logins()]) rmSync(file, { force: true });
  const connected = await connect(`http://${registry.host}`);
  expect(connected).toMatchObject({ code: 0 });
  registry.passwords.length = 0;
});

/** The file where `skopeo login` writes. */
function logins(): string {
  return join(tool.env['XDG_RUNTIME_DIR']!, 'containers', 'auth.json');
}

function connect(url: string) {
  return tool.run('connect', 'docker', 'nightly', '--url', url, '--username', 'oauth2');
}

function skopeo(...args: string[]) {
  return tool.program(join(own, 'skopeo'), args);
}

const image = (tag = '1') => `docker://${registry.host}/team/app:${tag}`;
const inspect = () => skopeo('inspect', '--tls-verify=false', image());

it('gets the current token to read, copy and write an image, and the next one after a rotation', async () => {
  const copy = join(tool.folder, 'copy');
  const runs = [
    ['inspect', '--tls-verify=false', image()],
    ['--insecure-policy', 'copy', '--src-tls-verify=false', image(), `dir:${copy}`],
    ['--insecure-policy', 'copy', '--dest-tls-verify=false', `dir:${copy}`, image('2')],
  ];
  for (const args of runs) {
    const before = await tool.token();
    expect(await skopeo(...args)).toMatchObject({ code: 0 });
    expect(new Set(registry.passwords)).toEqual(new Set([before]));
    registry.passwords.length = 0;
    await tool.run('credential', 'rotate', 'nightly');
  }
  expect(tool.filesWith(await tool.token())).toEqual([]);
});

it('says that a token is refused, and why there is none', async () => {
  isTaken = false;
  const refused = await inspect();
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('authentication required');
  await tool.stopService();
  try {
    const { code, stderr } = await inspect();
    expect(code).toBe(1);
    expect(stderr).toContain('Rotavox is not running with the data folder');
  } finally {
    await tool.startService();
  }
});

it('makes a login of its own, which a check names, and keeps the token through a logout', async () => {
  const login = (...more: string[]) =>
    skopeo('login', '--tls-verify=false', '-u', 'oauth2', ...more, registry.host);
  expect(await login('-p', await tool.token())).toMatchObject({ code: 0 });
  await tool.run('credential', 'rotate', 'nightly');
  expect((await inspect()).code).toBe(1);
  const check = await tool.run('connect', 'check');
  expect(check.code).toBe(1);
  expect(check.stdout).toContain(
    `${logins()} has a login for ${registry.host}, which podman, buildah and skopeo`,
  );

  expect(await skopeo('logout', registry.host)).toMatchObject({ code: 0 });
  expect(await tool.run('connect', 'check')).toMatchObject({ code: 0 });
  expect(await inspect()).toMatchObject({ code: 0 });

  // Into the file of docker, where our program answers.
  const taken = await login('-p', await tool.token(), '--compat-auth-file', config);
  expect(taken.code).toBe(1);
  expect(taken.stderr).toContain('Rotavox keeps this token. To replace it: rotavox credential replace');
  const out = await skopeo('logout', '--compat-auth-file', config, registry.host);
  expect(out.stderr).toContain('Rotavox keeps this token. To stop: rotavox disconnect');
  expect(await inspect()).toMatchObject({ code: 0 });
});

it('does not use an old password in the file of docker, also of a part of the registry', async () => {
  const auth = Buffer.from('me:old').toString('base64');
  const made = JSON.parse(readFileSync(config, 'utf8')) as object;
  for (const name of [registry.host, `${registry.host}/team`]) {
    writeFileSync(config, JSON.stringify({ ...made, auths: { [name]: { auth } } }));
    expect(await inspect()).toMatchObject({ code: 0 });
  }
  expect(registry.passwords).not.toContain('old');
});

it.skipIf(!isRoot)('is asked by buildah, too', async () => {
  const storage = [
    '--storage-driver=vfs',
    ...['root', 'runroot'].map((one) => `--${one}=${join(tool.folder, one)}`),
  ];
  const pull = ['pull', '--quiet', '--tls-verify=false', '--signature-policy', policy(), image()];
  expect(await tool.program('/usr/bin/buildah', [...storage, ...pull])).toMatchObject({ code: 0 });
  expect(new Set(registry.passwords)).toEqual(new Set([await tool.token()]));
});

/** What buildah accepts: a machine may have no file of its own. */
function policy(): string {
  const file = join(tool.folder, 'policy.json');
  writeFileSync(file, '{"default":[{"type":"insecureAcceptAnything"}]}');
  return file;
}

it('finds Docker Hub by its short name', async () => {
  const user = () => skopeo('login', '--get-login', 'docker.io');
  expect((await user()).stderr).toContain('not logged into docker.io');
  expect(await connect('https://index.docker.io/v1/')).toMatchObject({ code: 0 });
  expect(await user()).toMatchObject({ code: 0, stdout: 'oauth2\n' });
});
