import { expect } from '@playwright/test';
import { trialText } from '../../src/text/credential/proxy-text.ts';
import { expectGoodView } from '../journeys/browser/expect-good-view.ts';
import { credentialView } from '../renderer/credentials/credential-view.ts';
import { test } from './canned-service.ts';

const now = new Date().toISOString();
const soon = new Date(Date.now() + 9 * 3_600_000).toISOString();
const vault = { kind: 'keychain', description: 'the keychain', status: 'ok', message: null };
const url = 'http://127.0.0.1:7682/proxy/gitlab';

const credential = credentialView({
  name: 'gitlab',
  service: 'remote',
  base_url: 'https://gitlab.example.com',
  provider: { id: 'gitlab', inputs: {} },
});
const use = {
  token_id: 'app_1',
  app: 'coding-agent',
  generation: 3,
  method: 'GET',
  route: '/api/v4/projects/*/issues',
  status: 200,
  refusal: null,
  at: now,
  bytes_in: 200,
  bytes_out: 4000,
  duration_ms: 31,
};
const proxied = {
  credential: 'gitlab',
  url,
  rules: [
    { id: 'rule_1', method: 'GET', path: '/api/v4/**', app: null, private_network: false, created_at: now },
    {
      id: 'rule_0',
      method: '*',
      path: '/**',
      app: null,
      private_network: false,
      created_at: now,
      becomes: [{ method: 'GET', path: '/api/v4/projects' }],
    },
    {
      id: 'rule_2',
      method: 'POST',
      path: '/api/v4/projects/*/issues',
      app: 'coding-agent',
      private_network: true,
      scrub: true,
      created_at: now,
    },
  ],
  ready: [
    {
      id: 'read-issues',
      title: null,
      rules: [
        { method: 'GET', path: '/api/v4/issues' },
        { method: 'GET', path: '/api/v4/projects/*/issues/**' },
      ],
    },
    { id: 'read-secrets', title: null, rules: [{ method: 'GET', path: '/v1/{mount}/data/{folder}/**' }] },
  ],
  tokens: [
    {
      id: 'app_1',
      app: 'coding-agent',
      created_at: now,
      expires_at: soon,
      is_expired: false,
      limits: { at_once: 64, per_minute: 6000, bytes_per_minute: 8_000_000_000 },
      last_used_at: now,
      last_generation: 3,
      requests: 41,
      running: 1,
    },
    {
      id: 'app_2',
      app: 'backup-script',
      created_at: now,
      expires_at: '2026-01-02T00:00:00.000Z',
      is_expired: true,
      limits: { at_once: 64, per_minute: 6000, bytes_per_minute: 8_000_000_000 },
      last_used_at: null,
      last_generation: null,
      requests: 0,
      running: 0,
    },
  ],
  forbidden: [
    { method: null, path: '/oauth/**' },
    { method: 'PUT', path: '/api/v4/users/*' },
  ],
  recent: [
    use,
    { ...use, method: 'DELETE', status: 403, refusal: 'not_allowed', generation: 0, duration_ms: 1 },
  ],
};
const trial = {
  requests: 30,
  allowed: 12,
  newly_allowed: 3,
  forbidden: 0,
  routes: [{ method: 'GET', route: '/api/v4/projects/*', count: 12 }],
  names_rights: [],
};
const replies = {
  '/portal/credentials': { credentials: [credential], vault },
  '/portal/credentials/gitlab': credential,
  '/portal/credentials/gitlab/history': { events: [], next_before: null },
  '/portal/credentials/gitlab/use': {
    credential: 'gitlab',
    generation: 3,
    users: [],
    running: [],
    deliveries: [],
  },
  '/portal/credentials/gitlab/proxy': proxied,
  '/portal/credentials/gitlab/proxy/rules': proxied,
  '/portal/credentials/gitlab/proxy/rules/try': trial,
  '/portal/credentials/gitlab/proxy/tokens': {
    id: 'app_3',
    app: 'nightly',
    url,
    token: `rvy_${'a'.repeat(49)}`,
    expires_at: soon,
  },
};

