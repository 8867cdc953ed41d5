/** The real Terraform of this machine against a module registry that checks the token. Without one its protocol is still spoken to our program. */
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { testCertificate } from '../fixtures/make-authority.ts';
import { ConnectedTool } from './connected-tool.ts';
import { rotavox } from './rotavox.ts';

const terraform = [
  '/usr/bin/terraform',
  '/usr/local/bin/terraform',
  '/usr/bin/tofu',
  '/usr/local/bin/tofu',
].find((file) => existsSync(file));
const block = 'credentials_helper "rotavox" {}\n';

let tool: ConnectedTool;
let config = '';
let own = '';
let plugin = '';
/** As Terraform calls it. */
let host = '';

beforeAll(async () => {
  tool = await ConnectedTool.start(
    (folder) => ({
      SSL_CERT_FILE: join(folder, 'certificate.pem'),
      // It would look for a newer version of itself.
      CHECKPOINT_DISABLE: '1',
    }),
    (request, response) => {
      const { url = '' } = request;
      response.setHeader('content-type', 'application/json');
      if (url === '/.well-known/terraform.json') response.end('{"modules.v1":"/v1/modules/"}');
      else if (url.endsWith('/versions')) response.end('{"modules":[{"versions":[{"version":"1.0.0"}]}]}');
      else response.writeHead(404).end();
    },
    testCertificate,
  );
  tool.write(join(tool.folder, 'certificate.pem'), testCertificate.cert.toString());
  config = join(tool.home, '.terraformrc');
  own = join(tool.home, '.terraform.d', 'credentials.tfrc.json');
  plugin = join(tool.home, '.terraform.d', 'plugins', 'terraform-credentials-rotavox');
  host = new URL(tool.origin).host;
  tool.write(
    join(tool.folder, 'project', 'main.tf'),
    `module "network" {\n  source  = "${host}/team/network/aws"\n  version = "1.0.0"\n}\n`,
  );
});
afterAll(() => tool.stop());
beforeEach(async () => {
  await tool.disconnectAll();
  rmSync(own, { force: true });
  tool.write(config, '# mine\n');
});

function connect(url = tool.origin, ...more: string[]) {
  return tool.run('connect', 'terraform', 'nightly', '--url', url, ...more);
}

describe.skipIf(terraform === undefined)('Terraform, connected', () => {
  /** Looks for the versions of a module, and does not find the only one. */
  function getModules() {
    return tool.program(terraform ?? '', ['get', '-no-color'], { cwd: join(tool.folder, 'project') });
  }

  it('gets the current token, and the next one after a rotation', async () => {
    const connected = await connect();
    expect(connected).toMatchObject({ code: 0 });
    expect(connected.stdout).toContain('terraform gets the current token');
    expect((await getModules()).stdout).toContain('Downloading');
    const [before = ''] = tool.authorizations;
    expect(new Set(tool.authorizations)).toEqual(new Set([`Bearer ${await tool.token()}`]));
    tool.authorizations.length = 0;
    await tool.run('credential', 'rotate', 'nightly');
    expect((await getModules()).stdout).toContain('Downloading');
    expect(new Set(tool.authorizations)).toEqual(new Set([`Bearer ${await tool.token()}`]));
    expect(tool.authorizations).not.toContain(before);
    expect(tool.filesWith(await tool.token())).toEqual([]);
  });

  it('goes without one where there is none, and says of a logout that the token is kept', async () => {
    await connect();
    const loggedOut = await tool.program(terraform ?? '', ['logout', '-no-color', host]);
    expect(loggedOut.code).not.toBe(0);
    expect(loggedOut.stdout + loggedOut.stderr).toContain('Rotavox keeps this token');
    await tool.stopService();
    try {
      const { code, stdout, stderr } = await getModules();
      expect(code).not.toBe(0);
      expect(stdout + stderr).toContain('401 Unauthorized');
      expect(tool.authorizations).toEqual([]);
    } finally {
      await tool.startService();
    }
  });
});

describe('the credentials helper of Terraform', () => {
  it('answers for its hosts, and for no other', async () => {
    await connect();
    expect(await tool.program(plugin, ['get', host])).toEqual({
      code: 0,
      stdout: `${JSON.stringify({ token: await tool.token() })}\n`,
      stderr: '',
    });
    const none = { code: 0, stdout: '{}\n', stderr: '' };
    for (const other of ['app.terraform.io', `me@${host}`, `${host}/x`, '127.0.0.1', ''])
      expect(await tool.program(plugin, ['get', other])).toEqual(none);
  });

  it.each([
    ['store', '{"token":"of-me"}', 'To replace it: rotavox credential replace'],
    ['forget', '', 'To stop: rotavox disconnect'],
  ])('refuses to %s a token', async (operation, input, said) => {
    await connect();
    const { code, stdout, stderr } = await tool.program(plugin, [operation, host], { input });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(said);
    expect(await tool.program(plugin, ['get', host])).toMatchObject({ code: 0 });
    expect(tool.filesWith('of-me')).toEqual([]);
  });

  it('says why where the service is stopped', async () => {
    await connect();
    await tool.stopService();
    try {
      const { code, stdout, stderr } = await tool.program(plugin, ['get', host]);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain('Rotavox is not running');
    } finally {
      await tool.startService();
    }
  });
});

