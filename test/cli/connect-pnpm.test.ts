/** Our program as pnpm runs it, and in the long tests pnpm itself against a registry that checks the token. */
import { execFile } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ConnectedTool } from './connected-tool.ts';
import { rotavox } from './rotavox.ts';

let tool: ConnectedTool;
let npmrc = '';
let registry = '';
/** As the settings of a registry begin. */
let place = '';

beforeAll(async () => {
  tool = await ConnectedTool.start(
    (folder) => ({ PATH: `${join(folder, 'bin')}:${dirname(process.execPath)}:/usr/bin:/bin` }),
    (request, response) => {
      const dist = { tarball: `${registry}foobar/-/foobar-1.0.0.tgz`, shasum: '0'.repeat(40) };
      const versions = { '1.0.0': { name: 'foobar', version: '1.0.0', dist } };
      const foobar = { name: 'foobar', 'dist-tags': { latest: '1.0.0' }, versions };
      response.writeHead(request.url === '/npm/foobar' ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(request.url === '/npm/foobar' ? foobar : {}));
    },
  );
  npmrc = join(tool.home, '.npmrc');
  registry = `${tool.origin}/npm/`;
  place = registry.slice('http:'.length);
  const project = join(tool.folder, 'project');
  const dependencies = { foobar: '1.0.0' };
  tool.write(join(project, 'package.json'), JSON.stringify({ name: 'project', private: true, dependencies }));
  tool.write(join(project, '.npmrc'), `registry=${registry}\n`);
});
afterAll(() => tool.stop());
beforeEach(async () => {
  await tool.disconnectAll();
  tool.writeProgram(join(tool.folder, 'bin', 'pnpm'), '12.0.0');
  tool.write(npmrc, 'fund=false\n');
});

function connect(...more: string[]) {
  return tool.run('connect', 'pnpm', 'nightly', '--url', registry, ...more);
}

/** What pnpm runs. */
function helper(): string {
  const key = `${place}:tokenHelper=`;
  const lines = readFileSync(npmrc, 'utf8').split('\n');
  return lines.find((line) => line.startsWith(key))?.slice(key.length) ?? '';
}

describe('the token helper of pnpm', () => {
  it('prints what pnpm sends, without a word or input, from a path that pnpm takes', async () => {
    const connected = await connect();
    expect(connected).toMatchObject({ code: 0 });
    expect(connected.stdout).toContain('pnpm gets the current token');
    // The data folder has blanks in its name.
    expect(helper()).toMatch(/\/\.rotavox\/con_\w{12}$/);
    expect(lstatSync(helper()).isSymbolicLink()).toBe(true);
    expect(await tool.program(helper(), [])).toEqual({
      code: 0,
      stdout: `Bearer ${await tool.token()}\n`,
      stderr: '',
    });
    await tool.run('credential', 'rotate', 'nightly');
    expect(await tool.program(helper(), [])).toMatchObject({ stdout: `Bearer ${await tool.token()}\n` });
    expect(tool.filesWith(await tool.token())).toEqual([]);
  });

  it('says why where there is no token, and prints none', async () => {
    await connect();
    const path = helper();
    await tool.stopService();
    try {
      const { code, stdout, stderr } = await tool.program(path, []);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain('Rotavox is not running');
    } finally {
      await tool.startService();
    }
  });
});

