import { test as base, expect } from '@playwright/test';
import { CredentialsPage } from '../pages/credentials-page.ts';
import { DesignerPage } from '../pages/designer-page.ts';
import { HistoryPage } from '../pages/history-page.ts';
import { StatusPage } from '../pages/status-page.ts';
import { TeamOfTwo } from './team-of-two.ts';

const test = base.extend<{ hosts: TeamOfTwo }>({
  hosts: async ({}, use) => TeamOfTwo.use(use),
});

test.use({ viewport: { width: 1440, height: 900 } });

test('whoever works in a browser keeps session, drawing and live events when the leader is killed', async ({
  hosts,
  page,
  context,
}, testInfo) => {
  const { leader, follower, owner } = hosts;
  const show = async (name: string, { page: shown }: { page: typeof page }) => {
    await shown.screenshot({ path: testInfo.outputPath(`${name}.png`) });
  };
  await hosts.addCredential('shared');

  const status = new StatusPage(page);
  await page.goto(follower.url);
  await page.getByLabel('Owner key').fill(await hosts.addOwner('Ana'));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await status.expectRunning();
  await expect(status.row('shared')).toBeVisible();
  const credentials = new CredentialsPage(await context.newPage());
  await credentials.open(follower.url);
  await expect(credentials.row('shared')).toBeVisible();
  const history = new HistoryPage(await context.newPage());
  await history.open(follower.url);
  const designer = new DesignerPage(await context.newPage());
  await designer.page.goto(`${follower.url}/ivr`);
  await designer.beginEmpty();
  await designer.name.fill('Front desk');
  await designer.isSaved();
  await hosts.addCredential('before');
  await expect(status.row('before'), 'told by the stream of changes').toBeVisible();
  await expect(credentials.row('before')).toBeVisible();
  const draftName = async () =>
    (await owner.ask('readDraft', { params: { id: designer.draftId } })).document.name;

  // Nobody can take over yet: the other host does not reach the database.
  await designer.name.fill('First floor');
  follower.proxy.set('hold');
  await leader.kill();
  await designer.name.fill('Second floor');
  await expect(status.sign).toHaveText('Reconnecting');
  await show('reconnecting', status);
  // A browser makes six connections to an address at a time, so that of four windows one after the other learns why.
  await expect(status.alert).toContainText('No host of this team can answer now');
  await expect(status.row('before'), 'what was known last').toBeVisible();
  await show('away', status);
  await expect(designer.page.getByText(/^Not saved: /)).toBeVisible();
  await designer.name.fill('Third floor');
  await show('away-designer', designer);

  follower.proxy.set('pass');
  expect(await hosts.team.leader()).toBe(follower);
  await expect.poll(draftName).toBe('Third floor');
  await designer.isSaved();
  await hosts.addCredential('after');
  await expect(status.row('after'), 'told by the next leader').toBeVisible();
  await expect(credentials.row('after')).toBeVisible();
  await expect(history.rows.filter({ hasText: 'Third floor' })).toContainText('Ana');
  for (const tab of [status, credentials, history]) await tab.expectRunning();
  for (const tab of [status, credentials, history, designer]) {
    await expect(tab.alert).toHaveCount(0);
    tab.expectNoViolations();
  }
  await show('back', status);

  // The host that answers here leads now. Cut off from the database, it says so: another one leads.
  await leader.start();
  follower.proxy.set('hold');
  await expect(status.sign).not.toHaveText('Running');
  await show('cut-off', status);
  await expect.poll(async () => (await leader.health())?.role).toBe('leader');
  follower.proxy.set('pass');
  await expect.poll(async () => (await follower.health())?.role).toBe('follower');
  await hosts.addCredential('again');
  await expect(status.row('again')).toBeVisible();
  await status.expectRunning();
  await expect(status.alert).toHaveCount(0);
});
