/** The real cargo of this machine against a sparse index that checks the token. Without one its protocol is still spoken to our program. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { ConnectedTool } from './connected-tool.ts';
import { rotavox } from './rotavox.ts';

const rustup = process.env['RUSTUP_HOME'] ?? join(userInfo().homedir, '.rustup');
const folders = [...(process.env['PATH'] ?? '').split(delimiter), join(userInfo().homedir, '.cargo', 'bin')];
const found = folders.map((folder) => join(folder, 'cargo')).find((file) => existsSync(file));
const version = spawnSync(found ?? 'cargo', ['--version'], {
  env: { RUSTUP_HOME: rustup },
  encoding: 'utf8',
});
const [, minor = '0'] = /^cargo 1\.(\d+)/.exec(version.stdout) ?? [];
/** Credential providers came with 1.74. */
const isInstalled = Number(minor) >= 74;
const cargo = found ?? 'cargo';

const crate = { name: 'foobar', vers: '1.0.0', deps: [], cksum: '0'.repeat(64), features: {}, yanked: false };

let tool: ConnectedTool;
let config = '';
let credentials = '';
let index = '';

beforeAll(async () => {
  tool = await ConnectedTool.start(
    (folder) => ({
      CARGO_HOME: join(folder, 'cargo home'),
      RUSTUP_HOME: rustup,
      PATH: `${join(folder, 'bin')}:/usr/bin:/bin`,
    }),
    (request, response) => {
      if (request.url === '/index/config.json')
        response.end(JSON.stringify({ dl: `${tool.origin}/dl`, api: tool.origin, 'auth-required': true }));
      else if (request.url === '/index/fo/ob/foobar') response.end(`${JSON.stringify(crate)}\n`);
      else response.writeHead(404).end();
    },
  );
  const { CARGO_HOME: cargoHome = '' } = tool.env;
  config = join(cargoHome, 'config.toml');
  credentials = join(cargoHome, 'credentials.toml');
  index = `sparse+${tool.origin}/index/`;
  const project = join(tool.folder, 'project');
  tool.write(join(project, 'src', 'main.rs'), 'fn main() {}\n');
  tool.write(
    join(project, 'Cargo.toml'),
    '[package]\nname = "project"\nversion = "0.1.0"\n[dependencies]\nfoobar = { version = "1", registry = "crates" }\n',
  );
});
afterAll(() => tool.stop());
beforeEach(async () => {
  await tool.disconnectAll();
  tool.writeProgram(join(tool.folder, 'bin', 'cargo'), 'cargo 1.85.0 (d73d2caf9 2024-12-31)');
  rmSync(credentials, { force: true });
  tool.write(config, `# mine\n[registries.crates]\nindex = "${index}"\n`);
});

function connect(...more: string[]) {
  return tool.run('connect', 'cargo', 'nightly', '--url', index, ...more);
}

/** Resolves the dependencies, which needs the index. */
function resolveCrates(env: NodeJS.ProcessEnv = {}) {
  const cwd = join(tool.folder, 'project');
  rmSync(join(cwd, 'Cargo.lock'), { force: true });
  return tool.program(cargo, ['generate-lockfile'], { cwd, env });
}

describe.skipIf(!isInstalled)('cargo, connected', () => {
  it('gets the current token, and the next one after a rotation', async () => {
    const connected = await connect();
    expect(connected).toMatchObject({ code: 0 });
    expect(connected.stdout).toContain('cargo gets the current token');
    expect(await resolveCrates()).toMatchObject({ code: 0 });
    const [before] = tool.authorizations;
    expect(new Set(tool.authorizations)).toEqual(new Set([await tool.token()]));
    tool.authorizations.length = 0;
    await tool.run('credential', 'rotate', 'nightly');
    expect(await resolveCrates()).toMatchObject({ code: 0 });
    expect(new Set(tool.authorizations)).toEqual(new Set([await tool.token()]));
    expect(tool.authorizations).not.toContain(before);
    expect(tool.filesWith(await tool.token())).toEqual([]);
  });

  it('gets it with the word Bearer where the registry wants it', async () => {
    expect(await connect('--scheme', 'bearer')).toMatchObject({ code: 0 });
    expect(await resolveCrates()).toMatchObject({ code: 0 });
    expect(new Set(tool.authorizations)).toEqual(new Set([`Bearer ${await tool.token()}`]));
  });

  it('says that a token is kept where a person logs in or out', async () => {
    await connect();
    const loggedIn = await tool.program(cargo, ['login', '--registry', 'crates'], { input: 'of-me\n' });
    expect(loggedIn.code).not.toBe(0);
    expect(loggedIn.stderr).toContain('requested operation not supported');
    const loggedOut = await tool.program(cargo, ['logout', '--registry', 'crates']);
    expect(loggedOut.code).not.toBe(0);
    expect(loggedOut.stderr).toContain('Rotavox keeps this token. To stop: rotavox disconnect');
    expect(await resolveCrates()).toMatchObject({ code: 0 });
    expect(tool.filesWith('of-me')).toEqual([]);
  });

  it('says why where there is no token', async () => {
    await connect();
    await tool.stopService();
    try {
      const { code, stderr } = await resolveCrates();
      expect(code).not.toBe(0);
      expect(stderr).toContain('Rotavox is not running');
    } finally {
      await tool.startService();
    }
  });

  it('gets nothing for another index of the same name', async () => {
    await connect();
    const { code, stderr } = await resolveCrates({
      CARGO_REGISTRIES_CRATES_INDEX: `sparse+${tool.origin}/other/`,
    });
    expect(code).not.toBe(0);
    expect(stderr).toContain('no credential providers could handle the request');
    expect(tool.authorizations).toEqual([]);
  });
});

