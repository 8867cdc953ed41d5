import { expect } from '@playwright/test';
import type { ElectronApplication } from '@playwright/test';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ManualClock, withManualClock } from './manual-clock.ts';
import { oneAppForAll } from './launch-app.ts';
import { NoticeMonitor } from './notice-monitor.ts';
import { Owner } from '../owner.ts';

/** Changes within this time are told together (src/main/notices/notices.ts); nothing is lost when it is shorter. */
const gatherMs = 2_000;
/** When a desktop that showed no notices is asked again (src/main/notices/desktop-notices.ts). */
const lookAgainMs = 10_000;

// After 8 s without a tray the app says so, in a notice that would then be the newest.
const test = oneAppForAll((start) => withManualClock(start, { shortenedMs: gatherMs })).extend<{
  monitor: NoticeMonitor;
}>({
  monitor: async ({}, use) => {
    const monitor = await NoticeMonitor.begin();
    await use(monitor);
    await monitor.end();
  },
});
test.skip(process.platform !== 'linux', 'the message bus that is listened to is a matter of Linux');

test('a blacklisted token is told of once and taken back when it works again; success is not told of', async ({
  monitor,
  app,
  owner,
}) => {
  await untilRunning(app, owner);
  const { value } = await keep(owner, 'pbx');
  expect(await owner.ask('rotateCredential', { params: { name: 'pbx' } })).toMatchObject({ state: 'fine' });
  await blacklistNewest(owner);
  for (const _ of ['once', 'and once more']) {
    expect(await owner.ask('rotateCredential', { params: { name: 'pbx' } })).toMatchObject({
      state: 'refused',
    });
  }
  await expect
    .poll(() => monitor.seen)
    .toEqual([
      {
        title: '“pbx” needs a new token',
        body: 'The service on this machine has blacklisted the token. Issue a new token with the same settings.',
      },
    ]);

  await owner.ask('reissueCredential', { params: { name: 'pbx' } });
  await expect.poll(() => monitor.withdrawn).toBe(1);
  expect(monitor.titles).toHaveLength(1);
  expect(JSON.stringify(monitor.seen)).not.toContain(value);
});

test(
  'a Superseded token that is used again is an alarm, and a click on it leads to its page',
  { tag: '@long' },
  async ({ monitor, app, owner }) => {
    await untilRunning(app, owner);
    const { value } = await keep(owner, 'crm');
    await owner.ask('rotateCredential', { params: { name: 'crm' } });
    for (const _ of ['once', 'and once more']) {
      const { status } = await fetch(`${owner.baseUrl}/v1/auth/token`, {
        headers: { authorization: `Bearer ${value}`, 'user-agent': '<b>left</b> & behind/1.0' },
      });
      expect(status).toBe(401);
    }
    await expect.poll(() => monitor.titles).toEqual(['Superseded token of “crm” was used']);
    // A stranger's words are no markup.
    expect(monitor.seen[0]?.body).toContain('‹b›left‹/b› ＆ behind/1.0 at 127.0.0.1');

    await app.evaluate(({ BrowserWindow }) => {
      for (const window of BrowserWindow.getAllWindows()) window.hide();
    });
    monitor.click();
    await expect
      .poll(() =>
        app.evaluate(({ BrowserWindow }) =>
          BrowserWindow.getAllWindows().some((window) => window.isVisible()),
        ),
      )
      .toBe(true);
    await expect.poll(() => new URL(app.windows()[0]!.url()).pathname).toBe('/credentials/crm');
  },
);

test(
  'what was told is not told again by the next start',
  { tag: '@long' },
  async ({ monitor, app, owner, startAgain }) => {
    await untilRunning(app, owner);
    await keep(owner, 'shop');
    await blacklistNewest(owner);
    await owner.ask('rotateCredential', { params: { name: 'shop' } });
    await expect.poll(() => monitor.titles).toEqual(['“shop” needs a new token']);

    await untilRunning(await startAgain(), owner);
    // Something new marks the time by which the old one would have been told.
    const { id } = await keep(owner, 'mailer');
    await owner.ask('blacklistToken', { params: { id }, body: {} });
    await owner.ask('rotateCredential', { params: { name: 'mailer' } });
    await expect.poll(() => monitor.titles).toHaveLength(2);
    expect(monitor.titles[1]).not.toContain('shop');
  },
);

test(
  'without anything to show them, a notice is a line on stderr and the service goes on',
  { tag: '@long' },
  async ({ start, launch }, testInfo) => {
    const dataDir = testInfo.outputPath('data');
    mkdirSync(dataDir);
    const owner = new Owner(dataDir);
    const config = join(dataDir, 'bus.conf');
    writeFileSync(config, emptyBus);
    const bus = spawn('dbus-daemon', ['--nofork', '--print-address', '--config-file', config], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [address] = (await once(bus.stdout, 'data')) as [Buffer];
    try {
      const env = {
        ...start.env,
        ROTAVOX_DATA_DIR: dataDir,
        DBUS_SESSION_BUS_ADDRESS: address.toString().trim(),
      };
      const app = await launch({ ...start, env });
      const clock = await ManualClock.of(app);
      let words = '';
      app.process().stderr!.on('data', (chunk: Buffer) => (words += chunk.toString()));
      await untilRunning(app, owner);
      const { access_token: value } = await owner.issueToken({ name: 'smartflo', validity_days: 7 });
      const authorization = `Bearer ${value}`;
      await fetch(`${owner.baseUrl}/v1/auth/rotate`, { method: 'POST', headers: { authorization } });
      await fetch(`${owner.baseUrl}/v1/auth/token`, { headers: { authorization } });
      let passedMs = 0;
      await expect
        .poll(async () => {
          // The wait begins when the notice is due.
          await clock.passUntil((passedMs += lookAgainMs));
          return words;
        })
        .toMatch(/Superseded token of .* was used\. .*this desktop shows no notifications/);
      expect(await owner.ask('portalStatus')).toMatchObject({ store: { status: 'ok' } });
      await app.close();
    } finally {
      const ended = once(bus, 'exit');
      bus.kill();
      await ended;
    }
  },
);

/** A message bus on which nobody offers anything. */
const emptyBus = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/tmp</listen>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`;

async function untilRunning(app: ElectronApplication, owner: Owner): Promise<void> {
  await app.firstWindow();
  await expect.poll(() => existsSync(owner.runtimeFile)).toBe(true);
}

/** A token of the embedded service that is kept fresh from then on. */
async function keep(owner: Owner, name: string): Promise<{ id: string; value: string }> {
  const issued = await owner.issueToken({ name: `smartflo-${name}`, validity_days: 7 });
  await owner.ask('addCredential', { body: { name, value: issued.access_token } });
  return { id: issued.id, value: issued.access_token };
}

async function blacklistNewest(owner: Owner): Promise<void> {
  const { tokens } = await owner.ask('listTokens', { query: { limit: '1' } });
  await owner.ask('blacklistToken', { params: { id: tokens[0]!.id }, body: {} });
}
