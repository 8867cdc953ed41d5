import { expect } from '@playwright/test';
import type { ConnectionTest } from '../../src/contract/credential-checks.ts';
import { TargetView } from '../../src/contract/credential-view.ts';
import type { TakenWay } from '../../src/contract/network.ts';
import { defaultSettings } from '../../src/contract/settings.ts';
import { connectionTestText } from '../../src/text/add-credential.ts';
import { targetKindLabels, waitsForText } from '../../src/text/credentials.ts';
import { takenWayText } from '../../src/text/network-text.ts';
import { overviewText } from '../../src/text/overview.ts';
import { serviceAddressText } from '../../src/text/service-address.ts';
import { settingsText } from '../../src/text/settings-text.ts';
import { whoCardText } from '../../src/text/credential-page.ts';
import { fileOptionsText, targetFormText, targetsText } from '../../src/text/targets.ts';
import { exactText } from '../../src/text/time.ts';
import { whereTokensAre } from '../../src/text/vault-text.ts';
import { expectGoodView } from '../journeys/browser/expect-good-view.ts';
import { credentialView, trouble } from '../renderer/credentials/credential-view.ts';
import { cannedStatus, Refusal, repliesOf, test } from './canned-service.ts';

const now = new Date().toISOString();
const soon = new Date(Date.now() + 9 * 86_400_000).toISOString();

function targetView(id: string, differences: object): TargetView {
  return TargetView.parse({
    id,
    status: 'delivered',
    generation: 3,
    delivered_at: now,
    message: null,
    note: null,
    attempts: 0,
    next_try_at: null,
    ...differences,
  });
}

const file = { kind: 'file', path: '/srv/app/secrets/a-folder-with-a-long-name/token' } as const;
const dotenv = { kind: 'dotenv', path: '/srv/app/.env', variable: 'API_TOKEN' } as const;
const failing = targetView('tgt_a', {
  target: file,
  status: 'failing',
  generation: 2,
  message: 'The folder /srv/app/secrets is missing. Create it.',
  attempts: 2,
  next_try_at: soon,
});
const waiting = targetView('tgt_b', {
  target: {
    kind: 'hook',
    command: ['systemctl', 'restart', 'app.service'],
    pass: 'stdin',
    variable: 'ROTAVOX_TOKEN',
    time_limit_seconds: 30,
  },
  status: 'owed',
  generation: 2,
  waits_for: [file],
});

function pageOf(targets: readonly TargetView[]) {
  const one = credentialView({
    name: 'nightly',
    service: 'remote',
    base_url: 'https://api.example.com',
    obtained_at: now,
    expires_at: soon,
    next_rotation_at: soon,
    targets: [...targets],
  });
  return {
    one,
    replies: {
      ...repliesOf(one),
    },
  };
}

test('a command that waits for a file says what it waits for, and runs when that has the token', async ({
  view,
  show,
  canned,
}) => {
  const { replies } = pageOf([failing, waiting]);
  const list = view.page.getByRole('list', { name: whoCardText.list });
  const command = list.getByRole('listitem').filter({ hasText: 'systemctl restart' });
  const deliver = list.getByRole('button', { name: /Deliver again now/ });
  await show('/credentials/nightly', replies);
  await expect(command).toContainText(targetsText.waits(waitsForText([file])));
  await expect(command, 'its own attempts say nothing of it').not.toContainText('attempt');
  await expect(deliver, 'the file can be delivered, the command would wait all the same').toHaveCount(1);
  await expectGoodView(view);

  const refusal = 'The vault is locked.';
  const path = '/portal/credentials/nightly/targets/tgt_a/deliver';
  canned.replies.set(path, new Refusal(503, refusal, { code: 'vault_unavailable' }));
  await deliver.click();
  await expect(list.getByRole('alert').filter({ hasText: refusal })).toBeVisible();

  const { one: delivered } = pageOf([
    targetView('tgt_a', { target: file }),
    targetView('tgt_b', { target: waiting.target }),
  ]);
  canned.replies.set(path, delivered);
  await view.tabTo(deliver);
  await view.page.keyboard.press('Enter');
  await expect(command).not.toContainText('waits');
  await expect(command).toContainText('Has the current token');
  await expect(deliver).toHaveCount(2);
});

