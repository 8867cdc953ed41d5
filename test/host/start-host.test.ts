import { createHmac } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HostPort } from '../../src/host/host-port.ts';
import { type Host, type HostOptions, startHost } from '../../src/host/start-host.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { runtimeFileOf } from './runtime-file-of.ts';

async function start(options: HostOptions = {}): Promise<Host> {
  const host = await startHost({ dataDir: makeFolder(), port: 0, ...options });
  onTestFinished(() => host.close());
  return host;
}

describe('starting the host', () => {
  it('serves on loopback and writes the address into a private file', async () => {
    const { baseUrl, dataDir } = await start();
    const runtime = runtimeFileOf(dataDir);
    expect(runtime).toMatchObject({ pid: process.pid, base_url: baseUrl });
    expect(statSync(join(dataDir, 'runtime.json')).mode & 0o777).toBe(0o600);
    const reply = await fetch(`${baseUrl}/portal/status`, {
      headers: { authorization: `Bearer ${runtime.portal_key}` },
    });
    expect(await reply.json()).toMatchObject({ base_url: baseUrl, data_dir: dataDir, pid: process.pid });
  });

  it('shows the state before it answers, and waits for the callback', async () => {
    const dataDir = makeFolder();
    const steps: string[] = [];
    let looking: HostPort | undefined;
    const host = await start({
      dataDir,
      onPort: async (port) => {
        looking = port;
        steps.push(port.snapshot().store.status);
        await wait(20);
        steps.push(existsSync(join(dataDir, 'runtime.json')) ? 'answers' : 'does not answer');
      },
    });
    expect(steps).toEqual(['ok', 'does not answer']);
    expect(host.shellPort).toBe(looking);
  });

  it('signs in a browser by a link, and a window of our own by its cookie', async () => {
    const host = await start();
    const signIn = await fetch(host.signInLink(), { redirect: 'manual' });
    expect(signIn.status).toBe(303);
    const { name, value } = host.windowCookie();
    const status = await fetch(`${host.baseUrl}/portal/status`, { headers: { cookie: `${name}=${value}` } });
    expect(status.status).toBe(200);
  });

  it('serves localhost at both of its addresses, under one set of limits, and stops at both', async () => {
    const host = await start({ hostname: 'localhost' });
    const { port } = new URL(host.baseUrl);
    // Any address of the machine; a machine without IPv6 has one.
    const second = createServer().listen(0, '::1');
    const hasIpv6 = await once(second, 'listening').then(
      () => true,
      () => false,
    );
    second.close();
    const addresses = ['127.0.0.1', ...(hasIpv6 ? ['[::1]'] : [])];
    for (const address of addresses) {
      const health = await fetch(`http://${address}:${port}/v1/health`);
      expect([address, health.status]).toEqual([address, 200]);
      expect((await fetch(`http://${address}:${port}/portal/status`)).status).toBe(401);
    }
    await host.close();
    for (const address of addresses) await expect(fetch(`http://${address}:${port}/`)).rejects.toThrow();
  });

  it('refuses a port that is taken, by its number, and leaves nothing behind', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const dataDir = makeFolder();
    await expect(startHost({ dataDir, port })).rejects.toMatchObject({
      code: 'PORT_TAKEN',
      message: expect.stringContaining(`Port ${port}`) as string,
    });
    expect(readdirSync(dataDir)).not.toContain('lock');
    expect(readdirSync(dataDir)).not.toContain('runtime.json');
    await start({ dataDir });
  });

  it('listens where the settings say, unless the start names another port', async () => {
    const first = await start();
    const { port } = new URL(first.baseUrl);
    await fetch(`${first.baseUrl}/portal/settings`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${runtimeFileOf(first.dataDir).portal_key}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ port: Number(port) }),
    });
    await first.close();
    const second = await start({ dataDir: first.dataDir, port: undefined });
    expect(new URL(second.baseUrl).port).toBe(port);
    await second.close();

    const other = createServer().listen(Number(port), '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    await expect(startHost({ dataDir: first.dataDir })).rejects.toMatchObject({
      code: 'PORT_TAKEN',
      message: expect.stringContaining('--port N') as string,
    });
    const third = await start({ dataDir: first.dataDir });
    expect(new URL(third.baseUrl).port).not.toBe(port);
  });

  it('takes the next free port where another Rotavox has the usual one, says so once and keeps it', async () => {
    const other = await start();
    const port = Number(new URL(other.baseUrl).port);
    const between = createServer().listen(port + 1, '127.0.0.1');
    between.on('error', () => undefined); // it is taken anyhow
    onTestFinished(() => void between.close());
    const mine = await start();
    const { dataDir } = mine;
    await fetch(`${mine.baseUrl}/portal/settings`, {
      method: 'PATCH',
      headers: {
        authorization: `Bearer ${runtimeFileOf(dataDir).portal_key}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ port }),
    });
    await mine.close();

    const said: string[] = [];
    const say = (message: string) => said.push(message);
    const moved = await start({ dataDir, port: undefined, say });
    const kept = new URL(moved.baseUrl).port;
    expect(Number(kept)).toBeGreaterThan(port + 1);
    expect(said.join()).toContain(`Port ${port} has the Rotavox of another account or data folder`);
    expect(said.join()).toContain(`at port ${kept} from now on`);
    expect(moved.shellPort.snapshot().settings.port).toBe(Number(kept));
    expect(runtimeFileOf(dataDir).base_url).toBe(moved.baseUrl);
    await moved.close();

    await other.close();
    said.length = 0;
    const again = await start({ dataDir, port: undefined, say });
    expect(new URL(again.baseUrl).port).toBe(kept);
    expect(said.filter((one) => one.includes('Port'))).toEqual([]);
  });

  it('shows that it is the one of its runtime file, and not the one at another address', async () => {
    const { baseUrl, dataDir } = await start();
    const key = runtimeFileOf(dataDir).portal_key;
    const challenge = 'abcdefgh12345678';
    const ask = async (query: string): Promise<unknown> =>
      (await fetch(`${baseUrl}/v1/health?${query}`)).json();
    const proofOf = (url: string, with_: string) =>
      createHmac('sha256', key).update(`rotavox ${url} ${with_}`).digest('hex');
    expect(await ask(`challenge=${challenge}`)).toMatchObject({ proof: proofOf(baseUrl, challenge) });
    expect(await ask('t=1')).not.toHaveProperty('proof');
    for (const wrong of ['short', 'x'.repeat(129), 'with%20a%20blank.1234'])
      expect((await fetch(`${baseUrl}/v1/health?challenge=${wrong}`)).status).toBe(400);
  });

  it('refuses a folder that another process holds, and names that process', async () => {
    const { dataDir } = await start();
    await expect(startHost({ dataDir, port: 0 })).rejects.toMatchObject({
      code: 'DATA_DIR_HELD',
      message: expect.stringContaining(`process ${process.pid}`) as string,
    });
  });

  for (const hostname of ['0.0.0.0', '192.168.1.5', '::', 'example.com', '127.0.0.2']) {
    it(`refuses to serve ${hostname}: this machine only`, async () => {
      const dataDir = makeFolder();
      await expect(startHost({ dataDir, hostname, port: 0 })).rejects.toMatchObject({
        code: 'ADDRESS_UNUSABLE',
      });
      expect(readdirSync(dataDir)).toEqual([]);
    });
  }
});

it('a runtime file that was deleted is written again at a wake, and one that is there is left alone', async () => {
  const host = await start();
  const path = join(host.dataDir, 'runtime.json');
  const before = { content: runtimeFileOf(host.dataDir), writtenMs: statSync(path).mtimeMs };
  host.wake();
  expect(statSync(path).mtimeMs).toBe(before.writtenMs);
  rmSync(path);
  host.wake();
  expect(runtimeFileOf(host.dataDir)).toEqual(before.content);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

describe('stopping the host', () => {
  it('removes the runtime file and the lock, and can be asked for twice', async () => {
    const host = await start();
    await Promise.all([host.close(), host.close()]);
    expect(existsSync(join(host.dataDir, 'runtime.json'))).toBe(false);
    expect(existsSync(join(host.dataDir, 'lock'))).toBe(false);
  });

  it('does not wait for a connection that never asked anything', async () => {
    const host = await start();
    const silent = connect(Number(new URL(host.baseUrl).port), '127.0.0.1');
    await once(silent, 'connect');
    const hungUp = once(silent, 'close');
    await host.close();
    await hungUp;
  });

  it('keeps what was acknowledged for the next start', async () => {
    const first = await start();
    const { portal_key: key } = runtimeFileOf(first.dataDir);
    const issued = await fetch(`${first.baseUrl}/portal/tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'kept', validity_days: 7 }),
    });
    const { access_token: token } = (await issued.json()) as { access_token: string };
    await first.close();
    const second = await start({ dataDir: first.dataDir });
    expect(second.repairs).toEqual([]);
    const self = await fetch(`${second.baseUrl}/v1/auth/token`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await self.json()).toMatchObject({ name: 'kept', status: 'Active' });
  });
});

