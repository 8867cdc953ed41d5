import { expect } from '@playwright/test';
import type { Attention } from '../../src/contract/window/attention.ts';
import {
  type CredentialView,
  credentialStates,
  troubleKinds,
} from '../../src/contract/credential/credential-view.ts';
import { ownUserAgent } from '../../src/contract/service/own-call.ts';
import { defaultSettings } from '../../src/contract/service/settings.ts';
import { firstSizes } from '../../src/main/windows/fit-bounds.ts';
import { attentionText } from '../../src/text/window/attention-text.ts';
import { remedyLabel } from '../../src/text/window/remedies.ts';
import { connectionText } from '../../src/text/window/connection.ts';
import { credentialLabel } from '../../src/text/credential/credentials.ts';
import { overviewText } from '../../src/text/window/overview.ts';
import { templates } from '../fixtures/ivr-templates.ts';
import { expectGoodView } from '../journeys/browser/expect-good-view.ts';
import { IssueDialog } from '../journeys/pages/issue-dialog.ts';
import { credentialView } from '../renderer/credentials/credential-view.ts';
import { cannedStatus, Refusal, repliesOf, test } from './canned-service.ts';

const now = new Date().toISOString();
const soon = new Date(Date.now() + 9 * 3_600_000).toISOString();
const vault = { kind: 'keychain', description: 'the keychain', status: 'ok', message: null };

const settings = { ...defaultSettings, first_steps: 'hidden' };
const overview = {
  '/portal/settings': settings,
  '/portal/attention': { items: [], left_out: 0, next_rotation: null },
  '/portal/lifeline': { now, rows: [], left_out: 0 },
  '/portal/history': { events: [], next_before: null },
};

/** Of a credential that no app uses. */
const noUse = { credential: 'nightly', generation: 3, users: [], running: [], deliveries: [] };
const unusedProxy = {
  credential: 'nightly',
  url: 'http://127.0.0.1:7682/proxy/nightly',
  rules: [],
  tokens: [],
  forbidden: [],
  recent: [],
};

const here = { service: 'embedded', origin: 'http://127.0.0.1:7682' } as const;
const family = { family_id: 'fam_a', token_id: 'tok_a_1', name: 'billing', expires_at: soon };
const one = { name: 'nightly', expires_at: soon };
const target = { kind: 'file', path: '/srv/token' };

/** One of each kind that there is. */
const everyAttention = [
  { kind: 'store_refusing', code: 'ENOSPC', message: 'The disk is full.', since: now },
  {
    kind: 'retirement',
    name: 'nightly',
    service: 'remote',
    origin: 'https://api.example.com',
    generation: 1,
    expires_at: soon,
    message: 'https://api.example.com answered 503. Rotavox will retry.',
    attempts: 3,
    next_try_at: soon,
  },
  {
    kind: 'moved',
    from: { reason: 'other_machine', name: 'old-laptop', folder: '/home/one/.local/share/rotavox' },
    waiting: [one],
  },
  { kind: 'journal_repaired', message: 'The last line was cut short.' },
  {
    kind: 'host_missing',
    id: 'h2',
    name: 'beta',
    address: 'https://10.0.0.6:7682',
    since: now,
    has_successor: false,
  },
  { kind: 'vault', vault: { kind: 'keychain', status: 'locked' }, message: 'Unlock it.', waiting: [one] },
  {
    kind: 'credential',
    ...one,
    ...here,
    state: 'expired',
    trouble: 'expired',
    message: 'It expired.',
    next_try_at: null,
  },
  {
    kind: 'failing',
    ...here,
    trouble: 'unreachable',
    message: 'It does not answer.',
    credentials: [one],
    next_try_at: soon,
  },
  { kind: 'paused_ends', ...one, paused_until: null },
  { kind: 'reminder', ...one, ...here, provider: { id: 'rotavox', inputs: {} }, left_percent: 10 },
  {
    kind: 'delivery',
    name: 'nightly',
    target_id: 'tgt_a',
    target,
    message: 'The folder is missing.',
    next_try_at: soon,
  },
  {
    kind: 'reuse',
    ...family,
    at: now,
    address: '127.0.0.1',
    user_agent: 'curl/8',
    uses: ['curl/8', 'curl/7'].map((program) => ({
      token_id: 'tok_a_1',
      successor_id: 'tok_a_2',
      address: '127.0.0.1',
      user_agent: program,
      count: 2,
      first_at: now,
      last_at: now,
    })),
    credential: null,
  },
  { kind: 'ends_unkept', ...family, validity_days: 7, rotations: 0 },
  { kind: 'suspended_ends', ...family, reason: null },
  { kind: 'wide_rules', name: 'crm', rules: [{ id: 'rule_1', method: '*', path: '/**', becomes: [] }] },
  {
    kind: 'pbx_unreachable',
    name: 'office',
    pbx_trouble: { code: 'not_reached', detail: 'ECONNREFUSED' },
    since: now,
    next_try_at: soon,
  },
] as unknown as readonly Attention[];

