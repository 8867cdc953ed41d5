import { expect } from '@playwright/test';
import { ringText } from '../../src/text/calls/telephone-systems.ts';
import { trafficText } from '../../src/text/menu/traffic.ts';
import { templates } from '../fixtures/ivr-templates.ts';
import { expectGoodView } from '../journeys/browser/expect-good-view.ts';
import { at, liveCall, replies } from './calls-replies.ts';
import { Refusal, test } from './canned-service.ts';

const { document: flow } = templates.find(
  ({ document: { nodes } }) => Object.values(nodes).filter(({ kind }) => kind === 'menu').length > 1,
)!;
const menus = Object.values(flow.nodes).filter((node) => node.kind === 'menu');
const [first, second] = [menus[0]!, menus[1]!];
const id = 'draft_sample00001';
const stored = Object.fromEntries(menus.map((menu, place) => [menu.id, `ivr_${place}`]));
const publication = {
  credential: null,
  base_url: 'http://127.0.0.1:7682',
  menus: stored,
  version: 1,
  published_at: at(100),
};
const draft = {
  id,
  revision: 1,
  created_at: at(500),
  updated_at: at(400),
  document: flow,
  publications: [publication],
};
const here = { menu: 'ivr_0', ivr: 'ivr_0' };
const designer = {
  ...replies,
  [`/portal/ivrs/drafts/${id}`]: draft,
  [`/portal/ivrs/drafts/${id}/windows`]: { id, windows: [] },
  '/portal/recordings': { recordings: [] },
  '/portal/sms-templates': { sms_templates: [] },
  '/portal/credentials': {
    credentials: [],
    vault: { kind: 'keychain', description: '', status: 'ok', message: null },
  },
  '/portal/calls/live': { calls: [liveCall('live_1', here), liveCall('live_2', { ...here, keys: ['-'] })] },
};
const traffic = {
  menus: menus.map((_menu, place) => ({
    menu: `ivr_${place}`,
    entered: 100,
    keys: { '1': 60, '2': 10 },
    wrong_keys: 8,
    timeouts: 20,
    hung_up: place === 0 ? 40 : 2,
    led: { wrong_key: 2, timeout: 5 },
  })),
  calls: 120,
  reached: 70,
  hung_up: 45,
  failed: 5,
  median_to_destination_ms: 17_400,
  by: 'day',
  times: [
    { at: at(4 * 1440), calls: 20 },
    { at: at(3 * 1440), calls: 60 },
    { at: at(1440), calls: 40 },
  ],
};

