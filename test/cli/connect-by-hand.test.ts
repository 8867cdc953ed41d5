/** Tools of which Rotavox changes no file: what is shown, and what their protocols get. */
import { readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { handSetups } from '../../src/cli/connect/hand-setups.ts';
import { quotedShellWord } from '../../src/contract/shell-word.ts';
import { handText } from '../../src/text/cli/cli-connect.ts';
import { ConnectedTool } from './connected-tool.ts';
import { rotavox } from './rotavox.ts';

let tool: ConnectedTool;
let url = '';

beforeAll(async () => {
  tool = await ConnectedTool.start(
    () => ({}),
    (_request, response) => void response.end(),
  );
  url = 'https://tool.example.com/v1';
});
afterAll(() => tool.stop());
afterEach(() => tool.disconnectAll());

function connect(name: string, ...more: string[]) {
  return tool.run('connect', name, 'nightly', '--url', url, ...more);
}

/** What the program of the only connection prints. */
async function answered(
  args: readonly string[],
  { input = '', env = {} }: { input?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  const { code, stdout, stderr } = await tool.program(await tool.launcher(), args, { input, env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** The same where there is no token. */
async function refused(
  args: readonly string[],
  how: { input?: string; env?: NodeJS.ProcessEnv } = {},
): Promise<void> {
  const { code, stdout, stderr } = await tool.program(await tool.launcher(), args, how);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^Rotavox: .+\n$/);
}

describe('a tool whose files a person changes', () => {
  const inJson = (launcher: string) => JSON.stringify(quotedShellWord(launcher));
  it.each([
    ['go', (at: string) => `  go env -w ${quotedShellWord(`GOAUTH="${at}"; netrc`)}`],
    ['bazel', (at: string) => `  common "--credential_helper=tool.example.com=${at}"`],
    ['claude', (at: string) => `  "apiKeyHelper": ${inJson(at)}`],
    ['codex', (at: string) => `  [model_providers.NAME.auth]\n  command = ${JSON.stringify(at)}`],
    ['headers', (at: string) => `  "headersHelper": ${inJson(at)}`],
  ])('gets the lines to add, a program, and a check: %s', async (name, lines) => {
    const more = name === 'go' ? ['--username', 'me'] : [];
    const dry = await connect(name, '--dry-run', ...more);
    expect(dry).toMatchObject({ code: 0 });
    expect(dry.stdout).toContain(lines(join(tool.dataDir, 'tools', 'con_000000000000')));
    expect(await tool.ids()).toEqual([]);

    const { code, stdout, stderr } = await connect(name, ...more);
    expect(code).toBe(0);
    expect(stdout).toContain(lines(await tool.launcher()));
    expect(stdout).toContain(`ok      ${name} gets the current token`);
    expect(stderr).toContain(`With what is shown above, ${name} asks Rotavox`);
    expect(await connect(name, ...more)).toMatchObject({ code: 1 });
    const [id = ''] = await tool.ids();
    expect(await connect(name, '--replace', ...more)).toMatchObject({ code: 0 });
    expect(await tool.ids()).toEqual([id]);
    expect((await tool.run('status')).stderr).toBe('');
    rmSync(await tool.launcher());
    expect((await tool.run('status')).stderr).toContain('`rotavox connect check` says which.');
    const repaired = await tool.run('connect', 'repair');
    expect(repaired).toMatchObject({ code: 0 });
    expect(repaired.stdout).toContain(lines(await tool.launcher()));
    const byHand = `Remove what has ${id} in it from the configuration of ${name}, by hand.`;
    expect((await tool.run('disconnect', id, '--dry-run')).stdout).toContain(byHand);
    expect((await tool.run('disconnect', id)).stderr).toContain(byHand);
    expect(readdirSync(tool.home)).toEqual([]);
    expect(readdirSync(join(tool.dataDir, 'tools'))).toEqual([]);
  });

  it('is in order where the service cannot be asked about a token', async () => {
    const form = ['--provider', 'assisted', '--input', 'service=other', '--validity', '7'];
    const add = ['credential', 'add', 'asked-of-nobody', '--base-url', 'https://tool.example.com', ...form];
    const { dataDir, env } = tool;
    expect(await rotavox(add, { dataDir, env, stdin: 'a-token-of-another-service' })).toMatchObject({
      code: 0,
    });
    const { code, stdout } = await tool.run('connect', 'headers', 'asked-of-nobody', '--url', url);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ {2}- {7}\S/m);
    expect(await tool.run('connect', 'check')).toMatchObject({ code: 0 });
  });

  it.each(['go', 'bazel'])('is connected by https alone: %s', async (name) => {
    const args = ['connect', name, 'nightly', '--url', 'http://127.0.0.1:8080'];
    expect(await tool.run(...args)).toMatchObject({ code: 2 });
    expect(await tool.ids()).toEqual([]);
  });
});

describe('the program', () => {
  it('of Go prints a header for its address, and again for what was refused below it', async () => {
    await connect('go', '--username', 'me');
    const basic = Buffer.from(`me:${await tool.token()}`).toString('base64');
    const expected = `${url}\n\nAuthorization: Basic ${basic}\n\n`;
    const input = 'HTTP/2.0 401 Unauthorized\nWww-Authenticate: Basic\n\n';
    expect(await answered([])).toBe(expected);
    const asked = `${url}/module?go-get=1`;
    expect(await answered([asked], { input })).toBe(expected.replace(url, `${url}\n${asked}`));
    for (const other of ['https://other.example.com/v1', `${url}?@other.example.com`, `${url}?\nX: y`])
      await refused([other], { input });
    await connect('go', '--scheme', 'bearer', '--username', 'me', '--replace');
    const bearer = `Authorization: Bearer ${await tool.token()}\n\n`;
    expect(await answered([])).toBe(`${url}\n\n${bearer}`);
    await tool.disconnectAll();
    const { origin } = new URL(url);
    await tool.run(
      'connect',
      'go',
      'nightly',
      '--url',
      `${origin}/`,
      '--scheme',
      'bearer',
      '--username',
      'me',
    );
    expect(await answered([])).toBe(`${origin}\n\n${bearer}`);
  });

  it('of Bazel needs a link where its path has letters that Bazel 7 does not find', async () => {
    const { stdout } = await connect('bazel');
    const launcher = await tool.launcher();
    expect(stdout).toContain(`(ln -s ${quotedShellWord(launcher)} ~/${basename(launcher)})`);
    expect(handSetups.bazel.lines('/data/tools/con_1', { origin: url })).toEqual({
      where: handText.bazel,
      lines: ['common --credential_helper=tool.example.com=/data/tools/con_1'],
    });
  });

  it('of Bazel prints headers for an address and for a remote cache', async () => {
    await connect('bazel');
    const headers = { Authorization: [`Bearer ${await tool.token()}`] };
    for (const uri of [`${url}/file?ref=main`, 'grpcs://tool.example.com/v1']) {
      const answer = await answered(['get'], { input: JSON.stringify({ uri, more: 1 }) });
      // Bazel 7.7 refuses parts of a second.
      const expires = expect.stringMatching(/^20[^.]*:\d\dZ$/) as string;
      expect(JSON.parse(answer)).toEqual({ headers, expires });
    }
    for (const input of [JSON.stringify({ uri: 'https://other.example.com/v1' }), '', 'null', '{"uri":1}'])
      await refused(['get'], { input });
  });

  it('of Claude Code prints the key for where its environment says that it is sent', async () => {
    await connect('claude');
    expect(await answered([], { env: { ANTHROPIC_BASE_URL: url } })).toBe(`${await tool.token()}\n`);
    await refused([]);
    await refused([], { env: { ANTHROPIC_BASE_URL: 'https://other.example.com/v1' } });
    await tool.disconnectAll();
    await tool.run('connect', 'claude', 'nightly');
    expect(await answered([])).toBe(`${await tool.token()}\n`);
  });

  it('of Codex prints the token, and why there is none', async () => {
    await connect('codex');
    expect(await answered([])).toBe(`${await tool.token()}\n`);
    const launcher = await tool.launcher();
    await tool.stopService();
    try {
      const { code, stdout, stderr } = await tool.program(launcher, []);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain('Rotavox is not running');
    } finally {
      await tool.startService();
    }
  });

  it('of an MCP client prints a header, and none for another server', async () => {
    await connect('headers');
    const header = { Authorization: `Bearer ${await tool.token()}` };
    expect(JSON.parse(await answered([]))).toEqual(header);
    expect(JSON.parse(await answered([], { env: { CLAUDE_CODE_MCP_SERVER_URL: url } }))).toEqual(header);
    await refused([], { env: { CLAUDE_CODE_MCP_SERVER_URL: 'https://evil.example.com/v1' } });
  });
});
