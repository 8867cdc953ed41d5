import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../src/client/create-client.ts';
import type { HistoryEvent } from '../../../src/contract/history/audit-event.ts';
import { defaultSettings } from '../../../src/contract/service/settings.ts';
import { type Host, startHost } from '../../../src/host/start-host.ts';
import { RemotePort, type RemotePortOptions } from '../../../src/main/team/remote-port.ts';
import { cheapScrypt } from '../../fixtures/cheap-scrypt.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { runtimeFileOf } from '../../host/runtime-file-of.ts';

const vault = { kind: 'file', passphrase: 'a passphrase for tests', cost: cheapScrypt } as const;

/** A host with one credential, and what calls it as its owner. */
async function setUpHost(dataDir = makeFolder(), port = 0) {
  const host = await startHost({ dataDir, port, vault });
  onTestFinished(() => host.close());
  const authorization = `Bearer ${runtimeFileOf(dataDir).portal_key}`;
  const portal = createClient({ baseUrl: host.baseUrl, authorization });
  return { host, portal, authorization };
}

async function addCredential(portal: ReturnType<typeof createClient>, name: string) {
  const issued = await portal.call('issueToken', { body: { name: `token of ${name}`, validity_days: 7 } });
  if (!issued.ok) throw new Error(issued.message);
  const added = await portal.call('addCredential', { body: { name, value: issued.value.access_token } });
  if (!added.ok) throw new Error(added.message);
  return issued.value.access_token;
}

function open(options: Partial<RemotePortOptions> & Pick<RemotePortOptions, 'connection'>): RemotePort {
  const port = new RemotePort({ settings: () => defaultSettings, ...options });
  onTestFinished(() => port.close());
  return port;
}

/** Waits until a state is reached, told by the port itself. */
function until(port: RemotePort, isReached: () => boolean): Promise<void> {
  if (isReached()) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = port.onChange(() => {
      if (!isReached()) return;
      stop();
      resolve();
    });
  });
}

const namesOf = (port: RemotePort) => port.snapshot().credentials.map(({ name }) => name);