test('a command that waits for several places names each', { tag: '@long' }, async ({ view, show }) => {
  const places = [file, dotenv];
  const { replies } = pageOf([
    failing,
    targetView('tgt_c', { target: dotenv, status: 'owed', generation: 0, delivered_at: null }),
    { ...waiting, waits_for: places, generation: 0, delivered_at: null },
  ]);
  await show('/credentials/nightly', replies);
  const list = view.page.getByRole('list', { name: whoCardText.list });
  await expect(list).toContainText(targetsText.waits(waitsForText(places)));
  await expectGoodView(view);
});

const direct: TakenWay = {
  proxy: null,
  source: null,
  issuer: null,
  asks_for_certificate: false,
  has_client_certificate: false,
};
const throughProxy: TakenWay = {
  ...direct,
  proxy: 'proxy.corp.example:3128',
  source: 'HTTPS_PROXY',
  issuer: 'Example Corporation Internal Issuing CA 3',
};
const works: ConnectionTest = {
  outcome: 'works',
  message: 'The token works.',
  checked_at: now,
  token: { name: 'ci', status: 'active', expires_at: soon, validity_days: 30, created_at: null },
  took_ms: 12,
};

test('a connection test shows the way that it took', async ({ view, show, canned }) => {
  await show('/credentials/nightly', pageOf([]).replies);
  const button = view.page.getByRole('button', { name: 'Test connection' });
  const ways = [
    direct,
    throughProxy,
    { ...throughProxy, asks_for_certificate: true },
    { ...throughProxy, asks_for_certificate: true, has_client_certificate: true },
  ];
  for (const [at, way] of ways.entries()) {
    canned.replies.set('/portal/credentials/nightly/test', { ...works, way });
    if (at % 2 === 0) await button.click();
    else {
      await view.tabTo(button);
      await view.page.keyboard.press('Enter');
    }
    await expect(view.page.getByText(takenWayText(way), { exact: true })).toBeVisible();
    if (at === 2) await expectGoodView(view);
  }
});

test(
  'a connection test that fails says why, and shows no way that was not taken',
  { tag: '@long' },
  async ({ view, show, canned }) => {
    await show('/credentials/nightly', pageOf([]).replies);
    const button = view.page.getByRole('button', { name: 'Test connection' });
    const message =
      'https://api.example.com could not be reached: the proxy proxy.corp.example:3128 (HTTPS_PROXY) refuses (407): it wants a user name and a password.';
    canned.replies.set('/portal/credentials/nightly/test', {
      ...works,
      outcome: 'unreachable',
      message,
      token: null,
    });
    await button.click();
    await expect(view.page.getByText(message)).toBeVisible();
    await expect(view.page.getByText(connectionTestText.titles.unreachable)).toBeVisible();
    await expect(view.page.getByText(/^Asked /)).toHaveCount(0);
    await expect(view.page.getByText(/answered in/), 'nothing answered').toHaveCount(0);
    await expectGoodView(view);
    canned.replies.set(
      '/portal/credentials/nightly/test',
      new Refusal(503, 'The vault is locked.', { code: 'vault_unavailable' }),
    );
    await button.click();
    await expect(view.alert.filter({ hasText: 'The vault is locked.' })).toBeVisible();
  },
);

test(
  'the overview says where tokens are stored, also after a move',
  { tag: '@long' },
  async ({ view, show, canned }) => {
    const row = view.page.getByRole('definition').filter({ hasText: 'Tokens are stored in' });
    const replies = {
      '/portal/settings': { ...defaultSettings, first_steps: 'dismissed' },
      '/portal/attention': { items: [], left_out: 0, next_rotation: null },
      '/portal/lifeline': { now, rows: [], left_out: 0 },
      '/portal/history': { events: [], next_before: null },
    };
    const places = [
      { kind: 'file', key: 'file' },
      { kind: 'file', key: 'passphrase' },
      { kind: 'keychain' },
      { kind: 'postgres' },
    ] as const;
    for (const [at, vault] of places.entries()) {
      const status = { ...cannedStatus, vault };
      if (at === 0) {
        await show('/', { ...replies, '/portal/status': status });
        await view.expectRunning();
      } else {
        canned.replies.set('/portal/status', status);
        canned.tell('reset', {});
      }
      await expect(row).toContainText(whereTokensAre(vault));
      const canMove = vault.kind !== 'postgres';
      await expect(row.getByRole('link', { name: overviewText.service.vaultMove })).toHaveCount(
        canMove ? 1 : 0,
      );
      await expect(view.page.getByText(overviewText.service.vault, { exact: true })).toBeVisible();
      if (at === 0) await expectGoodView(view);
    }
    canned.replies.set('/portal/status', { ...cannedStatus, vault: places[0] });
    canned.tell('reset', {});
    const link = row.getByRole('link', { name: overviewText.service.vaultMove });
    await view.tabTo(link);
    await view.page.keyboard.press('Enter');
    await expect(view.page.getByRole('group', { name: settingsText.vault.title })).toBeInViewport();
  },
);

