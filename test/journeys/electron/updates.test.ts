import { test as base, expect } from '@playwright/test';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { updateProblemText } from '../../../src/text/updates.ts';
import { findElectronRuntime } from '../../../src/launcher/electron-runtime.ts';
import { packUpdatesApp, UpdatesApp } from './packed-updates-app.ts';
import type { UpdateProblem } from '../../../src/contract/update.ts';
import type { Packed } from './packed-updates-app.ts';
import { sha512Of, UpdateFeed } from './update-feed.ts';

interface Fixtures {
  packed: Packed;
  feed: UpdateFeed;
  start: (env?: NodeJS.ProcessEnv) => Promise<UpdatesApp>;
}

const test = base.extend<Fixtures, { distDir: string }>({
  distDir: [
    async ({}, use) => {
      const runtime = await findElectronRuntime({ tell: console.error });
      if (runtime.kind === 'missing') throw new Error(`No Electron to test with: ${runtime.reason}`);
      await use(runtime.distDir);
    },
    { scope: 'worker', timeout: 20 * 60_000 },
  ],
  packed: async ({ distDir }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'rotavox-updates-'));
    await use(await packUpdatesApp(folder, distDir));
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  },
  feed: async ({}, use) => {
    const feed = await UpdateFeed.open();
    await use(feed);
    await feed.close();
  },
  start: async ({ packed, feed }, use) => {
    const apps: UpdatesApp[] = [];
    await use(async (env = {}) => {
      const app = UpdatesApp.start(packed, { TEST_FEED: feed.url, ...env });
      apps.push(app);
      await app.isUp();
      return app;
    });
    for (const app of apps) app.kill();
  },
});

const listName = 'latest-linux.yml';

test('a newer version is found, downloaded at a click, and put in the place of the AppImage', async ({
  start,
  feed,
  packed,
}) => {
  const started = join(packed.folder, 'started');
  const content = `#!/bin/sh\nenv > '${started}.part' && printf '%s' "$*" >> '${started}.part' && mv '${started}.part' '${started}'\n`;
  feed.offer('0.2.0', { content });
  const app = await start();
  expect(app.state).toEqual({ kind: 'idle' });

  expect(await app.check()).toEqual({ kind: 'available', version: '0.2.0', asked: true });
  expect(feed.asked).toEqual([listName]);

  app.tell({ kind: 'download' });
  expect(await app.is('ready')).toEqual({ kind: 'ready', version: '0.2.0' });
  expect(feed.asked).toEqual([listName, 'Rotavox-0.2.0.AppImage']);
  expect(await readFile(packed.appImage, 'utf8')).toBe('the program that runs');

  app.tell({ kind: 'install' });
  expect(await app.ended()).toBe(0);
  expect(app.reports.map(({ kind }) => kind).slice(-2)).toEqual(['host_closed', 'quitting']);
  expect(sha512Of(await readFile(packed.appImage, 'utf8'))).toBe(sha512Of(content));
  expect((await stat(packed.appImage)).mode & 0o777).toBe(0o750);
  expect(await readdir(packed.folder)).not.toContain('.Rotavox.AppImage.new');

  // The new program was started, outside the mount of the old.
  await expect.poll(() => existsSync(started)).toBe(true);
  const environment = await readFile(started, 'utf8');
  expect(environment).toContain('XDG_CONFIG_HOME=');
  expect(environment).not.toContain(join(packed.folder, 'mount'));
});

test('without a feed nobody is asked, and electron-updater is not even loaded', async ({ start, feed }) => {
  const app = await start({ TEST_FEED: undefined });
  expect(app.state).toEqual({ kind: 'off' });
  app.tell({ kind: 'check' });
  expect(await app.quit()).toBe(0);
  expect(app.reports.at(-1)).toEqual({ kind: 'quitting', loadedUpdater: false });
  expect(feed.requests).toEqual([]);
});

test('a feed that is set asks nobody until there is a check, and then learns nothing but that', async ({
  start,
  feed,
  packed,
}) => {
  feed.offer('0.1.0');
  const app = await start({ TEST_FEED: undefined });
  app.tell({ kind: 'set_feed', feed: feed.url });
  await app.is('idle');
  expect(feed.requests).toEqual([]);

  expect(await app.check()).toMatchObject({ kind: 'current', asked: true });
  expect(feed.requests.map(({ headers }) => Object.keys(headers).sort())).toEqual([
    ['accept', 'accept-encoding', 'cache-control', 'connection', 'host', 'user-agent'],
  ]);
  expect(feed.requests[0]!.headers['user-agent']).toBe('Rotavox');

  expect(await app.quit()).toBe(0);
  expect(app.reports.at(-1)).toEqual({ kind: 'quitting', loadedUpdater: true });
  const kept = await readdir(join(packed.folder, 'config'), { recursive: true });
  expect(kept.filter((name) => name.includes('updaterId'))).toEqual([]);
});

