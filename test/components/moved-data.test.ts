import { expect } from '@playwright/test';
import { expectGoodView } from '../journeys/browser/expect-good-view.ts';
import { cannedStatus, Refusal, test } from './canned-service.ts';

const now = new Date().toISOString();
const soon = new Date(Date.now() + 9 * 3_600_000).toISOString();
const from = { reason: 'other_machine', name: 'old-laptop', folder: '/home/one/.local/share/rotavox' };
const nothing = { items: [], left_out: 0, next_rotation: null };
const overview = {
  '/portal/status': { ...cannedStatus, moved_from: from },
  '/portal/attention': {
    ...nothing,
    items: [{ kind: 'moved', from, waiting: [{ name: 'nightly', expires_at: soon }] }],
  },
  '/portal/lifeline': { now, rows: [], left_out: 0 },
  '/portal/history': { events: [], next_before: null },
};

test('data from another computer wait for a yes, which is asked about first', async ({
  view,
  show,
  canned,
}) => {
  const { page } = view;
  await show('/', overview);
  const item = page.getByRole('listitem').filter({ hasText: 'these data come from another computer' });
  await expect(item).toContainText('old-laptop');
  await expect(item).toContainText('Due already: “nightly”');
  await expect(item).toContainText('until it expires');
  await expectGoodView(view);

  const open = item.getByRole('button', { name: 'Rotate from here' });
  await open.click();
  const dialog = page.getByRole('dialog', { name: 'Rotate from here?' });
  await expect(dialog).toContainText('no longer runs on old-laptop with these data');
  await expectGoodView(view);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog).toBeHidden();
  expect(canned.bodies.has('/portal/confirm-move')).toBe(false);

  await open.click();
  canned.replies.set('/portal/confirm-move', new Refusal(409, 'The disk is full.'));
  const confirm = dialog.getByRole('button', { name: 'Rotate from here' });
  await confirm.click();
  await expect(dialog).toContainText('The disk is full.');

  canned.onChange('/portal/confirm-move', { confirmed: from }, { '/portal/attention': nothing });
  await confirm.click();
  await expect(dialog).toBeHidden();
  canned.change({});
  await expect(item).toBeHidden();
  await expectGoodView(view);
});

test('a copy on the same computer names the other folder', { tag: '@long' }, async ({ view, show }) => {
  const copy = { reason: 'copy', name: null, folder: '/srv/rotavox' };
  await show('/', {
    ...overview,
    '/portal/attention': { ...nothing, items: [{ kind: 'moved', from: copy, waiting: [] }] },
  });
  const item = view.page.getByRole('listitem').filter({ hasText: 'may be in use elsewhere' });
  await expect(item).toContainText('a copy of the data folder /srv/rotavox');
  await expect(item).not.toContainText('Due already');
});
