import { expect, type Page } from '@playwright/test';
import { NodeId } from '../../src/contract/menu/ivr-draft.ts';
import type { SpeechChange } from '../../src/contract/menu/speech.ts';
import { changeMenu } from '../../src/core/ivr/edit/edit-nodes.ts';
import { twoMenus } from '../fixtures/ivr-documents.ts';
import { flowSpeechText } from '../../src/text/menu/designer-inspector.ts';
import { wavFile } from '../journeys/browser/audio-files.ts';
import { expectGoodView } from '../journeys/browser/expect-good-view.ts';
import { DesignerPanels, showPanels } from '../journeys/pages/designer-panels.ts';
import { tone } from '../renderer/recordings/tones.ts';
import { at, basicVoice, replies } from './calls-replies.ts';
import { test } from './canned-service.ts';

const id = 'draft_sample00001';
const reception = NodeId.parse('reception');

/** A recording that was spoken of a text, and what the service says would be different now. */
function spoken(text: string, changed: readonly SpeechChange[] = [], voice = 'flite/slt') {
  return {
    id: 'rec_1',
    name: text,
    format: 'wav',
    bytes: 64_044,
    duration_ms: 2_000,
    digest: '1'.repeat(64),
    speech: {
      text,
      language: 'en-US',
      voice,
      rate: 1,
      key: '2'.repeat(64),
      engine_version: '2.2',
      model_digest: '0'.repeat(64),
      made_at: at(60),
      automatic: true,
    },
    created_at: at(60),
    updated_at: at(60),
    unused_since: null,
    used_by: [],
    changed,
    removed_at: null,
  };
}

/** The designer with a prompt of its first menu. */
function designer(text: string, known: { recordings?: readonly object[]; voices?: readonly object[] } = {}) {
  const document = changeMenu(twoMenus, reception, { recording: `outbound_tts||${text}` });
  return {
    ...replies,
    [`/portal/ivrs/drafts/${id}`]: {
      id,
      revision: 1,
      document,
      publications: [],
      created_at: at(300),
      updated_at: at(200),
    },
    [`/portal/ivrs/drafts/${id}/windows`]: { id, windows: [] },
    [`/portal/ivrs/drafts/${id}/versions`]: { versions: [] },
    '/portal/recordings': { recordings: known.recordings ?? [] },
    '/portal/voices': { voices: known.voices ?? [basicVoice], language: 'en-US', voice: null },
    '/portal/sms-templates': { sms_templates: [] },
    // A text is spoken 0.8 s after the last key, which a slow test reaches between two of its steps.
    '/portal/speech/preview': wavFile('any.wav', tone(440, 300)).buffer,
    '/portal/calls/live': { calls: [] },
  };
}

const voiceToAdd = {
  voice: 'piper/en_US/joe-medium',
  name: 'joe-medium',
  language: 'en-US',
  licence: 'CC0',
  bytes: 63_000_000,
  url: 'https://downloads.example.com/joe.tar.bz2',
};
const speechRuntime = {
  name: 'sherpa-onnx',
  version: '1.13.8',
  licence: 'Apache-2.0, GPL-3.0',
  bytes: 4_300_000,
  url: 'https://example.com/sherpa-onnx-1.13.8.tgz',
  installed: true,
};

/** With the fields of the first menu. */
async function openFields(page: Page): Promise<void> {
  const panels = new DesignerPanels(page);
  await panels.button('Outline').click();
  await panels.outlined('Reception').click();
}

