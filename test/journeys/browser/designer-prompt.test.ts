import { expect, type Page } from '@playwright/test';
import { NodeId } from '../../../src/contract/menu/ivr-draft.ts';
import { speechPreview } from '../../../src/contract/downloads.ts';
import { changeMenu } from '../../../src/core/ivr/edit/edit-nodes.ts';
import { keepDialogText, spokenSoundText } from '../../../src/text/menu/prompt-field.ts';
import { twoMenus } from '../../fixtures/ivr-documents.ts';
import { test } from './designer-fixtures.ts';

test.use({ viewport: { width: 1280, height: 900 } });

const label = 'Callers hear';

/** Holds back every speech that is asked for until it is let go, and tells what became of each. */
async function holdSpeech(page: Page): Promise<{ asked: string[]; aborted: string[]; letGo: () => void }> {
  const asked: string[] = [];
  const aborted: string[] = [];
  const open = Promise.withResolvers();
  const textOf = (body: string | null): string => (JSON.parse(body ?? '{}') as { text: string }).text;
  page.on('requestfailed', (request) => {
    if (request.url().endsWith(speechPreview.path)) aborted.push(textOf(request.postData()));
  });
  await page.route(`**${speechPreview.path}`, async (route) => {
    asked.push(textOf(route.request().postData()));
    await open.promise;
    await route.continue().catch(() => null); // it was aborted meanwhile
  });
  return { asked, aborted, letGo: () => open.resolve(null) };
}

test('a typed prompt is spoken after the last key, heard, heard as on the phone, and kept as a recording', async ({
  designer,
  panels,
  owner,
}) => {
  const { page } = designer;
  const document = changeMenu(twoMenus, NodeId.parse('reception'), { recording: null });
  const draft = await owner.ask('createDraft', { body: { document } });
  const { asked, aborted, letGo } = await holdSpeech(page);
  await designer.open(owner.baseUrl, draft.id);
  await panels.button('Outline').click();
  await panels.outlined('Reception').click();
  const field = panels.outline;

  // The next key ends what is being made of the words before it.
  await field.getByRole('textbox', { name: label, exact: true }).first().click();
  await page.keyboard.insertText('Welcome'); // as it is pasted, all at once
  await expect.poll(() => asked).toEqual(['Welcome']);
  await page.keyboard.type(' to Example.');
  await expect.poll(() => aborted).toEqual(['Welcome']);
  await expect.poll(() => asked).toEqual(['Welcome', 'Welcome to Example.']);
  letGo();
  await expect(field).toContainText(/Not spoken yet: it is made when you publish\. 0:0\d\.\d, voice /);

  const play = field.getByRole('button', { name: spokenSoundText.play(label) });
  const stop = field.getByRole('button', { name: spokenSoundText.stop(label) });
  await play.click();
  await expect(stop).toBeVisible();
  await field.getByRole('button', { name: spokenSoundText.phone }).click();
  await expect(stop, 'it goes on at 8 kHz').toBeVisible();
  await expect(play, 'it has come to its end').toBeVisible();
  await expect(field).not.toContainText(spokenSoundText.failed);
  expect(asked, 'what was made is played').toEqual(['Welcome', 'Welcome to Example.']);
  expect((await owner.ask('listRecordings')).recordings, 'nothing is stored by listening').toEqual([]);

  await field.getByRole('button', { name: spokenSoundText.keep }).click();
  await panels.dialog.getByLabel(keepDialogText.name).fill('Greeting');
  await panels.dialog.getByRole('button', { name: keepDialogText.keep }).click();
  await expect(panels.dialog).toBeHidden();
  await designer.isSaved();
  const { recordings } = await owner.ask('listRecordings');
  expect(recordings).toMatchObject([
    { name: 'Greeting', speech: { text: 'Welcome to Example.', automatic: false } },
  ]);
  const saved = await owner.ask('readDraft', { params: { id: draft.id } });
  expect(saved.document.nodes[NodeId.parse('reception')]).toMatchObject({
    recording: `recording||${String(recordings[0]?.id)}`,
  });
});

test('a prompt whose pronunciation changed says so in the open designer, and is spoken again there', async ({
  designer,
  panels,
  owner,
}) => {
  const { page } = designer;
  const recording = 'outbound_tts||Welcome to Rotavox.';
  const document = changeMenu(twoMenus, NodeId.parse('reception'), { recording });
  const draft = await owner.ask('createDraft', { body: { document } });
  const before = await owner.ask('speakRecording', { body: { text: 'Welcome to Rotavox.' } });
  await designer.open(owner.baseUrl, draft.id);
  await panels.button('Outline').click();
  await panels.outlined('Reception').click();
  await expect(panels.outline).toContainText(/Spoken, 0:0\d\.\d, voice /);

  await owner.ask('changePronunciations', {
    body: { set: [{ word: 'Rotavox', say: 'Roh ta vox', language: null }], remove: [] },
  });
  await expect(panels.outline).toContainText('Pronunciation changed. Callers hear the earlier recording.');
  await page.getByRole('button', { name: spokenSoundText.again }).click();
  await expect(panels.outline).toContainText(/Spoken, 0:0\d\.\d, voice /);
  const [after] = (await owner.ask('listRecordings')).recordings;
  expect(after?.id).toBe(before.id);
  expect(after?.digest).not.toBe(before.digest);
});
