import { expect } from '@playwright/test';
import { writeFileSync } from 'node:fs';
import { test as base } from '../electron/launch-app.ts';
import { NoticeMonitor } from '../electron/notice-monitor.ts';
import { TeamOfTwo } from './team-of-two.ts';

const test = base.extend<{ hosts: TeamOfTwo; monitor: NoticeMonitor }>({
  hosts: async ({}, use) => TeamOfTwo.use(use),
  monitor: async ({}, use) => {
    const monitor = await NoticeMonitor.begin();
    await use(monitor);
    await monitor.end();
  },
});

test.skip(process.platform !== 'linux', 'the panel and its message bus are those of Linux');

const away = expect.stringMatching(/^Cannot be reached since /);

test('the desktop app goes on with a team through a takeover, and says plainly when its address is gone', async ({
  panel,
  start,
  launch,
  hosts,
  monitor,
}, testInfo) => {
  const { follower } = hosts;
  const keyFile = testInfo.outputPath('key');
  writeFileSync(keyFile, await hosts.addOwner('Ana'), { mode: 0o600 });
  await hosts.addCredential('shared');
  const app = await launch({
    ...start,
    args: [...start.args, `--host=${follower.url}`],
    env: {
      ...start.env,
      ROTAVOX_HOST_KEY_FILE: keyFile,
      NODE_EXTRA_CA_CERTS: follower.certificateFile ?? '',
    },
  });
  const page = await app.firstWindow();
  await expect(page.getByText('shared').first()).toBeVisible();
  await expect.poll(() => panel.labels()).toContain('shared · 6 d 23 h');

  await hosts.takeOver();
  await hosts.addCredential('after');
  await expect.poll(() => panel.labels()).toContain('after · 6 d 23 h');
  await expect(page.getByText('after').first(), 'the window is signed in again').toBeVisible();
  await page.screenshot({ path: testInfo.outputPath('after.png') });

  await follower.kill();
  await expect.poll(() => panel.labels()).toContainEqual(away);
  await expect(page.getByRole('alert')).toContainText('The other hosts of your team may still work');
  expect(await panel.labels(), 'the last known state').toContain('after · 6 d 23 h');
  await page.screenshot({ path: testInfo.outputPath('away.png') });

  await follower.start();
  await expect.poll(() => panel.labels()).not.toContainEqual(away);
  await hosts.addCredential('back');
  await expect(page.getByText('back').first()).toBeVisible();
  expect(monitor.titles, 'a takeover is no news').toEqual([]);
});
