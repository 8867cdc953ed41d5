import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { UpdateProblem } from '../../../src/contract/service/update.ts';
import { FeedSource, type FeedSourceParts } from '../../../src/main/updates/feed-source.ts';
import { UpdateError } from '../../../src/main/updates/update-state.ts';
import { connectFailureOf } from '../../../src/network/connect-failure.ts';
import { fetchThrough, Outgoing } from '../../../src/network/outgoing.ts';
import { startCompanyProxy } from '../../fakes/company-proxy.ts';
import { listName, newKeys, signatureName, UpdateFeed } from '../../fakes/update-feed.ts';
import { makeAuthority } from '../../fixtures/make-authority.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { waitFor } from '../../fixtures/wait-for.ts';

let folder: string;
let appImage: string;
let feed: UpdateFeed;
let did: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rotavox-source-'));
  appImage = join(folder, 'Rotavox.AppImage');
  await writeFile(appImage, 'version 0.1.0', { mode: 0o750 });
  feed = await UpdateFeed.open();
  did = [];
});
afterEach(async () => {
  await feed.close();
  await rm(folder, { recursive: true, force: true });
});

function open(differences: Partial<FeedSourceParts> = {}): FeedSource {
  return new FeedSource({
    feed: feed.url,
    key: feed.keys.publicKey,
    target: { kind: 'appimage', file: appImage },
    running: { platform: 'linux', arch: process.arch, runningVersion: '0.1.0' },
    limits: { answerMs: 30_000, standstillMs: 30_000 },
    network: { fetch, failureOf: connectFailureOf },
    start: async (file, step) => void did.push(`start ${step} ${file}`),
    quit: () => did.push('quit'),
    ...differences,
  });
}

