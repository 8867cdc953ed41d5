import { expect } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loudest } from '../../../src/renderer/recordings/sound/find-sound.ts';
import { lengthMs } from '../../../src/core/recording/sound.ts';
import type { NodeId } from '../../../src/contract/menu/ivr-draft.ts';
import { ivrBody } from '../../fixtures/ivr-bodies.ts';
import { templates } from '../../fixtures/ivr-templates.ts';
import { loudnessAt, tone } from '../../renderer/recordings/tones.ts';
import { silentTone, soundOf, wavFile } from './audio-files.ts';
import { test } from './serve-host.ts';
import { pronunciationsText, speakText, speechWorkText } from '../../../src/text/menu/speech-window.ts';

test.beforeEach(async ({ recordings, owner }) => {
  await recordings.open(owner.baseUrl);
  await expect(recordings.first).toBeVisible();
});

test('the sample recordings are added, seen, found and heard', { tag: '@long' }, async ({ recordings }) => {
  await recordings.page.getByRole('button', { name: 'Add the sample recordings' }).click();
  await expect(recordings.rows).toHaveCount(4);
  await expect(recordings.uploads).toContainText('4 files uploaded.');
  const chime = recordings.row('Greeting chime');
  await expect(recordings.waveform(chime)).toHaveAccessibleName(/0:02\.2 long, sound from 0:00\.0/);
  await expect(chime).toContainText('WAV · 0:02 · 35 kB');
  await expect(chime).toContainText('Not played anywhere yet');

  await recordings.press('Greeting chime', 'Play').click();
  await expect(recordings.press('Greeting chime', 'Pause')).toBeVisible();
  // One at a time.
  await recordings.press('Goodbye chime', 'Play').click();
  await expect(recordings.press('Greeting chime', 'Play')).toBeVisible();
  await expect(recordings.press('Goodbye chime', 'Play')).toBeVisible(); // it has come to its end
  await expect(recordings.position('Goodbye chime')).toHaveValue('0');

  await expect(recordings.search, 'nobody searches four recordings').toBeHidden();
  await recordings.upload(wavFile('One.wav', silentTone), wavFile('Two.wav', silentTone));
  await expect(recordings.rows).toHaveCount(6);
  await recordings.page.keyboard.press('/');
  await expect(recordings.search).toBeFocused();
  await recordings.search.fill('wrong');
  await expect(recordings.rows).toHaveCount(1);
  await expect(recordings.page).toHaveURL(/\?q=wrong$/);
  await recordings.search.fill('nothing like it');
  await recordings.page.getByRole('button', { name: 'Show all' }).click();
  await expect(recordings.rows).toHaveCount(6);
});

test('files come by the button and by being dropped, and what is no audio is refused with a reason', async ({
  recordings,
  owner,
}) => {
  await recordings.upload(
    wavFile('Welcome_to_us.wav', silentTone),
    { name: 'a picture.mp3', mimeType: 'audio/mpeg', buffer: Buffer.from('\u0089PNG and more') },
    wavFile('Bye.wav', tone(330, 300)),
  );
  await expect(recordings.uploads).toContainText('2 of 3 files uploaded, 1 not.');
  await expect(recordings.uploads.getByRole('listitem')).toContainText(/a picture\.mp3: .*(WAV|MP3|audio)/i);
  await expect(recordings.row('Welcome to us')).toBeVisible();
  await recordings.uploads.getByRole('button', { name: 'Close' }).click();
  await expect(recordings.uploads).toBeHidden();

  await recordings.drop(wavFile('Night.wav', tone(220, 300)));
  await expect(recordings.row('Night')).toBeVisible();
  await recordings.drop({ name: 'large.wav', mimeType: 'audio/wav', buffer: Buffer.alloc(0) });
  await expect(recordings.uploads).toContainText('The file was not uploaded.');
  expect((await owner.ask('listRecordings')).recordings).toHaveLength(3);
});

