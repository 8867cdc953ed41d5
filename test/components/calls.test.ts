import { expect } from '@playwright/test';
import { CallFailure } from '../../src/contract/calls/call.ts';
import { callFailureReason } from '../../src/text/calls/calls-text.ts';
import { callsText, callText } from '../../src/text/calls/calls-window.ts';
import { pbxListText } from '../../src/text/calls/telephone-systems.ts';
import { expectGoodView } from '../journeys/browser/expect-good-view.ts';
import { callRecord, detail, down, liveCall, replies } from './calls-replies.ts';
import { Refusal, test } from './canned-service.ts';

test(
  'without a telephone system and without records the page leads to the setup',
  { tag: '@long' },
  async ({ view, show }) => {
    await show('/calls', {
      ...replies,
      '/portal/pbxs': { pbxs: [] },
      '/portal/calls': { calls: [], total: 0, next: null },
    });
    await expect(view.page.getByRole('button', { name: pbxListText.add })).toBeVisible();
    await expectGoodView(view);
  },
);

test('calls under way stand above the records and change as the stream tells', async ({
  view,
  show,
  canned,
}) => {
  await show('/calls', replies);
  const live = view.page.getByRole('list', { name: callsText.live.list });
  await expect(live.getByRole('listitem')).toHaveCount(2);
  await expect(live.getByRole('listitem').nth(1)).toContainText('Sales');
  await expectGoodView(view);
  canned.tell('calls', {
    changed: [liveCall('live_1', { menu: 'ivr_b', keys: ['1', '-'], doing: 'playing' }), liveCall('live_3')],
    ended: ['live_2'],
  });
  await expect(live.getByRole('listitem')).toHaveCount(2);
  await expect(live.getByRole('listitem').first()).toContainText('Keys: 1, timeout');
  await expect(live.getByRole('listitem').first()).toContainText('Hears the prompt');
  canned.tell('calls', { changed: [], ended: ['live_1', 'live_3'] });
  await expect(view.page.getByText(callsText.live.empty)).toBeVisible();
});

test('a call that ends appears among the records', { tag: '@long' }, async ({ view, show, canned }) => {
  await show('/calls', replies);
  const list = view.page.getByRole('list', { name: callsText.records.list });
  await expect(list.getByRole('listitem')).toHaveCount(3);
  const calls = [callRecord('call_0', { caller: '+1 555 0100' }), ...replies['/portal/calls'].calls];
  canned.replies.set('/portal/calls', { calls, total: 4, next: null });
  canned.tell('calls', { changed: [], ended: ['call_0'] });
  await expect(list.getByRole('listitem').first()).toContainText('+1 555 0100');
});

test(
  'records are searched and filtered by what the address says, and exported so',
  { tag: '@long' },
  async ({ view, show }) => {
    await show('/calls', replies);
    const { page } = view;
    await expect(page.getByLabel('End of the call'), 'nobody filters three calls').toBeHidden();
    const calls = Array.from({ length: 8 }, (_, place) => callRecord(`call_${place + 10}`));
    const shown = [...replies['/portal/calls'].calls, ...calls];
    await show('/calls', {
      ...replies,
      '/portal/calls': { calls: shown, total: shown.length, next: null },
    });
    await expect(page.getByRole('list', { name: callsText.records.list })).toContainText(
      'Hung up in “Sales”',
    );
    await expect(page.getByRole('list', { name: callsText.records.list })).toContainText(
      'Extension 101, Anna',
    );
    const asked = page.waitForRequest((request) => {
      const { pathname, searchParams } = new URL(request.url());
      return (
        pathname === '/portal/calls' &&
        searchParams.get('search') === '555' &&
        searchParams.get('end') === 'hung_up'
      );
    });
    await page.getByLabel('End of the call').selectOption('Hung up');
    await page.getByLabel('Search calls').fill('555');
    await asked;
    await expect(page.getByRole('link', { name: 'Export CSV' })).toHaveAttribute('href', /search=555/);
    await page.getByLabel('Custom').check();
    await page.getByLabel('From').fill('2026-01-02');
    await expect(page).toHaveURL(/period=custom.*from=2026-01-02/);
  },
);