test('a spoken text says what callers hear of it, and what to do where that is nothing', async ({
  view,
  show,
  canned,
}) => {
  const { page } = view;
  await page.setViewportSize({ width: 1280, height: 900 });
  const open = async (...given: Parameters<typeof designer>) => {
    await show(`/ivr/drafts/${id}`, designer(...given));
    await openFields(page);
  };
  const field = new DesignerPanels(page).outline;
  const play = field.getByRole('button', { name: 'Play “Callers hear”' });

  await open('Welcome');
  await expect(field).toContainText('Not spoken yet: it is made when you publish.');
  await expect(play).toBeVisible();

  await open('Welcome', { recordings: [spoken('Welcome')] });
  await expect(field).toContainText('Spoken, 0:02.0, voice slt.');

  await open('Welcome', { recordings: [spoken('Welcome', [], 'other/voice')] });
  await expect(field).toContainText('Spoken, 0:02.0, voice other/voice.');
  await expect(field.getByRole('button', { name: 'Speak again' })).toBeHidden();
  await open('Welcome', { recordings: [spoken('Welcome', ['language', 'voice'])] });
  await expect(field).toContainText('Language changed, Voice changed. Callers hear the earlier recording.');
  await open('Welcome', { recordings: [spoken('Welcome', ['pronunciation'])] });
  canned.replies.set('/portal/recordings/rec_1/speak', spoken('Welcome'));
  await expect(field).toContainText('Pronunciation changed. Callers hear the earlier recording.');
  await field.getByRole('button', { name: 'Speak again' }).click();
  await expect.poll(() => canned.sent).toContain('/portal/recordings/rec_1/speak');

  await open('Welcome', { voices: [] });
  await expect(field).toContainText('will not hear “Welcome”. There is no voice for the language en-US');
  await expect(field.getByRole('link', { name: 'Add a voice' })).toHaveAttribute('href', '/settings#voices');
  await expect(field.getByRole('button', { name: 'Record…', exact: true })).toBeVisible();
  await expect(play).toBeHidden();
  await expectGoodView(view);
});

test('a voice that is added in the settings is known in the designer when one comes back', async ({
  view,
  show,
  canned,
}) => {
  const { page } = view;
  const field = new DesignerPanels(page).outline;
  const packs = { packs: [], offered: [voiceToAdd], runtime: speechRuntime, downloading: null, adding: null };
  await show(`/ivr/drafts/${id}`, { ...designer('Welcome', { voices: [] }), '/portal/voice-packs': packs });
  await openFields(page);
  await field.getByRole('link', { name: 'Add a voice' }).click();
  const add = page.getByRole('button', { name: `Add ${voiceToAdd.name}` });
  await expect(add).toBeVisible();

  const pack = { ...voiceToAdd, model_digest: 'cd', added_at: at(1), problem: null, recordings: [] };
  const voices = [{ ...basicVoice, id: voiceToAdd.voice, name: voiceToAdd.name }];
  canned.onChange(
    '/portal/voice-packs/download',
    { pack, runtime_added: false },
    {
      '/portal/voice-packs': { ...packs, packs: [pack], offered: [] },
      '/portal/voices': { voices, language: 'en-US', voice: null },
    },
  );
  await add.click();
  await expect(page.getByRole('button', { name: `Remove… ${voiceToAdd.name}` })).toBeVisible();
  await page.goBack();
  await openFields(page);
  await expect(field).toContainText('Not spoken yet: it is made when you publish.');
});

test('buttons put pauses, digits and other pronunciations into a text, and what is wrong is shown in it', async ({
  view,
  show,
}) => {
  const { page } = view;
  await page.setViewportSize({ width: 1280, height: 900 });
  await show(`/ivr/drafts/${id}`, designer('Ask Dr. Smith, code 4711'));
  await openFields(page);
  const text = page.getByLabel('Callers hear', { exact: true }).first();
  const tools = page.getByRole('toolbar', { name: 'Callers hear: pauses and pronunciation' }).first();
  const select = (part: string) =>
    text.evaluate((area: HTMLTextAreaElement, words) => {
      const from = area.value.indexOf(words);
      area.setSelectionRange(from, from + words.length);
    }, part);

  await select('4711');
  await tools.getByRole('button', { name: 'Digits' }).click();
  await expect(text).toHaveValue('Ask Dr. Smith, code <say-as interpret-as="digits">4711</say-as>');
  await expect(text).toBeFocused();
  await tools.getByRole('button', { name: 'Pause' }).click();
  await expect(text).toHaveValue(/<\/say-as><break time="500ms"\/>$/);

  await select('Dr.');
  await tools.getByRole('button', { name: 'Sounds like…' }).click();
  const say = page.getByRole('textbox', { name: '“Dr.” sounds like' });
  await expect(say).toBeFocused();
  await expect(page.getByRole('link', { name: 'Change it for all menus' })).toHaveAttribute(
    'href',
    '/recordings?pronounce=Dr.',
  );
  await page.keyboard.press('Escape');
  await expect(say).toBeHidden();
  await expect(text).toBeFocused();
  await tools.getByRole('button', { name: 'Sounds like…' }).click();
  await page.keyboard.type('doctor');
  await page.keyboard.press('Enter');
  await expect(text).toHaveValue(/^Ask <sub alias="doctor">Dr\.<\/sub> Smith/);
  await select('alias');
  await tools.getByRole('button', { name: 'Digits' }).click();
  await expect(page.getByText('Select a number in the text first, outside of a tag.')).toBeVisible();

  await text.fill('One <break time="9s"/> two');
  await expect(text).toHaveAttribute('aria-invalid', 'true');
  await expect(text).toHaveAccessibleDescription(/is longer than 5 seconds\. Make it shorter/);
  await tools.getByRole('button', { name: 'Show in text' }).click();
  expect(
    await text.evaluate((area: HTMLTextAreaElement) =>
      area.value.slice(area.selectionStart, area.selectionEnd),
    ),
  ).toBe('<break time="9s"/>');
  await expectGoodView(view);
});