describe('the credential provider of cargo', () => {
  const line = (request: object) =>
    `${JSON.stringify({ v: 1, registry: { 'index-url': index }, ...request })}\n`;
  const answers = async (input: string) => {
    const { code, stdout } = await tool.program(await tool.launcher(), ['--cargo-plugin'], { input });
    expect(code).toBe(0);
    return stdout
      .trim()
      .split('\n')
      .map((one) => JSON.parse(one) as unknown);
  };

  it('answers each line until its input ends', async () => {
    await connect();
    const other = { 'index-url': 'sparse+https://crates.example.com/' };
    expect(
      await answers(
        line({ kind: 'get', operation: 'read' }) +
          line({ kind: 'get', registry: other }) +
          line({ kind: 'login', token: 'of-me' }) +
          line({ kind: 'logout' }) +
          line({ kind: 'dance' }) +
          'no request\n' +
          line({ kind: 'get', operation: 'publish', name: 'foobar', vers: '1.0.0', cksum: '00' }),
      ),
    ).toMatchObject([
      { v: [1] },
      { Ok: { kind: 'get', token: await tool.token(), cache: 'expires', operation_independent: true } },
      { Err: { kind: 'url-not-supported' } },
      { Err: { kind: 'operation-not-supported' } },
      { Err: { kind: 'other', message: 'Rotavox keeps this token. To stop: rotavox disconnect' } },
      { Err: { kind: 'operation-not-supported' } },
      { Err: { kind: 'other', 'caused-by': [] } },
      { Ok: { token: await tool.token() } },
    ]);
  });
});

