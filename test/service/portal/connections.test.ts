import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readProcessStat } from '../../../src/contract/credential/process-stat.ts';
import {
  type ConnectionId,
  ConnectionToken,
  type UnansweredTool,
} from '../../../src/contract/credential/tool-connection.ts';
import { isoInstant } from '../../../src/core/iso-instant.ts';
import { dayMs } from '../../../src/core/token/token-record.ts';
import { connectionText } from '../../../src/text/credential/connection-text.ts';
import { MemoryVault } from '../../fakes/memory-vault.ts';
import { OpenService } from '../open-service.ts';
import { issueAndAdd, shown, valueOf } from './credential-token.ts';

const id = 'con_abcdefghij12' as ConnectionId;
const url = 'https://git.example.com/group';
const setting = { file: '/home/me/.gitconfig', text: '[credential]\n', before: '', is_new_file: false };
const wanted = { id, credential: 'nightly', tool: 'git', url, username: 'oauth2', setting };
const asked = { tool: 'git', url: 'https://git.example.com/group/project.git' };

/** A service with a credential that git is connected to. */
async function connected(
  vault = new MemoryVault(),
  onUnansweredTool: (asked: UnansweredTool) => void = () => undefined,
) {
  const service = await (await OpenService.start({ vault, onUnansweredTool })).listen();
  await issueAndAdd(service, 'nightly');
  const { status, body } = await service.owner('POST', '/portal/connections', wanted);
  expect(status).toBe(200);
  const ask = (more: object = {}) => service.owner('POST', '/portal/connections/ask', { ...asked, ...more });
  return { service, body, ask };
}

const digestOf = (token: string) => createHash('sha256').update(token).digest('base64url');

describe('a connection', () => {
  it('is shown with its credential and its place, and is there after a restart', async () => {
    const { service, body } = await connected();
    const view = {
      id,
      tool: 'git',
      credential: 'nightly',
      origin: 'https://git.example.com',
      path_prefix: 'group',
      username: 'oauth2',
      scheme: 'basic',
      setting,
    };
    expect(body).toMatchObject({ ...view, launcher: id });
    const list = await service.owner('GET', '/portal/connections');
    expect(list.body).toMatchObject({ connections: [view] });
    const { folder } = service;
    await service.stop();
    const next = await OpenService.start({ folder });
    expect((await next.owner('GET', '/portal/connections')).body).toEqual(list.body);
  });

  it.each([
    ['of a credential that is not there', { credential: 'b' }, 404, 'not_found'],
    ['for a place that is connected', { id: 'con_000000000000' }, 409, 'conflict'],
    ['with an id that is taken', { url: 'https://other.example.com' }, 409, 'conflict'],
    ['for http to another machine', { url: 'http://git.example.com' }, 400, 'bad_request'],
    ['for an address with a user', { url: 'https://me@git.example.com' }, 400, 'bad_request'],
    ['with a colon in the user name', { username: 'a:b' }, 400, 'bad_request'],
    ['with a line break in the user name', { username: 'a\nb' }, 400, 'bad_request'],
    ['of a tool that nobody knows', { tool: 'svn' }, 400, 'bad_request'],
    ['with an id that leads out of the folder', { id: 'con_../../../x' }, 400, 'bad_request'],
  ])('is refused %s', async (_what, more, status, code) => {
    const { service } = await connected();
    const refused = await service.owner('POST', '/portal/connections', { ...wanted, ...more });
    expect(refused).toMatchObject({ status, body: { code } });
    const { body } = await service.owner('GET', '/portal/connections');
    expect(body.connections).toHaveLength(1);
  });

  it('may have a colon in a user name that is sent nowhere, as those of EKS have', async () => {
    const { service } = await connected();
    const more = {
      id: 'con_000000000000',
      tool: 'kubectl',
      username: 'arn:aws:eks:cluster',
      scheme: 'bearer',
    };
    const { status, body } = await service.owner('POST', '/portal/connections', { ...wanted, ...more });
    expect({ status, body }).toMatchObject({ status: 200, body: { username: 'arn:aws:eks:cluster' } });
  });

  it('takes the place of another one in one step, or leaves it', async () => {
    const { service, ask } = await connected();
    const post = (more: object) =>
      service.owner('POST', '/portal/connections', { ...wanted, username: 'next', replaces: id, ...more });
    expect(await post({ credential: 'b' })).toMatchObject({ status: 404 });
    expect(await ask()).toMatchObject({ status: 200, body: { username: 'oauth2' } });
    expect(await post({})).toMatchObject({ status: 200, body: { id, username: 'next', launcher: id } });
    expect(await ask()).toMatchObject({ status: 200, body: { username: 'next' } });
    const other = 'con_000000000000';
    expect(await post({ id: other, username: 'last' })).toMatchObject({ status: 200 });
    const { body } = await service.owner('GET', '/portal/connections');
    expect(body.connections).toMatchObject([{ id: other, username: 'last' }]);
  });

  it('ends when it is removed, and answers nothing when its credential is', async () => {
    const { service, ask } = await connected();
    expect(await service.owner('DELETE', `/portal/connections/${id}`)).toMatchObject({ status: 200 });
    expect(await ask()).toMatchObject({ status: 404, body: { code: 'no_connection' } });
    for (const gone of ['DELETE', 'POST'] as const) {
      const path = `/portal/connections/${id}${gone === 'POST' ? '/repair' : ''}`;
      expect(await service.owner(gone, path)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
    await service.owner('POST', '/portal/connections', wanted);
    await service.owner('DELETE', '/portal/credentials/nightly');
    // What was written into a file of the tool can still be taken back.
    const { body: left } = await service.owner('GET', '/portal/connections');
    expect(left.connections).toMatchObject([{ id, credential: '', setting }]);
    expect(await ask()).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await service.owner('DELETE', `/portal/connections/${id}`)).toMatchObject({ status: 200 });
    const { body } = await service.owner('GET', '/portal/history?limit=20');
    const kinds = (body.events as { kind: string }[]).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind.startsWith('connection.'))).toEqual([
      'connection.removed',
      'connection.added',
      'connection.removed',
      'connection.added',
    ]);
  });

  it('is for the owner alone', async () => {
    const { service } = await connected();
    const { value } = await service.issue();
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/ask'],
      ['POST', '/refused'],
    ] as const) {
      const payload = method === 'GET' ? {} : { payload: asked };
      expect(await service.bearer(value, method, `/portal/connections${path}`, payload)).toMatchObject({
        status: 401,
        body: { code: 'not_signed_in' },
      });
    }
  });
});

