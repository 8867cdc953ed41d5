import { request } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { useHeader, writeUse } from '../../../src/contract/credential/use-header.ts';
import { CredentialUse, mostRunning } from '../../../src/contract/credential/use.ts';
import { isoInstant } from '../../../src/core/iso-instant.ts';
import { noon } from '../../fixtures/make-events.ts';
import { type Answer, OpenService } from '../open-service.ts';
import { issueAndAdd } from './credential-token.ts';

const path = '/portal/credentials/a';

async function makeSetup(): Promise<OpenService> {
  const service = await (await OpenService.start()).listen();
  await issueAndAdd(service, 'a');
  return service;
}

async function useOf(service: OpenService): Promise<CredentialUse> {
  return CredentialUse.parse((await service.owner('GET', `${path}/use`)).body);
}

async function read(service: OpenService, use?: Parameters<typeof writeUse>[0]): Promise<number> {
  return (await readSaying(service, use === undefined ? undefined : writeUse(use))).status;
}

function readSaying(service: OpenService, said: string | undefined): Promise<Answer> {
  const headers = { ...ownerHeaders(service), ...(said === undefined ? {} : { [useHeader]: said }) };
  return service.call({ method: 'GET', url: `${path}/value`, headers });
}

function ownerHeaders({ service }: OpenService): { authorization: string } {
  return { authorization: `Bearer ${service.sessions.portalKey}` };
}

describe('the use of a credential', () => {
  it('has who got its token, how, when, how often, and which token', async () => {
    const service = await makeSetup();
    expect(await read(service, { way: 'get', program: 'backup.sh' })).toBe(200);
    service.clock.nowMs += 1_000;
    await read(service, { way: 'get', program: 'backup.sh' });
    await read(service, { way: 'exec', program: '/usr/bin/deploy' });
    expect(await useOf(service)).toEqual({
      credential: 'a',
      generation: 1,
      users: expect.arrayContaining([
        {
          way: 'get',
          name: 'backup.sh',
          last_at: isoInstant(noon + 1_000),
          generation: 1,
          last_24h: 2,
          last_7d: 2,
        },
        {
          way: 'exec',
          name: 'deploy',
          last_at: isoInstant(noon + 1_000),
          generation: 1,
          last_24h: 1,
          last_7d: 1,
        },
      ]) as unknown,
      running: [],
      tools: [],
      deliveries: [],
    });
  });

  it('has programs that do not say who they are, and what says nonsense, as unknown', async () => {
    const service = await makeSetup();
    await read(service);
    expect((await readSaying(service, 'teleport;%E0%A4%A;-1;more')).status).toBe(200);
    expect((await useOf(service)).users).toMatchObject([{ way: 'get', name: null, last_24h: 2 }]);
  });

  it('does not count a command that reads the token that it has', async () => {
    const service = await makeSetup();
    await read(service, { way: 'exec', program: 'deploy', has: 1 });
    expect((await useOf(service)).users).toEqual([]);
    await service.owner('POST', `${path}/rotate`);
    await read(service, { way: 'exec', program: 'deploy', has: 1 });
    expect((await useOf(service)).users).toMatchObject([{ name: 'deploy', generation: 2, last_24h: 1 }]);
  });

  it('does not count a read that was refused', async () => {
    const service = await (await OpenService.start()).listen();
    const { tokenId } = await issueAndAdd(service, 'a');
    await service.owner('POST', `/portal/tokens/${tokenId}/suspend`, {});
    expect(await read(service, { way: 'get', program: 'backup.sh' })).toBe(409);
    expect((await useOf(service)).users).toEqual([]);
  });

  it('has a new program in the journal at once, and its further uses as a sum', async () => {
    const service = await makeSetup();
    const events = () => service.store.history({ kinds: ['credential.used'], limit: 10 });
    for (let times = 0; times < 5; times += 1) await read(service, { way: 'get', program: 'backup.sh' });
    await expect.poll(async () => (await events()).length).toBe(1);
    await service.stop();
    const again = await OpenService.start({ folder: service.folder, vault: service.vault });
    const [known] = again.store.state.knownUsers.values();
    expect(known?.users).toMatchObject([{ name: 'backup.sh', hours: [[Math.floor(noon / 3_600_000), 5]] }]);
  });

  it('has a delivered token with its target', async () => {
    const service = await makeSetup();
    await service.owner('POST', `${path}/targets`, { kind: 'keychain', service: 'app', account: 'me' });
    expect((await useOf(service)).deliveries).toMatchObject([
      { target: { kind: 'keychain', account: 'me' }, generation: 1, delivered_at: isoInstant(noon) },
    ]);
  });
});

describe('a command that reports that it runs', () => {
  it('holds its token until its connection ends, whatever is rotated meanwhile', async () => {
    const service = await makeSetup();
    const end = await run(service, { program: 'deploy.sh', generation: 1 });
    await service.owner('POST', `${path}/rotate`);
    expect(await useOf(service)).toMatchObject({
      generation: 2,
      running: [{ program: 'deploy.sh', generation: 1, since: isoInstant(noon) }],
    });
    end();
    await expect.poll(async () => (await useOf(service)).running).toEqual([]);
  });

  it('is answered when the service stops, which does not wait for it', async () => {
    const service = await makeSetup();
    await run(service, { program: 'deploy.sh', generation: 1 });
    await service.stop();
  });

  it(`is refused beyond ${mostRunning} at the same time`, async () => {
    const service = await makeSetup();
    const ends = Array.from({ length: mostRunning }, () =>
      report(service, { program: 'many', generation: 1 }),
    );
    await expect.poll(async () => (await useOf(service)).running.length).toBe(mostRunning);
    const more = { credential: 'a', program: 'one-more', generation: 1, since: isoInstant(noon) };
    expect((await service.owner('POST', '/portal/running', more)).status).toBe(409);
    expect((await service.owner('POST', '/portal/running', { ...more, credential: 'b' })).status).toBe(404);
    for (const end of ends) end();
    await expect.poll(async () => (await useOf(service)).running).toEqual([]);
  });
});

type Command = { readonly program: string; readonly generation: number };

/** Reports a command; resolves when the service knows it, with how to end it. */
async function run(service: OpenService, command: Command): Promise<() => void> {
  const end = report(service, command);
  await expect.poll(async () => (await useOf(service)).running.length).toBe(1);
  return end;
}

/** Reports a command over a connection of its own, and returns how to end it. */
function report(service: OpenService, { program, generation }: Command): () => void {
  const asking = request(`${service.app.listeningOrigin}/portal/running`, {
    method: 'POST',
    agent: false,
    headers: { ...ownerHeaders(service), 'content-type': 'application/json' },
  });
  asking.on('error', () => undefined);
  // It says that it was started in the future, as after a clock change.
  asking.end(JSON.stringify({ credential: 'a', program, generation, since: isoInstant(noon + 5_000) }));
  onTestFinished(() => void asking.destroy());
  return () => void asking.destroy();
}