describe('the configuration of cargo', () => {
  it('is that of the account where the folder of cargo is named by an empty text', async () => {
    const usual = join(tool.home, '.cargo', 'config.toml');
    tool.write(usual, readFileSync(config, 'utf8'));
    const args = ['connect', 'cargo', 'nightly', '--url', index, '--dry-run'];
    const env = { ...tool.env, CARGO_HOME: '' };
    const { stdout } = await rotavox(args, { dataDir: tool.dataDir, env });
    expect(stdout.split('\n')[0]).toBe(usual);
  });

  const provider = /credential-provider = \["[^"]*\/tools\/con_\w{12}"\]/;

  it.each([
    [
      'with a table',
      (at: string) => `# mine\n[registries.crates]\nindex = "${at}" # here\n\n[build]\njobs = 1\n`,
    ],
    [
      'with an indent and a protocol',
      (at: string) => `[registries."crates"]\n  token-type = 'x'\n  index = '${at}'`,
    ],
    ['with a dotted key', (at: string) => `registries.crates.index = "${at}"\n\n[net]\noffline = false\n`],
    ['with a byte order mark', (at: string) => `\uFEFF[registries.crates]\nindex = "${at}"\n`],
    ['with other line ends', (at: string) => `# mïne\r\n[registries.crates]\r\nindex = "${at}"\r\n`],
  ])('is taken back byte by byte, in a file %s', async (_what, make) => {
    tool.write(config, make(index));
    expect(await connect('--dry-run')).toMatchObject({ code: 0 });
    expect(readFileSync(config, 'utf8')).toBe(make(index));
    const connected = await connect();
    expect(connected).toMatchObject({ code: 0 });
    expect(connected.stdout).toContain('cargo asks Rotavox for this address');
    expect(readFileSync(config, 'utf8')).toMatch(provider);
    // Twice is harmless.
    expect(await tool.run('connect', 'repair')).toMatchObject({ code: 0 });
    const [id = ''] = await tool.ids();
    expect(await tool.run('disconnect', id)).toMatchObject({ code: 0 });
    expect(readFileSync(config, 'utf8')).toBe(make(index));
  });

  it('keeps another provider, unless its place is to be taken', async () => {
    const other = `[registries.crates]\ncredential-provider = "cargo:libsecret"\nindex = "${index}"\n`;
    tool.write(config, other);
    const refused = await connect();
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain('has the helper cargo:libsecret for the registry crates');
    expect(await connect('--replace')).toMatchObject({ code: 0 });
    expect(readFileSync(config, 'utf8')).toMatch(provider);
    await tool.disconnectAll();
    expect(readFileSync(config, 'utf8')).toBe(other);
  });

  it.each([
    ['list', '["cargo:token-from-stdout", "echo", "of-me"]'],
    ['text', '"cargo:token-from-stdout echo of-me"'],
  ])('keeps a provider with arguments in a %s, and never shows or records them', async (_what, value) => {
    const other = `[registries.crates]\ncredential-provider = ${value}\nindex = "${index}"\n`;
    tool.write(config, other);
    for (const { code, stdout, stderr } of [await connect(), await connect('--replace')]) {
      expect(code).toBe(1);
      expect(stderr).toContain(
        'has the helper cargo:token-from-stdout for the registry crates, with arguments',
      );
      expect(stdout + stderr).not.toContain('of-me');
    }
    expect(readFileSync(config, 'utf8')).toBe(other);
    expect(tool.filesWith('of-me')).toEqual([config]);
    expect(await tool.ids()).toEqual([]);
  });

  it('is the file without an ending where there is one, which cargo reads then', async () => {
    const old = join(dirname(config), 'config');
    onTestFinished(() => rmSync(old, { force: true }));
    tool.write(old, `[registries.crates]\nindex = "${index}"\n`);
    expect(await connect()).toMatchObject({ code: 0 });
    expect(readFileSync(old, 'utf8')).toMatch(provider);
    expect(readFileSync(config, 'utf8')).not.toMatch(provider);
  });

  it('has a token named in the old file for tokens', async () => {
    const old = join(dirname(config), 'credentials');
    onTestFinished(() => rmSync(old, { force: true }));
    tool.write(old, '[registries.crates]\ntoken = "of-me"\n');
    expect((await connect()).stderr).toContain(`${old} has a token for the registry crates`);
  });

  it('names the providers of all registries that will not be asked', async () => {
    const all = '[registry]\nglobal-credential-providers = ["cargo:token", "/opt/other of-me"]\n';
    tool.write(config, `${all}[registries.crates]\nindex = "${index}"\n`);
    const { stderr } = await connect();
    expect(stderr).toContain(`cargo will not ask /opt/other (${config}) for this address`);
    expect(stderr).not.toContain('cargo:token');
    expect(stderr).not.toContain('of-me');
  });

  it('names a token that would be unused, and never shows or records it', async () => {
    const token = '[registries.crates]\ntoken = "of-me"\n';
    tool.write(credentials, token);
    const refused = await connect();
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain(credentials);
    expect(refused.stderr).toContain('cargo logout --registry crates');
    const replaced = await connect('--replace');
    expect(replaced).toMatchObject({ code: 0 });
    expect(refused.stderr + replaced.stdout + replaced.stderr).not.toContain('of-me');
    expect(tool.filesWith('of-me')).toEqual([credentials]);
  });

  it.each([
    [
      'without the registry',
      () => '[registries.other]\nindex = "https://crates.example.com/"\n',
      'has no registry',
    ],
    ['that is not there', () => null, 'has no registry'],
    ['that is not TOML', () => '[registries\n', 'is not TOML (line 2)'],
    [
      'with a token beside the index in one line',
      (at: string) => `[registries]\ncrates = { x = "of-me", index = "${at}" }\n`,
      'in braces, twice or',
    ],
    [
      'with the index after a byte order mark',
      (at: string) => `\uFEFFregistries.crates.index = "${at}"\n`,
      'right after a byte order mark',
    ],
    [
      'with the index in a comment, too',
      (at: string) => `# index = "${at}"\n[registries.crates]\nindex = "${at}"\n`,
      'in braces, twice or',
    ],
  ])('is left to the person, in a file %s', async (_what, make, said) => {
    const content = make(index);
    if (content === null) rmSync(config);
    else tool.write(config, content);
    const { code, stderr } = await connect();
    expect(code).toBe(1);
    expect(stderr).toContain(said);
    expect(stderr).not.toContain('con_');
    expect(existsSync(config) ? readFileSync(config, 'utf8') : null).toBe(content);
    expect(await tool.ids()).toEqual([]);
  });

  it('is checked against what cargo is told elsewhere', async () => {
    await connect();
    tool.write(config, readFileSync(config, 'utf8').replace(provider, 'credential-provider = "cargo:token"'));
    const { code, stdout } = await tool.run('connect', 'check');
    expect(code).toBe(1);
    expect(stdout).toContain('cargo does not ask Rotavox for this address');
    tool.write(config, '');
    expect((await tool.run('connect', 'check')).stdout).toMatch(/failed +.* has no registry with the index/);
  });

  it('needs a cargo that asks other programs', async () => {
    tool.writeProgram(join(tool.folder, 'bin', 'cargo'), 'cargo 1.66.0');
    expect((await connect()).stderr).toContain('1.74 or newer');
    rmSync(join(tool.folder, 'bin', 'cargo'));
    expect((await connect()).stderr).toContain('cargo was not found on the path');
  });
});
