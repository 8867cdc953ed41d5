import { expect } from '@playwright/test';
import { expectGoodView } from '../journeys/browser/expect-good-view.ts';
import { credentialView } from '../renderer/credentials/credential-view.ts';
import { test } from './canned-service.ts';

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const vault = { kind: 'keychain', description: 'the keychain', status: 'ok', message: null };
const credential = credentialView({
  name: 'gitlab',
  service: 'remote',
  base_url: 'https://gitlab.example.com',
  provider: { id: 'gitlab', inputs: {} },
});
const use = {
  credential: 'gitlab',
  generation: 3,
  users: [
    { way: 'proxy', name: 'coding-agent', last_at: ago(2), generation: 3, last_24h: 41, last_7d: 310 },
    { way: 'get', name: 'backup.sh', last_at: ago(50), generation: 3, last_24h: 1, last_7d: 7 },
    { way: 'get', name: null, last_at: ago(200), generation: 2, last_24h: 2, last_7d: 2 },
    { way: 'copy', name: null, last_at: ago(3000), generation: 1, last_24h: 0, last_7d: 1 },
  ],
  running: [{ program: 'deploy.sh', generation: 2, since: ago(400) }],
  deliveries: [
    {
      target_id: 'tgt_1',
      target: { kind: 'dotenv', path: '/srv/app/.env', variable: 'GITLAB_TOKEN' },
      generation: 3,
      delivered_at: ago(100),
    },
  ],
};
/** What makes it a token of this service, with a target. */
const used = {
  family_id: 'fam_a',
  token_id: 'tok_a_3',
  targets: [
    {
      id: 'tgt_1',
      target: use.deliveries[0]!.target,
      status: 'delivered',
      generation: 3,
      delivered_at: ago(100),
      message: null,
      note: null,
      attempts: 0,
      next_try_at: null,
    },
  ],
};
const configuration = { name: 'ci', category: 'general', validity_days: 7, scopes: [], ip_restrictions: [] };
const family = {
  id: 'fam_a',
  configuration,
  issued: { seq: 1, at: ago(9000), configuration, expires_at: ago(-100) },
  generations: 3,
  tokens: [],
  last_reuse: null,
  kept_fresh_by: 'gitlab',
};
const firstUse = {
  kind: 'token.first_used',
  subject: 'fam_a',
  actor: { kind: 'bearer', token_id: 'tok_a_3', address: '127.0.0.1', user_agent: 'backup/2' },
  data: { token_id: 'tok_a_3' },
};
const replies = {
  '/portal/credentials': { credentials: [credential], vault },
  '/portal/credentials/gitlab': credential,
  '/portal/credentials/gitlab/history': { events: [], next_before: null },
  '/portal/credentials/gitlab/proxy': {
    credential: 'gitlab',
    url: 'http://127.0.0.1:7682/proxy/gitlab',
    rules: [],
    tokens: [],
    forbidden: [],
    recent: [],
  },
  '/portal/credentials/gitlab/use': use,
};

test('the page of a credential shows in one list who has the token and when it was used last', async ({
  view,
  show,
}) => {
  await show('/credentials/gitlab', {
    ...replies,
    '/portal/credentials/gitlab': { ...credential, ...used },
    '/portal/families/fam_a': family,
    '/portal/history': { events: [{ seq: 5, at: ago(9), ...firstUse }], next_before: null },
  });
  const card = view.page.getByRole('region', { name: 'Who has the token' });
  const lines = card.getByRole('list', { name: 'Who has the token' }).getByRole('listitem');
  await expect(lines).toContainText([
    /Dotenv file.*\/srv\/app\/\.env \(GITLAB_TOKEN\).*Has the current token, number 3, since/,
    /Program.*deploy\.sh.*exec, previous token, runs since/,
    /App.*coding-agent.*proxy, current token, last.*41 in 24 hours, 310 in 7 days/,
    /backup\.sh.*get, current token/,
    /An unknown program.*get, previous token/,
    /You, to the clipboard.*copied, token 1.*1 in 7 days/,
    /Address.*127\.0\.0\.1 \(backup\/2\).*used the current token at its service, last/,
  ]);
  await expect(lines.filter({ hasText: 'clipboard' }), 'what did not occur is not counted').not.toContainText(
    '24 hours',
  );
  await expectGoodView(view);
});

test(
  'a command that runs with a previous token is a warning, and no longer once it has ended',
  { tag: '@long' },
  async ({ view, show }) => {
    await show('/credentials/gitlab', replies);
    const notice = view.page.getByRole('list', { name: 'Commands that run with a previous token' });
    await expect(notice).toContainText('deploy.sh (exec) runs with the previous token since');
    await show('/credentials/gitlab', {
      ...replies,
      '/portal/credentials/gitlab/use': { ...use, running: [{ ...use.running[0], generation: 3 }] },
    });
    await expect(view.page.getByText('exec, current token, runs since')).toBeVisible();
    await expect(notice).toBeHidden();
  },
);

