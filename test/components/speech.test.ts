import { expect } from '@playwright/test';
import { defaultSettings } from '../../src/contract/service/settings.ts';
import {
  pronunciationsText,
  speakText,
  speechWorkText,
  voicesText,
} from '../../src/text/menu/speech-window.ts';
import { expectGoodView } from '../journeys/browser/expect-good-view.ts';
import { wavFile } from '../journeys/browser/audio-files.ts';
import { RecordingsPage } from '../journeys/pages/recordings-page.ts';
import { SettingsPage } from '../journeys/pages/settings-page.ts';
import { tone } from '../renderer/recordings/tones.ts';
import { Refusal, test } from './canned-service.ts';

const now = '2026-11-20T10:00:00.000Z';
const slt = {
  id: 'flite/slt',
  name: 'slt',
  language: 'en-US',
  quality: 'basic',
  engine: 'flite',
  engine_version: '2.2',
  model_digest: 'ab',
  licence: 'BSD-like (CMU)',
} as const;
const thorsten = {
  ...slt,
  id: 'piper/de_DE/thorsten-medium',
  name: 'thorsten-medium',
  language: 'de-DE',
  quality: 'natural',
  engine: 'sherpa-onnx',
  licence: 'CC0',
} as const;
const voices = { voices: [slt, thorsten], language: 'en-US', voice: null };
const pack = {
  voice: thorsten.id,
  name: thorsten.name,
  language: 'de-DE',
  licence: 'CC0',
  bytes: 63_000_000,
  model_digest: 'cd',
  added_at: now,
  problem: null,
  recordings: [{ id: 'rec_1', name: 'Willkommen' }],
};
const offered = {
  voice: 'piper/fr_FR/siwis-medium',
  name: 'siwis-medium',
  language: 'fr-FR',
  licence: 'CC BY 4.0',
  bytes: 64_000_000,
  url: 'https://downloads.example.com/siwis.tar.bz2',
};
const runtime = {
  name: 'sherpa-onnx',
  version: '1.13.8',
  licence: 'Apache-2.0, GPL-3.0',
  bytes: 4_300_000,
  url: 'https://example.com/sherpa-onnx-1.13.8.tgz',
  installed: true,
};
const sound = wavFile('any.wav', tone(440, 300)).buffer;

function recording(id: string, name: string, more: object = {}) {
  return {
    id,
    name,
    format: 'wav',
    bytes: 9_600,
    duration_ms: 300,
    digest: id,
    speech: null,
    unused_since: null,
    created_at: now,
    updated_at: now,
    used_by: [],
    changed: [],
    removed_at: null,
    ...more,
  };
}

const speech = {
  text: 'Welcome. For sales, press 1.',
  language: 'en-US',
  voice: slt.id,
  rate: 1,
  key: 'k',
  engine_version: '2.2',
  model_digest: 'ab',
  made_at: now,
  automatic: true,
};
const recordings = [
  recording('rec_a', 'Welcome', { speech, changed: ['voice', 'pronunciation'] }),
  recording('rec_b', 'Goodbye.', { speech: { ...speech, text: 'Goodbye.' } }),
  recording('rec_c', 'Night', { speech: { ...speech, text: 'We are closed.', voice_language: 'en-GB' } }),
  ...['Chime', 'Hold', 'Menu'].map((name) => recording(name, name)),
];
const status = { missing: 0, changed: 0, job: null };

function replies(more: object = {}) {
  return {
    '/portal/recordings': { recordings },
    '/portal/voices': voices,
    ...Object.fromEntries(recordings.map(({ id }) => [`/portal/recordings/${id}/audio`, sound])),
    ...more,
  };
}

test('spoken recordings show text, voice and what changed, are found by their text, and are spoken again', async ({
  view,
  show,
  canned,
}) => {
  const window = new RecordingsPage(view.page);
  await show('/recordings', replies());
  const welcome = window.row('Welcome');
  await expect(welcome).toContainText('Welcome. For sales, press 1.');
  await expect(welcome).toContainText('Spoken by flite/slt, English (United States)');
  await expect(welcome).toContainText('Voice changed, Pronunciation changed');
  await expect(window.row('Night')).toContainText('The voice speaks English (United Kingdom).');
  await expect(window.row('Chime')).not.toContainText('Spoken by');
  await expectGoodView(view);

  const kind = view.page.getByRole('combobox', { name: 'Kind' });
  await kind.selectOption('Spoken');
  await expect(window.rows).toHaveCount(3);
  await kind.selectOption('Changed since spoken');
  await expect(window.rows).toHaveCount(1);
  await kind.selectOption('Recorded or uploaded');
  await expect(window.rows).toHaveCount(3);
  await kind.selectOption('All recordings');
  await window.search.fill('closed');
  await expect(window.rows).toHaveCount(1);
  await window.search.fill('');

  const reason = 'The voice failed (flite): it took too long. Try again, or record the prompt.';
  canned.replies.set('/portal/recordings/rec_a/speak', new Refusal(409, reason));
  await window.press('Welcome', 'Speak again').click();
  await expect(welcome).toContainText(reason);
  canned.replies.set('/portal/recordings/rec_a/speak', recordings[0]);
  await window.press('Welcome', 'Speak again').click();
  await expect(welcome).not.toContainText(reason);
});

