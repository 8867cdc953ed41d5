/** What a window asks of the service, which runs the built command line for it: with the real git, and a home of the test. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ConnectTool } from '../../src/contract/credential/tool-command.ts';
import { Owner } from '../journeys/owner.ts';
import { ConnectedTool } from './connected-tool.ts';

const comments = '# mine\n[user]\n\tname = Ada ; me\n';
let tool: ConnectedTool;
let settings = '';
let owner: Owner;

beforeAll(async () => {
  tool = await ConnectedTool.start(
    (folder) => ({ PATH: `${join(folder, 'bin')}:/usr/bin:/bin` }),
    (_request, response) => void response.end(),
  );
  settings = join(tool.home, '.gitconfig');
  // The command has the environment of the service, which is this process.
  for (const [name, value] of Object.entries(tool.env)) vi.stubEnv(name, value);
  // They name files of the account that runs this, which must not be changed; npm names its own to whatever it runs.
  const others = Object.keys(process.env).filter((name) =>
    /^(?:npm_config|XDG|GIT|ROTAVOX|TF)_|^(?:DOCKER_CONFIG|KUBECONFIG|CARGO_HOME)$/i.test(name),
  );
  for (const name of others) vi.stubEnv(name, undefined);
  owner = new Owner(tool.dataDir);
  tool.write(settings, comments);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await tool.stop();
});
afterEach(() => tool.disconnectAll());

function connect(more: Partial<ConnectTool> = {}) {
  const body = { credential: 'nightly', tool: 'git', url: tool.origin, username: 'oauth2' } as const;
  return owner.ask('connectTool', { body: { ...body, ...more } });
}

/** What git gets for an address. */
async function filled(username = ''): Promise<string> {
  const { protocol, host } = new URL(tool.origin);
  const name = username === '' ? '' : `username=${username}\n`;
  const input = `protocol=${protocol.slice(0, -1)}\nhost=${host}\n${name}\n`;
  const env = { GIT_TERMINAL_PROMPT: '0' };
  return (await tool.program('git', ['credential', 'fill'], { input, env })).stdout;
}

describe('a tool that a window connects', () => {
  it('is shown the change, gets the token, is checked, and is as before when it is disconnected', async () => {
    const shown = await connect({ dry_run: true });
    expect(shown).toMatchObject({ connection: null, checks: [], by_hand: null, other_helpers: [] });
    expect(shown.changes).toMatchObject([{ file: settings, removed: [] }]);
    expect(shown.changes[0]?.added).toContain(`[credential "${tool.origin}"]`);
    expect(readFileSync(settings, 'utf8')).toBe(comments);
    expect(await tool.ids()).toEqual([]);

    const { connection, checks, changes } = await connect();
    const id = connection?.id ?? '';
    expect(await tool.ids()).toEqual([id]);
    expect(checks.map(({ passes }) => passes)).not.toContain(false);
    expect(readFileSync(settings, 'utf8')).toContain(changes[0]?.added[0]);
    const token = await tool.token();
    expect(await filled()).toContain(`username=oauth2\npassword=${token}\n`);
    const checked = await owner.ask('checkTool', { params: { id } });
    expect(checked.checks).toContainEqual({ passes: true, text: 'git gets the current token.' });

    const undoing = await owner.ask('disconnectTool', { params: { id }, body: { dry_run: true } });
    expect(undoing).toEqual({
      changes: [{ file: settings, removed: changes[0]?.added, added: [] }],
      says: [],
    });
    expect(await tool.ids()).toEqual([id]);
    const undone = await owner.ask('disconnectTool', { params: { id }, body: {} });
    expect(undone.says).toEqual([`${settings} is as it was without the connection.`]);
    expect(readFileSync(settings, 'utf8')).toBe(comments);
    expect(await tool.ids()).toEqual([]);
    for (const answer of [shown, checked, undoing, undone])
      expect(JSON.stringify(answer)).not.toContain(token);
  });

  it('takes a user name that looks like an option as a user name', async () => {
    await connect({ username: '--dry-run' });
    expect(await tool.ids()).toHaveLength(1);
    expect(await filled('--dry-run')).toContain('username=--dry-run\n');
  });

  it('is found to be broken by a check, which says what to do', async () => {
    const { connection } = await connect();
    tool.write(settings, comments);
    const { checks } = await owner.ask('checkTool', { params: { id: connection?.id ?? '' } });
    const broken = checks.filter(({ passes }) => passes === false);
    expect(broken[0]?.text).toContain('connect repair');
  });

  it('is connected anew in the place of what is there only where that is wanted', async () => {
    await connect();
    await expect(connect({ username: 'next' })).rejects.toThrow(/409 git is already connected for/);
    const { changes, connection } = await connect({ username: 'next', replace: true });
    expect(changes.map(({ added, removed }) => [added.length > 0, removed.length > 0])).toEqual([
      [false, true],
      [true, false],
    ]);
    expect(connection).toMatchObject({ username: 'next' });
  });

  it('is refused with the reason, and nothing is changed', async () => {
    await expect(connect({ tool: 'bazel', username: undefined })).rejects.toThrow(
      /409 --url must be an https address/,
    );
    tool.write(`${settings}.lock`, '');
    await expect(connect()).rejects.toThrow(/is being changed by another program/);
    await tool.program('rm', [`${settings}.lock`]);
    expect(readFileSync(settings, 'utf8')).toBe(comments);
    expect(await tool.ids()).toEqual([]);
  });

  it('gets the lines that a person adds, again with each check', async () => {
    const headers = { tool: 'headers', url: 'https://tool.example.com/mcp', username: undefined } as const;
    const { by_hand: byHand, changes, connection } = await connect(headers);
    const id = connection?.id ?? '';
    expect(changes).toEqual([]);
    expect(byHand).toMatchObject({
      where: expect.stringContaining('https://tool.example.com/mcp') as string,
      lines: [expect.stringMatching(new RegExp(`^"headersHelper": .*/tools/${id}`)) as string],
    });
    const checked = await owner.ask('checkTool', { params: { id } });
    expect(checked).toMatchObject({ by_hand: byHand, checks: [{ passes: true }, { passes: true }, {}] });
    const { says } = await owner.ask('disconnectTool', { params: { id }, body: {} });
    expect(says).toEqual([`Remove what has ${id} in it from the configuration of headers, by hand.`]);
  });

  it('shows no secret of the files of tools: a token beside ours, or one in another helper', async () => {
    const secret = 's3cret-of-another';
    tool.write(settings, `${comments}[credential]\n\thelper = "!f() { echo password=${secret}; }; f"\n`);
    const git = await connect({ dry_run: true });
    expect(git.other_helpers).toEqual([{ name: null, file: settings }]);
    tool.writeProgram(join(tool.folder, 'bin', 'pnpm'), '12.0.0');
    const place = tool.origin.slice('http:'.length);
    const npmrc = join(tool.home, '.npmrc');
    tool.write(npmrc, `${place}/:_authToken=${secret}\n`);
    const pnpm = await connect({ tool: 'pnpm', username: undefined, dry_run: true, replace: true });
    expect(pnpm.changes).toMatchObject([{ file: npmrc, removed: [] }]);
    await expect(connect({ tool: 'pnpm', username: undefined })).rejects.toThrow(
      /has a token or password for/,
    );
    expect(JSON.stringify([git, pnpm])).not.toContain(secret);
    tool.write(settings, comments);
  });
});