test('the page of a credential shows rules, apps and the latest requests of the proxy', async ({
  view,
  show,
}) => {
  await show('/credentials/gitlab', replies);
  const card = view.page.getByRole('region', { name: 'Proxy' });
  const apps = view.page.getByRole('list', { name: 'Who has the token' }).getByRole('listitem');
  await expect(apps).toContainText([
    /coding-agent.*has an app token that expires .*, 3 rules.*41 requests, last .*, with token 3/,
    /backup-script.*its app token expired .*, 2 rules.*not used yet/,
  ]);
  await expect(card).toContainText('3 rules');
  await expect(card).toContainText(
    'only coding-agent, private network allowed, answers searched for the token',
  );
  await expect(card).toContainText('replace it with GET /api/v4/projects');
  await expect(apps.first()).toContainText('1 request being answered');
  await card.getByText('Latest requests').click();
  await expect(card).toContainText('GET /api/v4/projects/*/issues: 200');
  await expect(card).toContainText('DELETE /api/v4/projects/*/issues: not allowed by a rule');
  await card.getByText('Never allowed').click();
  await expect(card).toContainText('any method /oauth/**');
  await expectGoodView(view);
});

test('ready rules come first, and a rule of one’s own after what it would have allowed was shown', async ({
  view,
  show,
}) => {
  await show('/credentials/gitlab', replies);
  await view.page.getByRole('button', { name: 'Add rule…' }).click();
  const dialog = view.page.getByRole('dialog', { name: 'Allow requests?' });
  await expect(dialog.getByLabel('What apps may do')).toHaveValue('read-issues');
  await expect(dialog.getByRole('region', { name: 'Allows' })).toContainText(
    'GET /api/v4/projects/*/issues/**',
  );
  await expect(dialog).toContainText('This would have allowed 24 of the 30 requests');
  await expectGoodView(view);
  await dialog.getByLabel('What apps may do').selectOption('A rule of your own');
  await expect(dialog.getByLabel('Path')).toHaveValue('');
  await dialog.getByLabel('Path').fill('no path');
  await expect(dialog).toContainText('Enter a path to see what it would have allowed.');
  await dialog.getByRole('button', { name: 'Add rule' }).click();
  await expect(dialog).toContainText('The path must be a path such as /api/v4/**');
  await dialog.getByLabel('Path').fill('/api/v4/**');
  await dialog.getByRole('checkbox', { name: 'Remove the token from answers' }).check();
  await expect(dialog).toContainText(trialText(trial));
  await expect(dialog).toContainText('GET /api/v4/projects/*');
  await expectGoodView(view);
  await dialog.getByRole('button', { name: 'Add rule' }).click();
  await expect(dialog).toBeHidden();
});

test('a request that was refused is allowed from the row of its app, by mouse or by keyboard', async ({
  view,
  show,
  canned,
}) => {
  const { page } = view;
  const refused = proxied.recent[1]!;
  await show('/credentials/gitlab', replies);
  const row = page.getByRole('list', { name: 'Who has the token' }).getByRole('listitem').first();
  await expect(row).toContainText(/Refused .*: DELETE \/api\/v4\/projects\/\*\/issues/);
  const allow = row.getByRole('button', { name: `Allow this… DELETE ${refused.route}` });
  const dialog = page.getByRole('dialog', { name: 'Allow requests?' });
  await view.tabTo(allow);
  await page.keyboard.press('Enter');
  await expect(dialog.getByLabel('What apps may do')).toHaveValue('');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(allow).toBeFocused();
  await allow.click();
  await expect(dialog.getByLabel('Method')).toHaveValue('DELETE');
  await expect(dialog.getByLabel('Path')).toHaveValue(refused.route);
  await expect(dialog.getByLabel('App', { exact: true })).toHaveValue('coding-agent');
  await expectGoodView(view);
  const added = { ...proxied.rules[2]!, id: 'rule_3', method: 'DELETE', created_at: soon };
  const path = '/portal/credentials/gitlab/proxy/rules';
  canned.replies.set(path, { ...proxied, rules: [...proxied.rules, added] });
  await dialog.getByRole('button', { name: 'Add rule' }).click();
  await expect(dialog).toBeHidden();
  expect(canned.bodies.get(path)).toMatchObject({
    method: 'DELETE',
    path: refused.route,
    app: 'coding-agent',
  });
  await expect(allow, 'a rule allows it').toHaveCount(0);
});