test('a recording of a person is made as loud as spoken prompts, heard before and after', async ({
  view,
  show,
  canned,
}) => {
  const { page } = view;
  const window = new RecordingsPage(page);
  const soft = wavFile('any.wav', tone(997, 2_000, { loud: 0.02 })).buffer;
  await show('/recordings', replies());
  const chime = recordings.find(({ name }) => name === 'Chime');
  canned.replies.set(`/portal/recordings/${String(chime?.id)}/audio`, soft);
  // What is spoken has its loudness already.
  await window.more('Welcome').click();
  await expect(page.getByRole('menuitem', { name: 'Match loudness…' })).toHaveCount(0);
  await page.keyboard.press('Escape');

  await window.chooseMore('Chime', 'Match loudness…');
  await expect(window.dialog).toContainText('This recording has −37.0 LUFS. Spoken prompts have −16.0 LUFS.');
  for (const which of ['Before', 'After'])
    await expect(window.dialog.getByRole('button', { name: `Play ${which}` })).toBeVisible();
  await expectGoodView(view);
  canned.replies.set(`/portal/recordings/${String(chime?.id)}`, chime);
  await window.choose('Replace').click();
  await expect(window.dialog).toBeHidden();
  expect(canned.sent).toContain(`/portal/recordings/${String(chime?.id)}`);

  const loud = wavFile('any.wav', tone(997, 2_000, { loud: 10 ** ((-16 + 3.01) / 20) })).buffer;
  canned.replies.set(`/portal/recordings/${String(chime?.id)}/audio`, loud);
  await window.chooseMore('Chime', 'Match loudness…');
  await expect(window.dialog).toContainText(
    'The recording is as loud as spoken prompts already (−16.0 LUFS).',
  );
  await expect(window.choose('Replace')).toBeHidden();
  await window.choose('Close').click();
});

test('a text is typed, heard and saved as a recording, all by keyboard', async ({ view, show, canned }) => {
  const window = new RecordingsPage(view.page);
  const { page } = view;
  await show('/recordings', replies());
  await view.tabTo(page.getByRole('button', { name: speakText.open, exact: true }));
  await page.keyboard.press('Enter');
  await expect(window.dialog).toBeVisible();
  await expectGoodView(view);
  const typed = window.dialog.getByRole('textbox', { name: 'Text' });

  await window.choose('Save').focus();
  await page.keyboard.press('Enter');
  await expect(typed).toBeFocused();
  await expect(window.dialog).toContainText(speakText.textMissing);
  await page.keyboard.type('Welcome to us.');
  await expect(window.dialog).not.toContainText(speakText.textMissing);
  await window.dialog.getByLabel('Language').selectOption('German (Germany)');
  await window.dialog.getByLabel('Voice').selectOption('thorsten-medium (natural)');

  canned.replies.set('/portal/speech/preview', new Refusal(409, 'The voice failed.'));
  await window.choose('Listen').click();
  await expect(window.dialog).toContainText('The voice failed.');
  canned.replies.set('/portal/speech/preview', sound);
  await window.choose('Listen').click();
  await expect(window.dialog).not.toContainText('The voice failed.');
  await expect(window.dialog.getByRole('button', { name: 'Listen', pressed: false })).toBeVisible(); // it has come to its end
  expect(canned.bodies.get('/portal/speech/preview')).toEqual({
    text: 'Welcome to us.',
    language: 'de-DE',
    voice: thorsten.id,
  });

  canned.replies.set('/portal/recordings/speak', recording('rec_n', 'Greeting', { speech }));
  await window.name.fill('Greeting');
  await page.keyboard.press('Enter');
  await expect(window.dialog).toBeHidden();
  await expect(page.getByText(speakText.added('Greeting'))).toBeVisible();
  expect(canned.bodies.get('/portal/recordings/speak')).toEqual({
    text: 'Welcome to us.',
    language: 'de-DE',
    voice: thorsten.id,
    name: 'Greeting',
  });
});

