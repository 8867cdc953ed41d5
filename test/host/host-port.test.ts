import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createClient } from '../../src/client/create-client.ts';
import type { HistoryEvent } from '../../src/contract/history/audit-event.ts';
import { type HostOptions, startHost } from '../../src/host/start-host.ts';
import { cheapScrypt } from '../fixtures/cheap-scrypt.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { runtimeFileOf } from './runtime-file-of.ts';
import { rotavoxAt, uidListeningAt } from '../../src/host/other-rotavox.ts';
import { closeAll } from '../../src/host/close-all.ts';
import { HostProcess } from '../../src/host/host-process.ts';
import { openFolder } from '../../src/host/open-folder.ts';
import { Term } from '../../src/host/host-term.ts';
import { MemoryVault } from '../fakes/memory-vault.ts';
import { VaultUnavailable } from '../../src/core/vault.ts';
import type { UnansweredTool } from '../../src/contract/credential/tool-connection.ts';
import { HostError } from '../../src/host/host-error.ts';
import { HostKeys } from '../../src/host/host-keys.ts';

/** A host with one credential of the embedded service. */
async function setUpCredential(name: string, options: HostOptions = {}) {
  const host = await startHost({
    dataDir: makeFolder(),
    port: 0,
    vault: { kind: 'file', passphrase: 'a passphrase for tests', cost: cheapScrypt },
    ...options,
  });
  onTestFinished(() => host.close());
  const portal = createClient({
    baseUrl: host.baseUrl,
    authorization: `Bearer ${runtimeFileOf(host.dataDir).portal_key}`,
  });
  const issued = await portal.call('issueToken', { body: { name: 'kept', validity_days: 7 } });
  if (!issued.ok) throw new Error(issued.message);
  const value = issued.value.access_token;
  const added = await portal.call('addCredential', { body: { name, value } });
  if (!added.ok) throw new Error(added.message);
  return { host, portal, value };
}

