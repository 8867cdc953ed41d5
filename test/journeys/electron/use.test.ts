import { expect } from '@playwright/test';
import type { ElectronApplication } from '@playwright/test';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CredentialPage } from '../pages/credential-page.ts';
import { oneAppForAll } from './launch-app.ts';
import { runToEnd } from './run-to-end.ts';

const test = oneAppForAll();

test('the window shows the service, and a token that is issued elsewhere appears at once', async ({
  status,
  owner,
}) => {
  await expect(status.fact('Address')).toContainText(owner.baseUrl);
  await expect(status.firstSteps).toBeVisible();

  await owner.issueToken({ name: 'journey', validity_days: 7 });
  await expect(status.tokens('Active')).toHaveText('1');
  await expect(status.history.first()).toContainText('Token issued');
  await expect(status.history.first()).toContainText('journey');

  await owner.issueToken({ name: 'another', validity_days: 1 });
  await expect(status.tokens('Active')).toHaveText('2');
  status.expectNoViolations();
});

test('the page has no Node, and of the desktop only what the bridge offers', async ({ status }) => {
  const found = await status.page.evaluate(() => ({
    node: ['require', 'process', 'module', 'Buffer', 'global'].filter((name) =>
      Reflect.has(globalThis, name),
    ),
    bridge: Object.keys(Reflect.get(globalThis, 'rotavox') as object).sort(),
  }));
  expect(found).toEqual({
    node: [],
    bridge: [
      'checkForUpdates',
      'connectTeamHost',
      'copySecret',
      'disconnectTeamHost',
      'quit',
      'readSwitch',
      'readTeamHost',
      'readTrayDrawing',
      'restart',
      'setSwitch',
      'setTrayDrawing',
      'showDataFolder',
    ],
  });
});

test('a second start on the same data folder ends, and the first goes on', async ({ status, app, start }) => {
  const second = await runToEnd(start);
  expect(second.code).toBe(0);
  expect(second.words).toContain('already running');
  expect(app.windows()).toHaveLength(1);
  await status.expectRunning();
});

test('what the app prints is kept in a log, whoever started it', async ({ status, owner }) => {
  await status.expectRunning();
  const logs = join((await owner.ask('portalStatus')).data_dir, 'logs');
  const printed = readdirSync(logs).map((name) => readFileSync(join(logs, name), 'utf8'));
  expect(printed.some((text) => /^\S+Z Rotavox \S+ with Electron \S+ begins\.$/m.test(text))).toBe(true);
});

test('a token is kept in the real keychain, replaced there, and taken out again', async ({
  status,
  owner,
}) => {
  test.skip(process.platform !== 'linux', 'secret-tool reads the keychain from outside on Linux only');
  const name = `journey-${process.pid}`;
  const inKeychain = () =>
    execFileSync('secret-tool', ['lookup', 'service', 'rotavox', 'account', name], { encoding: 'utf8' });

  const issued = await owner.issueToken({ name: 'kept', validity_days: 7 });
  await owner.ask('addCredential', { body: { name, value: issued.access_token } });
  expect(inKeychain()).toBe(issued.access_token);
  await expect(status.history.first()).toContainText('Credential added');

  const rotated = await owner.ask('rotateCredential', { params: { name } });
  expect(rotated).toMatchObject({ state: 'fine', generation: 2 });
  expect(inKeychain()).not.toBe(issued.access_token);
  await expect(status.history.first()).toContainText('Credential rotated');
  const { value } = await owner.ask('readCredentialValue', { params: { name } });
  expect(inKeychain()).toBe(value);

  await owner.ask('removeCredential', { params: { name } });
  expect(inKeychain).toThrow();
});

test(
  'its page replaces it there, brings it to another entry, and copies it through the app',
  { tag: '@long' },
  async ({ app, status, owner }) => {
    test.skip(process.platform !== 'linux', 'secret-tool reads the keychain from outside on Linux only');
    const name = `journey-${process.pid}-page`;
    const inKeychain = (service: string, account: string) =>
      execFileSync('secret-tool', ['lookup', 'service', service, 'account', account], { encoding: 'utf8' });
    const { access_token: first } = await owner.issueToken({ name: 'paged', validity_days: 7 });
    await owner.ask('addCredential', { body: { name, value: first } });

    const credential = new CredentialPage(status.page);
    await status.page.getByRole('link', { name: 'Credentials' }).click();
    await status.page.getByRole('link', { name, exact: true }).click();
    await expect(credential.tokenCard).toContainText(`the keychain: service rotavox, account ${name}`);
    await credential.rotate();
    await expect(credential.steps.nth(3)).toContainText('Stored in the keychain and read back');
    await expect(credential.tokenCard).toContainText('number 2');
    const value = inKeychain('rotavox', name);
    expect(value).not.toBe(first);

    await credential.add('Target…');
    await credential.targetKind('keychain').click();
    await credential.field('Service').fill(name);
    await credential.field('Account').fill('app');
    await credential.press('Add and deliver now').click();
    await expect(credential.targets).toContainText('Has the current token, number 2');
    expect(inKeychain(name, 'app')).toBe(value);

    await credential.copyToken.click();
    await expect(credential.rotation).toContainText('Copied. The clipboard is cleared after 30 seconds.');
    expect(await app.evaluate(({ clipboard }) => clipboard.readText())).toBe(value);

    await owner.ask('removeCredential', { params: { name } });
    await expect(credential.alert).toContainText('There is no credential with this name.');
    execFileSync('secret-tool', ['clear', 'service', name, 'account', 'app']);
  },
);

test('the rows of the application menu lead where they say', { tag: '@long' }, async ({ app, status }) => {
  await status.expectRunning();
  const choose = (label: string) =>
    app.evaluate(({ Menu }, row) => {
      const go = Menu.getApplicationMenu()!.items.find((item) => item.label === 'Go')!;
      (go.submenu!.items.find((item) => item.label === row)!.click as () => void)();
    }, label);
  for (const [label, path] of [
    ['Settings', '/settings'],
    ['Tokens', '/tokens'],
    ['Overview', '/'],
  ] as const) {
    await choose(label);
    await expect.poll(() => pathsOf(app)).toEqual([path]);
  }
  await choose('Phone menus');
  await expect.poll(async () => (await pathsOf(app)).sort()).toEqual(['/', '/ivr']);
});

test('the phone menus open where they are pressed, and with a modifier key in a window of their own', async ({
  app,
  status,
}) => {
  await status.page.goto(new URL('/', status.page.url()).href);
  await status.expectRunning();
  const link = status.page.getByRole('navigation').getByRole('link', { name: 'Phone menus' });
  await link.click({ modifiers: ['ControlOrMeta'] });
  await expect.poll(async () => (await pathsOf(app)).sort()).toEqual(['/', '/ivr']);
  await link.click();
  await expect.poll(() => pathsOf(app)).toEqual(['/ivr', '/ivr']);
});

/** The paths that the app's windows show; each is visible. */
function pathsOf(app: ElectronApplication): Promise<string[]> {
  return app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((window) =>
      window.isVisible() ? new URL(window.webContents.getURL() || 'about:blank').pathname : 'not visible',
    ),
  );
}