describe('a key that seals replies', () => {
  it('is destroyed once it has served its time, after a wake as at a start, also without rotations', async () => {
    const clock = { nowMs: Date.parse('2026-06-01T12:00:00Z') };
    const dayAndMoreMs = 26 * 3_600_000;
    const dataDir = makeFolder();
    const keys = (): string[] => {
      const file = JSON.parse(readFileSync(join(dataDir, 'replay-keys.json'), 'utf8')) as { keys: object };
      return Object.keys(file.keys);
    };
    const rotateWithKey = async ({ baseUrl }: Host): Promise<void> => {
      const { portal_key: key } = runtimeFileOf(dataDir);
      const issued = await fetch(`${baseUrl}/portal/tokens`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'replayed', validity_days: 7 }),
      });
      const { access_token: value } = (await issued.json()) as { access_token: string };
      const rotated = await fetch(`${baseUrl}/v1/auth/rotate`, {
        method: 'POST',
        headers: { authorization: `Bearer ${value}`, 'idempotency-key': 'k' },
      });
      expect(rotated.status).toBe(200);
      expect(keys()).toHaveLength(1);
    };

    const first = await start({ dataDir, clock: () => clock.nowMs });
    await rotateWithKey(first);
    first.wake();
    expect(keys()).toHaveLength(1);
    clock.nowMs += dayAndMoreMs;
    first.wake();
    expect(keys()).toEqual([]);

    await rotateWithKey(first);
    await first.close();
    clock.nowMs += dayAndMoreMs;
    await start({ dataDir, clock: () => clock.nowMs });
    expect(keys()).toEqual([]);
  });
});