test('the overview shows every kind of thing that needs attention, with its remedies', async ({
  view,
  show,
  canned,
}) => {
  await show('/', overview);
  for (const [place, item] of everyAttention.entries()) {
    canned.change({ '/portal/attention': { items: [item], left_out: 0, next_rotation: null } });
    const { title, remedies } = attentionText(item, Date.now());
    const entry = view.page.getByRole('listitem').filter({ hasText: title });
    await expect(entry, item.kind).toBeVisible();
    for (const remedy of remedies) {
      const name = remedyLabel(remedy);
      const control = entry.getByRole('button', { name }).or(entry.getByRole('link', { name }));
      await expect(control.first(), item.kind).toBeVisible();
    }
    if (place === 0) await expectGoodView(view);
  }
});

test(
  'the overview of a new service has its button for a token in one place from the beginning',
  { tag: '@long' },
  async ({ view, show }) => {
    const lifelineAsked = Promise.withResolvers<undefined>();
    const mayAnswer = Promise.withResolvers<undefined>();
    await view.page.route('**/portal/lifeline', async (route) => {
      lifelineAsked.resolve(undefined);
      await mayAnswer.promise;
      await route.fallback();
    });
    const tokens = { Active: 0, Superseded: 0, Expired: 0, Suspended: 0, Blacklisted: 0 };
    await show('/', {
      ...overview,
      '/portal/settings': defaultSettings,
      '/portal/status': { ...cannedStatus, tokens },
    });
    await lifelineAsked.promise;
    const { service, tokens: tokensCard } = overviewText;
    await expect(view.page.getByRole('heading', { name: service.title })).toBeVisible();
    const issue = view.page.getByRole('button', { name: tokensCard.issue });
    expect(await issue.count()).toBe(0);
    mayAnswer.resolve(undefined);
    await expect(issue).toBeVisible();
  },
);

test('the list of credentials has a label for every state', async ({ view, show }) => {
  const trouble = { message: 'Something went wrong.', since: now, attempts: 2, next_try_at: soon };
  const credentials: CredentialView[] = credentialStates.map((state, place) =>
    credentialView({
      id: `cred_${place}`,
      name: `app-${place}`,
      state,
      paused: state === 'paused' ? { until: null } : null,
      trouble: state === 'failing' ? { kind: 'unreachable', ...trouble } : null,
    } as Partial<CredentialView>),
  );
  await show('/credentials', {
    '/portal/settings': settings,
    '/portal/credentials': { credentials, vault },
  });
  for (const [place, { state, trouble: why }] of credentials.entries()) {
    const link = view.page.getByRole('link', { name: `app-${place}`, exact: true });
    const row = view.page.getByRole('listitem').filter({ has: link });
    await expect(row, state).toContainText(credentialLabel(state, why?.kind ?? null));
  }
  await expectGoodView(view);
});