test('a rule that names credentials is added only after the question', async ({ view, show }) => {
  await show('/credentials/gitlab', {
    ...replies,
    '/portal/credentials/gitlab/proxy/rules/try': { ...trial, names_rights: ['secret'] },
  });
  await view.page.getByRole('button', { name: 'Add rule…' }).click();
  const dialog = view.page.getByRole('dialog', { name: 'Allow requests?' });
  await dialog.getByLabel('What apps may do').selectOption('Read KV secrets in a folder');
  await dialog.getByLabel('Folder').fill('secret');
  await dialog.getByRole('button', { name: 'Add rules' }).click();
  await expect(dialog).toContainText('The folder must name a mount and a folder in it');
  await dialog.getByLabel('Folder').fill('secret/team');
  await expect(dialog).toContainText('GET /v1/secret/data/team/**');
  await expect(dialog).toContainText('“secret” names credentials or rights.');
  await dialog.getByRole('button', { name: 'Add rules' }).click();
  await expect(dialog).toContainText('Agree to these calls first');
  await expectGoodView(view);
  await dialog.getByRole('checkbox', { name: 'Allow these calls' }).check();
  await dialog.getByRole('button', { name: 'Add rules' }).click();
  await expect(dialog).toBeHidden();
});

test('an app token is shown once, with lines that use it', { tag: '@long' }, async ({ view, show }) => {
  await show('/credentials/gitlab', replies);
  await view.page.getByRole('button', { name: 'Add…' }).click();
  await view.page.getByRole('menuitem', { name: 'App with a token of its own…' }).click();
  const dialog = view.page.getByRole('dialog');
  await dialog.getByLabel('App').fill('nightly');
  await dialog.getByRole('button', { name: 'Issue', exact: true }).click();
  await expect(dialog).toContainText(`ROTAVOX_PROXY_URL=${url} ROTAVOX_PROXY_TOKEN=rvy_a`);
  await expect(dialog).toContainText('PRIVATE-TOKEN: $ROTAVOX_PROXY_TOKEN');
  for (const [kind, text] of [
    ['Node', 'new Gitlab({ host, token })'],
    ['Python', 'import gitlab'],
    ['Docker', '--network host'],
    ['Coding agent', 'send requests to $ROTAVOX_PROXY_URL'],
  ] as const) {
    await dialog.getByRole('radio', { name: kind, exact: true }).check();
    await expect(dialog).toContainText(text);
  }
  await expectGoodView(view);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(dialog).toBeHidden();
});

test(
  'a rule is removed and an app token revoked after a question',
  { tag: '@long' },
  async ({ view, show }) => {
    await show('/credentials/gitlab', {
      ...replies,
      '/portal/proxy/rules/rule_1': { ...proxied, rules: [] },
      '/portal/proxy/tokens/app_1': { ...proxied, rules: [], tokens: [] },
    });
    await view.page.getByRole('button', { name: /^Remove.*GET \/api\/v4/ }).click();
    await view.page.getByRole('button', { name: 'Remove rule' }).click();
    await expect(view.page.getByText('No rule: every request is refused.')).toBeVisible();
    await expect(view.page.getByText(/, no rule: every request is refused$/).first()).toBeVisible();
    await view.page.getByRole('button', { name: /^Revoke.*coding-agent/ }).click();
    await view.page.getByRole('button', { name: 'Revoke app token' }).click();
    await expect(view.page.getByRole('button', { name: /^Revoke/ })).toHaveCount(0);
  },
);
