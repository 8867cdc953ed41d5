import { expect } from '@playwright/test';
import { expectGoodView } from '../journeys/browser/expect-good-view.ts';
import { credentialView } from '../renderer/credentials/credential-view.ts';
import { cannedStatus, Refusal, test } from './canned-service.ts';

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

const connectPath = '/portal/connections/connect';
const rowPath = '/portal/connections/con_abcdefghijkl';
const file = '/home/ada/.gitconfig';
const added = [
  '[credential "https://gitlab.example.com"]',
  '    helper = ',
  "    helper = !'/data/tools/con_000000000000'",
];
const preview = {
  changes: [{ file, removed: [], added }],
  by_hand: null,
  other_helpers: [{ name: 'store', file: '/etc/gitconfig' }],
  connection: null,
  checks: [],
};
const checks = [
  { passes: true, text: `${file} names the program.` },
  { passes: null, text: 'The service cannot be asked.' },
  { passes: false, text: 'git gets no token. Write it again: `rotavox connect repair con_abcdefghijkl`' },
];

test('a connected tool is checked in its row and disconnected after its change is shown, by mouse and by keyboard', async ({
  view,
  show,
  canned,
}) => {
  await show('/credentials/gitlab', {
    ...replies,
    '/portal/connections': { connections },
    '/portal/credentials/gitlab/use': { ...use, users: [askedByGit], running: [], deliveries: [] },
    [`${rowPath}/check`]: { checks, by_hand: null },
    [`${rowPath}/disconnect`]: { changes: [{ file, removed: added, added: [] }], says: [] },
  });
  const { page } = view;
  const card = page.getByRole('region', { name: 'Who has the token' });
  const lines = card.getByRole('list', { name: 'Who has the token' }).locator('> li');
  await expect(lines).toHaveText([
    /^Toolgit at https:\/\/gitlab\.example\.com\/groupasks for it, last .* \(current token\)4 in 24 hours, 9 in 7 days/,
    /^Tooldocker at https:\/\/registry\.gitlab\.example\.comasks for it, not yet/,
  ]);
  const row = lines.first();
  await row.getByRole('button', { name: /^Check now/ }).click();
  await expect(row.getByRole('status')).toContainText('A check failed');
  const found = row.getByRole('list', { name: 'Checks' }).getByRole('listitem');
  await expect(found).toHaveText([
    /^Passes: .*names the program/,
    /^Not known: /,
    /^Fails: git gets no token/,
  ]);
  await expectGoodView(view);

  await row.getByRole('button', { name: /^Check now/ }).focus();
  await page.keyboard.press('Tab');
  await expect(row.getByRole('button', { name: /^Disconnect…/ })).toBeFocused();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Disconnect git at https://gitlab.example.com/group?' });
  const change = dialog.getByRole('region', { name: 'What will change' });
  await expect(change.locator('del')).toHaveCount(3);
  await expect(change).toContainText(file);
  await dialog.getByText('In a terminal').click();
  await expect(dialog).toContainText('rotavox connect check con_abcdefghijkl');
  await expect(dialog).toContainText('rotavox disconnect con_abcdefghijkl');
  await expectGoodView(view);
  expect(canned.bodies.get(`${rowPath}/disconnect`)).toEqual({ dry_run: true });
  await dialog.getByRole('button', { name: 'Disconnect' }).press('Enter');
  await expect(dialog).toBeHidden();
  expect(canned.bodies.get(`${rowPath}/disconnect`)).toEqual({});
  await expect(row.getByRole('button', { name: /^Disconnect…/ })).toBeFocused();
});