describe('what a shell sees and does without a window', () => {
  it('sees credentials, vault, store and settings', async () => {
    const { host } = await setUpCredential('pbx');
    expect(host.shellPort.snapshot()).toMatchObject({
      credentials: [{ name: 'pbx', state: 'fine', generation: 1 }],
      vault: { kind: 'file', status: 'ok' },
      store: { status: 'ok' },
      settings: { notifications_enabled: true },
    });
  });

  it('hands out the current token, also after a rotation', async () => {
    const { host, portal, value } = await setUpCredential('pbx');
    expect(await host.shellPort.valueOf('pbx')).toEqual({ ok: true, value });
    await portal.call('rotateCredential', { params: { name: 'pbx' } });
    const now = await host.shellPort.valueOf('pbx');
    expect(now.ok && now.value !== value).toBe(true);
    expect(host.shellPort.snapshot().credentials[0]).toMatchObject({ generation: 2 });
  });

  it('receives that a tool got no token, until it unsubscribes', async () => {
    const { host, portal } = await setUpCredential('pbx');
    const setting = { file: '/home/me/.gitconfig', text: 'a', before: '', is_new_file: false };
    const url = 'https://git.example.com';
    const added = await portal.call('addConnection', {
      body: { id: 'con_abcdefghij12', credential: 'pbx', tool: 'git', url, username: 'me', setting },
    });
    expect(added.ok).toBe(true);
    const told: UnansweredTool[] = [];
    const stop = host.shellPort.onUnansweredTool((asked) => told.push(asked));
    const ask = () => portal.call('askConnection', { body: { tool: 'git', url } });
    writeFileSync(join(host.dataDir, 'vault.json'), 'damaged');
    for (const isHeard of [true, false]) {
      expect(await ask()).toMatchObject({ ok: false, status: 503 });
      if (isHeard) stop();
    }
    expect(told).toEqual([{ tool: 'git', credential: 'pbx' }]);
  });

  it('pauses and resumes, and receives both events until it unsubscribes', async () => {
    const { host } = await setUpCredential('pbx');
    const heard: (HistoryEvent | null)[] = [];
    const stop = host.shellPort.onChange((event) => heard.push(event));
    const until = new Date(Date.now() + 3_600_000).toISOString();
    expect(await host.shellPort.pause('pbx', until)).toEqual({ ok: true, value: null });
    expect(host.shellPort.snapshot().credentials[0]).toMatchObject({ state: 'paused', paused: { until } });
    expect(await host.shellPort.resume('pbx')).toEqual({ ok: true, value: null });
    stop();
    await host.shellPort.pause('pbx', null);
    expect(heard.map((event) => event?.kind)).toEqual(['credential.paused', 'credential.resumed']);
  });

  it('reports that a data folder was moved and is back, at a wake and without a change', async () => {
    const { host } = await setUpCredential('pbx');
    const heard: (HistoryEvent | null)[] = [];
    host.shellPort.onChange((event) => heard.push(event));
    host.wake();
    expect(heard).toEqual([]);
    renameSync(host.dataDir, `${host.dataDir}-moved`);
    host.wake();
    host.wake();
    expect(heard).toEqual([null]);
    expect(host.shellPort.snapshot().store).toMatchObject({ status: 'refusing', code: 'DATA_FOLDER_MOVED' });
    renameSync(`${host.dataDir}-moved`, host.dataDir);
    host.wake();
    expect(heard).toEqual([null, null]);
    expect(host.shellPort.snapshot().store.status).toBe('ok');
  });

  it('reports it also without a wake, by the timer for the expiry of a token', async () => {
    // The clock is stopped, so that the token never expires: nothing is recorded, and the timer still fires.
    const nowMs = Date.now();
    const { host, portal } = await setUpCredential('pbx', { clock: () => nowMs });
    const told = Promise.withResolvers<string>();
    host.shellPort.onChange((event) => {
      if (event === null) told.resolve(host.shellPort.snapshot().store.status);
    });
    const expiresAt = new Date(nowMs + 200).toISOString();
    const ending = await portal.call('issueToken', {
      body: { name: 'ends soon', validity_days: 1, expires_at: expiresAt },
    });
    expect(ending.ok).toBe(true);
    renameSync(host.dataDir, `${host.dataDir}-moved`);
    expect(await told.promise).toBe('refusing');
    renameSync(`${host.dataDir}-moved`, host.dataDir);
  });

  it('reports that a vault failed and works again, at a wake and without a change', async () => {
    const { host } = await setUpCredential('pbx');
    const vaultFile = join(host.dataDir, 'vault.json');
    for (const status of ['failed', 'ok']) {
      const told = Promise.withResolvers<null>();
      const stop = host.shellPort.onChange((event) => told.resolve(event as null));
      if (status === 'failed') renameSync(vaultFile, `${vaultFile}.away`);
      else renameSync(`${vaultFile}.away`, vaultFile);
      host.wake();
      expect(await told.promise).toBeNull();
      expect(host.shellPort.snapshot().vault).toMatchObject({ kind: 'file', status });
      stop();
    }
  });

  it('gives a sentence for a request that is refused', async () => {
    const { host } = await setUpCredential('pbx');
    for (const outcome of [
      await host.shellPort.pause('nobody', null),
      await host.shellPort.valueOf('nobody'),
    ]) {
      expect(outcome).toEqual({ ok: false, refusal: expect.stringContaining('“nobody”') as string });
    }
    expect(await host.shellPort.pause('pbx', '2001-01-01T00:00:00.000Z')).toMatchObject({ ok: false });
  });
});

const isRoot = process.getuid?.() === 0;

/** As another account has it: its answer to `GET /v1/health`. Prints its port. */
const program = `
  const server = require('node:http').createServer((_request, response) => response.end('{"status":"ok","version":"1.0.0"}'));
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));`;