test(
  'a credential is listed with both names and found by either',
  { tag: '@long' },
  async ({ view, show }) => {
    const credentials = [
      credentialView({
        id: 'cred_a',
        name: 'nightly',
        token_name: 'Old exporter',
      } as Partial<CredentialView>),
      credentialView({ id: 'cred_b', name: 'crm', token_name: 'crm' } as Partial<CredentialView>),
    ];
    for (const sought of ['night', 'export']) {
      await show(`/credentials?q=${sought}`, {
        '/portal/settings': settings,
        '/portal/credentials': { credentials, vault },
      });
      const row = view.page.getByRole('listitem').filter({ hasText: 'nightly' });
      await expect(row).toContainText('Old exporter');
      await expect(view.page.getByRole('link', { name: 'crm', exact: true })).toBeHidden();
    }
  },
);

test('the overview counts the tokens that there are, and says when there is none', async ({ view, show }) => {
  const card = view.page.getByRole('region', { name: 'API tokens' });
  const tokens = { Active: 2, Superseded: 1, Expired: 0, Suspended: 0, Blacklisted: 0 };
  await show('/', { ...overview, '/portal/status': { ...cannedStatus, tokens } });
  await expect(card.getByRole('term')).toHaveText(['Active', 'Superseded']);
  await expect(card.getByRole('definition')).toHaveText(['2', '1']);
  await expectGoodView(view);
  const none = { ...tokens, Active: 0, Superseded: 0 };
  await show('/', { ...overview, '/portal/status': { ...cannedStatus, tokens: none } });
  await expect(card).toContainText(overviewText.tokens.none);
});

test('the overview counts the phone menus that there are, but not none', async ({ view, show }) => {
  const card = view.page.getByRole('region', { name: overviewText.menus.title });
  await show('/', { ...overview, '/portal/status': { ...cannedStatus, ivrs: 3 } });
  await expect(card.getByText('3', { exact: true })).toBeVisible();
  await show('/', { ...overview, '/portal/status': { ...cannedStatus, ivrs: 0 } });
  await expect(card).toContainText(overviewText.menus.none);
  await expect(card.getByText('0', { exact: true })).toHaveCount(0);
});

test(
  'the page of a credential tells every trouble and offers something to do about it',
  { tag: '@long' },
  async ({ view, show, canned }) => {
    await show('/credentials/nightly', repliesOf(credentialView({ name: 'nightly' })));
    for (const kind of troubleKinds) {
      const message = `What happened: ${kind}.`;
      const trouble = { kind, message, since: now, attempts: 2, next_try_at: soon };
      const credential = credentialView({ name: 'nightly', state: 'failing', trouble, message });
      canned.change({
        '/portal/credentials': { credentials: [credential], vault },
        '/portal/credentials/nightly': credential,
      });
      const notice = view.page.getByRole('alert').filter({ hasText: message });
      await expect(notice, kind).toBeVisible();
      await expect(notice.getByRole('button').first(), kind).toBeVisible();
    }
  },
);

for (const [what, reply, words] of [
  ['a refusal', new Refusal(503, 'The store is busy.'), 'The store is busy.'],
  ['an answer that is none of the service', new Refusal(502), '502'],
  ['a session that ended', new Refusal(401, 'Unauthorized'), 'not signed in'],
] as const)
  test(`a window says what ${what} means instead of an empty page`, async ({ view, show }) => {
    await show('/credentials', {
      '/portal/status': reply,
      '/portal/settings': reply,
      '/portal/credentials': reply,
    });
    await expect(view.alert.first()).toContainText(words);
    await expect(view.retry.first()).toBeVisible();
  });