test('what only the browser decodes is converted, and what telephone systems write is heard', async ({
  recordings,
  owner,
}) => {
  const file = (name: string) => ({
    name,
    mimeType: '',
    buffer: readFileSync(join(import.meta.dirname, '../../fixtures/sounds', name)),
  });
  await recordings.upload(
    ...['tone.m4a', 'tone.flac', 'tone.webm', 'sweep-gsm.wav', 'sweep-alaw.wav', 'tone.amr'].map(file),
  );
  await expect(recordings.uploads).toContainText('5 of 6 files uploaded, 1 not.');
  await expect(recordings.uploads.getByRole('listitem')).toHaveText([
    'tone.m4a: Converted from m4a to WAV.',
    'tone.flac: Converted from FLAC to WAV.',
    'tone.webm: Converted from WebM to WAV.',
    'sweep-gsm.wav: Converted from GSM 6.10 to WAV.',
    /tone\.amr: This is a file in the format AMR\. This browser cannot decode it\./,
  ]);
  for (const name of ['tone', 'sweep-gsm', 'sweep-alaw'])
    await expect(recordings.waveform(recordings.row(name).first())).toHaveAccessibleName(
      /sound from 0:00\.\d/,
    );
  const { recordings: all } = await owner.ask('listRecordings');
  expect(all.map(({ format }) => format)).toEqual(['wav', 'wav', 'wav', 'wav', 'wav']);
  for (const { name, duration_ms: durationMs } of all)
    expect(Math.abs(durationMs! - (name === 'tone' ? 1000 : 265))).toBeLessThan(120);
  await recordings.press('sweep-gsm', 'Play').click();
  await expect(recordings.press('sweep-gsm', 'Play')).toBeVisible(); // it has come to its end
});

test(
  'a recording is renamed, entered in the middle and removed without a mouse',
  { tag: '@long' },
  async ({ recordings, owner }) => {
    const { page } = recordings;
    await recordings.upload(wavFile('Welcome.wav', silentTone));
    await recordings.tabTo(recordings.press('Welcome', 'Play'));
    await page.keyboard.press('Tab');
    await expect(recordings.position('Welcome')).toBeFocused();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect(recordings.position('Welcome')).toHaveAttribute('aria-valuetext', '0:01 of 0:03');

    await recordings.tabTo(recordings.more('Welcome'));
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Good morning');
    await page.keyboard.press('Enter');
    await expect(recordings.row('Good morning')).toBeVisible();
    await expect(recordings.more('Good morning')).toBeFocused();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.keyboard.type('something else');
    await page.keyboard.press('Escape');
    await expect(recordings.row('Good morning')).toBeVisible();

    await expect(recordings.more('Good morning')).toBeFocused();
    await page.keyboard.press('Enter');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await recordings.tabTo(recordings.choose('Remove'));
    await page.keyboard.press('Enter');
    await expect(recordings.first).toBeVisible();
    expect((await owner.ask('listRecordings')).recordings).toEqual([]);
  },
);