test('what is left after disconnecting is read before the dialog closes, and then the focus is on the page', async ({
  view,
  show,
  canned,
}) => {
  const says = [
    `${file} was edited since, so it was left alone. Remove what has con_abcdefghijkl in it by hand.`,
  ];
  await show('/credentials/gitlab', {
    ...replies,
    '/portal/connections': { connections },
    [`${rowPath}/disconnect`]: { changes: [], says },
  });
  const { page } = view;
  await page.getByRole('button', { name: /^Disconnect… git/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Disconnect', exact: true }).click();
  await expect(dialog.getByRole('status')).toContainText('Remove what has con_abcdefghijkl');
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeFocused();
  canned.change({ '/portal/connections': { connections: connections.slice(1) } });
  await expect(page.getByRole('button', { name: /^Disconnect… git/, includeHidden: true })).toHaveCount(0);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Add…' })).toBeFocused();
});

test('a tool is connected once its change is shown, and what a check has found is said', async ({
  view,
  show,
  canned,
}) => {
  await show('/credentials/gitlab', { ...replies, [connectPath]: preview });
  const { page } = view;
  await page.getByRole('button', { name: 'Add…' }).click();
  await page.getByRole('menuitem', { name: 'Tool that asks for it…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toHaveAccessibleName('Connect a tool');
  const change = dialog.getByRole('region', { name: 'What will change' });
  const connect = dialog.getByRole('button', { name: 'Connect', exact: true });
  await expect(change.locator('ins')).toHaveText([...added.slice(0, 2), /tools\/con_…/]);
  await expect(change).toContainText('store (/etc/gitconfig) will not be asked for this address.');
  const body = { credential: 'gitlab', tool: 'git', url: 'https://gitlab.example.com', username: 'oauth2' };
  expect(canned.bodies.get(connectPath)).toEqual({ ...body, replace: false, dry_run: true });
  await expectGoodView(view);

  await dialog.getByLabel('Address').fill('http://gitlab.example.com');
  await expect(dialog.getByText('Must be an https address')).toBeVisible();
  await expect(connect).toBeDisabled();
  await dialog.getByLabel('Address').fill('https://gitlab.example.com/group');
  await dialog.getByLabel('User name').fill("o'neil");
  await dialog.getByText('In a terminal').click();
  await expect(dialog.locator('pre').last()).toHaveText(
    `rotavox connect git gitlab --url https://gitlab.example.com/group --username 'o'\\''neil'`,
  );
  await expect(connect).toBeEnabled();
  canned.replies.set(connectPath, { ...preview, connection: connections[0], checks });
  await connect.press('Enter');
  await expect(dialog).toContainText(
    'git at https://gitlab.example.com/group now asks Rotavox for the token.',
  );
  await expect(dialog.getByRole('status')).toContainText('A check failed');
  await expect(dialog.getByRole('button', { name: 'Close' })).toBeFocused();
  expect(canned.bodies.get(connectPath)).toEqual({
    ...{ ...body, url: 'https://gitlab.example.com/group', username: "o'neil" },
    replace: false,
  });
  await expectGoodView(view);
  await page.keyboard.press('Enter');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Add…' })).toBeFocused();
});

test('a refused preview says why, and offers to replace what is there', async ({ view, show, canned }) => {
  const exists = 'git is already connected for https://gitlab.example.com, with gitlab (con_abcdefghijkl).';
  await show('/credentials/gitlab', { ...replies, [connectPath]: new Refusal(409, exists) });
  const { page } = view;
  await page.getByRole('button', { name: 'Add…' }).click();
  await page.getByRole('menuitem', { name: 'Tool that asks for it…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(exists);
  await expect(dialog.getByRole('button', { name: 'Connect', exact: true })).toBeDisabled();
  await expectGoodView(view);
  canned.replies.set(connectPath, {
    ...preview,
    changes: [{ file, removed: added, added: [] }, ...preview.changes],
  });
  await dialog.getByRole('checkbox', { name: /^Replace what is there/ }).check();
  await expect(dialog.locator('del')).toHaveCount(3);
  expect(canned.bodies.get(connectPath)).toMatchObject({ replace: true, dry_run: true });

  const byHand = {
    where: 'Make a link to it (ln -s /data/con_000000000000) and write it in this line:',
    lines: ['common --credential_helper=x=/data/tools/con_000000000000'],
  };
  canned.replies.set(connectPath, { ...preview, changes: [], other_helpers: [], by_hand: byHand });
  await dialog.getByLabel('Tool').selectOption('kubectl');
  await dialog.getByLabel('Address').fill('https://cluster.example.com:6443');
  await expect(dialog, 'the user may be known').toContainText('Rotavox changes no file of this tool.');
  await dialog.getByLabel('User name').fill('arn:aws:eks:cluster');
  await expect
    .poll(() => canned.bodies.get(connectPath))
    .toMatchObject({ tool: 'kubectl', username: 'arn:aws:eks:cluster' });

  await dialog.getByLabel('Tool').selectOption('bazel');
  await expect(dialog.getByLabel('User name')).toBeHidden();
  await expect(dialog, 'only its owner knows where it is').toContainText('Enter what is missing');
  await dialog.getByLabel('Address').fill('https://cache.example.com');
  await expect(dialog).toContainText('Rotavox changes no file of this tool.');
  await expect(dialog).toContainText('(ln -s /data/con_…)');
  const lines = [byHand.lines[0]?.replace('con_000000000000', 'con_mnopqrstuvwx') ?? ''];
  canned.replies.set(connectPath, {
    ...{ ...preview, changes: [], other_helpers: [] },
    ...{
      by_hand: { ...byHand, lines },
      connection: { ...connections[1], tool: 'bazel' },
      checks: checks.slice(0, 1),
    },
  });
  await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
  await expect(dialog.locator('pre')).toHaveText(lines);
  await expect(dialog.getByRole('button', { name: /^Copy the lines/ })).toBeVisible();
  await expect(dialog.getByRole('status')).toContainText('All checks pass');
  await expectGoodView(view);
});

test('an address that a tool cannot use is named at its field, and no command is asked', async ({
  view,
  show,
  canned,
}) => {
  await show('/credentials/gitlab', { ...replies, [connectPath]: new Refusal(400, '--url must be …') });
  const { page } = view;
  await page.getByRole('button', { name: 'Add…' }).click();
  await page.getByRole('menuitem', { name: 'Tool that asks for it…' }).click();
  const dialog = page.getByRole('dialog');
  const address = dialog.getByLabel('Address');
  for (const [tool, url, error] of [
    ['terraform', 'https://app.example.com/a/path', 'without a path'],
    ['docker', 'https://registry.example.com/team', 'without a path'],
    ['kubectl', 'http://localhost:6443', 'sends no token over http'],
    ['bazel', 'http://localhost:8080', 'sends no token over http'],
  ] as const) {
    await dialog.getByLabel('Tool').selectOption(tool);
    await address.fill(url);
    await expect(address).toHaveAccessibleDescription(new RegExp(error));
    await expect(dialog.getByRole('button', { name: 'Connect', exact: true })).toBeDisabled();
    await expect(dialog).not.toContainText('--url');
  }
  expect([...canned.bodies.values()]).not.toContainEqual(expect.objectContaining({ tool: 'terraform' }));
});

test('where no tool can be connected, the window says why and shows no button', async ({ view, show }) => {
  await show('/credentials/gitlab', {
    ...replies,
    '/portal/status': { ...cannedStatus, tool_obstacle: 'system_account' },
    '/portal/connections': { connections },
  });
  const { page } = view;
  await expect(page.getByText('git at https://gitlab.example.com/group', { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: /^(Check now|Disconnect…)/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Add…' }).click();
  await page.getByRole('menuitem', { name: 'Tool that asks for it…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('This Rotavox runs as an account of the system');
  await expect(dialog.getByRole('button')).toHaveText(['Close']);
  await expectGoodView(view);
});