describe('the .npmrc', () => {
  it.each([
    ['that is not there', null],
    ['with comments', '# mïne\nfund = false\n'],
    ['without a line end', 'fund=false'],
    ['with other line ends', '; mine\r\nfund=false\r\n'],
  ])('is taken back byte by byte, where it is one %s', async (_what, content) => {
    if (content === null) rmSync(npmrc);
    else tool.write(npmrc, content);
    const now = () => (existsSync(npmrc) ? readFileSync(npmrc, 'utf8') : null);
    expect(await connect('--dry-run')).toMatchObject({ code: 0 });
    expect(now()).toBe(content);
    expect(await connect()).toMatchObject({ code: 0 });
    // Twice is harmless.
    expect(await tool.run('connect', 'repair')).toMatchObject({ code: 0 });
    const link = helper();
    await tool.disconnectAll();
    expect(now()).toBe(content);
    expect(existsSync(dirname(link))).toBe(false);
  });

  it('keeps another helper, unless its place is to be taken', async () => {
    const other = `${place}:tokenHelper=/opt/other\nfund=false\n`;
    tool.write(npmrc, other);
    const refused = await connect();
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain(`has the helper /opt/other for ${place}`);
    expect(await connect('--replace')).toMatchObject({ code: 0 });
    expect(readFileSync(npmrc, 'utf8')).not.toContain('/opt/other');
    await tool.disconnectAll();
    expect(readFileSync(npmrc, 'utf8')).toBe(other);
    tool.write(npmrc, other + other);
    expect((await connect('--replace')).stderr).toContain('cannot be told apart');
  });

  it('keeps a helper with arguments, and never shows or records them', async () => {
    const other = `${place}:tokenHelper=/opt/other of-me\n`;
    tool.write(npmrc, other);
    for (const { code, stdout, stderr } of [await connect(), await connect('--replace')]) {
      expect(code).toBe(1);
      expect(stderr).toContain(`has the helper /opt/other for ${place}, with arguments`);
      expect(stdout + stderr).not.toContain('of-me');
    }
    expect(tool.filesWith('of-me')).toEqual([npmrc]);
    expect(await tool.ids()).toEqual([]);
  });

  it('gets our line before its first section, in which pnpm reads no settings', async () => {
    const content = `fund=false\n[other]\n${place}:tokenHelper=/opt/other\n`;
    tool.write(npmrc, content);
    expect(await connect()).toMatchObject({ code: 0 });
    const path = helper();
    expect(readFileSync(npmrc, 'utf8')).toBe(
      content.replace('[other]', `${place}:tokenHelper=${path}\n[other]`),
    );
    tool.write(npmrc, `[other]\n${place}:tokenHelper=${path}\n`);
    const { code, stdout } = await tool.run('connect', 'check');
    expect(code).toBe(1);
    expect(stdout).toContain('pnpm does not ask Rotavox for this address');
    tool.write(npmrc, content);
    expect(await tool.run('connect', 'repair')).toMatchObject({ code: 0 });
    await tool.disconnectAll();
    expect(readFileSync(npmrc, 'utf8')).toBe(content);
  });

  it('has a token named that would be unused, and never shown or recorded', async () => {
    tool.write(npmrc, `${place}:_authToken=of-me\n`);
    const refused = await connect();
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain(`has a token or password for ${place}`);
    const replaced = await connect('--replace');
    expect(replaced).toMatchObject({ code: 0 });
    expect(refused.stderr + replaced.stdout + replaced.stderr).not.toContain('of-me');
    expect(tool.filesWith('of-me')).toEqual([npmrc]);
  });

  it('is checked against what stands after our line', async () => {
    await connect();
    tool.write(npmrc, `${readFileSync(npmrc, 'utf8')}${place}:tokenHelper=/opt/other\n`);
    const { code, stdout } = await tool.run('connect', 'check');
    expect(code).toBe(1);
    expect(stdout).toContain('pnpm does not ask Rotavox for this address');
  });

  it('may be another file', async () => {
    const named = join(tool.folder, 'named');
    const args = ['connect', 'pnpm', 'nightly', '--url', registry];
    const env = { ...tool.env, NPM_CONFIG_USERCONFIG: named };
    expect(await rotavox(args, { dataDir: tool.dataDir, env })).toMatchObject({ code: 0 });
    expect(readFileSync(named, 'utf8')).toContain(`${place}:tokenHelper=`);
    expect(readFileSync(npmrc, 'utf8')).toBe('fund=false\n');
  });

  it('gets nothing where there is no pnpm', async () => {
    rmSync(join(tool.folder, 'bin', 'pnpm'));
    const { code, stderr } = await connect();
    expect(code).toBe(1);
    expect(stderr).toContain('pnpm was not found on the path');
    expect(readFileSync(npmrc, 'utf8')).toBe('fund=false\n');
  });
});

describe.each(['10.34.9', '12.21.0'])('pnpm %s, connected', { tags: ['long'] }, (version) => {
  let pnpm = '';

  beforeAll(async () => {
    const folder = join(tool.folder, version);
    const args = [
      'install',
      '--prefix',
      folder,
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      `pnpm@${version}`,
    ];
    // Where the person who runs the tests gets packages from.
    const env = { ...process.env, HOME: userInfo().homedir };
    await promisify(execFile)('npm', args, { env, timeout: 120_000 });
    pnpm = join(folder, 'node_modules', '.bin', 'pnpm');
  });

  /** Resolves the dependencies, which needs the registry. */
  function resolvePackages() {
    const cwd = join(tool.folder, 'project');
    rmSync(join(cwd, 'pnpm-lock.yaml'), { force: true });
    rmSync(join(tool.home, '.cache'), { recursive: true, force: true });
    return tool.program(pnpm, ['install', '--lockfile-only'], { cwd });
  }

  it('gets the current token, and the next one after a rotation', async () => {
    // Below a section it reads no settings.
    tool.write(npmrc, '[other]\nfund=false\n');
    await connect();
    expect(await resolvePackages()).toMatchObject({ code: 0 });
    const [before = ''] = tool.authorizations;
    expect(new Set(tool.authorizations)).toEqual(new Set([`Bearer ${await tool.token()}`]));
    tool.authorizations.length = 0;
    await tool.run('credential', 'rotate', 'nightly');
    expect(await resolvePackages()).toMatchObject({ code: 0 });
    expect(new Set(tool.authorizations)).toEqual(new Set([`Bearer ${await tool.token()}`]));
    expect(tool.authorizations).not.toContain(before);
    expect(tool.filesWith(await tool.token())).toEqual([]);
  });

  it('fails where there is no token, and does not send another', async () => {
    tool.write(npmrc, `${place}:_authToken=of-me\n`);
    await connect('--replace');
    const path = helper();
    await tool.stopService();
    let failed;
    try {
      failed = await resolvePackages();
    } finally {
      await tool.startService();
    }
    expect(failed.code).not.toBe(0);
    // 12 goes without a token, and says nothing.
    expect(failed.stdout + failed.stderr).toContain(
      version.startsWith('10') ? path : 'No authorization header',
    );
    expect(tool.authorizations).toEqual([]);
  });
});