test(
  'a recording that a menu plays says where, leads there, and cannot be removed',
  { tag: '@long' },
  async ({ recordings, owner, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await recordings.upload(wavFile('Welcome.wav', silentTone));
    await expect(recordings.row('Welcome')).toBeVisible();
    const { id } = (await owner.ask('listRecordings')).recordings[0]!;
    const reference = `recording||${id}`;
    await recordings.copy(reference).click();
    expect(await recordings.page.evaluate(() => navigator.clipboard.readText())).toBe(reference);

    const ivr = await owner.ask('portalCreateIvr', { body: { ...ivrBody, recording: reference } });
    await expect(recordings.row('Welcome')).toContainText('Played in Reception (prompt)');
    await recordings.chooseMore('Welcome', 'Remove…');
    await expect(recordings.dialog).toContainText('“Welcome” cannot be removed while it is played in:');
    await expect(recordings.choose('Remove')).toHaveCount(0);
    await recordings.choose('Close').click();
    await recordings.row('Welcome').getByRole('link', { name: 'Reception' }).click();
    await expect(recordings.page).toHaveURL(`${owner.baseUrl}/ivr/${ivr.id}`);
  },
);

test('a prompt is recorded with the microphone, listened to and saved with its sound', async ({
  recordings,
  owner,
}) => {
  await recordings.page.getByRole('button', { name: 'Record…' }).click();
  await recordings.record.click();
  await expect
    .poll(async () => Number(await recordings.level.getAttribute('aria-valuenow')))
    .toBeGreaterThan(60);
  await expect(recordings.dialog).toContainText(/0:01\.\d of/);
  await recordings.stop.click();
  await expect(recordings.waveform(recordings.dialog)).toHaveAccessibleName(/good level/);
  await recordings.choose('Play the recording').click();
  await expect(recordings.choose('Pause the recording')).toBeVisible();
  await recordings.choose('Save').click();
  await expect(recordings.name).toHaveAttribute('aria-invalid', 'true');
  await recordings.name.fill('Welcome');
  await recordings.choose('Save').click();
  await expect(recordings.row('Welcome')).toBeVisible();

  const [saved] = (await owner.ask('listRecordings')).recordings;
  expect(saved).toMatchObject({ name: 'Welcome', format: 'wav' });
  const sound = soundOf(await recordings.audioOf(saved!.id));
  expect(Math.abs(lengthMs(sound) - saved!.duration_ms!)).toBeLessThan(2);
  expect(loudest(sound.samples)).toBeGreaterThan(0.3);
  // The tone and nothing else; how much of it depends on how often the fake microphone stumbles.
  expect(loudnessAt(sound, 440)).toBeGreaterThan(0.1);
  expect(loudnessAt(sound, 440)).toBeGreaterThan(10 * loudnessAt(sound, 1000));
});

test('where the microphone is not allowed it is said what to do, and the way on is there', async ({
  recordings,
}) => {
  const { page } = recordings;
  await recordings.forbidMicrophone();
  await page.getByRole('button', { name: 'Record…' }).click();
  await recordings.record.click();
  await expect(recordings.alert).toContainText(
    /does not allow this page to use the microphone.*then try again/,
  );
  await recordings.choose('Try again').click();
  await expect(recordings.alert).toContainText('then try again');
  await page.keyboard.press('Escape');
  await expect(recordings.dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Record…' })).toBeFocused();
});

test(
  'a prompt of a menu is recorded in its field in the designer, and chosen',
  { tag: '@long' },
  async ({ recordings, owner }) => {
    const { page } = recordings;
    const { id } = await owner.ask('createDraft', { body: { document: templates[0]!.document } });
    await page.goto(`${owner.baseUrl}/ivr/drafts/${id}`);
    await page.getByRole('group', { name: /^Menu: Reception/ }).focus();
    await page.keyboard.press('Enter');
    const inspector = page.getByRole('region', { name: 'Inspector' });
    await inspector.getByRole('button', { name: 'Record “Callers hear”' }).click();
    await recordings.record.click();
    await expect(recordings.dialog).toContainText(/0:0[1-9]\.\d of/);
    await recordings.stop.click();
    await recordings.name.fill('Good morning');
    await recordings.choose('Save').click();
    await expect(inspector).toContainText('Good morning, ');
    const [saved] = (await owner.ask('listRecordings')).recordings;
    const recording = async () => {
      const { document } = await owner.ask('readDraft', { params: { id } });
      return document.nodes['reception' as NodeId];
    };
    await expect.poll(recording).toMatchObject({ recording: `recording||${saved!.id}` });
  },
);

test(
  'a prompt is recorded again and saved without a mouse, and never thrown away by one key',
  { tag: '@long' },
  async ({ recordings, owner }) => {
    const { page } = recordings;
    await recordings.tabTo(page.getByRole('button', { name: 'Record…' }));
    await page.keyboard.press('Enter');
    await recordings.tabTo(recordings.record);
    await page.keyboard.press('Enter');
    await recordings.tabTo(recordings.stop);
    await page.keyboard.press('Enter');
    await expect(recordings.name).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(recordings.alert).toContainText('This recording is not saved');
    await recordings.tabTo(recordings.choose('Record again'));
    await page.keyboard.press('Enter');
    await recordings.tabTo(recordings.stop);
    await page.keyboard.press('Enter');
    await expect(recordings.name).toBeFocused();
    await page.keyboard.type('By keyboard');
    await page.keyboard.press('Enter');
    await expect(recordings.row('By keyboard')).toBeVisible();
    expect((await owner.ask('listRecordings')).recordings).toHaveLength(1);
  },
);

test(
  'a recording is downloaded as it was uploaded, under its name',
  { tag: '@long' },
  async ({ recordings }) => {
    const file = wavFile('Grüße am Morgen.wav', silentTone);
    await recordings.upload(file);
    const begun = recordings.page.waitForEvent('download');
    await recordings.chooseMore('Grüße am Morgen', 'Download');
    const download = await begun;
    expect(download.suggestedFilename()).toBe('Grüße-am-Morgen.wav');
    expect(readFileSync(await download.path()).equals(file.buffer)).toBe(true);
  },
);

test(
  'the silence is cut off, heard and saved in its place, and then there is none',
  { tag: '@long' },
  async ({ recordings, owner }) => {
    await recordings.upload(wavFile('Welcome.wav', silentTone));
    await recordings.press('Welcome', 'Trim…').click();
    // 500 ms and 1,000 ms, less the margin of 120 ms at each end.
    await expect(recordings.dialog).toContainText('Removes 0.38 s at the beginning and 0.88 s at the end.');
    await recordings.choose('Play the result').click();
    await expect(recordings.choose('Pause the result')).toBeVisible();
    await recordings.choose('Replace').click();
    await expect(recordings.dialog).toBeHidden();
    await expect(recordings.row('Welcome')).toContainText('WAV · 0:01 · 109 kB');

    const [saved] = (await owner.ask('listRecordings')).recordings;
    const sound = soundOf(await recordings.audioOf(saved!.id));
    expect([sound.rate, Math.round(lengthMs(sound) / 10)]).toEqual([44_100, 124]);
    expect(loudnessAt(sound, 440)).toBeGreaterThan(0.4);

    await recordings.press('Welcome', 'Trim…').click();
    await expect(recordings.dialog).toContainText('There is no silence at its beginning or end.');
    await expect(recordings.choose('Replace')).toHaveCount(0);
    await recordings.choose('Close').click();
    await expect(recordings.dialog).toBeHidden();
  },
);

test(
  'the samples are worked on beside the page, which answers meanwhile',
  { tag: '@long' },
  async ({ recordings, owner }) => {
    const { page } = recordings;
    // Held back: nothing of the page's own can be at work on the samples.
    const asked = Promise.withResolvers();
    const release = Promise.withResolvers();
    await page.route(/\/assets\/sound-worker-/, async (route) => {
      asked.resolve(undefined);
      await release.promise;
      await route.continue();
    });
    await recordings.upload(wavFile('Welcome.wav', silentTone));
    await recordings.press('Welcome', 'Trim…').click();
    await asked.promise;
    await expect(recordings.dialog).toContainText('Loading the audio…');
    await expect(recordings.waveform(page.locator('body'))).toHaveCount(0);
    await recordings.choose('Close').click();
    await expect(recordings.dialog).toBeHidden();
    await recordings.press('Welcome', 'Trim…').click();

    release.resolve(undefined);
    await expect(recordings.dialog).toContainText('Removes 0.38 s at the beginning and 0.88 s at the end.');
    await expect(recordings.waveform(recordings.row('Welcome'))).toHaveCount(3); // of the row, and two of its dialog
    await recordings.choose('Cancel').click();
    await expect.poll(() => page.workers().length).toBe(0);
    expect((await owner.ask('listRecordings')).recordings).toHaveLength(1);
  },
);

test('a text is spoken by the built-in voice, and again after a word of it got a pronunciation', async ({
  recordings,
  owner,
}) => {
  const { page, dialog } = recordings;
  await page.getByRole('button', { name: speakText.open, exact: true }).click();
  await dialog.getByRole('textbox', { name: 'Text' }).fill('Welcome to Rotavox.');
  await recordings.choose('Listen').click();
  await expect(dialog.getByRole('button', { name: 'Stop', pressed: true })).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Listen', pressed: false })).toBeVisible(); // it has come to its end
  expect((await owner.ask('listRecordings')).recordings, 'nothing is stored by listening').toEqual([]);
  await recordings.choose('Save').click();
  const row = recordings.row('Welcome to Rotavox.');
  await expect(row).toContainText('Spoken by flite/slt, English (United States)');
  await expect(recordings.waveform(row)).toHaveAccessibleName(/sound from 0:00\.\d/);
  const [before] = (await owner.ask('listRecordings')).recordings;

  await page.getByRole('button', { name: pronunciationsText.open }).click();
  await dialog.getByLabel('Word').fill('Rotavox');
  await dialog.getByLabel('Sounds like').fill('Roh ta vox');
  await dialog.getByRole('button', { name: pronunciationsText.add }).click();
  await expect(dialog.getByRole('listitem')).toContainText('in 1 recording');
  await recordings.choose('Close').click();
  await expect(row).toContainText('Pronunciation changed');

  const work = page.getByRole('region', { name: speechWorkText.title });
  await work.getByRole('button', { name: speechWorkText.speakChanged(1) }).click();
  await dialog.getByRole('button', { name: 'Speak again' }).click();
  await expect(work).toContainText('1 of 1 prompt spoken.');
  await expect(row).not.toContainText('Pronunciation changed');
  const [after] = (await owner.ask('listRecordings')).recordings;
  expect(after?.id).toBe(before?.id);
  expect(after?.digest).not.toBe(before?.digest);
});
