import { expect } from '@playwright/test';
import { PbxTroubleCode } from '../../src/contract/calls/pbx.ts';
import { pbxTroubleText } from '../../src/text/calls/pbx-text.ts';
import { pbxListText, pbxSetupText } from '../../src/text/calls/telephone-systems.ts';
import { expectGoodView } from '../journeys/browser/expect-good-view.ts';
import { down, failedTest, liveCall, office, passedTest, replies } from './calls-replies.ts';
import { Refusal, test } from './canned-service.ts';

test(
  'without a telephone system the list says what one is for and leads to the setup',
  { tag: '@long' },
  async ({ view, show }) => {
    const none = { ...replies, '/portal/pbxs': { pbxs: [] } };
    await show('/telephone-systems', none);
    await expect(view.page.getByText(pbxListText.empty.text)).toBeVisible();
    await expectGoodView(view);
    await view.page.getByRole('button', { name: pbxListText.add }).click();
    await expect(view.page.getByRole('heading', { level: 1 })).toHaveText(pbxSetupText.title);
  },
);

test('the setup makes a password, connects, tests at once and shows the lines for the dialplan', async ({
  view,
  show,
  canned,
}) => {
  await show('/add-telephone-system', {
    ...replies,
    '/portal/pbxs': { pbxs: [] },
    '/portal/pbxs/office/test': failedTest,
  });
  const { page } = view;
  const allow = page.getByRole('region', { name: pbxSetupText.steps.allow.title });
  const shown = await allow.locator('pre').first().innerText();
  const password = /^password = ([A-Za-z0-9]{32})$/m.exec(shown)?.[1] ?? '';
  expect(password).not.toBe('');
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(password);
  await expectGoodView(view);

  await page.getByLabel('On another computer').check();
  await expect(allow).toContainText('tlsenable = yes');
  await page.getByLabel('Address').fill('http://pbx.example.com:8088');
  await expect(page.getByLabel('Send the password unencrypted')).toBeVisible();
  await page.getByLabel('On this computer').check();
  await expect(page.getByLabel('Address')).toHaveValue('http://127.0.0.1:8088');

  canned.onChange('/portal/pbxs', office, { '/portal/pbxs': { pbxs: [office] } });
  const connect = page.getByRole('button', { name: pbxSetupText.steps.connect.submit });
  await connect.click();
  const sent = { name: 'office', user: 'rotavox', password };
  await expect.poll(() => canned.bodies.get('/portal/pbxs')).toMatchObject(sent);
  canned.tell('change', { seq: 13, kind: 'pbx.added', subject: 'pbx_a' });
  await expect(page.getByText('Asterisk 22.10.1 is not ready: 2 checks fail.')).toBeVisible();
  await expect(page.getByText('load = res_http_media_cache.so')).toBeVisible();
  await expect(page.getByText('Stasis(rotavox,ivr_a)')).toBeVisible();
  const silent = page
    .getByText('Callers do not hear 1 prompt of this menu, and may not hear 1 more')
    .locator('..');
  await expect(silent).toContainText('Recording 11: “office” does not have a sound with this name.');
  await expect(silent).toContainText('Recording 12: It is not in the list of recordings.');
  await expectGoodView(view);

  canned.replies.set('/portal/pbxs/office/test', passedTest);
  await page.getByRole('button', { name: 'Test connection' }).click();
  await expect(page.getByText('Asterisk 22.10.1 is ready: all 7 checks pass.')).toBeVisible();
  await expect(page.getByText('Callers do not hear 2 prompts of stored menus')).toBeVisible();
  await expect(page.getByText('“Reception”, recording custom/welcome: “office” does not have')).toBeVisible();
  await page.getByRole('textbox', { name: 'Number' }).fill('${X}');
  await expect(page.getByText('The number must have 1 to 40 characters')).toBeVisible();
  await page.getByRole('textbox', { name: 'Number' }).fill('500');
  await expect(
    page.getByText(/exten => 500,1,Goto\(rotavox_reception_[0-9a-f]{8}_calls,s,1\)/),
  ).toBeVisible();
  const line = /ivr export ivr_\w+ --to asterisk --pbx office > rotavox_reception_[0-9a-f]{8}\.conf/;
  await expect(page.getByText(line).first()).toBeVisible();
  await page.getByRole('button', { name: pbxSetupText.finish }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('office');
});

test('the lines for a menu come with the letters that callers will not hear, and what helps', async ({
  view,
  show,
}) => {
  const { page } = view;
  const asked: unknown[] = [];
  page.on('request', (request) => {
    if (/\/portal\/(?:prompts|speech)\/check$/.test(request.url())) asked.push(request.postDataJSON());
  });
  const [first, ...others] = replies['/portal/ivrs'].ivrs;
  const speech = { language: 'es-ES', voice: null };
  const menu = { ...first, recording: 'outbound_tts||Hola 日本', speech };
  const heard = {
    text: 'Hola 日本',
    state: 'spoken',
    changed: [],
    made: false,
    recording: 'rec_1',
    voice: 'pico/es-ES',
    voice_language: 'es-ES',
    unreadable: ['日', '本'],
    problem: null,
  };
  await show('/telephone-systems/office', {
    ...replies,
    '/portal/ivrs': { ivrs: [menu, ...others] },
    '/portal/prompts/check': { silent: [] },
    '/portal/speech/check': { prompts: [heard] },
  });
  const notice = page.getByText('Callers do not hear all of 1 prompt of this menu').locator('..');
  await expect(notice).toContainText('“Hola 日本”: callers do not hear these letters of the text');
  await expect(notice.getByRole('link', { name: 'Add a voice' })).toHaveAttribute('href', '/settings#voices');
  await expect(notice.getByRole('link', { name: 'Record a prompt' })).toHaveAttribute('href', '/recordings');
  // Each menu as its call flow has it.
  expect(asked).toContainEqual({ texts: [heard.text], ...speech });
  expect(asked).toContainEqual({ prompts: expect.arrayContaining([menu.recording]) as unknown, speech });
  for (const body of asked) expect(JSON.stringify(body)).not.toMatch(/Hola(?!.*es-ES)/);
});

test(
  'a refused telephone system keeps what was entered and says why',
  { tag: '@long' },
  async ({ view, show, canned }) => {
    await show('/add-telephone-system', { ...replies, '/portal/pbxs': { pbxs: [] } });
    await view.page.getByRole('button', { name: pbxSetupText.steps.connect.submit }).waitFor();
    canned.onChange(
      '/portal/pbxs',
      new Refusal(409, 'There is already a telephone system “office”.', { code: 'conflict' }),
    );
    await view.page.getByRole('button', { name: pbxSetupText.steps.connect.submit }).click();
    await expect(view.page.getByText('There is already a telephone system “office”.')).toBeVisible();
    await expect(view.page.getByLabel('Name')).toHaveValue('office');
  },
);

test(
  'the page of a telephone system says every trouble and what to do',
  { tag: '@long' },
  async ({ view, show, canned }) => {
    await show('/telephone-systems/office', replies);
    for (const code of PbxTroubleCode.options) {
      const trouble = { code, detail: 'detail' };
      canned.change({ '/portal/pbxs': { pbxs: [{ ...down, state: { ...down.state, trouble } }] } });
      const { what, advice } = pbxTroubleText(trouble);
      await expect(view.alert.filter({ hasText: what }), code).toContainText(advice);
    }
    await expectGoodView(view);
  },
);

test(
  'a connection that comes back is shown without a reload',
  { tag: '@long' },
  async ({ view, show, canned }) => {
    await show('/telephone-systems/office', { ...replies, '/portal/pbxs': { pbxs: [down] } });
    await expect(view.alert.filter({ hasText: 'ECONNREFUSED' })).toBeVisible();
    canned.replies.set('/portal/pbxs', { pbxs: [office] });
    canned.tell('pbx', {});
    await expect(view.page.getByText('Connected to Asterisk 22.10.1')).toBeVisible();
    await expect(view.alert.filter({ hasText: 'ECONNREFUSED' })).toBeHidden();
  },
);

test('the page changes the password, the destinations, and removes after a question', async ({
  view,
  show,
  canned,
}) => {
  const { page } = view;
  await show('/telephone-systems/office', { ...replies, '/portal/pbxs/office': office });
  await expectGoodView(view);
  await page.getByRole('button', { name: 'Change…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Password', { exact: true }).fill('another one');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  expect(canned.bodies.get('/portal/pbxs/office')).toMatchObject({ password: 'another one' });

  await page.getByLabel('Queues and departments: Context').fill('ext queues');
  await page.getByRole('button', { name: 'Save destinations' }).click();
  await expect(page.getByText('The context must be a context of extensions.conf')).toBeVisible();
  await page.getByLabel('Queues and departments: Context').fill('ext-queues');
  await expect(page.getByText('For example 5@ext-queues')).toBeVisible();
  await expect(page.getByText('Not reached: calls for it go to the fallback')).toHaveCount(1);
  await page.getByLabel('Voicemail: Context').fill('');
  await page.getByLabel('Voicemail: Extension').fill('');
  await expect(page.getByText('Not reached: calls for it go to the fallback')).toHaveCount(2);
  await page.getByRole('button', { name: 'Save destinations' }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  expect(canned.bodies.get('/portal/pbxs/office')).toMatchObject({
    destinations: {
      department: { context: 'ext-queues', extension: '{id}' },
      voicemail: null,
      timegroup: null,
    },
  });

  canned.replies.set('/portal/pbxs/office', { name: 'office' });
  await page.getByRole('button', { name: 'Remove telephone system…' }).click();
  await expect(dialog).toContainText('3 calls in menus now go to the fallback menu');
  await dialog.getByRole('button', { name: 'Remove telephone system' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Telephone systems');
});

test(
  'a test call says that the phone rings, where the call is, and when it has ended',
  { tag: '@long' },
  async ({ view, show, canned }) => {
    const { page } = view;
    await show('/telephone-systems/office', {
      ...replies,
      '/portal/calls/live': { calls: [] },
      '/portal/pbxs/office/ring': { call: 'call_9' },
    });
    const card = page.getByRole('region', { name: 'Test call' });
    await card.getByLabel('Phone', { exact: true }).fill('101');
    await card.getByRole('button', { name: 'Ring me' }).click();
    await expect(card).toContainText('The phone must be a phone as Asterisk names it');
    await card.getByLabel('Phone', { exact: true }).fill('PJSIP/101');
    await card.getByRole('button', { name: 'Ring me' }).click();
    await expect(card).toContainText('PJSIP/101 rings.');
    expect(canned.bodies.get('/portal/pbxs/office/ring')).toEqual({
      endpoint: 'PJSIP/101',
      menu: { ivr: 'ivr_a' },
    });
    await page.waitForFunction(
      () => performance.getEntriesByName(`${location.origin}/portal/calls/live`).length > 0,
    );
    canned.tell('calls', { changed: [liveCall('call_9', { menu: 'ivr_b' })], ended: [] });
    await expect(card).toContainText('The call is in “Sales”.');
    canned.tell('calls', { changed: [], ended: ['call_9'] });
    await expect(card).toContainText('The call has ended.');
    await expect(card.getByRole('link', { name: 'Open the call' })).toHaveAttribute('href', '/calls/call_9');
  },
);
