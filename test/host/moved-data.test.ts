import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HistoryPage, PortalStatus } from '../../src/contract/service/portal.ts';
import { confirmInFolder } from '../../src/host/open-folder-origin.ts';
import type { Machine } from '../../src/host/machine-id.ts';
import { startHost } from '../../src/host/start-host.ts';
import { eventDetail } from '../../src/text/window/events.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { runtimeFileOf } from './runtime-file-of.ts';

const machine = (name: string, id: string): Machine => ({ name, id: { kind: 'known', id: id.repeat(16) } });
const laptop = machine('old-laptop', '1a');
const server = machine('new-server', '2b');
const dayMs = 86_400_000;

type Call = (method: string, path: string, body?: object) => Promise<{ status: number; body: unknown }>;

/** Calls a host as its owner. */
function callsTo(baseUrl: string, dataDir: string): Call {
  return async (method, path, body) => {
    const reply = await fetch(baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${runtimeFileOf(dataDir).portal_key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: reply.status, body: (await reply.json()) as unknown };
  };
}

/** The service that issued the token: a real one, whose rotations are counted. */
async function startService() {
  const host = await startHost({ dataDir: makeFolder(), port: 0 });
  onTestFinished(() => host.close());
  const call = callsTo(host.baseUrl, host.dataDir);
  return {
    baseUrl: host.baseUrl,
    issue: async () => {
      const { body } = await call('POST', '/portal/tokens', { name: 'app', validity_days: 7 });
      return (body as { access_token: string }).access_token;
    },
    rotations: async () => {
      const { body } = await call('GET', '/portal/history?kind=token.rotated');
      return (body as HistoryPage).events.length;
    },
  };
}

/** A host of its own process, so that it can be killed. */
async function startChild(dataDir: string, here: Machine, aheadMs = 0) {
  const { PATH, HOME } = process.env;
  const settings = JSON.stringify({ dataDir, machine: here, aheadMs });
  // Without a session bus: its tokens are in a file of the folder.
  const child = fork(join(import.meta.dirname, 'host-child.ts'), [settings], { env: { PATH, HOME } });
  const end = async (): Promise<void> => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  onTestFinished(end);
  const [baseUrl] = (await once(child, 'message')) as [string];
  const call = callsTo(baseUrl, dataDir);
  return {
    call,
    kill: end,
    movedFrom: async () => ((await call('GET', '/portal/status')).body as PortalStatus).moved_from,
    generation: async () =>
      ((await call('GET', '/portal/credentials/crm')).body as { generation: number }).generation,
    begun: async () => {
      const { body } = await call('GET', '/portal/history?kind=credential.rotation_begun');
      return (body as HistoryPage).events.length;
    },
  };
}

/** A folder that rotates one token on the laptop, and was stopped there. */
async function usedFolder() {
  const service = await startService();
  const above = makeFolder();
  const dataDir = join(above, 'data');
  const token = await service.issue();
  const target = join(above, 'token');
  const first = await startChild(dataDir, laptop);
  expect(await first.movedFrom()).toBeNull();
  const added = await first.call('POST', '/portal/credentials', {
    name: 'crm',
    value: token,
    base_url: service.baseUrl,
  });
  expect(added.status).toBe(200);
  await first.kill();
  return { service, dataDir, token, target, copy: join(above, 'copy') };
}

const due = 6.9 * dayMs;

describe('a data folder of another machine', { tags: ['long'] }, () => {
  it('rotates nothing, also after a kill, until somebody confirms, and then once', async () => {
    const { service, dataDir, token, target, copy } = await usedFolder();
    // Restored on another machine, at the same path as before.
    renameSync(dataDir, copy);
    cpSync(copy, dataDir, { recursive: true });
    let host = await startChild(dataDir, server, due);
    const from = { reason: 'other_machine', name: 'old-laptop', folder: dataDir };
    for (const _start of ['first', 'second']) {
      expect(await host.movedFrom()).toEqual(from);
      const rotated = await host.call('POST', '/portal/credentials/crm/rotate');
      expect(rotated).toMatchObject({
        status: 409,
        body: { message: expect.stringMatching(/old-laptop.*“Rotate from here”/) as string },
      });
      expect((await host.call('GET', '/portal/credentials/crm/value')).body).toMatchObject({ value: token });
      const { body: attention } = await host.call('GET', '/portal/attention');
      expect(attention).toMatchObject({
        items: [{ kind: 'moved', from, waiting: [{ name: 'crm' }] }],
        next_rotation: null,
      });
      expect([await service.rotations(), await host.begun()]).toEqual([0, 0]);
      await host.kill();
      host = await startChild(dataDir, server, due);
    }
    const added = await host.call('POST', '/portal/credentials/crm/targets', { kind: 'file', path: target });
    expect(added.status).toBe(200);
    expect(existsSync(target)).toBe(false);

    expect(await host.call('POST', '/portal/confirm-move', {})).toEqual({
      status: 200,
      body: { confirmed: from },
    });
    // Confirmed is confirmed, whatever happens next.
    await host.kill();
    host = await startChild(dataDir, server, due);
    expect(await host.movedFrom()).toBeNull();
    await expect.poll(host.generation, { timeout: 20_000 }).toBe(2);
    await expect.poll(() => existsSync(target) && readFileSync(target, 'utf8').trim()).not.toBe(token);
    expect(await service.rotations()).toBe(1);
  });

  it('begins what is due as soon as it is confirmed', async () => {
    const { service, dataDir } = await usedFolder();
    const host = await startChild(dataDir, server, due);
    expect(await service.rotations()).toBe(0);
    await host.call('POST', '/portal/confirm-move', {});
    await expect.poll(host.generation, { timeout: 20_000 }).toBe(2);
    expect(await service.rotations()).toBe(1);
    expect((await host.call('POST', '/portal/confirm-move', {})).body).toEqual({ confirmed: null });
  });

  it('asks in a copy on the same machine, and not where it was moved', async () => {
    const { service, dataDir, copy } = await usedFolder();
    cpSync(dataDir, copy, { recursive: true });
    const second = await startChild(copy, laptop, due);
    expect(await second.movedFrom()).toEqual({ reason: 'copy', name: null, folder: dataDir });
    expect([await service.rotations(), await second.begun()]).toEqual([0, 0]);
    await second.kill();

    renameSync(dataDir, `${dataDir}-moved`);
    const moved = await startChild(`${dataDir}-moved`, laptop, due);
    expect(await moved.movedFrom()).toBeNull();
    await expect.poll(moved.generation, { timeout: 20_000 }).toBe(2);
    expect(await service.rotations()).toBe(1);
  });
});

describe('a confirmed move', () => {
  const confirmed = async (call: Call) => {
    const { body } = await call('GET', '/portal/history?kind=folder.move_confirmed');
    return (body as HistoryPage).events;
  };

  /** A folder that was used on the laptop. */
  async function movedFolder(): Promise<string> {
    const dataDir = makeFolder();
    const first = await startHost({ dataDir, port: 0, machine: laptop });
    await first.close();
    return dataDir;
  }

  it('is in the history, with where the data come from', async () => {
    const dataDir = await movedFolder();
    const host = await startHost({ dataDir, port: 0, machine: server });
    onTestFinished(() => host.close());
    const call = callsTo(host.baseUrl, dataDir);
    expect(await confirmed(call)).toEqual([]);
    await call('POST', '/portal/confirm-move', {});
    await expect.poll(async () => (await confirmed(call)).length).toBe(1);
    const [event] = await confirmed(call);
    expect(event).toMatchObject({
      subject: 'folder',
      actor: { kind: 'owner' },
      data: { from: { reason: 'other_machine', name: 'old-laptop', folder: dataDir } },
    });
    expect(event && eventDetail(event)).toBe(`from old-laptop · ${dataDir}`);
  });

  it('without a service is in the history from the next start on, once', async () => {
    const dataDir = await movedFolder();
    const agree = () => Promise.resolve();
    await confirmInFolder({ dataDir, agree, say: () => undefined, machine: server });
    for (const _start of ['first', 'second']) {
      const host = await startHost({ dataDir, port: 0, machine: server });
      const call = callsTo(host.baseUrl, dataDir);
      await expect.poll(async () => (await confirmed(call)).length).toBe(1);
      await host.close();
    }
  });
});
