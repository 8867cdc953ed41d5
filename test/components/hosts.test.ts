import { expect } from '@playwright/test';
import type { TeamHost } from '../../src/contract/service/team.ts';
import { expectGoodView } from '../journeys/browser/expect-good-view.ts';
import { cannedStatus, test } from './canned-service.ts';

const now = new Date().toISOString();
const overview = {
  '/portal/attention': { items: [], left_out: 0, next_rotation: null },
  '/portal/lifeline': { now, rows: [], left_out: 0 },
  '/portal/history': { events: [], next_before: null },
};

const leader: TeamHost = {
  id: 'h1',
  name: 'rotavox-alpha',
  address: 'https://10.0.0.5:7682',
  version: cannedStatus.version,
  role: 'leader',
  last_seq: 1_200,
  seen_seconds_ago: 0,
};
const follower: TeamHost = {
  ...leader,
  id: 'h2',
  name: 'rotavox-beta',
  address: 'https://10.0.0.6:7682',
  role: 'follower',
};
const behind: TeamHost = {
  ...follower,
  id: 'h3',
  name: 'a-host-with-a-long-name.eu-central-1.compute.internal.example.com',
  address: 'https://a-host-with-a-long-name.eu-central-1.compute.internal.example.com:7682',
  version: '0.0.9',
  last_seq: 900,
  seen_seconds_ago: 2,
};
const missing: TeamHost = { ...follower, id: 'h4', name: 'rotavox-gamma', seen_seconds_ago: 7_500 };

function withTeam(...hosts: TeamHost[]) {
  const items = hosts
    .filter(({ seen_seconds_ago: seconds }) => seconds > 10)
    .map(({ id, name, address }) => ({
      kind: 'host_missing',
      id,
      name,
      address,
      since: now,
      has_successor: hosts.length > 2,
    }));
  return {
    ...overview,
    '/portal/status': { ...cannedStatus, team: { epoch: 3, hosts } },
    '/portal/attention': { items, left_out: 0, next_rotation: null },
  };
}

test('the hosts of a team are shown with what each does, and which is missing', async ({ view, show }) => {
  await show('/', withTeam(leader, follower, behind, missing));
  const card = view.page.getByRole('region', { name: 'Hosts of the team' });
  const rows = card.getByRole('listitem');
  await expect(rows).toHaveCount(4);
  await expect(rows.nth(0)).toContainText(/rotavox-alpha.*Leads.*10\.0\.0\.5/);
  await expect(rows.nth(1)).toContainText('Follows, up to date');
  await expect(rows.nth(2)).toContainText(/Follows, 300 events behind.*version 0\.0\.9/);
  await expect(rows.nth(3)).toContainText('Missing, not seen for 2 h 5 min');
  await expect(card).not.toContainText('no second host');
  await expectGoodView(view);
});

test(
  'a missing host is removed from the list of what needs attention, and the last one is said to be alone',
  { tag: '@long' },
  async ({ view, show, canned }) => {
    const { page } = view;
    await show('/', withTeam(leader, missing));
    const card = page.getByRole('region', { name: 'Hosts of the team' });
    await expect(card).toContainText('There is no second host that could take over.');
    const item = page.getByRole('listitem').filter({ hasText: 'does not report any more' });
    canned.replies.set('/portal/hosts/h4', {});
    await item.getByRole('button', { name: 'Remove host' }).click();
    canned.change(withTeam(leader));
    await expect(item).toBeHidden();
    await expect(card.getByRole('listitem')).toHaveCount(1);
    await expect(card).toContainText('There is no second host that could take over.');
    await expectGoodView(view);
  },
);

test('a host that is alone has no card of hosts', { tag: '@long' }, async ({ view, show }) => {
  await show('/', overview);
  await expect(view.page.getByRole('region', { name: 'Service' })).toBeVisible();
  await expect(view.page.getByText('Hosts of the team')).toBeHidden();
});

test(
  'a window says what to do when its host is on another computer and does not answer',
  { tag: '@long' },
  async ({ view, show }) => {
    const { page } = view;
    await show('/', overview);
    const here = new URL(page.url()).origin;
    await page.route('http://team.example.com/**', async (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname.startsWith('/portal/')) await route.abort('connectionrefused');
      else await route.fulfill({ response: await route.fetch({ url: here + pathname }) });
    });
    await page.goto('http://team.example.com/');
    await expect(view.alert).toContainText('team.example.com does not answer');
    await expect(view.alert).toContainText('Check the network');
    await expect(view.alert).not.toContainText('Start Rotavox again.');
  },
);
