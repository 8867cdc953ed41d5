/** Tools that a window connects: what reaches the port, and what does not. The port itself is tested with the real git in `test/cli`. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { ConnectTool } from '../../../src/contract/credential/tool-command.ts';
import { done, refused, type Result } from '../../../src/core/result.ts';
import type { TeamHosts, ToolCommands } from '../../../src/service/service-context.ts';
import { toolObstacleText } from '../../../src/text/credential/connection-text.ts';
import { waitFor } from '../../fixtures/wait-for.ts';
import { OpenService } from '../open-service.ts';
import { issueAndAdd } from './credential-token.ts';

const id = 'con_abcdefghij12';
const url = 'https://git.example.com/group';
const setting = { file: '/home/me/.gitconfig', text: '[credential]\n', before: '', is_new_file: false };
const wanted = { credential: 'nightly', tool: 'git', url, username: 'oauth2', dry_run: true };
const change = { file: '/home/me/.gitconfig', removed: [], added: ['[credential]'] };
const preview = { changes: [change], by_hand: null, other_helpers: [], connection: null, checks: [] };

/** What was asked of the port, and what it answers. */
class FakeTools implements ToolCommands {
  obstacle: ToolCommands['obstacle'] = null;
  readonly asked: unknown[] = [];
  running = 0;
  mostRunning = 0;
  isEnded = false;
  wait: Promise<unknown> = Promise.resolve();
  refusal: string | null = null;

  connect(wantedTool: ConnectTool) {
    return this.#answer(['connect', wantedTool], preview);
  }
  check(of: string) {
    return this.#answer(['check', of], { checks: [{ passes: true, text: 'It works.' }], by_hand: null });
  }
  disconnect(of: string, { isDryRun }: { readonly isDryRun: boolean }) {
    return this.#answer(['disconnect', of, isDryRun], { changes: [change], says: [] });
  }
  end() {
    this.isEnded = true;
  }

  async #answer<T>(call: unknown, value: T): Promise<Result<T, string>> {
    this.asked.push(call);
    this.running += 1;
    this.mostRunning = Math.max(this.mostRunning, this.running);
    await this.wait;
    this.running -= 1;
    return this.refusal === null ? done(value) : refused(this.refusal);
  }
}

async function opened({ team }: { team?: TeamHosts } = {}) {
  const tools = new FakeTools();
  const service = await (
    await OpenService.start({ toolCommands: tools, ...(team === undefined ? {} : { team }) })
  ).listen();
  await issueAndAdd(service, 'nightly');
  const post = (path: string, body: object = {}) =>
    service.owner('POST', `/portal/connections/${path}`, body);
  if (team === undefined) {
    const { credential, tool, username } = wanted;
    const body = { id, credential, tool, url, username, setting };
    expect(await service.owner('POST', '/portal/connections', body)).toMatchObject({ status: 200 });
  }
  return { service, tools, post };
}

