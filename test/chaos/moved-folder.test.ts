import { cpSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PortalStatus, Verification } from '../../src/contract/service/portal.ts';
import type { IssuedToken, RotateReply } from '../../src/contract/token/token.ts';
import { serviceHere } from '../cli/service-here.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import type { Answer } from '../fixtures/send-call.ts';
import { differencesOf, readFolder } from './data-folder.ts';
import { type ServiceProcess, startService } from './service-process.ts';

async function issue(service: ServiceProcess): Promise<string> {
  const body = { name: 'n', validity_days: 7 };
  return ((await service.owner('POST', '/portal/tokens', body)) as IssuedToken).access_token;
}

function rotate(service: ServiceProcess, bearer: string): Promise<Answer> {
  return service.call({ method: 'POST', path: '/v1/auth/rotate', bearer });
}

/** An app that rotates its token continuously. */
class RotatingApp {
  /** All its tokens, including the first. */
  readonly tokens: string[];
  readonly refusals: Answer[] = [];
  readonly #service: ServiceProcess;
  #hasEnded = false;
  readonly #running: Promise<void>;

  constructor(service: ServiceProcess, token: string) {
    this.#service = service;
    this.tokens = [token];
    this.#running = this.#run();
  }

  get newest(): string {
    return this.tokens.at(-1) ?? '';
  }

  async until(isReached: (app: this) => boolean): Promise<void> {
    while (!isReached(this)) await new Promise(setImmediate);
  }

  async end(): Promise<void> {
    this.#hasEnded = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#hasEnded) {
      const answer = await rotate(this.#service, this.newest);
      if (answer.status === 200) this.tokens.push((JSON.parse(answer.text) as RotateReply).access_token);
      else this.refusals.push(answer);
    }
  }
}

async function statusOf(service: ServiceProcess): Promise<PortalStatus> {
  return (await service.owner('GET', '/portal/status')) as PortalStatus;
}

function asOwner(service: ServiceProcess, path: string): Promise<Answer> {
  return service.call({ method: 'GET', path, bearer: service.portalKey });
}

describe('a data folder that is moved while requests run', () => {
  it('is noticed before anything is acknowledged, and gone on with when it is back', async () => {
    const folder = join(makeFolder(), 'data');
    const service = await startService(folder);
    const apps = [];
    for (let count = 0; count < 4; count += 1) apps.push(new RotatingApp(service, await issue(service)));
    for (const app of apps) await app.until(({ tokens }) => tokens.length > 5);

    renameSync(folder, `${folder}-moved`);
    for (const app of apps) await app.until(({ refusals }) => refusals.length > 3);
    await Promise.all(apps.map((app) => app.end()));
    for (const { refusals } of apps) {
      for (const { status, text, headers } of refusals) {
        expect(status, text).toBe(503);
        expect(text).toContain('nothing was changed');
        expect(Number(headers['retry-after'])).toBeGreaterThanOrEqual(1);
      }
    }
    expect(existsSync(folder), 'no folder is made anew').toBe(false);
    const { store } = await statusOf(service);
    expect(store).toMatchObject({ status: 'refusing', code: 'DATA_FOLDER_MOVED' });
    expect(store.status === 'refusing' ? store.reason : '').toContain(folder);
    // The moved folder has everything that was acknowledged, and nothing else.
    const acknowledged = apps.length + apps.reduce((sum, { tokens }) => sum + tokens.length - 1, 0);
    expect(store.last_seq).toBe(acknowledged);

    renameSync(`${folder}-moved`, folder);
    for (const app of apps) expect((await rotate(service, app.newest)).status).toBe(200);
    expect((await statusOf(service)).store).toEqual({ status: 'ok', last_seq: acknowledged + apps.length });
    expect((await service.owner('GET', '/portal/history/verify')) as Verification).toMatchObject({
      status: 'intact',
      verified_to: acknowledged + apps.length,
    });
    expect(await service.stop()).toBe(0);
    expect(readdirSync(folder)).not.toContain('lock');
  });

  it('has all that was acknowledged, when the service is killed meanwhile', { tags: ['long'] }, async () => {
    const folder = join(makeFolder(), 'data');
    const service = await startService(folder);
    const app = new RotatingApp(service, await issue(service));
    await app.until(({ tokens }) => tokens.length > 5);
    renameSync(folder, `${folder}-moved`);
    await app.until(({ refusals }) => refusals.length > 0);
    await app.end();
    await service.kill();
    const again = await startService(`${folder}-moved`);
    expect((await statusOf(again)).store.last_seq).toBe(app.tokens.length);
    expect((await rotate(again, app.newest)).status).toBe(200);
    expect(await again.stop()).toBe(0);
  });

  it(
    'is not taken by a second service at its new place, for its lock is moved with it',
    { tags: ['long'] },
    async () => {
      const folder = join(makeFolder(), 'data');
      const service = await startService(folder);
      renameSync(folder, `${folder}-moved`);
      await expect(startService(`${folder}-moved`)).rejects.toThrow(`process ${service.pid}`);
      await service.kill();
      expect(await (await startService(`${folder}-moved`)).stop()).toBe(0);
    },
  );
});

