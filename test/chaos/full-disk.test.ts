import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HistoryPage, PortalStatus, Verification } from '../../src/contract/service/portal.ts';
import type { Settings } from '../../src/contract/service/settings.ts';
import type { IssuedToken, RotateReply, TokenView } from '../../src/contract/token/token.ts';
import { openStore } from '../../src/store/open-store.ts';
import { OpenSegment } from '../../src/store/segment.ts';
import { ivrBody } from '../fixtures/ivr-bodies.ts';
import { makeFolder, writtenPart } from '../fixtures/make-folder.ts';
import { issued, noon } from '../fixtures/make-events.ts';
import type { Answer } from '../fixtures/send-call.ts';
import { openWire, requestText } from '../service/attacks/wire.ts';
import { canLimitFileSize, canMount, limitFileSize, mountSmallDisk } from './full-disk.ts';
import { DidNotStart, type ServiceProcess, startService } from './service-process.ts';
import { createClient } from '../../src/client/create-client.ts';
import { wavFile } from '../fixtures/audio-files.ts';

/** A disk that can be filled and freed while the service runs. */
interface Setup {
  readonly folder: string;
  readonly code: string;
  start(): Promise<ServiceProcess>;
  /** No file can grow by more than `leftBytes`. */
  fill(service: ServiceProcess, leftBytes: number): void;
  free(service: ServiceProcess): void;
}

const setups: Readonly<Record<string, { isPossible: boolean; make: () => Setup }>> = {
  'at its file size limit': {
    isPossible: canLimitFileSize,
    make() {
      const folder = makeFolder();
      return {
        folder,
        code: 'EFBIG',
        start: () => startService(folder),
        fill({ pid }, leftBytes) {
          limitFileSize(
            pid,
            writtenPart(readFileSync(join(folder, 'journal/00000001.jsonl'))).length + leftBytes,
          );
        },
        free(service) {
          if (service.isRunning()) limitFileSize(service.pid, 'unlimited');
        },
      };
    },
  },
  'on a full disk': {
    isPossible: canMount,
    make() {
      const disk = mountSmallDisk(512 * 1024);
      return {
        folder: disk.folder,
        code: 'ENOSPC',
        start: () => startService(disk.folder),
        fill: (_service, leftBytes) => disk.fill(leftBytes),
        free: () => disk.free(),
      };
    },
  },
};

async function issue(service: ServiceProcess): Promise<IssuedToken> {
  return (await service.owner('POST', '/portal/tokens', { name: 'n', validity_days: 7 })) as IssuedToken;
}

function rotate(
  service: ServiceProcess,
  bearer: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return service.call({ method: 'POST', path: '/v1/auth/rotate', bearer, headers });
}

async function statusOf(service: ServiceProcess): Promise<PortalStatus> {
  return (await service.owner('GET', '/portal/status')) as PortalStatus;
}

async function historyOf(service: ServiceProcess): Promise<HistoryPage['events']> {
  return ((await service.owner('GET', '/portal/history?limit=1000')) as HistoryPage).events;
}

function expectUnavailable(answer: Answer): void {
  expect(answer.status, answer.text).toBe(503);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  expect(answer.headers['content-type']).toMatch(/^application\/json/);
  expect(answer.text).toMatch(/"[sS]uccess":false/);
  expect(answer.text).toContain('nothing was changed');
}

/** Makes large changes and then the smallest possible ones, until the disk accepts none. */
async function useUp(service: ServiceProcess, bearer: string): Promise<void> {
  await untilRefused(() => createIvr(service, bearer));
  let isEnabled = false;
  await untilRefused(() => {
    isEnabled = !isEnabled;
    return changeSettings(service, isEnabled);
  });
}

async function untilRefused(change: () => Promise<Answer>): Promise<void> {
  for (let tries = 0; tries < 500; tries += 1) {
    if ((await change()).status === 503) return;
  }
  throw new Error('The disk never was full');
}

function changeSettings(service: ServiceProcess, isEnabled: boolean): Promise<Answer> {
  return service.call({
    method: 'PATCH',
    path: '/portal/settings',
    bearer: service.portalKey,
    body: { sms_templates_enabled: isEnabled },
  });
}

function createIvr(service: ServiceProcess, bearer: string): Promise<Answer> {
  const body = { ...ivrBody, description: 'x'.repeat(900) };
  return service.call({ method: 'POST', path: '/v1/ivr', bearer, body });
}

const firstWay = Object.keys(setups).find((where) => setups[where]?.isPossible);

