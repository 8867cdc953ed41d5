import { expect } from '@playwright/test';
import { copyFile, link, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { listName, newKeys, signatureName, UpdateFeed } from '../../fakes/update-feed.ts';
import { test as base } from './packaged-app.ts';
import { Panel } from '../electron/panel.ts';
import { RunningApp } from '../electron/running-app.ts';

interface Fixtures {
  feed: UpdateFeed;
  /** The file that an update replaces. */
  appImage: string;
  /** Starts the packed app as from a mounted AppImage, with this public key in its package; then sets its feed. */
  startWith: (publicKey: string | null) => Promise<RunningApp>;
  /** Presses the button in the settings; resolves with what the settings say then. */
  checked: (app: RunningApp) => Promise<string>;
}

const test = base.extend<Fixtures>({
  feed: async ({}, use) => {
    const feed = await UpdateFeed.open();
    await use(feed);
    await feed.close();
  },
  appImage: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'rotavox-appimage-'));
    const file = join(folder, 'Rotavox.AppImage');
    await writeFile(file, 'the program that runs', { mode: 0o750 });
    await use(file);
    await rm(folder, { recursive: true });
  },
  startWith: async ({ launch, owner, feed, appImage }, use) => {
    const mount = await mkdtemp(join(tmpdir(), 'rotavox-mount-'));
    const started: RunningApp[] = [];
    await use(async (publicKey) => {
      const executablePath = await layMount(mount, launch.executablePath, publicKey);
      const env = { ...launch.env, APPIMAGE: appImage, APPDIR: mount };
      const app = new RunningApp({ ...launch, executablePath, env });
      started.push(app);
      await expect.poll(() => owner.isRunning, 'the service runs').toBe(true);
      await owner.ask('changeSettings', { body: { update_feed: feed.url } });
      return app;
    });
    for (const app of started) await app.clearAway();
    await rm(mount, { recursive: true });
  },
  checked: async ({ owner }, use) => {
    await use(async (app) => {
      const page = await app.firstPage();
      await page.goto(`${owner.baseUrl}/settings`);
      const section = page
        .locator('section, div')
        .filter({ has: page.getByRole('button', { name: 'Check for updates' }) })
        .last();
      await section.getByRole('button', { name: 'Check for updates' }).click();
      const words = section.getByRole('status');
      await expect(words).toHaveText(/\.$/);
      return (await words.textContent()) ?? '';
    });
  },
});

test.skip(process.platform !== 'linux', 'an AppImage is replaced');

test('the packed app takes an update only from a list that is signed with the key in its package', async ({
  startWith,
  checked,
  feed,
  appImage,
}) => {
  const panel = await Panel.start();
  const app = await startWith(pemOf(feed));
  const download = async (): Promise<void> => {
    await expect.poll(() => panel.labels()).toContain('Rotavox 0.2.0 is available: download');
    await panel.click('Rotavox 0.2.0 is available: download');
  };
  expect(feed.requests).toEqual([]);

  const name = await feed.offer('0.2.0');
  feed.answer(signatureName, (_request, response) => void response.writeHead(404).end());
  expect(await checked(app)).toContain('has no signature');
  await feed.offer('0.2.0', { key: newKeys().privateKey });
  expect(await checked(app)).toContain('not signed with the key of this program');
  await feed.offer('0.0.9');
  expect(await checked(app)).toContain('offers 0.0.9, which is older than this version');
  feed.answer(listName, '<!doctype html><title>Sign in to the network</title>');
  expect(await checked(app)).toContain('not signed with the key of this program');

  await feed.offer('0.2.0');
  const seen = feed.requests.length;
  expect(await checked(app)).toContain('Rotavox 0.2.0 is available');
  const [first] = feed.requests.slice(seen);
  expect(first!.headers['user-agent']).toBe('Rotavox');
  expect(first!.headers['accept-language'] ?? 'en').toBe('en');
  expect(first!.headers.cookie).toBeUndefined();

  await test.step('a file that is not the listed one is refused', async () => {
    feed.answer(name, 'version 0.2.O');
    await download();
    await expect.poll(() => panel.labels()).toContain('Update failed: try again');
    expect(await readdir(dirname(appImage))).toEqual([basename(appImage)]);
  });

  await feed.offer('0.2.0');
  expect(await checked(app)).toContain('Rotavox 0.2.0 is available');
  await download();
  await expect.poll(() => panel.labels()).toContain('Restart to install 0.2.0');
  expect(await readFile(appImage, 'utf8')).toBe('the program that runs');
  await panel.close();
  expect(await app.endBy('SIGTERM')).toBe(0);
  expect(await readFile(appImage, 'utf8')).toBe('version 0.2.0');
  expect(await readdir(dirname(appImage))).toEqual([basename(appImage)]);
});

test('a package without a key does not update itself and asks nobody', async ({
  startWith,
  checked,
  feed,
}) => {
  await feed.offer('0.2.0');
  const app = await startWith(null);
  expect(await checked(app)).toContain('packed without a key');
  expect(feed.requests).toEqual([]);
});

function pemOf({ keys }: UpdateFeed): string {
  return keys.publicKey.export({ type: 'spki', format: 'pem' }).toString();
}

/** The packed app again, by links, as a mounted AppImage has it: with a key of the test beside its archive. */
async function layMount(mount: string, packed: string, publicKey: string | null): Promise<string> {
  const [from, executablePath] = [dirname(packed), join(mount, basename(packed))];
  const resources = join(mount, 'resources');
  await mkdir(resources);
  for (const name of await readdir(from))
    if (name !== 'resources' && name !== basename(packed)) await symlink(join(from, name), join(mount, name));
  for (const name of await readdir(join(from, 'resources')))
    if (name !== 'update-key.pem') await symlink(join(from, 'resources', name), join(resources, name));
  // Not a symlink: Electron asks the system for its own name.
  await link(packed, executablePath).catch(() => copyFile(packed, executablePath));
  if (publicKey !== null) await writeFile(join(resources, 'update-key.pem'), publicKey);
  return executablePath;
}
