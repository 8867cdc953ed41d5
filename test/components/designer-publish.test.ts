import { expect } from '@playwright/test';
import { NodeId } from '../../src/contract/menu/ivr-draft.ts';
import type { IvrDocument } from '../../src/contract/menu/ivr-draft.ts';
import { bodyOfMenu } from '../../src/core/ivr/body/menu-body.ts';
import { compileDraft } from '../../src/core/ivr/compile/compile-draft.ts';
import { addKey } from '../../src/core/ivr/edit/edit-keys.ts';
import { changeMenu } from '../../src/core/ivr/edit/edit-nodes.ts';
import { connect } from '../../src/core/ivr/edit/lines.ts';
import { twoMenus } from '../fixtures/ivr-documents.ts';
import { expectGoodView } from '../journeys/browser/expect-good-view.ts';
import { at, replies } from './calls-replies.ts';
import { test } from './canned-service.ts';

const id = 'draft_sample00001';
const reception = NodeId.parse('reception');
const ids = { reception: 'ivr_1', opening: 'ivr_2' };
const times = { created_at: at(300), updated_at: at(200) };
const publication = {
  credential: null,
  base_url: 'http://127.0.0.1:7682',
  menus: ids,
  version: 1,
  published_at: at(100),
};

/** The menus of a document, as the service stores them. */
function stored(document: IvrDocument) {
  const flow = compileDraft(document, {});
  if (!flow.ok) throw new Error('the document has errors');
  const idOf = (menu: string) => ids[menu as keyof typeof ids];
  return [...flow.value.menus.values()].map((menu) => ({
    ...bodyOfMenu(menu, idOf),
    ...times,
    id: idOf(menu.id),
    version: 1,
  }));
}

function designer(document: IvrDocument, publishedAs: IvrDocument | null, storedAs = publishedAs) {
  const version = { ...publication, revision: 1, document: publishedAs };
  return {
    ...replies,
    '/portal/ivrs': { ivrs: storedAs === null ? [] : stored(storedAs) },
    [`/portal/ivrs/drafts/${id}`]: {
      ...times,
      id,
      revision: 1,
      document,
      publications: publishedAs === null ? [] : [publication],
    },
    [`/portal/ivrs/drafts/${id}/windows`]: { id, windows: [] },
    [`/portal/ivrs/drafts/${id}/versions`]: { versions: publishedAs === null ? [] : [version] },
    '/portal/recordings': { recordings: [] },
    '/portal/extensions': { extensions: [{ id: '101', name: 'Sales' }] },
    '/portal/sms-templates': { sms_templates: [] },
    '/portal/credentials': {
      credentials: [],
      vault: { kind: 'keychain', description: '', status: 'ok', message: null },
    },
    '/portal/calls/live': { calls: [] },
  };
}

test('before the first publication the dialog says what callers will hear, and no name of the API', async ({
  view,
  show,
}) => {
  await view.page.setViewportSize({ width: 1280, height: 900 });
  await show(`/ivr/drafts/${id}`, designer(twoMenus, null));
  await view.page.getByRole('button', { name: 'Publish' }).click();
  const dialog = view.page.getByRole('dialog');
  const heard = dialog.getByRole('region', { name: 'What callers will hear' });
  await expect(heard).toContainText('Key 1 leads to Sales (extension 101); key 2 leads to “Opening”.');
  await expect(heard).toContainText('The scenario passes.');
  await expect(dialog).toContainText('Nothing of this call flow is published there yet.');
  expect(await dialog.innerText()).not.toMatch(/\b(POST|PUT)\b|[a-z]_[a-z]|\|\|/);
  await expectGoodView(view);
});

test('an error keeps the dialog from saying what would change, for it cannot be published', async ({
  view,
  show,
}) => {
  const sales = NodeId.parse('sales');
  const changed = changeMenu(
    connect(twoMenus, { kind: 'key', menu: reception, index: 1 }, sales),
    NodeId.parse('opening'),
    { recording: 'outbound_tts||We open at nine.' },
  );
  await view.page.setViewportSize({ width: 1280, height: 900 });
  await show(`/ivr/drafts/${id}`, designer(addKey(changed, reception, { key: '3', to: sales }), twoMenus));
  await view.page.getByRole('button', { name: 'Publish' }).click();
  const changes = view.page.getByRole('region', { name: 'What changes for callers' });
  // “Opening” is not reached any more.
  await expect(changes).toBeHidden();
  await expect(view.page.getByRole('dialog')).toContainText('1 error blocks publishing');
});