test('all prompts are spoken with progress, are stopped, and what failed is listed', async ({
  view,
  show,
  canned,
}) => {
  const { page } = view;
  const work = page.getByRole('region', { name: speechWorkText.title });
  await show('/recordings', replies({ '/portal/speech': { ...status, missing: 7, changed: 1 } }));
  await expect(work).toContainText('7 prompts have a text and no recording yet.');
  await expect(work).toContainText('voice changed (1), pronunciation changed (1)');
  await expectGoodView(view);

  const job = {
    what: 'missing',
    status: 'running',
    total: 7,
    done: 2,
    current: 'Welcome',
    failed: 0,
    failures: [],
    interrupted: null,
    started_at: now,
    ended_at: null,
  };
  const running = { missing: 5, changed: 1, job };
  canned.replies.set('/portal/speech/all', running);
  canned.replies.set('/portal/speech', running);
  await work.getByRole('button', { name: speechWorkText.speakMissing(7) }).press('Enter');
  canned.tell('speech', {});
  await expect(work).toContainText('Speaking 3 of 7…');
  await expect(work.getByRole('progressbar')).toHaveAttribute('value', '2');
  await expect(work.getByRole('button', { name: 'Stop' })).toBeFocused();
  expect(canned.bodies.get('/portal/speech/all')).toEqual({ what: 'missing' });
  await expectGoodView(view);

  await page.keyboard.press('Enter');
  await expect.poll(() => canned.sent.filter((path) => path === '/portal/speech/all')).toHaveLength(2);
  const problem = { kind: 'no_voice', language: 'ja' };
  const odd = { kind: 'engine_failed', engine: 'flite', reason: 'implausible' };
  const failures = [
    { text: '日本語', recording: null, problem },
    { text: 'Hola', recording: null, problem: odd, speech: { language: 'es-ES', voice: null } },
  ];
  canned.change({
    '/portal/speech': {
      missing: 4,
      changed: 1,
      job: { ...job, status: 'stopped', failed: 2, failures, ended_at: now },
    },
  });
  await expect(work).toContainText('Stopped: 2 of 7 prompts spoken, 2 failed.');
  const [noVoice, oddOne] = [work.getByRole('listitem').first(), work.getByRole('listitem').last()];
  await expect(noVoice).toContainText('There is no voice for the language ja');
  await expect(noVoice.getByRole('button')).toHaveCount(0);
  await expectGoodView(view);
  canned.replies.set('/portal/speech/preview', sound);
  canned.replies.set('/portal/recordings/speak', recording('rec_9', 'Hola'));
  const asked = { text: 'Hola', language: 'es-ES', as_it_is: true };
  await oddOne.getByRole('button', { name: 'Listen to this one Hola' }).click();
  await expect.poll(() => canned.bodies.get('/portal/speech/preview')).toEqual(asked);
  await oddOne.getByRole('button', { name: 'Use it Hola' }).click();
  await expect.poll(() => canned.bodies.get('/portal/recordings/speak')).toEqual({ ...asked, voice: null });
  // Of many the first are there, and all of them when they are asked for.
  const many = Array.from({ length: 21 }, (_, place) => ({
    text: `Text ${place}`,
    recording: null,
    problem,
  }));
  const ended = { ...job, status: 'stopped', failed: many.length, ended_at: now };
  canned.change({
    '/portal/speech': { missing: 4, changed: 1, job: { ...ended, failures: many.slice(0, 20) } },
  });
  await expect(work).toContainText('Stopped: 2 of 7 prompts spoken, 21 failed.');
  await expect(work.getByRole('listitem')).toHaveCount(20);
  canned.replies.set('/portal/speech', { missing: 4, changed: 1, job: { ...ended, failures: many } });
  await work.getByRole('button', { name: speechWorkText.showAll(21) }).click();
  await expect(work.getByRole('listitem')).toHaveCount(21);
  await expect(work.getByRole('button', { name: speechWorkText.showAll(21) })).toHaveCount(0);
  await expectGoodView(view);
  await work.getByRole('button', { name: 'Close' }).click();
  await expect(work.getByRole('listitem')).toHaveCount(0);

  await work.getByRole('button', { name: speechWorkText.speakChanged(1) }).click();
  const question = page.getByRole('dialog', { name: speechWorkText.again.title(1) });
  await expect(question).toContainText('Callers hear the new audio from the next call on.');
  await question.getByRole('button', { name: 'Speak again' }).click();
  await expect(question).toBeHidden();
  expect(canned.bodies.get('/portal/speech/all')).toEqual({ what: 'changed' });
});