test(
  'nothing found offers all calls, and an unreachable telephone system is said above',
  { tag: '@long' },
  async ({ view, show }) => {
    await show('/calls?text=none', {
      ...replies,
      '/portal/pbxs': { pbxs: [down] },
      '/portal/calls': { calls: [], total: 0, next: null },
    });
    await expect(view.alert.filter({ hasText: 'ECONNREFUSED' })).toBeVisible();
    await expect(view.page.getByText(callsText.records.none.title)).toBeVisible();
    await expectGoodView(view);
    await view.page.getByRole('button', { name: callsText.records.none.showAll }).click();
    await expect(view.page).toHaveURL(/\/calls$/);
  },
);

test('the page of a call tells in order what was played and pressed, and which prompt was missing', async ({
  view,
  show,
}) => {
  await show('/calls/call_1', { ...replies, '/portal/calls/call_1': detail });
  const steps = view.page.getByRole('list', { name: callText.timeline.list }).getByRole('listitem');
  await expect(steps).toHaveCount(detail.moments.length + 1);
  await expect(steps.first()).toContainText('The call enters “Reception”.');
  await expect(steps.nth(5)).toContainText(
    'Cannot play recording 7: there is no such recording here, and no sound with its name on the telephone system.',
  );
  await expect(steps.last()).toContainText('The call reached extension 101.');
  await expect(view.page.getByText('1 prompt could not be played')).toBeVisible();
  await expectGoodView(view);
});

test('every failure of a call has its sentence', { tag: '@long' }, async ({ view, show, canned }) => {
  await show('/calls/call_1', { ...replies, '/portal/calls/call_1': detail });
  for (const reason of CallFailure.options) {
    const end = { kind: 'failed', reason };
    canned.change({ '/portal/calls/call_1': { ...detail, end, moments: [] } });
    await expect(view.page.getByText(callFailureReason(reason)), reason).toBeVisible();
  }
});

test(
  'the records of a caller are deleted after a question',
  { tag: '@long' },
  async ({ view, show, canned }) => {
    await show('/calls/call_1', {
      ...replies,
      '/portal/calls/call_1': detail,
      '/portal/calls/forget': { deleted: 12 },
    });
    await view.page.getByRole('button', { name: callText.forget.open }).click();
    const dialog = view.page.getByRole('dialog');
    await expect(dialog).toContainText(callText.forget.question(detail.caller ?? ''));
    await dialog.getByRole('button', { name: callText.forget.act }).click();
    await expect(view.page.getByText('12 call records deleted.')).toBeVisible();
    expect(canned.bodies.get('/portal/calls/forget')).toEqual({ caller: detail.caller });
  },
);

const gone = new Refusal(404, 'There is no such call.', { code: 'not_found' });

test('a call that has not ended is said to be under way', { tag: '@long' }, async ({ view, show }) => {
  await show('/calls/live_2', { ...replies, '/portal/calls/live_2': gone });
  await expect(view.page.getByText('The call is in Sales.')).toBeVisible();
});

test('a call without a record is said to be gone', { tag: '@long' }, async ({ view, show }) => {
  await show('/calls/call_7', { ...replies, '/portal/calls/call_7': gone });
  await expect(view.page.getByText(callText.unknown.title)).toBeVisible();
});

test(
  'the settings keep records for so many days, and so much of a number',
  { tag: '@long' },
  async ({ view, show, canned }) => {
    await show('/settings', replies);
    const { page } = view;
    const days = page.getByLabel('Days');
    await days.fill('0');
    await days.press('Enter');
    await expect(page.getByText('This must be a whole number of days from 1 to 3650.')).toBeVisible();
    await days.fill('30');
    await days.press('Enter');
    await expect.poll(() => canned.bodies.get('/portal/settings')).toEqual({ call_records_days: 30 });
    await page.getByLabel('Countries').fill('uk');
    await page.getByLabel('Countries').press('Enter');
    await expect(page.getByText('The United Kingdom is GB.')).toBeVisible();
    await page.getByLabel('Countries').fill('gb, DE');
    await page.getByLabel('Countries').press('Enter');
    await expect
      .poll(() => canned.bodies.get('/portal/settings'))
      .toEqual({ outside_countries: ['DE', 'GB'] });
    await page.getByLabel('Last 3 digits').click();
    await expect.poll(() => canned.bodies.get('/portal/settings')).toEqual({ call_records_caller: 'masked' });
  },
);