test(
  'the question before a rotation names who loses the token and who gets the new one',
  { tag: '@long' },
  async ({ view, show }) => {
    const actor = { kind: 'bearer', token_id: 'tok_a_3', address: '127.0.0.1' };
    const configuration = {
      name: 'nightly-report',
      category: 'general',
      validity_days: 7,
      scopes: [],
      ip_restrictions: [],
    };
    const used = {
      seq: 5,
      at: now,
      kind: 'token.first_used',
      subject: 'fam_a',
      data: { token_id: 'tok_a_3' },
    };
    const credential = credentialView({
      name: 'nightly',
      family_id: 'fam_a',
      token_id: 'tok_a_3',
      targets: [
        { id: 'tgt_a', target, status: 'delivered', generation: 3, delivered_at: now, message: null },
      ].map((one) => ({ ...one, note: null, attempts: 0, next_try_at: null })),
    } as unknown as Partial<CredentialView>);
    await show('/credentials/nightly?rotate=1', {
      '/portal/settings': settings,
      '/portal/credentials': { credentials: [credential], vault },
      '/portal/credentials/nightly/history': { events: [], next_before: null },
      '/portal/credentials/nightly/proxy': unusedProxy,
      '/portal/credentials/nightly/use': noUse,
      '/portal/credentials/nightly': credential,
      '/portal/families/fam_a': {
        id: 'fam_a',
        configuration,
        issued: { seq: 1, at: now, configuration, expires_at: soon },
        generations: 3,
        tokens: [],
        last_reuse: null,
        kept_fresh_by: 'nightly',
      },
      '/portal/history': {
        events: [
          { ...used, actor: { ...actor, user_agent: 'backup/2' } },
          { ...used, seq: 4, actor: { ...actor, user_agent: ownUserAgent } },
        ],
        next_before: null,
      },
    });
    const dialog = view.page.getByRole('dialog', { name: 'Rotate nightly now?' });
    const users = dialog.getByRole('list', { name: 'Programs that use the current token' });
    await expect(users.getByRole('listitem')).toHaveCount(1);
    await expect(users).toContainText('127.0.0.1 (backup/2)');
    await expect(dialog.getByRole('list', { name: 'Targets that get the new token' })).toContainText(
      '/srv/token',
    );
    await expect(dialog).toContainText('rotavox get nightly');
    await expect(dialog.getByRole('button', { name: 'Rotate now' })).toBeFocused();
    await expectGoodView(view);
    await view.page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
    await expect(view.page, 'asked once').toHaveURL(/\/credentials\/nightly$/);
    await expect(view.page.getByText('rotavox get nightly', { exact: true })).toHaveCount(1);
  },
);

test(
  'a token is issued without automatic rotation where it could not be stored, until a person chooses it',
  { tag: '@long' },
  async ({ view, canned, show }) => {
    const message = 'There is no D-Bus session, so there is no keychain.';
    const replies = {
      ...overview,
      '/portal/tokens/facets': { statuses: cannedStatus.tokens, categories: [] },
      '/portal/credentials': { credentials: [], vault },
    };
    const dialog = new IssueDialog(view.page);
    await show('/tokens/issue', replies);
    await expect(dialog.rotate).toBeChecked();
    await show('/tokens/issue', {
      ...replies,
      '/portal/credentials': { credentials: [], vault: { ...vault, status: 'absent', message } },
    });
    await expect(dialog.rotate).not.toBeChecked();
    await expect(dialog.rotate).toHaveAccessibleDescription(
      `Rotavox needs the keychain to store the token, and cannot use it. ${message}`,
    );
    await expect(dialog.credentialName).toBeHidden();
    await expectGoodView(view);
    canned.change({ '/portal/credentials': { credentials: [], vault } });
    await expect(dialog.rotate).not.toHaveAccessibleDescription(/cannot use it/);
    await expect(dialog.rotate, 'not changed by itself').not.toBeChecked();
    await dialog.name.fill('nightly report');
    await dialog.setRotated(true);
    await expect(dialog.credentialName).toHaveValue('nightly-report');

    const { promise: isReady, resolve: answer } = Promise.withResolvers<undefined>();
    await view.page.route(/\/portal\/credentials\?ids=$/, async (route) => {
      await isReady;
      await route.continue();
    });
    await show('/tokens/issue', replies);
    await expect(dialog.rotate, 'before it is known whether the token could be stored').toBeDisabled();
    answer(undefined);
    await expect(dialog.rotate).toBeEnabled();
    await expect(dialog.rotate).toBeChecked();
  },
);