test('an expiry that nobody has said is called assumed, with the reason', async ({ view, show }) => {
  const one = credentialView({
    name: 'nightly',
    service: 'remote',
    base_url: 'https://api.example.com',
    obtained_at: now,
    expires_at: soon,
    expiry_assumed: 'not_said',
    next_rotation_at: soon,
  });
  const { page } = view;
  await show('/credentials/nightly', repliesOf(one));
  await expect(page.getByText(/^about .*, assumed: the service does not say$/)).toBeVisible();
  await expect(page.getByText(/^until about /)).toBeVisible();
  await expectGoodView(view);
  await show('/credentials', repliesOf(one));
  await expect(page.getByText(/^expires in about 8 d .*\(assumed\)$/)).toBeVisible();
  await expectGoodView(view);
});

test('a service that asks for more than a day is quoted, with when it is asked again', async ({
  view,
  show,
}) => {
  const far = new Date(Date.now() + 5 * 86_400_000).toISOString();
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  const one = credentialView({
    name: 'nightly',
    state: 'due',
    expires_at: soon,
    next_rotation_at: tomorrow,
    service_waits_until: tomorrow,
    service_asks_until: far,
  });
  await show('/credentials/nightly', repliesOf(one));
  await expect(
    view.page.getByText(/asks to wait until .* Rotavox waits for a day at most: next attempt /),
  ).toContainText(exactText(far, Date.now()));
});

test('the new address of a service that redirects is offered, and asked about before it gets the token', async ({
  view,
  show,
  canned,
}) => {
  const moved = 'https://api.new.example';
  const one = credentialView({
    name: 'nightly',
    service: 'remote',
    base_url: 'https://api.example.com/v4',
    state: 'failing',
    message: `https://api.example.com redirects to ${moved}. The token was not sent there.`,
    trouble: { ...trouble('unsafe'), redirected_to: moved, next_try_at: soon },
  });
  const { page } = view;
  await show('/credentials/nightly', repliesOf(one));
  await page.getByRole('button', { name: serviceAddressText.open }).first().click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel(serviceAddressText.field)).toHaveValue(`${moved}/v4`);
  await expectGoodView(view);
  await dialog.getByRole('button', { name: serviceAddressText.test }).click();
  await expect(dialog).toContainText(`Send the token to ${moved}?`);
  expect(canned.bodies.size).toBe(0);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  expect(page.url()).not.toContain('address');
});

test('how a file is written is chosen where it is needed, and sent with the target', async ({
  view,
  show,
  canned,
}) => {
  const { one, replies } = pageOf([]);
  const { page } = view;
  const preview = { possible: true, message: 'A new file.', place: file.path, exists: false, lines: [] };
  const path = '/portal/credentials/nightly/targets';
  await show('/credentials/nightly', { ...replies, [`${path}/preview`]: preview, [path]: one });
  await page.getByRole('button', { name: whoCardText.add }).click();
  await page.getByRole('menuitem', { name: whoCardText.added.target }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: targetKindLabels.file, exact: true }).check();
  await dialog.getByLabel(targetFormText.path.label).fill(file.path);
  const mode = dialog.getByLabel(fileOptionsText.mode.label);
  await expect(mode, 'hidden at first').toBeHidden();
  await view.tabTo(dialog.getByText(fileOptionsText.more));
  await page.keyboard.press('Enter');
  await dialog.getByRole('radio', { name: fileOptionsText.ways.in_place }).check();
  await dialog.getByLabel(fileOptionsText.noNewline.label).check();
  await mode.fill('0999');
  await mode.blur();
  await expect(dialog).toContainText('such as 0640');
  await mode.fill('0640');
  await expectGoodView(view);
  await dialog.getByRole('button', { name: targetFormText.add }).click();
  await expect(dialog).toHaveCount(0);
  expect(canned.bodies.get(path)).toEqual({ ...file, newline: false, in_place: true, mode: '0640' });
});
