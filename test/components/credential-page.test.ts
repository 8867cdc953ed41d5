import { expect } from '@playwright/test';
import { type ConnectionTest, maskedValue } from '../../src/contract/credential/credential-checks.ts';
import { TargetView } from '../../src/contract/credential/credential-view.ts';
import type { TakenWay } from '../../src/contract/service/network.ts';
import { FamilyId, TokenId } from '../../src/contract/token/token.ts';
import { connectionTestText } from '../../src/text/credential/add-credential.ts';
import { targetKindLabels, waitsForText } from '../../src/text/credential/credentials.ts';
import { takenWayText } from '../../src/text/service/network-text.ts';
import { overviewText } from '../../src/text/window/overview.ts';
import { serviceAddressText } from '../../src/text/window/remedies.ts';
import { settingsText } from '../../src/text/service/settings-text.ts';
import { toolsInUseText } from '../../src/text/credential/tool-wait-text.ts';
import { whoCardText } from '../../src/text/credential/credential-page.ts';
import {
  fileOptionsText,
  settingFieldsText,
  targetFormText,
  targetsText,
} from '../../src/text/credential/targets.ts';
import { exactText } from '../../src/text/time.ts';
import { whereTokensAre } from '../../src/text/credential/vault-text.ts';
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

test('what failed again and again is one row of the history, and what came before is in sight', async ({
  view,
  show,
}) => {
  const { one, replies } = pageOf([]);
  const failed = (seq: number) => ({
    ...{ seq, actor: { kind: 'system' }, subject: one.id },
    at: new Date(Date.now() - (100 - seq) * 60_000).toISOString(),
    kind: 'credential.delivery_failed',
    data: {
      ...{ credential_id: one.id, target_id: 'tgt_a', generation: 3, next_try_at: null },
      message: 'The folder /srv/app/secrets is missing. Create it.',
    },
  });
  const rotated = {
    ...failed(20),
    kind: 'credential.rotation_failed',
    data: { credential_id: one.id, kind: 'unreachable', message: 'Nothing answers.', next_try_at: null },
  };
  const events = [...Array.from({ length: 30 }, (_, place) => failed(60 - place)), rotated];
  const page = (next: number | null) => ({
    ...replies,
    [`/portal/credentials/${one.name}/history`]: { events, next_before: next },
  });
  const rows = view.page.getByRole('list', { name: 'Latest events' }).getByRole('listitem');
  await show(`/credentials/${one.name}`, page(null));
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText('30 times since');
  await expect(rows.last()).not.toContainText('times');
  await show(`/credentials/${one.name}`, {
    ...page(3),
    [`/portal/credentials/${one.name}/history`]: { events: events.slice(0, 30), next_before: 30 },
  });
  await expect(rows).toHaveCount(1);
  await expect(rows.first(), 'older ones may be the same').toContainText('30 times or more since');
});

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
        canned.change({ '/portal/status': status });
      }
      await expect(row).toContainText(whereTokensAre(vault));
      const canMove = vault.kind !== 'postgres';
      await expect(row.getByRole('link', { name: overviewText.service.vaultMove })).toHaveCount(
        canMove ? 1 : 0,
      );
      await expect(view.page.getByText(overviewText.service.vault, { exact: true })).toBeVisible();
      if (at === 0) await expectGoodView(view);
    }
    canned.change({ '/portal/status': { ...cannedStatus, vault: places[0] } });
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