test('the first stop of Tab leads past the navigation', async ({ view, show }) => {
  await show('/', overview);
  const { page } = view;
  await page.keyboard.press('Tab');
  const skip = page.getByRole('button', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await expect(page.getByRole('main')).toHaveCSS('outline-style', 'none');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('main').locator(':focus')).toBeVisible();
});

test(
  'the navigation is one line in a window as it opens, also while changes are refused',
  { tag: '@long' },
  async ({ view, show }) => {
    await view.page.setViewportSize(firstSizes.overview);
    const refusing = {
      status: 'refusing',
      last_seq: 12,
      code: 'ENOSPC',
      reason: 'The disk is full.',
      since: now,
    };
    await show('/', { ...overview, '/portal/status': { ...cannedStatus, store: refusing } });
    await expect(view.page.getByRole('banner')).toContainText(connectionText.state.refusing);
    const links = await view.page.getByRole('banner').getByRole('link').all();
    const boxes = await Promise.all(links.map((link) => link.boundingBox()));
    const brand = await view.page.getByRole('heading', { level: 1 }).boundingBox();
    expect(new Set(boxes.map((box) => box?.y)).size).toBe(1);
    expect(Math.abs((boxes[0]?.y ?? 0) - (brand?.y ?? 100))).toBeLessThan(16);
  },
);

test(
  'a name that is written from right to left leaves the order of what stands beside it alone',
  { tag: '@long' },
  async ({ view, show }) => {
    const credential = credentialView({ name: 'שלום 12' });
    await show('/credentials', {
      '/portal/settings': settings,
      '/portal/credentials': { credentials: [credential], vault },
    });
    const name = view.page.getByRole('link', { name: 'שלום 12' }).locator('bdi');
    await expect(name).toHaveText('שלום 12');
    expect(await name.evaluate((element) => getComputedStyle(element).unicodeBidi)).toBe('isolate');
  },
);

test(
  'a page that is not signed in shows the command with the data folder',
  { tag: '@long' },
  async ({ view, show }) => {
    const command = 'rotavox --data-dir /srv/rotavox open';
    const refusal = new Refusal(401, 'Sign in.', { sign_in_command: command });
    await show('/', Object.fromEntries(Object.keys(overview).map((path) => [path, refusal])));
    await expect(view.page.getByRole('alert')).toContainText(command);
  },
);

test(
  'a stored menu is deleted after naming the drafts and menus that it concerns',
  { tag: '@long' },
  async ({ view, show }) => {
    const menu = {
      id: 'ivr_a',
      version: 1,
      created_at: now,
      updated_at: now,
      name: 'Reception',
      description: '',
      recording: 'recording||42',
      option: ['1'],
      destination: ['extension||101'],
      timeout: 5,
      incorrect_count: 1,
      invalid_recording: 'recording||42',
      invalid_destination: 'extension||101',
      timeout_retry_recording: 'recording||42',
      timeout_recording: 'recording||42',
      timeout_tries: 1,
      timeout_destination: 'extension||101',
    };
    const other = { ...menu, id: 'ivr_b', name: 'Opening hours', destination: ['ivr||ivr_a'] };
    const publication = {
      credential: null,
      base_url: 'http://127.0.0.1:7682',
      menus: { node: 'ivr_a' },
      version: 1,
    };
    const draft = {
      id: 'draft_sample00001',
      revision: 1,
      created_at: now,
      updated_at: now,
      name: 'Front desk',
      menus: 1,
      scenarios: 0,
      errors: 0,
      warnings: 0,
      publications: [{ ...publication, published_at: now }],
    };
    await show('/ivr/ivr_a', {
      '/portal/settings': settings,
      '/portal/ivrs': { ivrs: [menu, other] },
      '/portal/ivrs/ivr_a/versions': { versions: [menu] },
      '/portal/ivrs/drafts': { drafts: [draft] },
    });
    await view.page.getByRole('button', { name: 'Delete menu…' }).click();
    const dialog = view.page.getByRole('dialog', { name: 'Delete “Reception”?' });
    await expect(dialog).toContainText('Callers of “Opening hours” who are sent to it reach nothing');
    await expect(dialog).toContainText('It was published from “Front desk”.');
    await expect(dialog.getByRole('button', { name: 'Delete menu' })).toBeVisible();
  },
);