test('the same version, an older one and a preview are nothing newer', async ({ start, feed }) => {
  const app = await start();
  for (const version of ['0.1.0', '0.0.9', '0.1.0-beta.1', '0.2.0-beta.1']) {
    feed.offer(version);
    expect(await app.check(), version).toMatchObject({ kind: 'current' });
  }
  feed.offer('0.10.0');
  expect(await app.check()).toMatchObject({ kind: 'available', version: '0.10.0' });
});

test('a list that cannot be had or read is said in a sentence, and the next check starts afresh', async ({
  start,
  feed,
}) => {
  const app = await start({ TEST_ANSWER_MS: '1000' });
  const check = async (): Promise<string> => {
    const state = await app.check();
    if (state.kind !== 'failed') throw new Error(`not failed but ${JSON.stringify(state)}`);
    expect(state).toMatchObject({ step: 'check', asked: true });
    return updateProblemText(state.problem);
  };
  const status = (code: number, headers = {}) => {
    feed.answer(listName, (_request, response) => void response.writeHead(code, headers).end('an error'));
  };

  expect(await check()).toContain('has no list of versions for this system');
  status(500);
  expect(await check()).toContain('answers with an error (500)');
  status(401, { 'www-authenticate': 'Basic realm="feed"' });
  expect(await check()).toContain('denies access (401)');

  for (const list of [
    '',
    '# nothing',
    '<!doctype html><title>Sign in to the network</title>',
    'version: [',
    'version: newest\nfiles: []',
    '- a\n- b',
    'null',
  ]) {
    feed.answer(listName, list);
    expect(await check(), list).toContain('did not return a list of versions');
  }
  feed.answer(listName, 'version: 0.2.0\npath: Rotavox.AppImage\nsha512: short');
  expect(await check()).toContain('without its checksum');
  feed.offer('0.2.0', { url: 'rotavox_0.2.0_amd64.deb' });
  expect(await check()).toContain('not as AppImage');

  feed.answer(listName, () => undefined);
  expect(await check()).toContain('stopped responding');
  await expect.poll(() => feed.gone, 'the request that hung was ended').toBe(1);
  feed.answer(listName, (request) => void request.socket.destroy());
  expect(await check()).toContain('cannot be reached');

  feed.offer('0.2.0');
  expect(await app.check()).toMatchObject({ kind: 'available' });
});

test('a feed that is not there is said in a sentence', async ({ start }) => {
  const closed = await UpdateFeed.open();
  const { url } = closed;
  await closed.close();
  const app = await start({ TEST_FEED: url });
  expect(await app.check()).toMatchObject({
    kind: 'failed',
    problem: { code: 'unreachable', error: 'ERR_CONNECTION_REFUSED' },
  });
});

test('nobody but the feed is asked, wherever it points to', async ({ start, feed }) => {
  const elsewhere = await UpdateFeed.open();
  elsewhere.offer('0.2.0');
  const app = await start();
  const redirect = (name: string, location: string) => {
    feed.answer(name, (_request, response) => void response.writeHead(302, { location }).end());
  };

  redirect(listName, `${elsewhere.url}/${listName}`);
  expect(await app.check()).toMatchObject({
    problem: { code: 'redirected', to: elsewhere.origin },
  });
  redirect(listName, `${feed.url}/${listName}`); // for ever, if it were followed
  expect(await app.check()).toMatchObject({ kind: 'failed', step: 'check' });
  expect(feed.asked).toEqual([listName, listName]);

  for (const url of [
    `${elsewhere.url}/Rotavox-0.2.0.AppImage`,
    `//${new URL(elsewhere.url).host}/rotavox/Rotavox-0.2.0.AppImage`,
    '../Rotavox-0.2.0.AppImage',
    '/etc/Rotavox-0.2.0.AppImage',
    '..%2f..%2fRotavox-0.2.0.AppImage',
  ]) {
    feed.offer('0.2.0', { url });
    expect(await app.check(), url).toMatchObject({
      kind: 'failed',
      problem: { code: 'foreign_file' },
    });
  }

  feed.offer('0.2.0');
  redirect('Rotavox-0.2.0.AppImage', `${elsewhere.url}/Rotavox-0.2.0.AppImage`);
  expect(await app.check()).toMatchObject({ kind: 'available' });
  app.tell({ kind: 'download' });
  expect(await app.is('failed')).toMatchObject({
    step: 'download',
    problem: { code: 'redirected', to: elsewhere.origin },
  });
  expect(elsewhere.requests).toEqual([]);
  await elsewhere.close();
});

