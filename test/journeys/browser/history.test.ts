import { expect } from '@playwright/test';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HistoryEvent } from '../../../src/contract/history/audit-event.ts';
import type { IssuedToken } from '../../../src/contract/token/token.ts';
import { ivrBody } from '../../fixtures/ivr-bodies.ts';
import { Owner } from '../owner.ts';
import { Server } from './hosts.ts';
import { test } from './serve-host.ts';

/** Three tokens, of which one is suspended and resumed, and a phone menu. */
async function makeHistory(owner: Owner): Promise<IssuedToken> {
  const token = await owner.issueToken({ name: 'billing-sync', validity_days: 7 });
  await owner.issueToken({ name: 'nightly-report', validity_days: 30 });
  await owner.ask('suspendToken', { params: { id: token.id }, body: { reason: 'Lost on the train' } });
  await owner.ask('resumeToken', { params: { id: token.id }, body: { reason: 'Found again' } });
  await owner.ask('portalCreateIvr', { body: ivrBody });
  return token;
}

const everything = [
  'Phone menu created: Reception',
  'Token resumed: billing-sync · ',
  'Token suspended: billing-sync · ',
  'Token issued: nightly-report · 30 days',
  'Token issued: billing-sync · 7 days',
];

test('everything that happened is there, newest first, and each event opens with all that it says', async ({
  history,
  owner,
}) => {
  const token = await makeHistory(owner);
  await history.page.goto(owner.baseUrl);
  await history.page.getByRole('navigation').getByRole('link', { name: 'History' }).click();
  await expect(history.page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(history.count).toHaveText('5 events');
  await expect(history.rows).toHaveText(everything.map((words) => new RegExp(words.replace(': ', '.*'))));

  await history.row(2).click();
  await expect(history.details).toHaveAccessibleName('Token suspended');
  await expect(history.page).toHaveURL(/[?&]event=3$/);
  await expect(history.fact('reason')).toHaveText('Lost on the train');
  await expect(history.fact('Who')).toContainText('the owner');
  await expect(history.fact('Result')).toHaveText('Needs attention');
  const json = JSON.parse(await history.details.locator('pre').innerText()) as unknown;
  expect(HistoryEvent.parse(json)).toMatchObject({ seq: 3, data: { token_id: token.id } });
  await history.details.getByRole('button', { name: 'Newer' }).click();
  await expect(history.details).toHaveAccessibleName('Token resumed');
  await history.details.getByRole('button', { name: 'Close' }).click();
  await expect(history.details).toBeHidden();
  await expect(history.row(1)).toBeFocused();

  await history.row(2).click();
  await history.details.getByRole('link', { name: 'All events about it' }).click();
  await expect(history.count).toHaveText('3 of 5 events');
  await history.page.getByRole('button', { name: /^Only billing-sync/ }).click();
  await expect(history.count).toHaveText('5 events');
  await history.row(2).click();
  await history.details.getByRole('link', { name: 'Token billing-sync' }).click();
  await expect(history.page).toHaveURL(`${owner.baseUrl}/tokens/family/${token.family_id}`);
});

test('a search finds names, reasons and what the window itself says, and stays in the address', async ({
  history,
  owner,
}) => {
  await makeHistory(owner);
  await history.open(owner.baseUrl);
  await expect(history.rows).toHaveCount(5);
  await expect(history.search, 'nobody searches five events').toBeHidden();
  await expect(history.kind).toBeHidden();
  await owner.issueToken({ name: 'crm', validity_days: 1 });
  await expect(history.rows).toHaveCount(6);
  for (const [text, found] of [
    ['on the TRAIN', ['Token suspended']],
    ['billing-sync', ['Token resumed', 'Token suspended', 'Token issued']],
    ['menu created', ['Phone menu created']],
    ['token issued', ['Token issued', 'Token issued', 'Token issued']],
  ] as const) {
    await history.search.fill(text);
    await expect(history.rows).toHaveText(found.map((words) => new RegExp(words)));
    await expect(history.count).toHaveText(`${found.length} of 6 events`);
  }
  await history.search.fill('no such thing');
  await expect(history.page.getByText('No matches')).toBeVisible();
  await history.page.getByRole('button', { name: 'Show all events' }).click();
  await expect(history.rows).toHaveCount(6);
  await expect(history.search).toHaveValue('');

  await history.kind.selectOption('token.');
  await expect(history.rows).toHaveCount(5);
  await history.result('Attention').check();
  await expect(history.rows).toHaveText([/Token suspended/]);
  await history.search.fill('billing');
  await expect(history.page).toHaveURL(/kind=token.&result=attention&text=billing$/);
  await history.page.reload();
  await expect(history.rows).toHaveText([/Token suspended/]);
  await expect(history.search).toHaveValue('billing');
  await expect(history.result('Attention')).toBeChecked();
  await history.result('Failed').check();
  await expect(history.page.getByText('No matches')).toBeVisible();
});

test(
  'what happens shows up at the top, and waits for whoever reads further down',
  { tag: '@long' },
  async ({ history, owner }) => {
    for (let place = 1; place <= 40; place += 1)
      await owner.issueToken({ name: `app-${place}`, validity_days: 7 });
    await history.open(owner.baseUrl);
    await expect(history.row(0)).toContainText('app-40');
    await owner.issueToken({ name: 'one-more', validity_days: 7 });
    await expect(history.row(0)).toContainText('one-more');

    await history.scrollTo(800);
    await expect(history.row(15)).toContainText('app-26');
    await owner.issueToken({ name: 'later', validity_days: 7 });
    await expect(history.news).toHaveText('1 new event');
    await owner.issueToken({ name: 'later-still', validity_days: 7 });
    await expect(history.news).toHaveText('2 new events');
    await expect(history.row(15)).toContainText('app-26');
    await history.news.click();
    await expect(history.row(0)).toContainText('later-still');
    await expect(history.news).toBeHidden();

    // Only what the filter lets through is news.
    await history.search.fill('app-1');
    await expect(history.count).toHaveText('11 of 43 events');
    await owner.issueToken({ name: 'other', validity_days: 7 });
    await expect(history.count).toHaveText('11 of 44 events');
    await owner.issueToken({ name: 'app-100', validity_days: 7 });
    await expect(history.row(0)).toContainText('app-100');
  },
);

test(
  'the history is searched, read and left without a mouse',
  { tag: '@long' },
  async ({ history, owner }) => {
    await makeHistory(owner);
    await owner.issueToken({ name: 'crm', validity_days: 1 });
    await history.open(owner.baseUrl);
    await expect(history.rows).toHaveCount(6);
    const { keyboard } = history.page;
    await keyboard.press('/');
    await expect(history.search).toBeFocused();
    await keyboard.type('bil');
    await expect(history.rows).toHaveCount(3);
    // Into the list, before what is typed last is searched for.
    const found = history.page.waitForResponse(/\/history\/matches\?.*text=billing/);
    await keyboard.type('ling');
    await keyboard.press('ArrowDown');
    await expect(history.page).toHaveURL(/text=billing/);
    await expect(history.row(0)).toBeFocused();
    await keyboard.press('ArrowDown');
    await keyboard.press('End');
    await expect(history.row(2)).toBeFocused();
    await (await found).finished();
    // Held: the row under the focus stays what it is.
    await owner.issueToken({ name: 'billing-new', validity_days: 7 });
    await expect(history.news).toHaveText('1 new event');
    await expect(history.row(2)).toContainText('Token issued');
    await keyboard.press('Enter');
    await expect(history.details).toHaveAccessibleName('Token issued');
    await keyboard.press('Escape');
    await expect(history.details).toBeHidden();
    await expect(history.row(2)).toBeFocused();

    await history.tabTo(history.search);
    await keyboard.press('Escape');
    await expect(history.search).toHaveValue('');
    await expect(history.rows).toHaveCount(7);
    await history.tabTo(history.export);
    await keyboard.press('Enter');
    const downloading = history.page.waitForEvent('download');
    await history.tabTo(history.page.getByRole('link', { name: 'JSON' }));
    await keyboard.press('Enter');
    expect((await downloading).suggestedFilename()).toMatch(/^rotavox-history-\d{4}-\d\d-\d\d\.json$/);
    await history.tabTo(history.verify);
    await keyboard.press('Enter');
    await expect(history.verified).toHaveText(/^Every event up to 7 verified/);
  },
);

test('what is shown is had as a file, as CSV and as JSON', { tag: '@long' }, async ({ history, owner }) => {
  await makeHistory(owner);
  await owner.issueToken({ name: '=HYPERLINK("http://x")', validity_days: 7 });
  await history.open(owner.baseUrl, '?kind=token.');
  await expect(history.count).toHaveText('5 of 6 events');
  const json = await history.download('JSON');
  const events = HistoryEvent.array().parse(JSON.parse(readFileSync(await json.path(), 'utf8')));
  expect(events.map(({ seq }) => seq)).toEqual([6, 4, 3, 2, 1]);

  await history.search.fill('token suspended');
  await expect(history.count).toHaveText('1 of 6 events');
  const csv = await history.download('CSV');
  expect(csv.suggestedFilename()).toMatch(/^rotavox-history-\d{4}-\d\d-\d\d\.csv$/);
  const [head, row, ...rest] = readFileSync(await csv.path(), 'utf8').split('\r\n');
  expect(head).toBe('seq,at,kind,subject,actor,address,result,details,event,subject_name,actor_name');
  expect(row).toMatch(
    /^3,.+,token\.suspended,fam_\w+,owner,,attention,"\{.+Lost on the train.+\}",Token suspended,[^,]+,$/,
  );
  expect(rest).toEqual(['']);
});

test('the journal is checked, and a damage is named with its place', async ({
  history,
  owner,
  server,
  hosts,
}) => {
  await makeHistory(owner);
  await history.open(owner.baseUrl);
  await history.verify.click();
  await expect(history.verified).toHaveText(
    /^Every event up to 5 verified, each hash and each link of the chain, in 1 file\./,
  );

  // A copy, served before it is damaged: with the damage it would not start.
  const folder = mkdtempSync(join(tmpdir(), 'rotavox-damaged-'));
  await server.stop();
  cpSync(server.dataDir, folder, { recursive: true });
  const copy = new Server(hosts, folder);
  await copy.start();
  try {
    const path = join(folder, 'journal/00000001.jsonl');
    writeFileSync(path, readFileSync(path, 'utf8').replace('Lost on the train', 'Left on the train'));
    const other = new Owner(folder);
    await history.page.goto(await other.signInLink());
    await history.open(other.baseUrl);
    await history.verify.click();
    await expect(history.alert).toContainText('The journal is damaged');
    await expect(history.alert).toContainText(`${path}, line 4`);
    await expect(history.alert).toContainText('Every event up to 2 is intact');
    await expect(history.verified).toBeHidden();
  } finally {
    await copy.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

test(
  'with nothing in it, the history offers the first step',
  { tag: '@long' },
  async ({ history, owner }) => {
    await history.open(owner.baseUrl);
    await expect(history.page.getByText('No events yet')).toBeVisible();
    await expect(history.search).toBeHidden();
    await history.page.getByRole('button', { name: 'Issue a token' }).click();
    await expect(history.page.getByRole('dialog')).toBeVisible();
  },
);

test(
  'a link leads to one event, also one that the filter leaves out',
  { tag: '@long' },
  async ({ history, owner }) => {
    await makeHistory(owner);
    await history.open(owner.baseUrl, '?text=nothing&event=5');
    await expect(history.details).toHaveAccessibleName('Phone menu created');
    await expect(history.fact('ivr · name')).toHaveText('Reception');
    await history.open(owner.baseUrl, '?event=99');
    await expect(history.details).toContainText('There is no event with this number.');
  },
);

test(
  'what was known stays while the service is away, and goes on when it is back',
  { tag: '@long' },
  async ({ history, owner, server }) => {
    await makeHistory(owner);
    await history.open(owner.baseUrl);
    await expect(history.row(2)).toContainText('Lost on the train');
    const { port } = new URL(owner.baseUrl);
    await server.stop();
    await expect(history.sign).toHaveText('Not answering');
    await expect(history.rows).toHaveCount(5);
    await history.row(2).click();
    await expect(history.fact('reason')).toHaveText('Lost on the train');
    await history.page.keyboard.press('Escape');
    await server.start(Number(port));
    await history.page.goto(await owner.signInLink());
    await history.open(owner.baseUrl);
    await expect(history.rows).toHaveCount(5);
  },
);