const spanish = { ...basicVoice, id: 'pico/es-ES', name: 'Pico', language: 'es-ES', engine: 'pico' };

test('a call flow has a language and a voice of its own, which its texts are spoken with', async ({
  view,
  show,
  canned,
}) => {
  const { page } = view;
  await page.setViewportSize({ width: 1280, height: 900 });
  // Spoken for another call flow, in the language of the settings.
  const known = { recordings: [spoken('Welcome')], voices: [basicVoice, spanish] };
  await show(`/ivr/drafts/${id}`, designer('Welcome', known));
  await showPanels(page, 'Inspector');
  const panels = new DesignerPanels(page);
  const fields = page.getByRole('region', { name: flowSpeechText.title });
  await expect(fields.getByLabel('Language')).toHaveValue('');
  await expect(fields.getByLabel('Language')).toContainText('As in the settings: English (United States)');
  await expect(fields.getByLabel('Voice')).toBeHidden();
  await expectGoodView(view);

  const saved = () => canned.bodies.get(`/portal/ivrs/drafts/${id}`);
  await fields.getByLabel('Language').selectOption('es-ES');
  await expect.poll(saved).toMatchObject({ document: { speech: { language: 'es-ES', voice: null } } });
  await fields.getByLabel('Voice').selectOption('pico/es-ES');
  await expect
    .poll(saved)
    .toMatchObject({ document: { speech: { language: 'es-ES', voice: 'pico/es-ES' } } });
  await openFields(page);
  const sound = panels.outline;
  await expect(sound).toContainText('Not spoken yet: it is made when you publish.');
  canned.replies.set('/portal/speech/preview', wavFile('any.wav', tone(440, 300)).buffer);
  await sound.getByRole('button', { name: 'Play “Callers hear”' }).click();
  await expect
    .poll(() => canned.bodies.get('/portal/speech/preview'))
    .toEqual({ text: 'Welcome', language: 'es-ES', voice: 'pico/es-ES' });
});

test('a call flow whose language has no voice says so, and leads to the voices', async ({ view, show }) => {
  const { page } = view;
  const replies = designer('Welcome', { voices: [basicVoice] });
  const path = `/portal/ivrs/drafts/${id}` as const;
  const draft = replies[path] as { document: object };
  const document = { ...draft.document, speech: { language: 'fr-FR', voice: null } };
  await show(`/ivr/drafts/${id}`, { ...replies, [path]: { ...draft, document } });
  await showPanels(page, 'Inspector');
  const fields = page.getByRole('region', { name: flowSpeechText.title });
  await expect(fields).toContainText('There is no voice for French (France) on this computer.');
  await expect(fields.getByRole('link', { name: 'Add a voice' })).toHaveAttribute('href', '/settings#voices');
  await openFields(page);
  await expect(new DesignerPanels(page).outline).toContainText('There is no voice for the language fr-FR');
});

test('a natural voice speaks once the field is left, and not while a text is typed', async ({
  view,
  show,
  canned,
}) => {
  const { page } = view;
  await page.clock.install();
  await page.setViewportSize({ width: 1280, height: 900 });
  const natural = { ...basicVoice, id: 'piper/en_US-joe-medium', name: 'joe', quality: 'natural' };
  await show(`/ivr/drafts/${id}`, designer('Welcome', { voices: [natural] }));
  await openFields(page);
  canned.replies.set('/portal/speech/preview', wavFile('any.wav', tone(440, 300)).buffer);
  const text = page.getByLabel('Callers hear', { exact: true }).first();
  await text.fill('Good morning');
  await page.clock.runFor(5_000);
  // Since this page is shown; what other tests sent is remembered, too.
  expect(canned.bodies.has('/portal/speech/preview')).toBe(false);
  await text.blur();
  await page.clock.runFor(100);
  await expect.poll(() => canned.bodies.get('/portal/speech/preview')).toEqual({ text: 'Good morning' });
});