test(
  'the questions before a rotation and a removal name who uses it',
  { tag: '@long' },
  async ({ view, show }) => {
    await show('/credentials/gitlab', replies);
    await view.page.getByRole('button', { name: 'Rotate now' }).click();
    const got = view.page.getByRole('list', { name: 'Programs that got the current token' });
    await expect(got.getByRole('listitem')).toContainText(['backup.sh']);
    await view.page.getByRole('button', { name: 'Cancel' }).click();
    await view.page.getByRole('button', { name: 'Remove credential…' }).click();
    const lately = view.page.getByRole('list', { name: 'Who used it in the last 7 days' });
    await expect(lately.getByRole('listitem')).toContainText([
      'deploy.sh',
      'coding-agent',
      'backup.sh',
      'An unknown program',
      'You, to the clipboard',
    ]);
    await expectGoodView(view);
  },
);

test(
  'a credential that nobody has used says what appears there',
  { tag: '@long' },
  async ({ view, show }) => {
    await show('/credentials/gitlab', {
      ...replies,
      '/portal/credentials/gitlab/use': { ...use, users: [], running: [], deliveries: [] },
    });
    await expect(view.page.getByText('Nobody has it yet.')).toBeVisible();
    await expectGoodView(view);
  },
);

const connections = [
  {
    id: 'con_abcdefghijkl',
    tool: 'git',
    credential: 'gitlab',
    origin: 'https://gitlab.example.com',
    path_prefix: 'group',
    username: 'oauth2',
    scheme: 'basic',
    created_at: ago(5000),
    setting: { file: '/home/ada/.gitconfig', text: '', before: '', is_new_file: false },
  },
  {
    id: 'con_mnopqrstuvwx',
    tool: 'docker',
    credential: 'gitlab',
    origin: 'https://registry.gitlab.example.com',
    username: 'oauth2',
    scheme: 'basic',
    created_at: ago(5000),
    setting: { file: '/home/ada/.docker/config.json', text: '', before: '', is_new_file: false },
  },
  {
    id: 'con_yzabcdefghij',
    tool: 'git',
    credential: 'another',
    origin: 'https://git.example.com',
    username: 'oauth2',
    scheme: 'basic',
    created_at: ago(5000),
    setting: { file: '/home/ada/.gitconfig', text: '', before: '', is_new_file: false },
  },
];
const askedByGit = { way: 'helper', name: 'git', last_at: ago(3), generation: 3, last_24h: 4, last_7d: 9 };

test('a connected tool has a row, with the lines that check and disconnect it', async ({ view, show }) => {
  await show('/credentials/gitlab', {
    ...replies,
    '/portal/connections': { connections },
    '/portal/credentials/gitlab/use': { ...use, users: [askedByGit], running: [], deliveries: [] },
  });
  const card = view.page.getByRole('region', { name: 'Who has the token' });
  const lines = card.getByRole('list', { name: 'Who has the token' }).getByRole('listitem');
  await expect(lines).toHaveText([
    /^Toolgit at https:\/\/gitlab\.example\.com\/groupasks for it, last .* \(current token\)4 in 24 hours, 9 in 7 days/,
    /^Tooldocker at https:\/\/registry\.gitlab\.example\.comasks for it, not yet/,
  ]);
  await lines
    .first()
    .getByRole('button', { name: /^Check, disconnect/ })
    .click();
  const dialog = view.page.getByRole('dialog');
  await expect(dialog).toContainText('rotavox connect check con_abcdefghijkl');
  await expect(dialog).toContainText('rotavox disconnect con_abcdefghijkl');
  await expect(dialog).toContainText('/home/ada/.gitconfig');
  await expectGoodView(view);
});

test('the command that connects a tool is complete once it can work', async ({ view, show }) => {
  await show('/credentials/gitlab', replies);
  await view.page.getByRole('button', { name: 'Add…' }).click();
  await view.page.getByRole('menuitem', { name: 'Tool that asks for it…' }).click();
  const dialog = view.page.getByRole('dialog');
  const command = dialog.locator('pre');
  await expect(command).toHaveText('rotavox connect git gitlab');
  await expect(dialog.getByLabel('Address')).toHaveValue('https://gitlab.example.com');
  await dialog.getByLabel('Address').fill('http://gitlab.example.com');
  await expect(dialog.getByText('Must be an https address')).toBeVisible();
  await expect(command).toBeHidden();
  await dialog.getByLabel('Address').fill('https://gitlab.example.com/a group');
  await expect(command).toBeHidden();
  await dialog.getByLabel('Address').fill('https://gitlab.example.com/group');
  await dialog.getByLabel('User name').fill("o'neil");
  await expect(command).toHaveText(
    `rotavox connect git gitlab --url https://gitlab.example.com/group --username 'o'\\''neil'`,
  );

  await dialog.getByLabel('Tool').selectOption('docker');
  await expect(dialog.getByLabel('User name')).toHaveValue('oauth2');
  await expect(command, 'only its owner knows where the registry is').toBeHidden();
  await dialog.getByLabel('Address').fill('https://registry.example.com');
  await expect(command).toHaveText('rotavox connect docker gitlab --url https://registry.example.com');

  await dialog.getByLabel('Tool').selectOption('cargo');
  await expect(dialog.getByLabel('User name')).toBeHidden();
  await dialog.getByLabel('Address').fill('sparse+https://crates.example.com/index/');
  await expect(command, 'as the configuration of cargo has it').toHaveText(
    'rotavox connect cargo gitlab --url sparse+https://crates.example.com/index/',
  );
  await expectGoodView(view);
});