it.runIf(isRoot && process.platform === 'linux')('is known with the name of its account', async () => {
  const ids = { uid: 65_534, gid: 65_534 };
  const child = spawn('/usr/bin/env', ['node', '-e', program], {
    ...ids,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  expect(await rotavoxAt('127.0.0.1', Number(line.toString()))).toEqual({ account: 'nobody' });
});

it('is not taken for one where another program answers, or nothing', async () => {
  const server = createServer((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await rotavoxAt('127.0.0.1', port)).toBeNull();
  server.close();
  expect(await rotavoxAt('127.0.0.1', port)).toBeNull();
});

it('is found by the one line of a port that listens', () => {
  const table = [
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
    '   0: 0100007F:1E02 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1001        0 41 1',
    '   1: 0100007F:1E03 0100007F:1E02 01 00000000:00000000 00:00000000 00000000  1002        0 42 1',
  ].join('\n');
  expect(uidListeningAt(table, 0x1e02)).toBe(1001);
  expect(uidListeningAt(table, 0x1e03)).toBeNull();
  expect(uidListeningAt('', 0x1e02)).toBeNull();
});

it('takes every step of a stop in turn, also after one that failed, and tells the first failure', async () => {
  const taken: string[] = [];
  const closing = closeAll(
    () => void taken.push('one'),
    () => {
      throw new Error('the second');
    },
    () => Promise.reject(new Error('the third')),
    async () => {
      await Promise.resolve();
      taken.push('four');
    },
  );
  await expect(closing).rejects.toThrow('the second');
  expect(taken).toEqual(['one', 'four']);
});

it('closes what it stored although its calls could not be ended', async () => {
  const say = vi.fn();
  const running = await HostProcess.open({ dataDir: makeFolder(), say }, { passphraseFile: undefined });
  const { dataDir, lock, clock } = running;
  const opened = await openFolder(dataDir, { clock, lock, say });
  const parts = await running.parts({ repairs: opened.repairs, isStoreOk: () => true });
  const term = new Term(parts, { ...opened, vault: new MemoryVault() });
  const closing = term.close(() => Promise.reject(new Error('calls go on')));
  await expect(closing).rejects.toThrow('calls go on');
  const late = opened.ledger.transact(() => ({ events: [], value: null }));
  await expect(late).rejects.toMatchObject({ refusal: { code: 'CLOSED' } });
  running.release();
});

const team = 'https://team.example.com';
const other = 'https://other.example.com:8443';

function makeKeys(environment: Record<string, string> = {}) {
  const vault = new MemoryVault();
  const dataDir = join(makeFolder(), 'not there yet');
  return { vault, dataDir, keys: new HostKeys(dataDir, { environment, vault }) };
}

it('keeps each key in the vault and the addresses in a file, and forgets both', async () => {
  const { vault, dataDir, keys } = makeKeys();
  expect(await keys.list()).toEqual([]);
  expect(await keys.read(team)).toBeNull();
  await keys.write(team, 'rvx_first_key');
  await keys.write(other, 'rvx_other_key');
  await keys.write(team, 'rvx_second_key');
  expect(await keys.list()).toEqual([team, other]);
  expect(await keys.read(team)).toBe('rvx_second_key');
  expect(await vault.read({ service: 'rotavox', account: `host ${team}` })).toBe('rvx_second_key');
  expect(await readFile(join(dataDir, 'hosts.json'), 'utf8')).not.toContain('rvx_');
  expect(await keys.remove(team)).toBe(true);
  expect(await keys.remove(team)).toBe(false);
  expect(await keys.list()).toEqual([other]);
  expect(await keys.read(team)).toBeNull();
});

it('a list that was damaged is written again with the next host', async () => {
  const { dataDir, keys } = makeKeys();
  await keys.write(team, 'rvx_first_key');
  writeFileSync(join(dataDir, 'hosts.json'), '{"hosts":');
  expect(await keys.list()).toEqual([]);
  await keys.write(team, 'rvx_first_key');
  expect(await keys.list()).toEqual([team]);
});

it('a key file counts instead of the vault, for every host', async () => {
  const file = join(makeFolder(), 'key');
  writeFileSync(file, 'rvx_of_the_file\nmore\n', { mode: 0o600 });
  const { keys } = makeKeys({ ROTAVOX_HOST_KEY_FILE: file });
  expect(await keys.read(team)).toBe('rvx_of_the_file');
  const { keys: missing } = makeKeys({ ROTAVOX_HOST_KEY_FILE: `${file}-elsewhere` });
  await expect(missing.read(team)).rejects.toThrow('ENOENT');
});

it('says how to go on without a keychain', async () => {
  const { vault, keys } = makeKeys();
  vault.read = () => Promise.reject(new VaultUnavailable({ code: 'no_secret_service' }));
  const failure = await keys.read(team).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(HostError);
  expect((failure as HostError).message).toContain('ROTAVOX_HOST_KEY_FILE');
});