test('what differs from what is stored is said in words, menu by menu', async ({ view, show }) => {
  const changed = changeMenu(
    connect(twoMenus, { kind: 'key', menu: reception, index: 0 }, NodeId.parse('opening')),
    NodeId.parse('opening'),
    { recording: 'outbound_tts||We open at nine.' },
  );
  await view.page.setViewportSize({ width: 1280, height: 900 });
  await show(`/ivr/drafts/${id}`, designer(changed, twoMenus));
  await view.page.getByRole('button', { name: 'Publish' }).click();
  const changes = view.page.getByRole('region', { name: 'What changes for callers' });
  await expect(changes.getByRole('heading', { level: 4 })).toHaveText(['Reception', 'Opening']);
  await expect(changes.getByRole('listitem')).toHaveText([
    'Key 1 leads to “Opening” instead of Sales (extension 101).',
    'Callers will now hear “We open at nine.” instead of recording 1.',
  ]);
  await expectGoodView(view);
});

test('a menu that was changed outside of the draft since would be changed back, and that is said', async ({
  view,
  show,
}) => {
  const elsewhere = changeMenu(twoMenus, reception, { timeout: 9 });
  await view.page.setViewportSize({ width: 360, height: 800 });
  await show(`/ivr/drafts/${id}`, designer(twoMenus, twoMenus, elsewhere));
  await view.page.getByRole('button', { name: 'Publish' }).click();
  const changes = view.page.getByRole('region', { name: 'What changes for callers' });
  await expect(changes.getByRole('listitem')).toHaveText([
    'Callers have 5 seconds to press a key instead of 9 seconds.',
  ]);
  await expectGoodView(view);
});

test('when nothing changes for callers, the dialog says so', async ({ view, show }) => {
  await show(
    `/ivr/drafts/${id}`,
    designer(changeMenu(twoMenus, reception, { description: 'Other' }), twoMenus),
  );
  await view.page.getByRole('button', { name: 'Publish' }).click();
  const changes = view.page.getByRole('region', { name: 'What changes for callers' });
  await expect(changes).toContainText('Nothing changes for callers.');
  await expect(changes).toContainText('The description differs.');
});

test('another language of its texts is a change for callers', async ({ view, show }) => {
  const spanish = { ...twoMenus, speech: { language: 'es-ES', voice: null } };
  await show(`/ivr/drafts/${id}`, designer(spanish, twoMenus));
  await view.page.getByRole('button', { name: 'Publish' }).click();
  const changes = view.page.getByRole('region', { name: 'What changes for callers' });
  await expect(changes).toContainText(
    'Typed prompts are spoken in Spanish (Spain) instead of as in the settings.',
  );
  await expect(changes).not.toContainText('Nothing changes for callers.');
});

test('what callers will not hear is named before publishing, with what to do, and leads to its field', async ({
  view,
  show,
}) => {
  const { page } = view;
  await page.setViewportSize({ width: 1280, height: 900 });
  const document = changeMenu(twoMenus, reception, {
    recording: 'outbound_tts||Hello 日本語',
    invalid_recording: 'outbound_tts||One <b>two</b>',
  });
  await show(`/ivr/drafts/${id}`, designer(document, null));
  await page.getByRole('button', { name: 'Publish' }).click();
  const dialog = page.getByRole('dialog');
  const unheard = dialog.getByRole('region', { name: 'Callers will not hear' });
  await expect(unheard.getByRole('button')).toHaveText([
    /will not hear 日本語\. The voice for English \(United States\) cannot read these letters\. Record the prompt/,
    /will not hear “One <b>two<\/b>”\. The text cannot be spoken: “<b>” is not a tag for spoken texts\./,
  ]);
  await expect(dialog.getByRole('button', { name: 'Publish', exact: true })).toBeVisible();
  await expect(unheard.getByRole('link', { name: 'Add a voice' })).toHaveAttribute(
    'href',
    '/settings#voices',
  );
  await expectGoodView(view);

  // A recording of the text is heard, but for the letters.
  await unheard.getByRole('button').first().click();
  await expect(page.getByLabel('Callers hear', { exact: true })).toBeFocused();
});