test('pronunciations are added, heard and removed, and an address leads to them with a word', async ({
  view,
  show,
  canned,
}) => {
  const { page } = view;
  const dialog = page.getByRole('dialog', { name: pronunciationsText.title });
  const one = { word: 'Rotavox', say: 'Roh ta vox', language: null, recordings: 2 };
  await show('/recordings?pronounce=Acme', replies({ '/portal/pronunciations': { pronunciations: [one] } }));
  await expect(dialog.getByRole('listitem')).toContainText('Rotavox is said as Roh ta vox');
  await expect(dialog.getByRole('listitem')).toContainText('Every language · in 2 recordings');
  await expectGoodView(view);
  await expect(dialog.getByLabel('Word')).toHaveValue('Acme');
  await expect(dialog.getByLabel('Sounds like')).toBeFocused();
  await dialog.getByRole('button', { name: pronunciationsText.add }).click();
  await expect(dialog).toContainText(pronunciationsText.sayMissing);
  await expect(dialog.getByLabel('Sounds like')).toBeFocused();
  await page.keyboard.type('Ack mee');
  canned.replies.set('/portal/speech/preview', sound);
  await dialog.getByRole('button', { name: 'Listen the new pronunciation' }).click();
  await expect.poll(() => canned.bodies.get('/portal/speech/preview')).toEqual({ text: 'Ack mee' });
  const acme = { word: 'Acme', say: 'Ack mee', language: 'de-DE', recordings: 0 };
  await dialog.getByLabel('Language').selectOption('German (Germany)');
  const both = { pronunciations: [acme, one] };
  canned.onChange('/portal/pronunciations', both, { '/portal/pronunciations': both });
  await dialog.getByRole('button', { name: pronunciationsText.add }).click();
  await expect(dialog.getByRole('listitem')).toHaveCount(2);
  await expect(dialog.getByLabel('Word')).toBeFocused();
  const { recordings: _, ...sent } = acme;
  expect(canned.bodies.get('/portal/pronunciations')).toEqual({ set: [sent], remove: [] });

  const left = { pronunciations: [one] };
  canned.onChange('/portal/pronunciations', left, { '/portal/pronunciations': left });
  await dialog.getByRole('button', { name: 'Remove Acme' }).click();
  await expect(dialog.getByRole('listitem')).toHaveCount(1);
  expect(canned.bodies.get('/portal/pronunciations')).toEqual({
    set: [],
    remove: [{ word: 'Acme', language: 'de-DE' }],
  });
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(/\/recordings$/);
});

test('a voice that is added by another window or before this section was left shows how far it is, is stopped, and its end is told', async ({
  view,
  show,
  canned,
}) => {
  const { page } = view;
  const settings = new SettingsPage(page);
  const list = settings.setting(voicesText.list.title);
  const file = settings.setting(voicesText.fromFile.title);
  const packs = { packs: [pack], offered: [offered], runtime, downloading: null, adding: null };
  const begun = new Date().toISOString();
  const adding = {
    voice: offered.voice,
    status: 'running',
    added: null,
    message: null,
    started_at: begun,
    ended_at: null,
  };
  const downloading = { voice: offered.voice, received: 10_000_000, bytes: 64_000_000 };
  const running = { ...packs, downloading, adding };
  await show('/settings#voices', replies({ '/portal/voice-packs': packs }));
  await list.getByText('French (France)', { exact: true }).click();
  await expect(list.getByRole('button', { name: 'Add siwis-medium' })).toBeEnabled();

  // Another window has begun it.
  canned.replies.set('/portal/voice-packs', running);
  canned.tell('voices', { changed: 'progress' });
  const stop = list.getByRole('button', { name: 'Stop siwis-medium' });
  await expect(stop).toBeVisible();
  await expect(list).toContainText('Downloading siwis-medium: 10.0 MB of 64.0 MB…');
  await expectGoodView(view);
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Recordings' }).click();
  await expect(stop).toBeHidden();
  await page.goBack();
  await list.getByText('French (France)', { exact: true }).click();
  await expect(stop).toBeVisible();

  canned.replies.set('/portal/voice-packs/adding', {
    adding: { ...adding, status: 'stopped', ended_at: begun },
  });
  await stop.click();
  await expect.poll(() => canned.sent).toContain('/portal/voice-packs/adding');
  canned.replies.set('/portal/voice-packs', {
    ...packs,
    adding: { ...adding, status: 'stopped', ended_at: begun },
  });
  canned.tell('voices', { changed: 'progress' });
  await expect(list.getByRole('button', { name: 'Add siwis-medium' })).toBeEnabled();

  const later = new Date(Date.now() + 1000).toISOString();
  const next = { ...adding, started_at: later, ended_at: later };
  const message = 'The archive is damaged or was not downloaded completely.';
  canned.replies.set('/portal/voice-packs', { ...packs, adding: { ...next, status: 'refused', message } });
  canned.tell('voices', { changed: 'progress' });
  await expect(list).toContainText(message);
  const siwis = { ...pack, voice: offered.voice, name: offered.name, language: 'fr-FR', recordings: [] };
  const last = new Date(Date.now() + 2000).toISOString();
  const done = { ...next, started_at: last, status: 'done', added: { name: offered.name } };
  canned.replies.set('/portal/voice-packs', { ...packs, packs: [pack, siwis], offered: [], adding: done });
  canned.tell('voices', { changed: 'voices' });
  await expect(file.getByRole('status').first()).toHaveText(voicesText.fromFile.added(offered.name));
  await expect(list.getByRole('button', { name: 'Remove… siwis-medium' })).toBeVisible();
  await expect(list).not.toContainText(message);
  // What was shown is no news any more.
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Recordings' }).click();
  await expect(file).toBeHidden();
  await page.goBack();
  await expect(file.getByRole('status').first()).toHaveText('');
});