describe('a host on another machine, as the shell has it', () => {
  it('has the state of the host and the settings of this computer, and follows changes', async () => {
    const { host, portal, authorization } = await setUpHost();
    await addCredential(portal, 'pbx');
    const settings = { ...defaultSettings, notifications_enabled: false };
    const port = open({ connection: { baseUrl: host.baseUrl, authorization }, settings: () => settings });
    expect(port.isKnown).toBe(false);
    await until(port, () => port.isKnown);
    expect(port.problem).toBeNull();
    expect(port.snapshot()).toMatchObject({
      credentials: [{ name: 'pbx', state: 'fine', generation: 1 }],
      vault: { kind: 'file', status: 'ok' },
      store: { status: 'ok' },
      settings: { notifications_enabled: false },
    });
    await addCredential(portal, 'crm');
    await until(port, () => namesOf(port).length === 2);
    expect(namesOf(port).toSorted()).toEqual(['crm', 'pbx']);
  });

  it('pauses, resumes and hands out the token there, and says why something was refused', async () => {
    const { host, portal, authorization } = await setUpHost();
    const value = await addCredential(portal, 'pbx');
    const port = open({ connection: { baseUrl: host.baseUrl, authorization } });
    expect(await port.valueOf('pbx')).toEqual({ ok: true, value });
    expect(await port.pause('pbx', null)).toEqual({ ok: true, value: null });
    await until(port, () => port.snapshot().credentials[0]?.state === 'paused');
    expect(await port.resume('pbx')).toEqual({ ok: true, value: null });
    await until(port, () => port.snapshot().credentials[0]?.state === 'fine');
    expect(await port.pause('nobody', null)).toMatchObject({
      ok: false,
      refusal: expect.stringContaining('nobody') as string,
    });
    await host.close();
    expect(await port.valueOf('pbx')).toMatchObject({
      ok: false,
      refusal: expect.stringContaining('cannot be reached (ECONNREFUSED)') as string,
    });
  });

  it('has opening hours that are closed by hand there, and gives them back to their schedule', async () => {
    const { host, portal, authorization } = await setUpHost();
    const body = { name: 'Office', time_zone: 'Europe/Berlin', weekly: {} };
    const created = await portal.call('createSchedule', { body });
    if (!created.ok) throw new Error(created.message);
    const { id } = created.value;
    const port = open({ connection: { baseUrl: host.baseUrl, authorization } });
    await until(port, () => port.isKnown);
    expect(port.snapshot().hours).toEqual([]);
    await portal.call('setSwitch', { params: { id }, body: { to: 'closed' } });
    await until(port, () => port.snapshot().hours.length === 1);
    const office = { id, name: 'Office', time_zone: 'Europe/Berlin', to: 'closed', until: null };
    expect(port.snapshot().hours).toEqual([office]);
    // The host itself has the same.
    expect(host.shellPort.snapshot().hours).toEqual([office]);
    expect(await port.endSwitch(id)).toEqual({ ok: true, value: null });
    await until(port, () => port.snapshot().hours.length === 0);
    await portal.call('setSwitch', { params: { id }, body: { to: 'open' } });
    expect(await host.shellPort.endSwitch(id)).toEqual({ ok: true, value: null });
    expect(host.shellPort.snapshot().hours).toEqual([]);
    expect(await host.shellPort.endSwitch('nobody')).toEqual({ ok: true, value: null });
  });

  it('reports the use of a replaced token with its caller and the name of its family', async () => {
    const { host, portal, authorization } = await setUpHost();
    const port = open({ connection: { baseUrl: host.baseUrl, authorization } });
    await until(port, () => port.isKnown);
    const told = Promise.withResolvers<HistoryEvent>();
    port.onChange((event) => {
      if (event?.kind === 'token.reused') told.resolve(event);
    });
    const issued = await portal.call('issueToken', { body: { name: 'reception', validity_days: 7 } });
    if (!issued.ok) throw new Error(issued.message);
    const old = { authorization: `Bearer ${issued.value.access_token}` };
    await fetch(`${host.baseUrl}/v1/auth/rotate`, { method: 'POST', headers: old });
    await fetch(`${host.baseUrl}/v1/ivrs`, { headers: { ...old, 'user-agent': 'old-script/1' } });
    const event = await told.promise;
    expect(event.actor).toMatchObject({ kind: 'bearer', user_agent: 'old-script/1' });
    expect(port.familyName(event.subject)).toBe('reception');
  });

  it('keeps the last state while the host is away, says since when, and recovers when it is back', async () => {
    const dataDir = makeFolder();
    const first = await setUpHost(dataDir);
    await addCredential(first.portal, 'pbx');
    const { port: tcpPort } = new URL(first.host.baseUrl);
    const connection = { baseUrl: first.host.baseUrl, authorization: first.authorization };
    const port = open({ connection });
    await until(port, () => port.isKnown);
    const before = port.answeredAt;
    await first.host.close();
    await until(port, () => port.problem !== null);
    expect(port.problem).toEqual({ kind: 'unreachable', detail: 'ECONNREFUSED' });
    expect(port.answeredAt >= before).toBe(true);
    expect(namesOf(port)).toEqual(['pbx']);

    const second = await setUpHost(dataDir, Number(tcpPort));
    connection.authorization = second.authorization;
    port.wake();
    await until(port, () => port.problem === null);
    await addCredential(second.portal, 'after');
    await until(port, () => namesOf(port).includes('after'));
  });

  it('says that the key is not accepted any more, and goes on when it is', async () => {
    const { host, portal, authorization } = await setUpHost();
    const connection = { baseUrl: host.baseUrl, authorization: 'Bearer rvx_revoked_key' };
    const port = open({ connection });
    await until(port, () => port.problem !== null);
    expect(port.problem).toEqual({ kind: 'key_refused' });
    expect(port.isKnown).toBe(false);
    connection.authorization = authorization;
    port.wake();
    await until(port, () => port.isKnown && port.problem === null);
    await addCredential(portal, 'pbx');
    await until(port, () => namesOf(port).includes('pbx'));
  });

  it('notices a network that is away, and follows changes again after its connection was cut', async () => {
    const { host, portal, authorization } = await setUpHost();
    let isAway = false;
    let cut = new AbortController();
    const onNetwork: typeof fetch = (input, init) => {
      if (isAway) return Promise.reject(new TypeError('fetch failed', { cause: codedError('ENETUNREACH') }));
      const signal = AbortSignal.any([cut.signal, ...(init?.signal ? [init.signal] : [])]);
      return fetch(input, { ...init, signal });
    };
    const port = open({ connection: { baseUrl: host.baseUrl, authorization, fetch: onNetwork } });
    await until(port, () => port.isKnown);
    isAway = true;
    cut.abort();
    await until(port, () => port.problem !== null);
    expect(port.problem).toEqual({ kind: 'unreachable', detail: 'ENETUNREACH' });
    isAway = false;
    cut = new AbortController();
    port.wake();
    await until(port, () => port.problem === null);
    await addCredential(portal, 'pbx');
    await until(port, () => namesOf(port).includes('pbx'));
  });
});

function codedError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

it('a port that is closed tells nothing and asks nothing', async () => {
  const host: Host = (await setUpHost()).host;
  let calls = 0;
  const port = open({
    connection: {
      baseUrl: host.baseUrl,
      authorization: `Bearer ${runtimeFileOf(host.dataDir).portal_key}`,
      fetch: (...given) => {
        calls += 1;
        return fetch(...given);
      },
    },
  });
  await until(port, () => port.isKnown);
  let told = 0;
  port.onChange(() => (told += 1));
  port.close();
  const before = calls;
  await host.close();
  port.wake();
  await new Promise((resolve) => setImmediate(resolve));
  expect({ told, calls }).toEqual({ told: 0, calls: before });
});