async function problemOf(step: Promise<unknown>): Promise<UpdateProblem> {
  const error = await step.then(
    (value) => new Error(`did not fail: ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof UpdateError) return error.problem;
  throw error;
}

/** Everything in the folder of the AppImage. */
const files = async () => (await readdir(folder)).sort();
const nothing = (): undefined => undefined;

describe('a signed feed', () => {
  it('gives a newer version, which replaces the AppImage with its name and rights, and is started', async () => {
    const name = await feed.offer('0.2.0');
    const source = open();
    expect(await source.check()).toBe('0.2.0');
    expect(feed.asked).toEqual([listName, signatureName]);

    const percents: number[] = [];
    await source.download((percent) => percents.push(percent));
    expect(feed.asked.at(-1)).toBe(name);
    expect(percents.at(-1)).toBe(100);
    expect(await readFile(appImage, 'utf8')).toBe('version 0.1.0');

    await source.installAndRestart(async () => void did.push('host closed'));
    expect(did).toEqual(['host closed', `start new_version ${appImage}`, 'quit']);
    expect(await readFile(appImage, 'utf8')).toBe('version 0.2.0');
    expect((await stat(appImage)).mode & 0o777).toBe(0o750);
    source.close();
    expect(await files()).toEqual(['Rotavox.AppImage']);
  });

  it('is installed by a quit without a start', async () => {
    await feed.offer('0.2.0');
    const source = open();
    await source.check();
    await source.download(nothing);
    await source.install();
    expect(await readFile(appImage, 'utf8')).toBe('version 0.2.0');
    expect(did).toEqual([]);
  });

  it('may redirect, for its signature is what counts', async () => {
    const store = await UpdateFeed.open();
    await store.offer('0.2.0', { key: feed.keys.privateKey });
    for (const name of [listName, signatureName])
      feed.answer(
        name,
        (_request, response) => void response.writeHead(302, { location: `${store.url}/${name}` }).end(),
      );
    expect(await open().check()).toBe('0.2.0');
    await store.close();
  });

  it('learns nothing but that a Rotavox asks', async () => {
    await feed.offer('0.1.0');
    expect(await open().check()).toBeNull();
    const [{ headers }] = feed.requests as [(typeof feed.requests)[0]];
    expect(headers['user-agent']).toBe('Rotavox');
    expect(headers['accept-language']).toBe('en');
    expect(JSON.stringify(headers)).not.toContain('0.1.0');
    expect(headers.cookie).toBeUndefined();
  });

  it('starts the installer on Windows, silently at a quit', async () => {
    const content = 'an installer';
    const name = await feed.offer('0.2.0', { content });
    const list = JSON.parse(await (await fetch(`${feed.url}/${listName}`)).text()) as { files: object[] };
    feed.sign(JSON.stringify({ ...list, files: [{ ...list.files[0], platform: 'win32', kind: 'nsis' }] }));
    for (const step of ['installer', 'silent_installer'] as const) {
      let started = '';
      const source = open({
        target: { kind: 'nsis' },
        running: { platform: 'win32', arch: process.arch, runningVersion: '0.1.0' },
        start: async (file, how) => {
          started = `${how} ${await readFile(file, 'utf8')}`;
          expect(file.endsWith(name)).toBe(true);
          await rm(join(file, '..'), { recursive: true });
        },
      });
      await source.check();
      await source.download(nothing);
      await (step === 'installer' ? source.installAndRestart(async () => undefined) : source.install());
      expect(started).toBe(`${step} ${content}`);
    }
  });
});

describe('a feed is refused', () => {
  it('without a signature, with that of another key, and with an older version', async () => {
    const host = new URL(feed.url).host;
    await feed.offer('0.2.0');
    feed.answer(signatureName, (_request, response) => void response.writeHead(404).end());
    expect(await problemOf(open().check())).toEqual({ code: 'unsigned', feed: host });
    await feed.offer('0.2.0', { key: newKeys().privateKey });
    expect(await problemOf(open().check())).toEqual({ code: 'wrong_signature' });
    await feed.offer('0.0.9');
    expect(await problemOf(open().check())).toEqual({
      code: 'older_version',
      version: '0.0.9',
      running: '0.1.0',
    });
    expect(await files()).toEqual(['Rotavox.AppImage']);
  });

  it('with a file that is not the listed one, whatever its length, and the file is deleted', async () => {
    const name = await feed.offer('0.2.0');
    for (const content of ['version 0.2.O', 'version 0.2.0 and more', 'version']) {
      feed.answer(name, content);
      const source = open();
      await source.check();
      expect(await problemOf(source.download(nothing))).toEqual({ code: 'wrong_file' });
      expect(await files()).toEqual(['Rotavox.AppImage']);
    }
  });

  it('with a file that was changed after its download', async () => {
    await feed.offer('0.2.0');
    const source = open();
    await source.check();
    await source.download(nothing);
    await writeFile(join(folder, '.Rotavox.AppImage.new'), 'version 6.6.6');
    expect(await problemOf(source.installAndRestart(async () => void did.push('host closed')))).toEqual({
      code: 'wrong_file',
    });
    expect(did).toEqual([]);
    expect(await readFile(appImage, 'utf8')).toBe('version 0.1.0');
    expect(await files()).toEqual(['Rotavox.AppImage']);
  });
});

describe('a feed that does not work', () => {
  it.each([
    [404, 'no_list'],
    [401, 'denied'],
    [403, 'denied'],
    [500, 'feed_failed'],
  ])('is recognised by its status %i', async (status, code) => {
    feed.answer(listName, (_request, response) => void response.writeHead(status).end('an error'));
    expect(await problemOf(open().check())).toMatchObject({ code });
  });

  it('is recognised when its file is missing or its answer breaks off', async () => {
    const name = await feed.offer('0.2.0');
    const source = open();
    await source.check();
    feed.answer(name, (_request, response) => void response.writeHead(404).end());
    expect(await problemOf(source.download(nothing))).toMatchObject({ code: 'no_file' });
    feed.answer(name, (_request, response) => {
      response.writeHead(200, { 'content-length': 1000 });
      response.write('ver', () => response.destroy());
    });
    expect(await problemOf(source.download(nothing))).toMatchObject({ code: 'connection_lost' });
    expect(await files()).toEqual(['Rotavox.AppImage']);
  });

  it('is recognised when nothing listens', async () => {
    const closed = await UpdateFeed.open();
    const { url } = closed;
    await closed.close();
    expect(await problemOf(open({ feed: url }).check())).toMatchObject({
      code: 'unreachable',
      error: 'ECONNREFUSED',
    });
  });

  it('goes the way of the network: through its proxy, with the sign-in and the certificate that it needs', async () => {
    const authority = makeAuthority(makeFolder());
    const proxy = await startCompanyProxy({
      servicePort: Number(new URL(feed.url).port),
      intercepts: authority.issue('updates.test', { names: ['DNS:updates.test'] }),
    });
    onTestFinished(() => proxy.close());
    proxy.login = 'mary:secret';
    const checkWith = (login: string, trusted: string | undefined): Promise<string | null> => {
      const environment = { HTTPS_PROXY: `http://${login}@${proxy.name}` };
      const network = {
        fetch: fetchThrough(new Outgoing({ environment, trusted })),
        failureOf: connectFailureOf,
      };
      return open({ feed: 'https://updates.test/rotavox', network }).check();
    };
    await feed.offer('0.2.0');
    expect(await problemOf(checkWith('mary:wrong', authority.cert))).toMatchObject({
      code: 'way',
      feed: 'updates.test',
      failure: { code: 'proxy_failed' },
    });
    expect(await problemOf(checkWith('mary:secret', undefined))).toMatchObject({
      code: 'way',
      failure: { code: 'not_trusted', issuer: 'Corp Root' },
    });
    expect(await checkWith('mary:secret', authority.cert)).toBe('0.2.0');
    expect(new Set(proxy.asked)).toEqual(new Set(['updates.test:443']));
  });

  it('ends a request that takes too long, or that nobody waits for any more', async () => {
    feed.answer(listName, nothing);
    expect(await problemOf(open({ limits: { answerMs: 50, standstillMs: 50 } }).check())).toMatchObject({
      code: 'timeout',
    });
    await waitFor(() => expect(feed.gone).toBe(1));

    const name = await feed.offer('0.2.0');
    feed.answer(name, (_request, response) => void response.write('ver'));
    const source = open();
    await source.check();
    const download = problemOf(source.download(nothing));
    await waitFor(() => expect(feed.asked).toContain(name));
    source.close();
    expect(await download).toEqual({ code: 'feed_changed' });
    expect(await problemOf(source.check())).toEqual({ code: 'feed_changed' });
    await waitFor(async () => expect(await files()).toEqual(['Rotavox.AppImage']));
  });

  it('does not fill the memory with an endless list', async () => {
    feed.answer(listName, 'x'.repeat(300 * 1024));
    expect(await problemOf(open().check())).toEqual({ code: 'unknown_list' });
  });
});