test('voices are listed by language, chosen, heard, added and removed', async ({ view, show, canned }) => {
  const { page } = view;
  const settings = new SettingsPage(page);
  const list = settings.setting(voicesText.list.title);
  const packs = { packs: [pack], offered: [offered], runtime, downloading: null, adding: null };
  await show('/settings#voices', replies({ '/portal/voice-packs': packs }));
  await expect(list.getByRole('listitem')).toContainText('slt Basic, speaks the menus');
  await expect(list.getByRole('listitem')).toContainText('flite · BSD-like (CMU)');
  for (const language of ['German (Germany)', 'French (France)'])
    await list.getByText(language, { exact: true }).click();
  await expect(list.getByRole('listitem')).toHaveCount(3);
  await expect(list).toContainText('sherpa-onnx · CC0 · 63.0 MB');
  await expectGoodView(view);

  canned.replies.set('/portal/speech/preview', new Refusal(409, 'The voice failed.'));
  await list.getByRole('button', { name: 'Listen slt' }).click();
  await expect(list).toContainText('The voice failed.');
  expect(canned.bodies.get('/portal/speech/preview')).toMatchObject({
    voice: 'flite/slt',
    language: 'en-US',
  });

  const problem = 'https://downloads.example.com/siwis.tar.bz2 could not be downloaded (ENOTFOUND).';
  canned.replies.set(
    '/portal/voice-packs/download',
    new Refusal(502, problem, { code: 'other_service_failed' }),
  );
  await list.getByRole('button', { name: 'Add siwis-medium' }).click();
  await expect(list).toContainText('could not be downloaded');
  const siwis = { ...pack, voice: offered.voice, name: offered.name, language: 'fr-FR', recordings: [] };
  canned.onChange(
    '/portal/voice-packs/download',
    { pack: siwis, runtime_added: false },
    { '/portal/voice-packs': { ...packs, packs: [pack, siwis], offered: [] } },
  );
  await list.getByRole('button', { name: 'Add siwis-medium' }).click();
  await expect(list.getByRole('button', { name: 'Remove… siwis-medium' })).toBeVisible();
  expect(canned.bodies.get('/portal/voice-packs/download')).toEqual({ voice: offered.voice, keep: true });

  await list.getByRole('button', { name: 'Remove… thorsten-medium' }).click();
  const question = page.getByRole('dialog');
  await expect(question).toContainText(
    '“Willkommen” keeps its audio. To speak it again, another voice is needed.',
  );
  await expectGoodView(view);
  canned.onChange('/portal/voice-packs', { voice: thorsten.id, recordings: pack.recordings });
  await question.getByRole('button', { name: voicesText.removal.remove }).click();
  await expect(question).toBeHidden();

  const usual = settings.setting(voicesText.spoken.title);
  const german = { ...defaultSettings, speech_language: 'de-DE' };
  canned.replies.set('/portal/settings', german);
  await usual.getByLabel('Language').selectOption('German (Germany)');
  await expect
    .poll(() => canned.bodies.get('/portal/settings'))
    .toEqual({ speech_language: 'de-DE', speech_voice: null });
});