describe('a tool that asks', () => {
  it('gets the current token, its user name and how long it is usable, and counts as a user', async () => {
    const { service, ask } = await connected();
    const { status, headers, body } = await ask({ username: 'oauth2' });
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('no-store');
    const { next_rotation_at: rotates } = await shown(service, 'nightly');
    expect(ConnectionToken.parse(body)).toEqual({
      username: 'oauth2',
      value: await valueOf(service, 'nightly'),
      scheme: 'basic',
      usable_until: rotates,
      generation: 1,
    });
    await service.owner('POST', '/portal/credentials/nightly/rotate', {});
    expect((await ask()).body).toMatchObject({
      generation: 2,
      value: await valueOf(service, 'nightly'),
    });
    const use = await service.owner('GET', '/portal/credentials/nightly/use');
    expect(use.body.users).toContainEqual(expect.objectContaining({ way: 'helper', name: 'git' }));
  });

  it.each([
    ['another path', { url: 'https://git.example.com/groups/x' }],
    ['another port', { url: 'https://git.example.com:8443/group/x' }],
    ['another user', { username: 'somebody' }],
    ['what is no address', { url: '\r\n' }],
  ])('gets nothing for %s', async (_what, more) => {
    const { ask } = await connected();
    expect(await ask(more)).toMatchObject({ status: 404, body: { code: 'no_connection' } });
  });

  it.each([
    ['a pid that no system has', { pid: 2 ** 22 + 1, started: 1, name: 'git' }],
    ['no pid', { started: 1, name: 'git' }],
    ['a start that is no number', { pid: 4711, started: '1', name: 'git' }],
    ['a name with a line break', { pid: 4711, started: 1, name: 'git\n' }],
    ['more than that', { pid: 4711, started: 1, name: 'git', args: ['--token'] }],
  ])('is refused with %s', async (_what, process) => {
    const { ask } = await connected();
    expect(await ask({ process })).toMatchObject({
      status: 400,
      body: { code: 'bad_request', message: expect.stringContaining('process') as string },
    });
  });

  it.runIf(process.platform === 'linux')(
    'is told of before a rotation while it runs with the token',
    async () => {
      const { service, ask } = await connected();
      const { pid } = process;
      const stat = readProcessStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
      const tools = async () => (await service.owner('GET', '/portal/credentials/nightly/use')).body.tools;
      await ask({ process: { pid, started: (stat?.started ?? 0) + 1, name: 'git' } });
      expect(await tools()).toEqual([]);
      await ask({ process: { pid, started: stat?.started, name: 'git' } });
      expect(await tools()).toEqual([{ name: 'git', pid, since: isoInstant(service.clock.nowMs) }]);
      await service.owner('POST', '/portal/credentials/nightly/rotate', {});
      expect(await tools()).toEqual([]);

      const more = { tool: 'claude', url: 'https://models.example.com', username: '-' };
      await service.owner('POST', '/portal/connections', { ...wanted, ...more, id: 'con_claude000000' });
      const answer = await ask({
        ...more,
        username: undefined,
        process: { pid, started: stat?.started, name: 'claude' },
      });
      expect(answer).toMatchObject({ status: 200 });
      expect(await tools(), 'one that asks again').toEqual([]);
    },
  );

  it('waits for the rotation that is being made, also for one that begins while its token is read', async () => {
    const vault = new MemoryVault();
    const { service, ask } = await connected(vault);
    const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
    const { promise: reading, resolve: reads } = Promise.withResolvers<undefined>();
    const begun = new Promise<void>((resolve) => {
      service.store.subscribe(({ kind }) => {
        if (kind === 'credential.rotation_begun') resolve();
      });
    });
    vault.onCall = () => {
      reads(undefined);
      return released;
    };
    const before = ask();
    await reading;
    const rotated = service.owner('POST', '/portal/credentials/nightly/rotate', {});
    await begun;
    const meanwhile = ask();
    release(undefined);
    expect(await rotated).toMatchObject({ status: 200 });
    const value = await valueOf(service, 'nightly');
    for (const answered of [await before, await meanwhile])
      expect(answered).toMatchObject({ status: 200, body: { value, generation: 2 } });
  });

  it('is told that the keychain is locked', async () => {
    const vault = new MemoryVault();
    const told: UnansweredTool[] = [];
    const { ask } = await connected(vault, (asked) => told.push(asked));
    vault.fail('locked');
    expect(await ask({ url: 'https://other.example.com' })).toMatchObject({ status: 404 });
    expect(await ask()).toMatchObject({ status: 503, body: { code: 'vault_locked' } });
    expect(told).toEqual([{ tool: 'git', credential: 'nightly' }]);
  });

  it('is answered after four seconds where the vault waits for a person', { tags: ['long'] }, async () => {
    const vault = new MemoryVault();
    const { service, ask } = await connected(vault);
    const { promise, resolve } = Promise.withResolvers<undefined>();
    vault.onCall = () => promise;
    expect(await ask()).toMatchObject({
      status: 503,
      body: { code: 'vault_locked', message: connectionText.late },
    });
    resolve(undefined);
    // What came too late holds nothing: the next rotation is made at once.
    expect(await service.owner('POST', '/portal/credentials/nightly/rotate', {})).toMatchObject({
      status: 200,
    });
  });

  it('gets no token that is known to be dead, but one whose rotation is paused', async () => {
    const { service, ask } = await connected();
    await service.owner('POST', '/portal/credentials/nightly/pause', {});
    expect(await ask()).toMatchObject({ status: 200 });
    service.clock.nowMs += 400 * dayMs;
    expect(await ask()).toMatchObject({ status: 409, body: { code: 'credential_paused' } });
    await service.owner('POST', '/portal/credentials/nightly/resume', {});
    expect(await ask()).toMatchObject({ status: 409, body: { code: 'token_refused' } });
  });
});