describe('the configuration of Terraform', () => {
  it.each([
    ['that is not there', null],
    ['with comments', '# mïne\nplugin_cache_dir = "/tmp/cache"\n'],
    ['without a line end', 'credentials "app.terraform.io" {\n  token = "of-me"\n}'],
  ])('is taken back byte by byte, in a file %s', async (_what, content) => {
    if (content === null) rmSync(config);
    else tool.write(config, content);
    const now = () => (existsSync(config) ? readFileSync(config, 'utf8') : null);
    expect(await connect(tool.origin, '--dry-run')).toMatchObject({ code: 0 });
    expect(now()).toBe(content);
    expect(await connect()).toMatchObject({ code: 0 });
    expect(now()).toContain(block);
    expect(lstatSync(plugin).isSymbolicLink()).toBe(true);
    // Twice is harmless.
    expect(await tool.run('connect', 'repair')).toMatchObject({ code: 0 });
    const [id = ''] = await tool.ids();
    expect(await tool.run('disconnect', id)).toMatchObject({ code: 0 });
    expect(now()).toBe(content);
    expect(existsSync(plugin)).toBe(false);
  });

  it('is shared by all hosts, and taken back with the last one', async () => {
    const other = '  credentials_helper "other" {\n  }\n# mine\n';
    tool.write(config, other);
    expect((await connect()).stderr).toContain('has the helper other for all hosts');
    expect(await connect(tool.origin, '--replace')).toMatchObject({ code: 0 });
    // Nothing listens there; only the test of the token is of its service.
    expect(await connect('https://127.0.0.1:1')).toMatchObject({ code: 0 });
    expect(readFileSync(config, 'utf8').split('credentials_helper')).toHaveLength(2);
    const [first = '', second = ''] = await tool.ids();
    expect((await tool.run('disconnect', first, '--dry-run')).stdout).toContain('still names the program');
    expect((await tool.run('disconnect', first)).stderr).toContain(
      'still names the program, for the other connections of terraform',
    );
    expect(readFileSync(config, 'utf8')).toContain(block.trim());
    expect(await tool.program(plugin, ['get', '127.0.0.1:1'])).toMatchObject({ code: 0 });
    expect(await tool.run('disconnect', second)).toMatchObject({ code: 0 });
    expect(readFileSync(config, 'utf8')).toBe(other);
  });

  it.each([
    ['in a block of its own', () => config, (at: string) => `credentials "${at}" {\n  token = "of-me"\n}\n`],
    [
      'after a login',
      () => own,
      (at: string) => JSON.stringify({ credentials: { [at]: { token: 'of-me' } } }),
    ],
  ])('has a token named that would be used instead, %s', async (_what, file, make) => {
    tool.write(file(), make(host));
    for (const { code, stdout, stderr } of [await connect(), await connect(tool.origin, '--replace')]) {
      expect(code).toBe(1);
      expect(stderr).toContain(
        `${file()} has a token for ${host}, which Terraform uses before it asks Rotavox`,
      );
      expect(stdout + stderr).not.toContain('of-me');
    }
    expect(await tool.ids()).toEqual([]);
    rmSync(file());
    await connect();
    tool.write(file(), make(host));
    expect((await tool.run('connect', 'check')).stdout).toMatch(/failed +.* has a token for/);
  });

  it('may be another file', async () => {
    const named = join(tool.folder, 'named.tfrc');
    const args = ['connect', 'terraform', 'nightly', '--url', tool.origin];
    const env = { ...tool.env, TF_CLI_CONFIG_FILE: named };
    expect(await rotavox(args, { dataDir: tool.dataDir, env })).toMatchObject({ code: 0 });
    expect(readFileSync(named, 'utf8')).toBe(block);
    await tool.disconnectAll();
    expect(existsSync(named)).toBe(false);
  });

  it('keeps a helper with arguments, and never shows or records them', async () => {
    const other = 'credentials_helper "other" {\n  args = ["of-me"]\n}\n';
    tool.write(config, other);
    for (const { code, stdout, stderr } of [await connect(), await connect(tool.origin, '--replace')]) {
      expect(code).toBe(1);
      expect(stderr).toContain('has the helper other for all hosts, with arguments');
      expect(stdout + stderr).not.toContain('of-me');
    }
    expect(readFileSync(config, 'utf8')).toBe(other);
    expect(tool.filesWith('of-me')).toEqual([config]);
    expect(await tool.ids()).toEqual([]);
  });

  it('is left alone where the program of another data folder is asked, which a check sees', async () => {
    const other = join(tool.folder, 'other data', 'tools', 'terraform-credentials-rotavox');
    tool.writeProgram(other, '{}');
    mkdirSync(dirname(plugin), { recursive: true });
    symlinkSync(other, plugin);
    const refused = await connect();
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain(`terraform asks ${other}, which is not of this data folder`);
    expect(readFileSync(config, 'utf8')).toBe('# mine\n');
    expect(await tool.ids()).toEqual([]);
    rmSync(plugin);
    expect(await connect()).toMatchObject({ code: 0 });
    rmSync(plugin);
    symlinkSync(other, plugin);
    const { code, stdout } = await tool.run('connect', 'check');
    expect(code).toBe(1);
    expect(stdout).toContain(`failed  terraform asks ${other}, which is not of this data folder`);
    rmSync(plugin);
    expect(await tool.run('connect', 'repair')).toMatchObject({ code: 0 });
  });

  it('is for a host, which has no path, and by https', async () => {
    expect(await connect(`${tool.origin}/team`)).toMatchObject({ code: 2 });
    expect(await connect('http://127.0.0.1:8080')).toMatchObject({ code: 2 });
  });
});