describe('a data folder that is deleted while requests run', () => {
  it(
    'is answered with 503 and a message, for reading calls too, and not created again by a stop',
    { tags: ['long'] },
    async () => {
      const folder = join(makeFolder(), 'data');
      const service = await startService(folder);
      const token = await issue(service);
      const app = new RotatingApp(service, token);
      await app.until(({ tokens }) => tokens.length > 5);
      rmSync(folder, { recursive: true });
      await app.until(({ refusals }) => refusals.length > 3);
      await app.end();
      expect(new Set(app.refusals.map(({ status }) => status))).toEqual(new Set([503]));

      for (const path of ['/portal/history/verify', '/portal/history', '/portal/history?text=n']) {
        const answer = await asOwner(service, path);
        expect(answer.status, `${path}: ${answer.text}`).toBe(503);
        expect(JSON.parse(answer.text)).toMatchObject({ success: false, code: 'history_unreadable' });
        expect(answer.text).toContain(folder);
      }
      expect((await service.call({ method: 'GET', path: '/v1/health' })).status).toBe(200);
      expect((await asOwner(service, '/portal/tokens')).status).toBe(200);
      expect(await service.stop()).toBe(0);
      expect(existsSync(folder)).toBe(false);
    },
  );
});

it(
  'a service whose folder was replaced by another leaves that one unchanged',
  { tags: ['long'] },
  async () => {
    const folder = join(makeFolder(), 'data');
    const service = await startService(folder);
    const token = await issue(service);
    renameSync(folder, `${folder}-moved`);
    cpSync(`${folder}-moved`, folder, { recursive: true, preserveTimestamps: true });
    rmSync(join(folder, 'lock'));
    rmSync(join(folder, 'runtime.json'));
    const other = await startService(folder);
    expect((await rotate(other, token)).status).toBe(200);
    const before = readFolder(folder);

    expect((await rotate(service, token)).status).toBe(503);
    expect((await statusOf(service)).store).toMatchObject({ status: 'refusing', code: 'DATA_FOLDER_MOVED' });
    expect(await service.stop()).toBe(0);
    expect(differencesOf(before, readFolder(folder))).toEqual([]);
    expect((await statusOf(other)).store).toMatchObject({ status: 'ok' });
    expect(await other.stop()).toBe(0);
  },
);

it(
  'a service whose lock was taken by another one writes nothing more, not even when it stops',
  { tags: ['long'] },
  async () => {
    const folder = join(makeFolder(), 'data');
    const service = await startService(folder);
    const token = await issue(service);
    rmSync(join(folder, 'lock'));
    const other = await startService(folder);
    const rotated = await rotate(other, token);
    expect(rotated.status).toBe(200);

    expect((await rotate(service, token)).status).toBe(503);
    expect((await statusOf(service)).store).toMatchObject({ status: 'refusing', code: 'LOCK_LOST' });
    expect(await service.stop()).toBe(0);
    expect(existsSync(join(folder, 'lock')), 'the lock of the other one').toBe(true);
    await other.kill();
    const again = await startService(folder);
    const { access_token: successor } = JSON.parse(rotated.text) as RotateReply;
    expect((await rotate(again, successor)).status).toBe(200);
    expect(await again.stop()).toBe(0);
  },
);

it('a service whose runtime file was deleted is not said to have stopped', async () => {
  const service = await serviceHere();
  rmSync(join(service.dataDir, 'runtime.json'));
  const asked = await service.cli('status');
  expect(asked.code).toBe(3);
  expect(asked.stderr).toContain(`process ${process.pid}`);
  expect(asked.stderr).not.toContain('is not running');
  await service.stop();
  expect((await service.cli('status')).stderr).toContain('is not running');
});