describe('a tool, from a window', () => {
  it('is shown what would change, connected, checked and disconnected by the command line', async () => {
    const { tools, post } = await opened();
    expect(await post('connect', wanted)).toMatchObject({ status: 200, body: preview });
    expect(await post(`${id}/check`)).toMatchObject({ status: 200, body: { checks: [{ passes: true }] } });
    expect(await post(`${id}/disconnect`)).toMatchObject({ status: 200, body: { changes: [change] } });
    expect(await post(`${id}/disconnect`, { dry_run: true })).toMatchObject({ status: 200 });
    expect(tools.asked).toEqual([
      ['connect', { ...wanted, replace: false }],
      ['check', id],
      ['disconnect', id, false],
      ['disconnect', id, true],
    ]);
  });

  it.each([
    ['an option as the credential', { credential: '--replace' }, 400],
    ['a tool that is none', { tool: '--help' }, 400],
    ['another command', { tool: 'check' }, 400],
    ['an option as the address', { url: '--dry-run' }, 400],
    ['an address with a line break', { url: 'https://git.example.com/\n--replace' }, 400],
    ['an address with a user', { url: 'https://me:secret@git.example.com' }, 400],
    ['http to another machine', { url: 'http://git.example.com' }, 400],
    ['a line break in the user name', { username: 'a\n--replace' }, 400],
    ['a colon in the user name', { username: 'a:b' }, 400],
    ['a user name for a tool that sends none', { tool: 'cargo' }, 400],
    ['more than there is', { args: ['--replace'] }, 400],
    ['a credential that is not there', { credential: 'other' }, 404],
  ])('is refused %s before anything runs', async (_what, more, status) => {
    const { tools, post } = await opened();
    expect(await post('connect', { ...wanted, ...more })).toMatchObject({ status });
    expect(tools.asked).toEqual([]);
  });

  it('may have a user with a colon where it is sent nowhere, as those of EKS have', async () => {
    const { tools, post } = await opened();
    const user = { tool: 'kubectl', username: 'arn:aws:eks:cluster' };
    expect(await post('connect', { ...wanted, ...user })).toMatchObject({ status: 200 });
    expect(tools.asked).toMatchObject([['connect', user]]);
  });

  it('is refused an id that is no connection, also one that would be an option', async () => {
    const { tools, post } = await opened();
    for (const other of ['--json', 'con_000000000000', '..%2F..%2Fx'])
      for (const act of ['check', 'disconnect'])
        expect(await post(`${other}/${act}`)).toMatchObject({ status: 404 });
    expect(tools.asked).toEqual([]);
  });

  it('says in the words of the command why it was not done', async () => {
    const { tools, post } = await opened();
    tools.refusal = 'git was not found on the path.';
    expect(await post('connect', wanted)).toMatchObject({
      status: 409,
      body: { code: 'conflict', message: tools.refusal },
    });
  });

  it('is served one at a time for each tool, and not without end', async () => {
    const { service, tools, post } = await opened();
    // Another credential: the file of the tool is the same.
    await issueAndAdd(service, 'other');
    const { promise, resolve } = Promise.withResolvers<undefined>();
    tools.wait = promise;
    const first = Array.from({ length: 16 }, (_, at) =>
      at % 2 === 0 ? post(`${id}/check`) : post('connect', { ...wanted, credential: 'other' }),
    );
    const tooMany = await post(`${id}/check`);
    expect(tooMany).toMatchObject({ status: 409, body: { code: 'conflict' } });
    resolve(undefined);
    for (const one of first) expect(await one).toMatchObject({ status: 200 });
    expect(tools).toMatchObject({ mostRunning: 1, running: 0 });
    expect(tools.asked).toHaveLength(16);
    expect(await post(`${id}/check`)).toMatchObject({ status: 200 });
  });

  it('is not looked at any more for a change that nobody waits for', async () => {
    const { service, tools, post } = await opened();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    tools.wait = promise;
    const first = post(`${id}/check`);
    await waitFor(() => expect(tools.running).toBe(1));
    const left = new AbortController();
    const arrived = once(service.app.server, 'request');
    const typed = fetch(`${service.app.listeningOrigin}/portal/connections/connect`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.service.sessions.portalKey}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(wanted),
      signal: left.signal,
    });
    const [, response] = (await arrived) as [unknown, ServerResponse];
    await service.owner('GET', '/portal/status'); // its body has been read by then
    const last = post('connect', { ...wanted, url: `${url}/group` });
    left.abort();
    await expect(typed).rejects.toThrow();
    if (!response.destroyed) await once(response, 'close');
    resolve(undefined);
    await Promise.all([first, last]);
    expect(tools.asked.map((call) => (call as string[])[0])).toEqual(['check', 'connect']);
  });

  it.each(['system_account', 'no_command_line'] as const)(
    'is not connected where that cannot be done, and the status says why: %s',
    async (obstacle) => {
      const { service, tools, post } = await opened();
      tools.obstacle = obstacle;
      const message = toolObstacleText[obstacle];
      for (const path of ['connect', `${id}/check`, `${id}/disconnect`])
        expect(await post(path, path === 'connect' ? wanted : {})).toMatchObject({
          status: 409,
          body: { message },
        });
      expect(tools.asked).toEqual([]);
      const status = await service.owner('GET', '/portal/status');
      expect(status.body).toMatchObject({ tool_obstacle: obstacle });
    },
  );

  it('is not connected to a host of a team', async () => {
    const team = { read: () => Promise.resolve(null), remove: () => Promise.resolve() };
    const { service, tools, post } = await opened({ team });
    expect(await post('connect', wanted)).toMatchObject({
      status: 409,
      body: { message: toolObstacleText.of_team },
    });
    expect(tools.asked).toEqual([]);
    const { body } = await service.owner('GET', '/portal/status');
    expect(body).toMatchObject({ tool_obstacle: 'of_team' });
  });

  it('is for the owner alone, and for no page of another origin', async () => {
    const { service, tools } = await opened();
    const { value } = await service.issue();
    for (const path of ['connect', `${id}/check`, `${id}/disconnect`]) {
      const at = `/portal/connections/${path}`;
      const payload = path === 'connect' ? wanted : {};
      expect(await service.bearer(value, 'POST', at, { payload })).toMatchObject({ status: 401 });
      const key = service.service.sessions.portalKey;
      const headers = { origin: 'https://evil.example.com' };
      expect(await service.bearer(key, 'POST', at, { payload, headers })).toMatchObject({
        status: 403,
        body: { code: 'origin_not_allowed' },
      });
    }
    expect(tools.asked).toEqual([]);
  });

  it('ends with the service', async () => {
    const { service, tools } = await opened();
    await service.stop();
    expect(tools.isEnded).toBe(true);
  });
});