test('what can be added is in a menu, by mouse and by keyboard', async ({ view, show }) => {
  const { page } = view;
  await show('/credentials/nightly', pageOf([]).replies);
  const button = page.getByRole('button', { name: whoCardText.add });
  const menu = page.getByRole('menu', { name: whoCardText.add });
  const { target, tool, app, rule, lines } = whoCardText.added;
  const dialog = page.getByRole('dialog');
  await button.click();
  await expect(menu.getByRole('menuitem')).toHaveText([target, tool, app, rule, lines]);
  await expectGoodView(view);
  await button.click();
  await expect(menu, 'a second press closes it').toHaveCount(0);
  for (const [presses, heading] of [
    'Add target',
    'Connect a tool',
    'Issue an app token?',
    'Allow requests?',
    'Use it in a shell',
  ].entries()) {
    await view.tabTo(button);
    await page.keyboard.press(presses % 2 === 0 ? 'Enter' : 'Space');
    await expect(menu.getByRole('menuitem', { name: target })).toBeFocused();
    for (let press = 0; press < presses; press += 1) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect(dialog.getByRole('heading', { name: heading })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(button).toBeFocused();
  }
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Escape');
  await expect(menu).toHaveCount(0);
  await expect(button).toBeFocused();
});

test('a sentence says how a credential is, what comes next and how long its token works', async ({
  view,
  show,
}) => {
  const state = view.page.getByRole('region', { name: 'State' });
  const base = { name: 'nightly', obtained_at: now, expires_at: soon, next_rotation_at: soon } as const;
  const cases: readonly (readonly [Parameters<typeof credentialView>[0], RegExp])[] = [
    [{}, /^Rotated about every 6 d; the next rotation is .+ \(in 8 d 23 h\)\. The token works until .+\.$/],
    [{ next_rotation_at: now }, /^The next rotation is due now\. The token works until .+\.$/],
    [
      { state: 'paused', paused: { until: soon } } as object,
      /^Paused until .+; the next rotation is .+ \(in .+\)\. The token works/,
    ],
    [
      { state: 'failing', trouble: { ...trouble('unreachable'), attempts: 2 } },
      /^Next attempt, after 2 failed attempts: .+ \(in .+\)\. The token works/,
    ],
    [
      { state: 'reminder', can_rotate: false, next_rotation_at: null },
      /^Rotavox reminds you before it expires and does not rotate it: .+\. The token works/,
    ],
    [
      { state: 'refused', next_rotation_at: null, trouble: trouble('invalid') },
      /^No rotation is planned\. Retrying will not help\. Enter a new token\.\s*$/,
    ],
  ];
  for (const [differences, sentence] of cases) {
    await show('/credentials/nightly', repliesOf(credentialView({ ...base, ...differences })));
    await expect(state.getByRole('paragraph').filter({ hasText: sentence })).toHaveCount(1);
  }
  await expect(state.getByRole('button', { name: /^Copy/ }), 'it does not work').toHaveCount(0);
});

test('times are to the minute, with their seconds on hover', async ({ view, show }) => {
  await show('/credentials/nightly', pageOf([]).replies);
  const times = view.page.getByRole('main').getByRole('time');
  await expect(times.first()).toHaveAttribute('title', /:\d\d:\d\d/);
  for (const words of await times.allTextContents()) expect(words).not.toMatch(/:\d\d:\d\d/);
});

const configuration = { name: 'ci', category: 'general', validity_days: 7, scopes: [], ip_restrictions: [] };
const tokenOf = (generation: number, differences: object = {}) => ({
  id: `tok_a_${generation}`,
  family_id: 'fam_a',
  generation,
  ...configuration,
  status: generation === 3 ? 'Active' : 'Superseded',
  created_at: now,
  expires_at: soon,
  ended_at: generation === 3 ? null : now,
  first_used_at: null,
  checked_at: null,
  reason: null,
  predecessor_id: null,
  successor_id: null,
  ...differences,
});
const owner = { kind: 'owner' };
const eventOf = (seq: number, kind: string, subject: string, data: object) => ({
  seq,
  at: now,
  kind,
  subject,
  actor: owner,
  data,
});
const ownToken = {
  ...credentialView({ name: 'nightly', expires_at: soon }),
  family_id: FamilyId.parse('fam_a'),
  token_id: TokenId.parse('tok_a_3'),
};
const historyReplies = {
  ...repliesOf(ownToken),
  '/portal/credentials/nightly/history': {
    events: [
      eventOf(9, 'credential.rotated', ownToken.id, { generation: 3 }),
      eventOf(4, 'credential.added', ownToken.id, { name: 'nightly' }),
    ],
    next_before: null,
  },
  '/portal/history': {
    events: [
      eventOf(10, 'token.suspended', 'fam_a', { token_id: 'tok_a_3', reason: 'Lost laptop' }),
      eventOf(8, 'token.rotated', 'fam_a', { source_id: 'tok_a_2', successor_id: 'tok_a_3' }),
    ],
    next_before: null,
  },
};
const familyOf = (tokens: readonly object[]) => ({
  '/portal/families/fam_a': {
    id: 'fam_a',
    configuration,
    issued: { seq: 1, at: now, configuration, expires_at: soon },
    generations: 3,
    tokens,
    last_reuse: null,
    kept_fresh_by: 'nightly',
  },
});

test('the history of a credential and that of its token are one, and its tokens are behind a sentence', async ({
  view,
  show,
}) => {
  const { page } = view;
  const card = page.getByRole('region', { name: 'History of this credential' });
  const history = page.getByRole('region', { name: 'Token history' });
  await show('/credentials/nightly', { ...historyReplies, ...familyOf([1, 2, 3].map((n) => tokenOf(n))) });
  await expect(card.getByRole('list', { name: 'Latest events' }).getByRole('listitem')).toContainText([
    /Token suspended token 3.*“Lost laptop”.*the owner.*Needs attention/,
    /Credential rotated.*token 3/,
    /Token rotated token 2 → 3/,
    /Credential added.*nightly/,
  ]);
  await expect(card.getByRole('link', { name: 'Full history' })).toHaveCount(2);
  await expect(history).toBeHidden();
  const tokens = card.locator('summary').filter({ hasText: '3 tokens, nothing changed between them' });
  await expect(tokens).toBeVisible();
  await view.tabTo(tokens);
  await page.keyboard.press('Enter');
  await expect(history.getByRole('listitem')).toHaveCount(3);
  await history.getByRole('button', { name: 'Compare token 1 with the issue' }).click();
  await expect(card.getByRole('region', { name: 'Inheritance' }).getByRole('columnheader')).toHaveCount(4);
  await expectGoodView(view);

  await show('/credentials/nightly#tok_a_1', {
    ...historyReplies,
    ...familyOf([1, 2, 3].map((n) => tokenOf(n))),
  });
  await expect(history, 'the address names one').toBeVisible();
  await show('/credentials/nightly', {
    ...historyReplies,
    ...familyOf([tokenOf(1), tokenOf(2), tokenOf(3, { scopes: ['ivr:read'] })]),
  });
  await expect(card.getByText('3 tokens. Token 3 differs in Scopes.')).toBeVisible();
  await expect(history, 'a difference is shown at once').toBeVisible();
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

test('a rotation that waits for a tool says for which and until when, and the question before another one names it', async ({
  view,
  show,
}) => {
  const until = new Date(Date.now() + 12 * 60_000).toISOString();
  const tools = [
    { name: 'git', pid: 4711, since: now },
    { name: 'kubectl', pid: null, since: now },
  ];
  const one = credentialView({
    name: 'nightly',
    state: 'due',
    expires_at: soon,
    next_rotation_at: until,
    waits_for_tools: { until, tools },
  });
  const replies = repliesOf(one);
  const { page } = view;
  await show('/credentials/nightly?rotate', {
    ...replies,
    '/portal/credentials/nightly/use': { ...replies['/portal/credentials/nightly/use'], tools },
  });
  await expect(
    page.getByText(/The next rotation waits for git \(pid 4711\) and kubectl, until /),
  ).toContainText(exactText(until, Date.now()));
  const list = page.getByRole('dialog').getByRole('list', { name: toolsInUseText.list });
  await expect(list.getByRole('listitem')).toHaveText([/^git \(pid 4711\) \(got it /, /^kubectl \(got it /]);
  await expectGoodView(view);
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
  await expect(page).not.toHaveURL(/address/);
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

test('a value of a settings file is named by its key, which the format explains', async ({
  view,
  show,
  canned,
}) => {
  const { one, replies } = pageOf([]);
  const { page } = view;
  const line = { number: 2, before: `"Token": "${maskedValue}"`, after: `"Token": "Bearer ${maskedValue}"` };
  const preview = { possible: true, message: 'Line 2.', place: '/srv/app.json', exists: true, lines: [line] };
  const path = '/portal/credentials/nightly/targets';
  await show('/credentials/nightly', { ...replies, [`${path}/preview`]: preview, [path]: one });
  await page.getByRole('button', { name: whoCardText.add }).click();
  await page.getByRole('menuitem', { name: whoCardText.added.target }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: targetKindLabels.setting }).check();
  await dialog.getByLabel(targetFormText.path.label).fill('/srv/.npmrc');
  await expect(dialog.getByRole('radio', { name: settingFieldsText.byName('ini') })).toBeChecked();
  await expect(dialog).toContainText(settingFieldsText.key.hints.ini);
  await dialog.getByLabel(targetFormText.path.label).fill('/srv/app.json');
  await expect(dialog).toContainText(settingFieldsText.key.hints.dotted);
  const key = dialog.getByLabel(settingFieldsText.key.label, { exact: true });
  await key.fill('Api..Token');
  await key.blur();
  await expect(dialog).toContainText('must be the key of one value');
  await key.fill('Api.Token');
  await dialog.getByLabel(settingFieldsText.template.label).fill('Bearer {token}');
  await dialog.getByLabel(settingFieldsText.create.label).check();
  await expect(dialog.getByText('line 2', { exact: true })).toBeVisible();
  await expectGoodView(view);
  await dialog.getByRole('button', { name: targetFormText.add }).click();
  await expect(dialog).toHaveCount(0);
  expect(canned.bodies.get(path)).toEqual({
    kind: 'setting',
    path: '/srv/app.json',
    key: 'Api.Token',
    template: 'Bearer {token}',
    create: true,
  });
});