test('a card says how many callers are in its menu and lists them, as the stream tells', async ({
  view,
  show,
  canned,
}) => {
  const { page } = view;
  await page.setViewportSize({ width: 1280, height: 800 });
  await show(`/ivr/drafts/${id}`, designer);
  const badge = page.getByRole('button', { name: `2 callers in “${first.name}” now` });
  await expect(badge).toHaveText('2');
  canned.tell('calls', { changed: [liveCall('live_2', { ...here, menu: 'ivr_1', keys: ['1'] })], ended: [] });
  await expect(page.getByRole('button', { name: `1 caller in “${first.name}” now` })).toBeVisible();
  const moved = page.getByRole('button', { name: `1 caller in “${second.name}” now` });
  await moved.focus();
  await page.keyboard.press('Enter');
  const list = page.getByRole('dialog', { name: `1 caller in “${second.name}” now` });
  await expect(list.getByRole('link', { name: '+49 30 1234567 · Waits for a key · keys: 1' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(moved).toBeFocused();
  canned.tell('calls', { changed: [], ended: ['live_1', 'live_2'] });
  await expect(moved).toBeHidden();
});

test(
  'a call that tries the draft is at the node that it names',
  { tag: '@long' },
  async ({ view, show, canned }) => {
    await view.page.setViewportSize({ width: 1280, height: 800 });
    await show(`/ivr/drafts/${id}`, { ...designer, '/portal/calls/live': { calls: [] } });
    await view.page
      .getByRole('group', { name: `Menu: ${second.name}` })
      .first()
      .waitFor();
    canned.tell('calls', {
      changed: [
        liveCall('live_9', { draft: id, ivr: second.id, menu: second.id }),
        liveCall('live_8', { draft: 'draft_b', menu: first.id }),
      ],
      ended: [],
    });
    await expect(view.page.getByRole('button', { name: `1 caller in “${second.name}” now` })).toBeVisible();
    await expect(view.page.getByRole('button', { name: `1 caller in “${first.name}” now` })).toBeHidden();
  },
);

test('a prompt is a sound that the telephone system lists, and one that it does not have is said', async ({
  view,
  show,
}) => {
  const { page } = view;
  await page.setViewportSize({ width: 1280, height: 800 });
  const sounds = [
    { name: 'custom/welcome', text: '' },
    { name: 'vm-goodbye', text: 'Goodbye' },
  ];
  await show(`/ivr/drafts/${id}`, {
    ...designer,
    '/portal/pbx-sounds': { pbxs: [{ name: 'office', sounds }] },
    '/portal/prompts/check': {
      silent: [{ prompt: 'sound||custom/gone', reason: 'no_sound', pbx: 'office' }],
    },
  });
  await page
    .getByRole('group', { name: `Menu: ${first.name}` })
    .first()
    .focus();
  await page.keyboard.press('Enter');
  const { promise: isListed, resolve: list } = Promise.withResolvers<undefined>();
  await page.route('**/portal/pbx-sounds', async (route) => {
    await isListed;
    await route.continue();
  });
  const field = page.getByRole('combobox', { name: 'Callers hear', exact: true });
  await page.getByLabel('Callers hear: kind').selectOption('Sound');
  await field.fill('good');
  list(undefined); // a person may type before the sounds are known
  await page.getByRole('option', { name: /Goodbye/ }).click();
  await expect(field).toHaveValue('vm-goodbye');
  await field.fill('custom/gone');
  await expect(
    page.getByText('The telephone system “office” has no sound “custom/gone”').first(),
  ).toBeVisible();
  await field.fill('../gone');
  await expect(page.getByText('Enter the name of a sound of the telephone system').first()).toBeVisible();
});

test('the outline tells callers and traffic in words', { tag: '@long' }, async ({ view, show }) => {
  const { page } = view;
  await page.setViewportSize({ width: 1280, height: 800 });
  await show(`/ivr/drafts/${id}`, { ...designer, '/portal/traffic': traffic });
  await page.getByRole('button', { name: 'Outline', exact: true }).click();
  const outline = page.getByRole('region', { name: 'Outline' });
  await outline.getByText(`2 callers in “${first.name}” now`).click();
  await expect(outline.getByText('+49 30 1234567 · Waits for a key · keys: timeout')).toBeVisible();
  await page.keyboard.press('Shift+T');
  await expect(outline).toContainText('Entered 100 times. Key 1: 60');
  await expect(outline).toContainText(`Hung up: 40 (40 %). ${trafficText.giveUp}.`);
  await expectGoodView(view);
});

test(
  'traffic stands on the cards, with what many give up at, by period',
  { tag: '@long' },
  async ({ view, show }) => {
    const { page } = view;
    await page.setViewportSize({ width: 1440, height: 900 });
    await show(`/ivr/drafts/${id}`, { ...designer, '/portal/traffic': traffic });
    const asked = page.waitForRequest((request) => new URL(request.url()).pathname === '/portal/traffic');
    await page.getByRole('button', { name: trafficText.title }).click();
    expect(new URL((await asked).url()).searchParams.get('menus')).toBe(Object.values(stored).join(','));
    const bar = page.getByRole('region', { name: trafficText.title });
    await expect(bar).toContainText(
      '120 calls: 70 reached a destination (58 %), 45 hung up (38 %), 5 failed (4 %).',
    );
    await expect(bar).toContainText('Half of the calls reach a destination within 17 s.');
    await expect(bar.getByRole('img', { name: 'Calls by day' })).toBeVisible();
    await expect(page.getByText('40 % hang up').first()).toBeVisible();
    await expectGoodView(view);
    await page.setViewportSize({ width: 1440, height: 900 });
    const again = page.waitForRequest((request) => new URL(request.url()).pathname === '/portal/traffic');
    await bar.getByLabel('30 days').check();
    await again;
    await page.getByRole('button', { name: trafficText.title }).click();
    await expect(page.getByText('40 % hang up')).toHaveCount(0);
  },
);

test(
  'traffic that cannot be read, that is empty, or that nothing is counted for is said',
  { tag: '@long' },
  async ({ view, show }) => {
    const { page } = view;
    await page.setViewportSize({ width: 1280, height: 800 });
    const bar = page.getByRole('region', { name: trafficText.title });
    const open = () => page.getByRole('button', { name: trafficText.title }).click();
    await show(`/ivr/drafts/${id}`, {
      ...designer,
      '/portal/traffic': new Refusal(503, 'The store is busy.'),
    });
    await open();
    await expect(bar).toContainText('The traffic could not be read. The store is busy.');
    await show(`/ivr/drafts/${id}`, { ...designer, '/portal/traffic': { ...traffic, calls: 0, times: [] } });
    await open();
    await expect(bar).toContainText(trafficText.none);
    await show(`/ivr/drafts/${id}`, {
      ...designer,
      [`/portal/ivrs/drafts/${id}`]: { ...draft, publications: [] },
    });
    await open();
    await expect(bar).toContainText(trafficText.notPublished);
  },
);

test('a draft is called on a phone, and what is wrong is said in words', async ({ view, show, canned }) => {
  const { page } = view;
  await page.setViewportSize({ width: 1280, height: 800 });
  await show(`/ivr/drafts/${id}`, {
    ...designer,
    '/portal/pbxs/office/ring': new Refusal(409, 'This draft cannot be called yet: it has 2 errors.', {
      code: 'conflict',
    }),
  });
  await page.getByRole('button', { name: ringText.open }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(ringText.draftLead);
  await dialog.getByLabel('Phone').fill('PJSIP/101');
  await dialog.getByRole('button', { name: ringText.ring, exact: true }).click();
  await expect(dialog).toContainText('This draft cannot be called yet: it has 2 errors.');
  await expectGoodView(view);
  canned.replies.set('/portal/pbxs/office/ring', { call: 'call_9' });
  await dialog.getByRole('button', { name: ringText.ring, exact: true }).click();
  await expect(dialog).toContainText(ringText.rings('PJSIP/101'));
  expect(canned.bodies.get('/portal/pbxs/office/ring')).toEqual({
    endpoint: 'PJSIP/101',
    menu: { draft: id },
  });
  canned.tell('calls', { changed: [liveCall('call_9', { draft: id, menu: second.id })], ended: [] });
  await expect(dialog).toContainText(ringText.inMenu(second.name));
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: ringText.open }).click();
  await expect(dialog.getByLabel('Phone')).toHaveValue('PJSIP/101');
});

test(
  'without a telephone system the call of a draft leads to the setup',
  { tag: '@long' },
  async ({ view, show }) => {
    await view.page.setViewportSize({ width: 1280, height: 800 });
    await show(`/ivr/drafts/${id}`, { ...designer, '/portal/pbxs': { pbxs: [] } });
    await view.page.getByRole('button', { name: ringText.open }).click();
    await expect(view.page.getByRole('dialog')).toContainText(ringText.none.text);
    await expectGoodView(view);
  },
);

test(
  '200 calls that move add no elements to the canvas',
  { tag: '@long' },
  async ({ view, show, canned }) => {
    const { page } = view;
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    const calls = (place: number) =>
      Array.from({ length: 200 }, (_, index) =>
        liveCall(`live_${index}`, { menu: `ivr_${(index + place) % menus.length}`, keys: ['1'] }),
      );
    await show(`/ivr/drafts/${id}`, { ...designer, '/portal/calls/live': { calls: calls(0) } });
    const badges = page.getByRole('button', { name: /callers? in “.*” now/ });
    await expect(badges).toHaveCount(menus.length);
    const count = () => page.evaluate(() => document.querySelectorAll('*').length);
    const before = await count();
    // What the dots are drawn with: one canvas, which has something on it.
    const hasDots = () =>
      page.locator('.react-flow canvas').evaluate((canvas: HTMLCanvasElement) => {
        const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
        return data.some((value) => value !== 0);
      });
    await expect.poll(hasDots).toBe(true);
    for (let place = 1; place <= 10; place += 1) canned.tell('calls', { changed: calls(place), ended: [] });
    await expect.poll(() => badges.count()).toBe(menus.length);
    expect(await count()).toBe(before);
    canned.tell('calls', { changed: [], ended: calls(0).map((call) => call.id) });
    await expect(badges).toHaveCount(0);
    await expect.poll(hasDots).toBe(false);
  },
);

test('a sound of the telephone system is a problem only where it has none of that name, or cannot tell', async ({
  view,
  show,
  canned,
}) => {
  const { page } = view;
  await page.setViewportSize({ width: 1280, height: 800 });
  const prompt = 'recording||custom/welcome';
  const withSound = {
    ...draft,
    document: { ...flow, nodes: { ...flow.nodes, [first.id]: { ...first, recording: prompt } } },
  };
  const silent = [{ prompt, reason: 'no_sound', pbx: 'office' }];
  await show(`/ivr/drafts/${id}`, {
    ...designer,
    [`/portal/ivrs/drafts/${id}`]: withSound,
    '/portal/prompts/check': { silent },
  });
  await page.getByRole('tab', { name: /roblems/ }).click();
  const problems = page.getByRole('region', { name: 'Problems' });
  await expect(problems).toContainText('and the telephone system “office” has no sound with this name');
  expect(canned.bodies.get('/portal/prompts/check')).toEqual({ prompts: [prompt] });

  canned.replies.set('/portal/prompts/check', { silent: [] });
  canned.tell('change', { seq: 14, kind: 'pbx.changed', subject: 'pbx_a' });
  await expect(problems).not.toContainText('custom/welcome');
});