test('a file that is not what the list says is thrown away', async ({ start, feed, packed }) => {
  const app = await start();
  const name = 'Rotavox-0.2.0.AppImage';
  const download = async (): Promise<UpdateProblem['code']> => {
    expect(await app.check()).toMatchObject({ kind: 'available' });
    app.tell({ kind: 'download' });
    const failed = await app.is('failed');
    expect(failed.step).toBe('download');
    return failed.problem.code;
  };

  feed.offer('0.2.0', { sha512: sha512Of('another program') });
  expect(await download()).toBe('wrong_file');
  feed.offer('0.2.0');
  feed.answer(name, 'the program, version 0.2.O');
  expect(await download()).toBe('wrong_file');
  feed.answer(name, (_request, response) => {
    response.writeHead(200, { 'content-length': 1000 });
    response.write('the beginning', () => response.destroy());
  });
  expect(await download()).toBe('connection_lost');
  feed.answer(name, (_request, response) => void response.writeHead(404).end());
  expect(await download()).toBe('no_file');

  expect(await filesIn(join(packed.folder, 'cache'))).toEqual([]);
  app.tell({ kind: 'install' });
  expect(await app.quit()).toBe(0);
  expect(await readFile(packed.appImage, 'utf8')).toBe('the program that runs');
});

test('what was downloaded is installed by a quit, and looked at again before', async ({
  start,
  feed,
  packed,
}) => {
  feed.offer('0.2.0');
  const first = await start();
  await first.check();
  first.tell({ kind: 'download' });
  await first.is('ready');
  const downloaded = await filesIn(join(packed.folder, 'cache'));
  const file = downloaded.find((path) => path.endsWith('.AppImage'))!;
  await writeFile(file, 'somebody else was here');
  first.tell({ kind: 'install' });
  expect(await first.is('failed')).toMatchObject({
    step: 'install',
    problem: { code: 'wrong_file' },
  });
  expect(first.reports.map(({ kind }) => kind)).not.toContain('host_closed');
  expect(await readFile(packed.appImage, 'utf8')).toBe('the program that runs');

  await first.check();
  first.tell({ kind: 'download' });
  await first.is('ready');
  expect(await first.quit()).toBe(0);
  expect(await readFile(packed.appImage, 'utf8')).toBe('the program, version 0.2.0');
  expect((await filesIn(join(packed.folder, 'cache'))).filter((path) => path.endsWith('.AppImage'))).toEqual(
    [],
  );
});

test('a feed that is turned off during a download ends it', async ({ start, feed, packed }) => {
  feed.offer('0.2.0');
  feed.answer('Rotavox-0.2.0.AppImage', (_request, response) => {
    response.writeHead(200, { 'content-length': 1000 });
    response.write('the beginning');
  });
  const app = await start();
  await app.check();
  app.tell({ kind: 'download' });
  await expect.poll(() => feed.asked.length).toBe(2);
  app.tell({ kind: 'set_feed', feed: null });
  await app.is('off');
  await expect.poll(() => feed.gone).toBe(1);
  expect(await app.quit()).toBe(0);
  expect(app.state).toEqual({ kind: 'off' });
  expect(await readFile(packed.appImage, 'utf8')).toBe('the program that runs');
});

test('a copy that cannot replace itself says so and asks nobody', async ({ start, feed, packed }) => {
  feed.offer('0.2.0');
  const unpacked = await start({ APPIMAGE: undefined, APPDIR: undefined });
  expect(unpacked.state).toEqual({
    kind: 'cannot',
    why: { code: 'unpacked' },
  });
  unpacked.tell({ kind: 'check' });
  expect(await unpacked.quit()).toBe(0);

  // Started from a terminal that runs from an AppImage: that one is not ours to replace.
  const inherited = await start({ APPDIR: join(packed.folder, 'cache') });
  expect(inherited.state).toMatchObject({ kind: 'cannot' });
  expect(await inherited.quit()).toBe(0);
  expect(feed.requests).toEqual([]);
});

/** Every file below a folder, by its whole path. */
async function filesIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