test('the address of a service changes only after consent to send the token to another origin', async ({
  view,
  show,
}) => {
  const credential = credentialView({
    name: 'crm',
    service: 'remote',
    base_url: 'https://old.example.com/v1',
  });
  await show('/credentials/crm', {
    '/portal/settings': settings,
    '/portal/credentials': { credentials: [credential], vault },
    '/portal/credentials/crm': credential,
    '/portal/credentials/crm/history': { events: [], next_before: null },
    '/portal/credentials/crm/proxy': unusedProxy,
    '/portal/credentials/crm/use': noUse,
    '/portal/credentials/crm/address': new Refusal(409, 'It was sent.'),
  });
  await view.page.getByRole('button', { name: 'Change address…' }).click();
  const dialog = view.page.getByRole('dialog');
  await dialog.getByLabel('New address').fill('https://new.example.com/v1');
  await dialog.getByRole('button', { name: 'Test and save' }).click();
  await expect(dialog).toContainText('Send the token to https://new.example.com?');
  await expect(dialog).toContainText('Until now the token was sent only to https://old.example.com.');
  await expect(dialog).not.toContainText('It was sent.');
  await dialog.getByRole('button', { name: 'Send token and test' }).click();
  await expect(dialog).toContainText('It was sent.');
});

test(
  'a draft says that its stored menu was deleted and offers to publish, and each field of a key can be clicked',
  { tag: '@long' },
  async ({ view, show }) => {
    const { document } = templates[0]!;
    const id = 'draft_sample00001';
    const altered = { deleted: ['Reception'], replaced: [], is_gone: true };
    const publication = {
      credential: null,
      base_url: 'http://127.0.0.1:7682',
      menus: { reception: 'ivr_a' },
      version: 1,
      published_at: now,
      altered,
    };
    const draft = {
      id,
      revision: 1,
      created_at: now,
      updated_at: now,
      document,
      publications: [publication],
    };
    await view.page.setViewportSize({ width: 1280, height: 800 });
    await show(`/ivr/drafts/${id}`, {
      '/portal/settings': settings,
      '/portal/ivrs': { ivrs: [] },
      [`/portal/ivrs/drafts/${id}`]: draft,
      [`/portal/ivrs/drafts/${id}/windows`]: { id, windows: [] },
      [`/portal/ivrs/drafts/${id}/versions`]: { versions: [] },
      '/portal/calls/live': { calls: [] },
      '/portal/recordings': { recordings: [] },
      '/portal/extensions': { extensions: [] },
      '/portal/schedules': { schedules: [] },
      '/portal/sms-templates': { sms_templates: [] },
      '/portal/credentials': { credentials: [], vault },
      '/portal/pbxs': { pbxs: [] },
    });
    await expect(view.page.getByText('Not live: the stored menus were deleted')).toBeVisible();
    const notice = view.page
      .getByRole('alert')
      .filter({ hasText: '“Reception” was deleted since version 1' });
    await expect(notice).toBeVisible();

    await view.page.getByRole('group', { name: /^Menu: Reception/ }).focus();
    await view.page.keyboard.press('Enter');
    const keys = view.page.getByRole('table', { name: 'Keys of Reception' });
    for (const name of ['Where key 1 leads', 'Queue or department: id'])
      await keys.getByRole('combobox', { name }).first().click({ trial: true });
    await expectGoodView(view);

    await notice.getByRole('button', { name: 'Publish…' }).click();
    await expect(view.page.getByRole('dialog')).toContainText('“Reception” was deleted since version 1');
    await view.page.keyboard.press('Escape');
    await notice.getByRole('button', { name: 'Dismiss' }).click();
    await expect(notice).toBeHidden();
  },
);