/** What does not depend on the kind of full disk is tested with the first kind that this machine supports. */
function itOnce(where: string): (name: string, test: () => Promise<void>) => void {
  return (name, test) => {
    if (where === firstWay) it(name, { tags: ['long'] }, test);
  };
}

describe.each(Object.entries(setups))('a data folder %s', (where, { isPossible, make }) => {
  it.skipIf(!isPossible)(
    'refuses every change with 503, changes nothing, says so, and goes on without a restart when there is room again',
    async () => {
      const setup = make();
      const service = await setup.start();
      const tokens = await Promise.all(Array.from({ length: 12 }, () => issue(service)));
      const [user, ...others] = tokens;
      const used = user!.access_token;
      await service.call({ method: 'GET', path: '/v1/auth/token', bearer: used });
      setup.fill(service, 5000);
      await useUp(service, used);
      const before = await historyOf(service);
      const full = await statusOf(service);
      const settings = (await service.owner('GET', '/portal/settings')) as Settings;

      // Every kind of change, many at once.
      const refused = await Promise.all([
        ...others.map(({ access_token }) => rotate(service, access_token)),
        service.call({ method: 'POST', path: '/v1/auth/refresh', bearer: used }),
        createIvr(service, used),
        service.call({
          method: 'POST',
          path: '/portal/tokens',
          bearer: service.portalKey,
          body: { name: 'n', validity_days: 1 },
        }),
        service.call({
          method: 'POST',
          path: `/portal/tokens/${user!.id}/suspend`,
          bearer: service.portalKey,
        }),
        changeSettings(service, !settings.sms_templates_enabled),
      ]);
      for (const answer of refused) expectUnavailable(answer);

      // Nothing changed, and calls that change nothing still work.
      expect(await historyOf(service)).toEqual(before);
      const stillFull = await statusOf(service);
      expect({ ...stillFull, store: null }).toEqual({ ...full, store: null });
      expect(stillFull.store).toMatchObject({
        status: 'refusing',
        code: setup.code,
        last_seq: before.length,
      });
      expect(await service.owner('GET', '/portal/settings')).toEqual(settings);
      for (const { id } of tokens) {
        expect((await service.owner('GET', `/portal/tokens/${id}`)) as TokenView).toMatchObject({
          status: 'Active',
        });
      }
      expect((await service.call({ method: 'GET', path: '/v1/health' })).status).toBe(200);
      expect((await service.call({ method: 'GET', path: '/v1/ivrs', bearer: used })).status).toBe(200);
      expect((await rotate(service, 'rvx_made_up')).status).toBe(401);
      expect(await service.owner('GET', '/portal/history/verify')).toMatchObject({ status: 'intact' });

      setup.free(service);
      const successors = await Promise.all(others.map(({ access_token }) => rotate(service, access_token)));
      expect(successors.map(({ status }) => status)).toEqual(others.map(() => 200));
      expect((await statusOf(service)).store).toEqual({
        status: 'ok',
        last_seq: before.length + others.length,
      });
      expect(await service.stop()).toBe(0);

      const again = await setup.start();
      expect(await historyOf(again)).toHaveLength(before.length + others.length);
      expect((await again.owner('GET', '/portal/history/verify')) as Verification).toMatchObject({
        status: 'intact',
      });
      for (const { text } of successors) {
        const { access_token: successor } = JSON.parse(text) as RotateReply;
        expect((await rotate(again, successor)).status).toBe(200);
      }
      expect(await again.stop()).toBe(0);
    },
  );

  it.skipIf(!isPossible)(
    'has not changed after a kill: no rotation that was answered with 503 is there, also when part of its batch was written',
    { tags: ['long'] },
    async () => {
      const setup = make();
      const service = await setup.start();
      const tokens = await Promise.all(Array.from({ length: 40 }, () => issue(service)));
      const before = await historyOf(service);
      // Room for some whole lines of the batch, not for all: the requests arrive in one packet, so they are one batch.
      setup.fill(service, 2000);
      const wire = openWire(service.port);
      wire.write(
        tokens
          .map(({ access_token: token }) =>
            requestText('POST /v1/auth/rotate HTTP/1.1', [
              `Host: 127.0.0.1:${service.port}`,
              `Authorization: Bearer ${token}`,
              'Content-Length: 0',
            ]),
          )
          .join(''),
      );
      const answers = await wire.answers(tokens.length);
      const refused = tokens.filter((_, place) => answers[place]?.status === 503);
      expect(refused.length).toBeGreaterThan(10);
      await service.kill();
      setup.free(service);

      const again = await setup.start();
      const rotations = (await historyOf(again)).filter(({ kind }) => kind === 'token.rotated');
      expect(rotations, 'rotations after the kill').toHaveLength(tokens.length - refused.length);
      expect((await historyOf(again)).length).toBeGreaterThanOrEqual(before.length);
      for (const { access_token: token } of refused) {
        const answer = await rotate(again, token);
        expect(answer.status, answer.text).toBe(200);
      }
      expect(await again.owner('GET', '/portal/history/verify')).toMatchObject({ status: 'intact' });
      expect(await again.stop()).toBe(0);
    },
  );

  it.skipIf(!isPossible)(
    'refuses a rotation with an Idempotency-Key just the same, and does it once there is room',
    { tags: ['long'] },
    async () => {
      const setup = make();
      const service = await setup.start();
      const token = await issue(service);
      setup.fill(service, 5000);
      const headers = { 'idempotency-key': 'the-first-key-of-all' };
      await useUp(service, token.access_token);
      for (let tries = 0; tries < 3; tries += 1)
        expectUnavailable(await rotate(service, token.access_token, headers));
      setup.free(service);
      const done = await rotate(service, token.access_token, headers);
      const replayed = await rotate(service, token.access_token, headers);
      expect([done.status, replayed.status]).toEqual([200, 200]);
      expect(replayed.text).toBe(done.text);
      expect(await service.stop()).toBe(0);
    },
  );

  itOnce(where)('still remembers an old token that was used meanwhile, once there is room', async () => {
    const setup = make();
    const service = await setup.start();
    const token = await issue(service);
    const rotated = await rotate(service, token.access_token);
    setup.fill(service, 5000);
    await useUp(service, (JSON.parse(rotated.text) as RotateReply).access_token);
    const meanwhile = await rotate(service, token.access_token);
    expect([401, 503]).toContain(meanwhile.status);
    setup.free(service);
    expect((await rotate(service, token.access_token)).status).toBe(401);
    expect((await historyOf(service)).map(({ kind }) => kind)).toContain('token.reused');
    expect(await service.stop()).toBe(0);
  });

  itOnce(where)(
    'answers a token that is used for the first time where it only reads, and writes the use down later',
    async () => {
      const setup = make();
      const service = await setup.start();
      const [used, fresh] = [await issue(service), await issue(service)];
      setup.fill(service, 5000);
      await useUp(service, used.access_token);
      const read = () => service.call({ method: 'GET', path: '/v1/ivrs', bearer: fresh.access_token });
      expect((await read()).status).toBe(200);
      expectUnavailable(await rotate(service, fresh.access_token));
      setup.free(service);
      expect((await statusOf(service)).store.status, 'asking for the status looks at the disk').toBe('ok');
      expect((await rotate(service, used.access_token)).status).toBe(200);
      const uses = (await historyOf(service)).filter(({ kind }) => kind === 'token.first_used');
      expect(uses.map(({ data }) => data['token_id'])).toContain(fresh.id);
      expect(await service.stop()).toBe(0);
    },
  );

  itOnce(where)('lets the service stop, and what was acknowledged is there at the next start', async () => {
    const setup = make();
    const service = await setup.start();
    const token = await issue(service);
    setup.fill(service, 5000);
    await useUp(service, token.access_token);
    const before = await historyOf(service);
    expect(await service.stop()).toBe(0);
    setup.free(service);
    const again = await setup.start();
    expect(await historyOf(again)).toEqual(before);
    expect((await rotate(again, token.access_token)).status).toBe(200);
    expect(await again.stop()).toBe(0);
  });
});

