import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { PortalStatus, ReadyLine } from '../../src/contract/service/portal.ts';
import type { TeamHost } from '../../src/contract/service/team.ts';
import { startTeamHost } from '../../src/host/start-team-host.ts';
import { passedOnHeader } from '../../src/service/guard/passed-on.ts';
import { cheapScrypt } from '../fixtures/cheap-scrypt.ts';
import { startTcpProxy } from '../fakes/tcp-proxy.ts';
import { type CertificateFilePaths, makeCertificate } from '../fixtures/make-authority.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { runtimeFileOf } from '../host/runtime-file-of.ts';
import { commonPostgres, type Postgres } from '../tools/postgres.ts';
import { waitFor } from '../fixtures/wait-for.ts';
import { stopByCall } from '../../src/cli/commands/service-commands.ts';

let postgres: Postgres;
beforeAll(async () => {
  postgres = await commonPostgres();
});

const program = join(import.meta.dirname, '..', '..', 'out', 'cli', 'index.js');

/** Killed when the test is over, unless it has ended by then. */
function serve(journal: string, args: readonly string[]): ChildProcess {
  const folder = makeFolder();
  const passphrase = join(folder, 'passphrase');
  writeFileSync(passphrase, 'correct horse battery staple\n', { mode: 0o600 });
  const child = spawn(
    process.execPath,
    [program, 'serve', '--port', '0', '--data-dir', join(folder, 'data'), ...args],
    {
      env: { ...process.env, ROTAVOX_JOURNAL: journal, ROTAVOX_VAULT_PASSPHRASE_FILE: passphrase },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  return child;
}

class ServedHost {
  readonly child: ChildProcess;
  readonly ready: ReadyLine;
  readonly dataDir: string;
  readonly errors: string[];

  private constructor(child: ChildProcess, ready: ReadyLine, errors: string[]) {
    this.child = child;
    this.ready = ready;
    this.dataDir = ready.data_dir;
    this.errors = errors;
  }

  static async start(journal: string, more: readonly string[] = []): Promise<ServedHost> {
    const child = serve(journal, ['--json', ...more]);
    const errors: string[] = [];
    createInterface({ input: child.stderr! }).on('line', (line) => errors.push(line));
    const lines = createInterface({ input: child.stdout! });
    const [line] = (await Promise.race([
      once(lines, 'line'),
      once(child, 'exit').then(() => {
        throw new Error(errors.join('\n'));
      }),
    ])) as [string];
    return new ServedHost(child, ReadyLine.parse(JSON.parse(line)), errors);
  }

  /** Ends it, and resolves when it has ended. */
  async end(signal: NodeJS.Signals): Promise<void> {
    this.child.kill(signal);
    await once(this.child, 'exit');
  }

  async call(
    method: string,
    path: string,
    { bearer = this.ownKey, headers = {}, body }: { bearer?: string; headers?: object; body?: object } = {},
  ): Promise<{ status: number; headers: Headers; body: Record<string, unknown> }> {
    const answer = await fetch(`${this.ready.base_url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${bearer}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
    return {
      status: answer.status,
      headers: answer.headers,
      body: isJson ? (JSON.parse(text) as Record<string, unknown>) : { text },
    };
  }

  get ownKey(): string {
    return runtimeFileOf(this.dataDir).portal_key;
  }

  async role(): Promise<unknown> {
    return (await this.call('GET', '/v1/health')).body['role'];
  }

  async issue(): Promise<string> {
    const { body } = await this.call('POST', '/portal/tokens', { body: { name: 'app', validity_days: 7 } });
    return String(body['access_token']);
  }

  async team(): Promise<TeamHost[]> {
    const { body } = await this.call('GET', '/portal/status');
    return PortalStatus.parse(body).team?.hosts ?? [];
  }

  async missing(): Promise<unknown> {
    const { body } = await this.call('GET', '/portal/attention');
    return body['items'];
  }

  rotate(token: string, key?: string) {
    const headers = key === undefined ? {} : { 'idempotency-key': key };
    return this.call('POST', '/v1/auth/rotate', { bearer: token, headers });
  }
}

/** Two hosts over a database of their own: the first one leads. */
async function startTwo(more?: readonly string[]) {
  const journal = postgres.url({ role: 'rotavox', database: await postgres.database() });
  const leader = await ServedHost.start(journal, more);
  const follower = await ServedHost.start(journal, more);
  return { leader, follower, journal };
}

it('says which host leads, and answers commands of its own machine on each', { tags: ['long'] }, async () => {
  const { leader, follower } = await startTwo();
  expect([leader.ready.role, follower.ready.role]).toEqual(['leader', 'follower']);
  expect([leader.ready.leader_url, follower.ready.leader_url]).toEqual([undefined, leader.ready.base_url]);
  expect((await follower.call('GET', '/v1/health')).body).toMatchObject({
    role: 'follower',
    epoch: 1,
    lag: 0,
  });
  for (const host of [leader, follower]) {
    expect((await host.call('GET', '/v1/ready')).status).toBe(200);
    expect((await host.call('GET', '/portal/status')).status).toBe(200);
    expect((await host.call('GET', '/portal/status', { bearer: 'rvp_other' })).status).toBe(401);
    const metrics = await host.call('GET', '/metrics');
    expect(metrics.body['text']).toContain(`rotavox_host_role{role="${String(host.ready.role)}"} 1`);
  }
});

it('lists the hosts of the team, with what each does', { tags: ['long'] }, async () => {
  const { leader, follower } = await startTwo();
  await leader.issue();
  await waitFor(async () => {
    const shown = await follower.team();
    expect(shown).toMatchObject([
      { address: leader.ready.base_url, role: 'leader', last_seq: shown[0]?.last_seq },
      { address: follower.ready.base_url, role: 'follower', last_seq: shown[0]?.last_seq },
    ]);
  });
});

/** Kills the host that follows, an hour ago. */
async function loseFollower({ leader, follower, journal }: Awaited<ReturnType<typeof startTwo>>) {
  const lost = await waitFor(async () => {
    const [, found] = await leader.team();
    if (found === undefined) throw new Error('It has not reported yet');
    return found;
  });
  await follower.end('SIGKILL');
  await postgres.query(
    `update rotavox.host set seen_at = seen_at - interval '1 hour' where host = '${lost.id}'`,
    { database: new URL(journal).pathname.slice(1) },
  );
  return lost;
}

it(
  'reports a host that was lost as missing until it is back, and none that was stopped',
  { tags: ['long'] },
  async () => {
    const two = await startTwo();
    const { leader, journal } = two;
    const { address, name } = await loseFollower(two);
    expect(await leader.missing()).toMatchObject([
      { kind: 'host_missing', address, name, has_successor: false },
    ]);
    const again = await ServedHost.start(journal, ['--port', new URL(address).port]);
    await waitFor(async () => expect(await leader.team()).toHaveLength(2));
    expect(await again.missing()).toEqual([]);
    await again.end('SIGTERM');
    expect(await leader.team()).toMatchObject([{ role: 'leader' }]);
    expect(await leader.missing()).toEqual([]);
  },
);

it('removes a lost host that an owner says was taken away', { tags: ['long'] }, async () => {
  const two = await startTwo();
  const { leader } = two;
  const { id } = await loseFollower(two);
  expect((await leader.call('DELETE', `/portal/hosts/${id}`)).status).toBe(200);
  expect(await leader.team()).toHaveLength(1);
  expect(await leader.missing()).toEqual([]);
});

it(
  'tells the operator of a host that follows who leads, and how to sign in',
  { tags: ['long'] },
  async () => {
    const journal = postgres.url({ role: 'rotavox', database: await postgres.database() });
    const leader = await ServedHost.start(journal);
    const follower = serve(journal, []);
    let said = '';
    follower.stderr!.on('data', (part) => (said += String(part)));
    await waitFor(() =>
      expect(said).toMatch(/To sign in, open http:\S+ and enter your key, or run `.* open`/),
    );
    expect(said).toContain(`passes calls on to the host that leads, ${leader.ready.base_url}.`);
  },
);

it('goes on at another host when the leader is killed, and at once when it is stopped', async () => {
  const { leader, follower, journal } = await startTwo();
  let token = await leader.issue();
  token = String((await follower.rotate(token)).body['access_token']);
  const waiting = follower.rotate(token, 'k1');
  await leader.end('SIGKILL');
  // Either the leader had it, or the next one: the key makes it the same rotation.
  const first = await waiting;
  const again = await follower.rotate(token, 'k1');
  expect([first.status, again.status]).toEqual([200, 200]);
  expect(again.body['access_token']).toBe(first.body['access_token']);
  await waitFor(async () => expect(await follower.role()).toBe('leader'));

  const third = await ServedHost.start(journal);
  expect(third.ready.role).toBe('follower');
  const stopped = follower.end('SIGTERM');
  const rotated = await third.rotate(String(again.body['access_token']));
  expect(rotated.status).toBe(200);
  await stopped;
  expect((await third.call('GET', '/v1/health')).body).toMatchObject({ role: 'leader', epoch: 3 });
  const { body } = await third.call('GET', '/portal/history/verify');
  expect(body).toMatchObject({ status: 'intact' });
});

it('ends the host whose computer asks for it, whichever leads', { tags: ['long'] }, async () => {
  const { leader, follower } = await startTwo();
  expect(await stopByCall(follower.dataDir)).toBe(true);
  expect(await leader.role()).toBe('leader');
  expect(await stopByCall(leader.dataDir)).toBe(true);
});

it(
  'answers nothing from memory at a leader that was cut off, not even that it knows nobody',
  { tags: ['long'] },
  async () => {
    const journal = postgres.url({ role: 'rotavox', database: await postgres.database() });
    const proxy = await startTcpProxy(postgres.port);
    onTestFinished(() => proxy.close());
    const leader = await ServedHost.start(journal.replace(`:${postgres.port}/`, `:${proxy.port}/`));
    const follower = await ServedHost.start(journal);
    proxy.set('hold');
    await waitFor(async () => expect(await follower.role()).toBe('leader'));
    const added = await follower.call('POST', '/portal/owners', { body: { name: 'alice' } });
    const ownerKey = String(added.body['key']);
    expect((await follower.call('GET', '/portal/status', { bearer: ownerKey })).status).toBe(200);
    for (const path of [
      '/portal/status',
      '/portal/tokens',
      '/v1/auth/token',
      '/proxy/app/x',
      '/portal/events',
    ]) {
      const { status, headers } = await leader.call('GET', path, { bearer: ownerKey });
      expect([path, status, headers.get('retry-after')]).toEqual([path, 503, '1']);
    }
    expect(await leader.role()).toBe('leader');
    expect((await leader.call('GET', '/v1/ready')).status).toBe(503);
    expect((await leader.call('GET', '/metrics')).status).toBe(200);
  },
);

it('lets no revoked key of an owner in, not for a moment, at any host', { tags: ['long'] }, async () => {
  const { leader, follower } = await startTwo();
  for (const name of ['alice', 'bob', 'carol']) {
    const { body } = await leader.call('POST', '/portal/owners', { body: { name } });
    const bearer = String(body['key']);
    await waitFor(async () => expect((await follower.call('GET', '/metrics', { bearer })).status).toBe(200));
    expect((await follower.call('GET', '/portal/status', { bearer })).status).toBe(200);
    expect((await leader.call('DELETE', `/portal/owners/${name}`)).status).toBe(200);
    for (const path of ['/metrics', '/portal/status', '/portal/events'])
      for (const host of [follower, leader])
        expect([path, (await host.call('GET', path, { bearer })).status]).toEqual([path, 401]);
  }
});

it('lets no owner in at a host that cannot see whether the key was revoked', { tags: ['long'] }, async () => {
  const journal = postgres.url({ role: 'rotavox', database: await postgres.database() });
  const proxy = await startTcpProxy(postgres.port);
  onTestFinished(() => proxy.close());
  const leader = await ServedHost.start(journal);
  const follower = await ServedHost.start(journal.replace(`:${postgres.port}/`, `:${proxy.port}/`));
  const { body } = await leader.call('POST', '/portal/owners', { body: { name: 'alice' } });
  const bearer = String(body['key']);
  await waitFor(async () => expect((await follower.call('GET', '/metrics', { bearer })).status).toBe(200));
  proxy.refuses = true;
  proxy.set('hold');
  expect((await leader.call('DELETE', '/portal/owners/alice')).status).toBe(200);
  expect((await follower.call('GET', '/metrics', { bearer })).status).toBe(401);
  // Its own owner needs no database.
  expect((await follower.call('GET', '/metrics')).status).toBe(200);
});

it('gives a repeated rotation the same reply through another host', { tags: ['long'] }, async () => {
  const { leader, follower } = await startTwo();
  const token = await follower.issue();
  const first = await follower.rotate(token, 'again');
  const repeated = await leader.rotate(token, 'again');
  expect(repeated.headers.get('idempotency-replayed')).toBe('true');
  expect(repeated.body['access_token']).toBe(first.body['access_token']);
  // The replaced token is dead at both.
  for (const host of [leader, follower]) expect((await host.rotate(token, 'other')).status).toBe(401);
});

it('streams events through a host that follows', { tags: ['long'] }, async () => {
  const { leader, follower } = await startTwo();
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const stream = await fetch(`${follower.ready.base_url}/portal/events`, {
    headers: { authorization: `Bearer ${follower.ownKey}` },
    signal: stop.signal,
  });
  let told = '';
  void (async () => {
    for await (const part of stream.body ?? []) told += Buffer.from(part as Uint8Array).toString();
  })().catch(() => undefined);
  await waitFor(() => expect(told).toContain('retry: 1000'));
  await leader.issue();
  await waitFor(() => expect(told).toContain('"kind":"token.issued"'));
});

it('signs in at a host that follows, by a link that the leader made', { tags: ['long'] }, async () => {
  const { follower } = await startTwo();
  const { body } = await follower.call('POST', '/portal/sign-in-links');
  const { search } = new URL(String(body['url']));
  const answer = await fetch(`${follower.ready.base_url}/${search}`, { redirect: 'manual' });
  expect(answer.status).toBe(303);
  const [cookie = ''] = answer.headers.getSetCookie().map((one) => one.split(';', 1)[0]);
  expect(cookie).toContain(`rotavox_${new URL(follower.ready.base_url).port}=`);
  const status = await fetch(`${follower.ready.base_url}/portal/status`, { headers: { cookie } });
  expect(status.status).toBe(200);
});

it('passes calls on to a leader whose certificate was renewed', { tags: ['long'] }, async () => {
  const journal = postgres.url({ role: 'rotavox', database: await postgres.database() });
  const passphraseFile = join(makeFolder(), 'passphrase');
  writeFileSync(passphraseFile, 'correct horse battery staple\n', { mode: 0o600 });
  const start = async (tls: CertificateFilePaths) => {
    const host = await startTeamHost({
      journal,
      vault: { kind: 'postgres', passphraseFile },
      dataDir: makeFolder(),
      say: () => undefined,
      network: { listen: { host: '127.0.0.1', port: 0 }, allowedHosts: [], tls, trustedProxies: [] },
    });
    onTestFinished(() => host.close());
    return host;
  };
  const folder = makeFolder();
  const leader = await start(makeCertificate(folder));
  const follower = await start(makeCertificate(makeFolder()));
  expect([leader.role(), follower.role()]).toEqual(['leader', 'follower']);
  makeCertificate(folder);
  leader.wake();
  const { base_url: baseUrl, portal_key: bearer } = runtimeFileOf(follower.dataDir);
  const headers = { authorization: `Bearer ${bearer}` };
  const answer = await fetch(`${baseUrl}/portal/tokens`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'app', validity_days: 7 }),
  });
  expect(answer.status).toBe(200);
  expect(await (await fetch(`${baseUrl}/v1/health`)).json()).toMatchObject({ role: 'follower', epoch: 1 });
});

it('does not begin where other machines would send it calls without TLS', async () => {
  const starting = startTeamHost({
    journal: postgres.url({ role: 'rotavox', database: await postgres.database() }),
    vault: { kind: 'postgres', passphrase: 'correct horse battery staple', cost: cheapScrypt },
    dataDir: makeFolder(),
    port: 0,
    say: () => undefined,
    advertise: 'http://10.0.0.5:7682',
  });
  await expect(starting).rejects.toThrow('http://10.0.0.5:7682 without encryption');
});

it('believes nobody else about how a call arrived', { tags: ['long'] }, async () => {
  const { leader, follower } = await startTwo();
  const facts = Buffer.from(
    JSON.stringify({
      address: '10.0.0.1',
      origin: 'https://x',
      isSecure: true,
      isOwner: true,
      atMs: Date.now(),
    }),
  ).toString('base64url');
  const headers = { [passedOnHeader]: `${facts}.${'A'.repeat(43)}` };
  for (const host of [leader, follower])
    expect((await host.call('GET', '/portal/status', { bearer: 'none', headers })).status).toBe(401);
});

it('goes on rotating credentials at the host that takes over', { tags: ['long'] }, async () => {
  const { leader, follower } = await startTwo();
  const token = await leader.issue();
  const added = await leader.call('POST', '/portal/credentials', { body: { name: 'app', value: token } });
  expect(added.status).toBe(200);
  await leader.end('SIGKILL');
  const rotated = await follower.call('POST', '/portal/credentials/app/rotate');
  expect([rotated.status, rotated.body]).toMatchObject([200, {}]);
  const { body } = await follower.call('GET', '/portal/credentials/app/value');
  expect(body['value']).not.toBe(token);
});

it('logs each request with one id at both hosts, and no secret', { tags: ['long'] }, async () => {
  const { leader, follower } = await startTwo(['--log-level', 'info']);
  const token = await leader.issue();
  const { headers, body } = await follower.call('POST', '/v1/auth/rotate', {
    bearer: token,
    headers: { 'x-request-id': 'r-1' },
  });
  expect(headers.get('x-request-id')).toBe('r-1');
  for (const host of [leader, follower])
    await waitFor(() =>
      expect(host.errors.filter((line) => line.includes('"request_id":"r-1"'))).toHaveLength(1),
    );
  const logged = [...leader.errors, ...follower.errors].join('\n');
  for (const secret of [token, String(body['access_token']), leader.ownKey, follower.ownKey])
    expect(logged).not.toContain(secret);
});

it('does not start without its database, and says so', async () => {
  await expect(ServedHost.start('postgres://rotavox@127.0.0.1:1/none')).rejects.toThrow(/127\.0\.0\.1:1/);
});

it('does not start with another passphrase than the team', { tags: ['long'] }, async () => {
  const { journal } = await startTwo();
  const other = join(makeFolder(), 'other');
  writeFileSync(other, 'another passphrase\n', { mode: 0o600 });
  await expect(ServedHost.start(journal, ['--vault-passphrase-file', other])).rejects.toThrow(/passphrase/);
});