describe('a token that a server has refused', () => {
  const path = '/portal/connections/refused';

  it('is tested if it is the current one, once a minute', async () => {
    const { service, ask } = await connected();
    const { value } = ConnectionToken.parse((await ask()).body);
    const report = () => service.owner('POST', path, { ...asked, digest: digestOf(value) });
    expect((await report()).body).toEqual({
      token: 'current',
      message: connectionText.accepted(service.app.listeningOrigin, 'git'),
    });
    expect((await report()).body).toEqual({ token: 'current', message: null });
    service.clock.nowMs += 61_000;
    expect((await report()).body).toMatchObject({ message: expect.any(String) as string });
    expect(JSON.stringify(await service.owner('GET', '/portal/history?limit=50'))).not.toContain(value);
  });

  it('is told to be dead, so that the credential needs attention', async () => {
    const { service, ask } = await connected();
    const { value } = ConnectionToken.parse((await ask()).body);
    const { body } = await service.owner('GET', '/portal/tokens');
    const [{ id: tokenId } = { id: '' }] = body.tokens as { id: string }[];
    await service.owner('POST', `/portal/tokens/${tokenId}/blacklist`, {});
    await service.owner('POST', path, { ...asked, digest: digestOf(value) });
    expect(await ask()).toMatchObject({ status: 409, body: { code: 'token_refused' } });
    const { body: attention } = await service.owner('GET', '/portal/attention');
    expect(attention.items).toMatchObject([{ kind: 'credential', name: 'nightly', state: 'refused' }]);
  });

  it('is a previous one after a rotation, and raises no alarm', async () => {
    const { service, ask } = await connected();
    const { value } = ConnectionToken.parse((await ask()).body);
    await service.owner('POST', '/portal/credentials/nightly/rotate', {});
    service.clock.nowMs += 40_000;
    const { body } = await service.owner('POST', path, { ...asked, digest: digestOf(value) });
    expect(body).toEqual({ token: 'previous', message: null });
    const { body: history } = await service.owner('GET', '/portal/history?limit=5');
    expect((history.events as object[])[0]).toMatchObject({
      kind: 'connection.token_refused',
      data: { is_current: false, since_rotation_ms: 40_000, generation: 1 },
    });
    expect(await shown(service, 'nightly')).toMatchObject({ state: 'fine', trouble: null });
  });

  it('is known after a restart only if it is the current one, and otherwise ignored', async () => {
    const { service } = await connected();
    const value = await valueOf(service, 'nightly');
    const report = (token: string, more: object = {}) =>
      service.owner('POST', path, { ...asked, digest: digestOf(token), ...more });
    expect((await report(value)).body).toMatchObject({ token: 'current' });
    const nothing = { token: 'unknown', message: null };
    expect((await report('of somebody else')).body).toEqual(nothing);
    expect((await report(value, { url: 'https://evil.example.com/group' })).body).toEqual(nothing);
  });
});