describe('starting on a full disk', () => {
  it.skipIf(!canMount)(
    'fails with a sentence about the folder and leaves nothing behind, or serves',
    { tags: ['long'] },
    async () => {
      const disk = mountSmallDisk(256 * 1024);
      const service = await startService(disk.folder);
      const token = await issue(service);
      await service.kill();
      disk.fill(0);
      try {
        const onFull = await startService(disk.folder);
        expect((await onFull.call({ method: 'GET', path: '/v1/health' })).status).toBe(200);
        await onFull.stop();
      } catch (error) {
        if (!(error instanceof DidNotStart)) throw error;
        expect(error.exitCode).toBe(1);
        expect(error.said).toContain(disk.folder);
        expect(error.said).not.toMatch(/\n\s+at /); // a message, not a stack trace
      }
      disk.free();
      const again = await startService(disk.folder);
      expect((await rotate(again, token.access_token)).status).toBe(200);
      expect(await again.stop()).toBe(0);
    },
  );
});

it('can be tried on this machine in at least one way', () => {
  expect(canLimitFileSize || canMount, 'neither prlimit nor mount').toBe(process.platform === 'linux');
});

describe('a segment that cannot be begun', () => {
  it.runIf(canLimitFileSize)('leaves neither a file nor an open descriptor', () => {
    const folder = makeFolder();
    mkdirSync(folder, { recursive: true });
    const header = { format: 1, segment: 1, first_seq: 1, prev: '' };
    const openFiles = (): number => readdirSync('/proc/self/fd').length;
    const before = openFiles();
    limitFileSize(process.pid, 0);
    try {
      for (let round = 0; round < 5; round += 1)
        expect(() => OpenSegment.create(folder, header)).toThrow(/EFBIG/);
    } finally {
      limitFileSize(process.pid, 'unlimited');
    }
    expect(openFiles()).toBe(before);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a check of the disk, without a change', () => {
  const clock = () => noon;

  it.runIf(canLimitFileSize)('finds that nothing more fits, and that there is room again', async () => {
    const folder = makeFolder();
    const { store: first } = await openStore({ folder, clock });
    await first.transact(() => ({ events: [issued('a')], value: null }));
    await first.close();
    const segments = readdirSync(join(folder, 'journal')).filter((name) => name.endsWith('.jsonl'));
    const heard: string[] = [];
    limitFileSize(process.pid, statSync(join(folder, 'journal', segments.at(-1) ?? '')).size);
    try {
      const { store } = await openStore({ folder, clock });
      store.onHealth(() => heard.push(store.health().status));
      expect(store.look()).toMatchObject({ status: 'refusing', code: 'EFBIG', last_seq: 1 });
      limitFileSize(process.pid, 'unlimited');
      expect(store.look()).toEqual({ status: 'ok', last_seq: 1 });
      expect(heard).toEqual(['refusing', 'ok']);
      await store.transact(() => ({ events: [issued('b')], value: null }));
      expect(await store.verify()).toMatchObject({ status: 'intact', verified_to: 2 });
    } finally {
      limitFileSize(process.pid, 'unlimited');
    }
    const { store: again, repairs } = await openStore({ folder, clock });
    expect([again.state.tokens.size, repairs]).toEqual([2, []]);
  });

  it.runIf(canMount)('finds that it has become read-only', async () => {
    const folder = makeFolder();
    const { store } = await openStore({ folder, clock });
    expect(store.look().status).toBe('ok');
    execFileSync('mount', ['--bind', folder, folder]);
    onTestFinished(() => void spawnSync('umount', [folder]));
    execFileSync('mount', ['-o', 'remount,bind,ro', folder]);
    expect(store.look()).toMatchObject({ status: 'refusing', code: 'EROFS' });
  });
});

it.runIf(canLimitFileSize)(
  'a recording that the disk does not take is refused with the reason and leaves nothing behind',
  async () => {
    const folder = makeFolder();
    const service = await startService(folder);
    const { pid, port, portalKey } = service;
    const client = createClient({
      baseUrl: `http://127.0.0.1:${port}`,
      authorization: `Bearer ${portalKey}`,
    });
    const upload = (body: Uint8Array<ArrayBuffer>) =>
      client.call('uploadRecording', { query: { name: 'Welcome' }, body });
    const files = () => readdirSync(join(folder, 'recordings'));
    const journalBytes = () => writtenPart(readFileSync(join(folder, 'journal/00000001.jsonl'))).length;

    // The file does not fit.
    limitFileSize(pid, 20_000);
    const refused = await upload(wavFile(10_000));
    expect(refused).toMatchObject({ ok: false, status: 503, code: 'store_unavailable' });
    expect(refused.ok ? '' : refused.message).toContain('at its file size limit');
    expect(files()).toEqual([]);

    // The file fits and its record does not.
    limitFileSize(pid, journalBytes() + 10);
    const unrecorded = await upload(wavFile(1));
    expect(unrecorded).toMatchObject({ ok: false, status: 503 });
    expect(files()).toEqual([]);

    limitFileSize(pid, 'unlimited');
    expect(await upload(wavFile(10_000))).toMatchObject({ ok: true });
    expect(files()).toHaveLength(1);
    const listed = await client.call('listRecordings');
    expect(listed.ok ? listed.value.recordings : []).toHaveLength(1);
    expect(await service.stop()).toBe(0);
  },
);
