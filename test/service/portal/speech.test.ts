import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { PublishReply } from '../../../src/contract/menu/ivr-draft.ts';
import type { RecordingView, SpeakingJob, SpokenPrompts } from '../../../src/contract/menu/recording.ts';
import type { Ivr, IvrId } from '../../../src/contract/menu/ivr.ts';
import { speechLog } from '../../../src/text/menu/speech-text.ts';
import { defaultSettings } from '../../../src/contract/service/settings.ts';
import { storedPrompts } from '../../../src/core/recording/change-recording.ts';
import { recordingOfPrompt } from '../../../src/core/speech/spoken-recording.ts';
import { EngineSpeaker } from '../../../src/speech/engine-speaker.ts';
import { FakeSpeechEngine } from '../../fakes/fake-speech-engine.ts';
import { templates } from '../../fixtures/ivr-templates.ts';
import { FakeSpeaker } from '../../fakes/fake-speaker.ts';
import { wavFile } from '../../fixtures/audio-files.ts';
import { ivrBody } from '../../fixtures/ivr-bodies.ts';
import { twoMenus } from '../../fixtures/ivr-documents.ts';
import { noon } from '../../fixtures/make-events.ts';
import { waitFor } from '../../fixtures/wait-for.ts';
import { type Answer, OpenService } from '../open-service.ts';
import { readNotices } from '../read-notices.ts';

const anyText = expect.any(String) as unknown;

const menu = {
  ...ivrBody,
  recording: 'outbound_tts||Welcome',
  invalid_recording: 'outbound_tts||No such key',
  timeout_retry_recording: 'outbound_tts||Welcome',
  timeout_recording: 'outbound_tts||Goodbye',
};

async function start(speaker = new FakeSpeaker(), folder?: string) {
  const service = await OpenService.start({ speaker, ...(folder === undefined ? {} : { folder }) });
  const recordings = async (): Promise<RecordingView[]> =>
    (await service.owner('GET', '/portal/recordings')).body['recordings'] as RecordingView[];
  const texts = async () => (await recordings()).map(({ speech }) => speech?.text ?? null).sort();
  return { service, speaker, recordings, texts };
}

const speak = (service: OpenService, body: object): Promise<Answer> =>
  service.owner('POST', '/portal/recordings/speak', body);
const speakIvr = async (service: OpenService, id: string, check = false): Promise<SpokenPrompts['prompts']> =>
  (await service.owner('POST', `/portal/ivrs/${id}/speak`, { check })).body['prompts'] as never;
const silentOf = async (service: OpenService, ...prompts: string[]) =>
  (await service.owner('POST', '/portal/prompts/check', { prompts })).body['silent'];

/** Keeps what is logged, one object a line. */
function linesTo(lines: object[]): Writable {
  return new Writable({
    write(line: Buffer, _encoding, done) {
      lines.push(JSON.parse(String(line)) as object);
      done();
    },
  });
}

describe('a text that is spoken', () => {
  it('is a recording, made once, which says what it was made of', async () => {
    const { service, speaker, recordings } = await start();
    const made = await speak(service, { text: ' Good morning ', name: 'Greeting' });
    expect(made.body).toMatchObject({
      name: 'Greeting',
      format: 'wav',
      duration_ms: 200,
      speech: {
        text: 'Good morning',
        language: 'en-US',
        voice: 'fake/anna',
        rate: 1,
        key: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
        engine_version: '1',
        automatic: false,
      },
    });
    expect((await speak(service, { text: 'Good morning' })).body).toEqual(made.body);
    expect(speaker.asked).toHaveLength(1);
    const other = await speak(service, { text: 'Good morning', voice: 'fake/bob' });
    expect(other.body).toMatchObject({ name: 'Good morning', speech: { voice: 'fake/bob' } });
    expect((await recordings()).map(({ id }) => id)).toEqual([made.body['id'], other.body['id']]);
  });

  it('is made once also when two ask for it at the same time', async () => {
    const { service, speaker } = await start();
    const [one, other] = await Promise.all([
      speak(service, { text: 'Hello' }),
      speak(service, { text: 'Hello' }),
    ]);
    expect(one.body).toEqual(other.body);
    expect(speaker).toMatchObject({ asked: { length: 1 }, most: 1 });
  });

  it('is heard before it is stored, by the same audio', async () => {
    const { service, recordings } = await start();
    const headers = { authorization: `Bearer ${service.service.sessions.portalKey}` };
    const preview = await service.app.inject({
      method: 'POST',
      url: '/portal/speech/preview',
      headers,
      payload: { text: 'Hello' },
    });
    expect(preview.headers['content-type']).toBe('audio/wav');
    expect(await recordings()).toEqual([]);
    const { body } = await speak(service, { text: 'Hello' });
    const stored = await service.app.inject({
      url: `/portal/recordings/${String(body['id'])}/audio`,
      headers,
    });
    expect(preview.rawPayload.equals(stored.rawPayload)).toBe(true);
  });

  it('is made no more once whoever hears it has changed it or the service ends, and nothing is logged as an error', async () => {
    const lines: object[] = [];
    const speaker = new FakeSpeaker();
    const service = await OpenService.start({
      speaker,
      log: { level: 'error', stream: linesTo(lines) },
    });
    const baseUrl = await service.app.listen({ host: '127.0.0.1', port: 0 });
    const hear = (text: string, signal: AbortSignal | null = null) =>
      fetch(`${baseUrl}/portal/speech/preview`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${service.service.sessions.portalKey}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ text }),
        signal,
      });
    speaker.ready = Promise.withResolvers<null>().promise;
    const changed = new AbortController();
    const older = hear('Good mor', changed.signal);
    await waitFor(() => expect(speaker.running).toBe(1));
    changed.abort();
    await expect(older).rejects.toThrow();
    await waitFor(() => expect(speaker.running).toBe(0));
    speaker.ready = Promise.resolve();
    expect((await hear('Good morning')).headers.get('content-type')).toBe('audio/wav');
    expect(speaker.asked.map(({ text }) => text)).toEqual(['Good mor', 'Good morning']);

    speaker.ready = Promise.withResolvers<null>().promise;
    const last = expect(hear('Goodbye')).rejects.toThrow();
    await waitFor(() => expect(speaker.running).toBe(1));
    await service.app.close();
    await last;
    expect(speaker.running).toBe(0);
    expect(lines).toEqual([]);
  });

  it.each([
    [{ text: '' }, 400, 'text'],
    [{ text: 'one | two' }, 400, 'text'],
    [{ text: 'x'.repeat(1001) }, 400, 'text'],
    [{ text: 'Hello', voice: 'none' }, 400, 'voice'],
    [{ text: 'Hello', language: 'fr-FR' }, 409, 'There is no voice for the language fr-FR'],
    [{ text: '<play>' }, 400, '“<play>” is not a tag for spoken texts'],
  ])('is refused with the reason: %j', async (body, status, reason) => {
    const { service, speaker, recordings } = await start();
    speaker.problems.set('<play>', { kind: 'unreadable', at: 0, found: '<play>', fault: 'unknown' });
    for (const path of ['/portal/recordings/speak', '/portal/speech/preview']) {
      const refused = await service.owner('POST', path, body);
      expect(refused.status).toBe(status);
      expect(JSON.stringify(refused.body)).toContain(reason);
    }
    expect(await recordings()).toEqual([]);
  });

  it('is spoken again with the voice of the settings, under its id', async () => {
    const { service } = await start();
    const { body } = await speak(service, { text: 'Hello' });
    const path = `/portal/recordings/${String(body['id'])}`;
    await service.owner('PATCH', '/portal/settings', { speech_voice: 'fake/bob' });
    const again = await service.owner('POST', `${path}/speak`);
    expect(again.body).toMatchObject({ id: body['id'], speech: { voice: 'fake/bob', text: 'Hello' } });
    expect(again.body['digest']).not.toBe(body['digest']);
  });

  it('is the text of a recording no more when somebody replaces the audio', async () => {
    const { service } = await start();
    const { body } = await speak(service, { text: 'Hello' });
    const path = `/portal/recordings/${String(body['id'])}`;
    const replaced = await service.call({
      method: 'PUT',
      url: path,
      headers: { authorization: `Bearer ${service.service.sessions.portalKey}`, 'content-type': 'audio/wav' },
      payload: Buffer.from(wavFile(100)),
    });
    expect(replaced.body).toMatchObject({ speech: null });
    expect(await service.owner('POST', `${path}/speak`)).toMatchObject({ status: 409 });
  });

  it('lists the voices and what texts are spoken with', async () => {
    const { service, speaker } = await start();
    await service.owner('PATCH', '/portal/settings', {
      speech_language: 'es-ES',
      speech_voice: 'fake/carla',
    });
    expect((await service.owner('GET', '/portal/voices')).body).toEqual({
      voices: speaker.known,
      language: 'es-ES',
      voice: 'fake/carla',
    });
  });
});

describe('the texts of a menu that is stored', () => {
  it('are spoken after the reply, by the program itself, and are played by the menu', async () => {
    const { service, speaker, recordings, texts } = await start();
    const gate = Promise.withResolvers<null>();
    speaker.ready = gate.promise;
    const { value } = await service.issue({ scopes: ['ivr:write'] });
    const created = await service.bearer(value, 'POST', '/v1/ivr', { payload: menu });
    expect(created.status).toBe(200);
    // The caller of the API has its reply, and nothing was made yet.
    expect(await texts()).toEqual([]);
    gate.resolve(null);
    await waitFor(async () => expect(await texts()).toEqual(['Goodbye', 'No such key', 'Welcome']));
    expect(speaker.most).toBe(1);
    const welcome = (await recordings()).find(({ speech }) => speech?.text === 'Welcome');
    expect(welcome).toMatchObject({
      name: 'Welcome',
      speech: { automatic: true },
      used_by: [{ field: 'recording' }, { field: 'timeout_retry_recording' }],
    });
    const [added] = await service.store.history({ kinds: ['recording.added'], limit: 1 });
    expect(added?.actor).toEqual({ kind: 'system' });
    expect(await service.owner('DELETE', `/portal/recordings/${welcome?.id}`)).toMatchObject({ status: 409 });
  });

  it('are spoken at the next start where they lack speech, and nothing is asked of a voice where nothing lacks', async () => {
    const before = await OpenService.start();
    await before.owner('POST', '/portal/ivrs', menu);
    await before.stop();
    const second = await start(new FakeSpeaker(), before.folder);
    await waitFor(async () => expect(await second.texts()).toEqual(['Goodbye', 'No such key', 'Welcome']));
    await second.service.stop();
    expect(second.speaker.isClosed).toBe(true);
    const third = await start(new FakeSpeaker(), before.folder);
    await third.service.owner('POST', '/portal/ivrs', { ...menu, recording: 'outbound_tts||Good evening' });
    await waitFor(async () => expect(await third.texts()).toContain('Good evening'));
    expect(third.speaker.asked.map(({ text }) => text)).toEqual(['Good evening']);
  });

  it('are logged when they cannot be spoken, once, and tried again with other settings', async () => {
    const lines: { text?: string; problem?: { kind: string } }[] = [];
    const speaker = new FakeSpeaker();
    const service = await OpenService.start({
      speaker,
      log: { level: 'warn', stream: linesTo(lines) },
    });
    await service.owner('PATCH', '/portal/settings', { speech_language: 'fr-FR' });
    await service.owner('POST', '/portal/ivrs', menu);
    await waitFor(() => expect(lines).toMatchObject([{ text: 'Welcome', problem: { kind: 'no_voice' } }]));
    await service.owner('PATCH', '/portal/settings', { speech_language: 'es-ES' });
    await waitFor(() => expect(service.store.state.recordings.size).toBe(3));
    expect(lines).toHaveLength(1);
  });

  it('stay heard with their former voice until somebody speaks them again', async () => {
    const { service, texts, recordings } = await start();
    const { body } = await service.owner('POST', '/portal/ivrs', menu);
    await waitFor(async () => expect(await texts()).toHaveLength(3));
    const id = String(body['id']);
    expect((await speakIvr(service, id, true)).map(({ state }) => state)).toEqual([
      'spoken',
      'spoken',
      'spoken',
    ]);
    await service.owner('PATCH', '/portal/settings', { speech_voice: 'fake/bob' });
    expect(await speakIvr(service, id, true)).toMatchObject([
      { text: 'Welcome', state: 'changed', made: false },
      { text: 'No such key', state: 'changed', made: false },
      { text: 'Goodbye', state: 'changed', made: false },
    ]);
    expect(await silentOf(service, menu.recording)).toEqual([]);
    expect((await recordings()).every(({ used_by: uses }) => uses.length > 0)).toBe(true);
    const made = await speakIvr(service, id);
    expect(made.map(({ state, made: isMade }) => [state, isMade])).toEqual(Array(3).fill(['spoken', true]));
    expect((await recordings()).map(({ speech }) => speech?.voice)).toEqual(Array(3).fill('fake/bob'));
  });

  it('are told with the reason where callers do not hear them', async () => {
    const { service, speaker, texts } = await start();
    speaker.problems.set('No such key', { kind: 'nothing_to_say' });
    const { body } = await service.owner('POST', '/portal/ivrs', menu);
    await waitFor(async () => expect(await texts()).toEqual(['Goodbye', 'Welcome']));
    const [, failed] = await speakIvr(service, String(body['id']), true);
    expect(failed).toMatchObject({ state: 'missing', problem: { kind: 'nothing_to_say' } });
    expect(
      await silentOf(service, menu.recording, menu.invalid_recording, 'outbound_tts||Not stored yet'),
    ).toEqual([
      { prompt: menu.invalid_recording, reason: 'not_speech', pbx: null, speech: { kind: 'nothing_to_say' } },
    ]);
    speaker.known = [];
    expect(await silentOf(service, 'outbound_tts||Not stored yet')).toMatchObject([
      { reason: 'not_speech', speech: { kind: 'no_voice', language: 'en-US' } },
    ]);
  });

  it('answer 404 for a menu that is not there', async () => {
    const { service } = await start();
    expect(await service.owner('POST', '/portal/ivrs/ivr_none/speak', {})).toMatchObject({ status: 404 });
  });

  it('are tried again with the next change after the disk has refused the audio', async () => {
    const lines: { msg?: string }[] = [];
    const service = await OpenService.start({
      speaker: new FakeSpeaker(),
      log: { level: 'error', stream: linesTo(lines) },
    });
    const folder = join(service.folder, 'recordings');
    rmSync(folder, { recursive: true });
    const { body } = await service.owner('POST', '/portal/ivrs', menu);
    await waitFor(() => expect(lines).toMatchObject([{ msg: speechLog.failed }]));
    const path = `/portal/ivrs/${String(body['id'])}`;
    expect(await service.owner('POST', `${path}/speak`, {})).toMatchObject({ status: 503 });
    mkdirSync(folder, { mode: 0o700 });
    await service.owner('PUT', path, menu);
    await waitFor(() => expect(service.store.state.recordings.size).toBe(3));
  });
});

describe('a pronunciation', () => {
  const list = async (service: OpenService) =>
    (await service.owner('GET', '/portal/pronunciations')).body['pronunciations'];
  const change = (service: OpenService, body: object) =>
    service.owner('PATCH', '/portal/pronunciations', body);
  const rotavox = { word: 'Rotavox', say: 'Roh ta vox', language: null };

  it('is stored, listed with the recordings that have the word, and removed', async () => {
    const { service } = await start();
    await speak(service, { text: 'Welcome to Rotavox.' });
    await speak(service, { text: 'Goodbye.' });
    expect((await change(service, { set: [rotavox] })).body).toEqual({
      pronunciations: [{ ...rotavox, recordings: 1 }],
    });
    const again = new FakeSpeaker();
    await service.stop();
    const next = await start(again, service.folder);
    expect(await list(next.service)).toEqual([{ ...rotavox, recordings: 1 }]);
    await change(next.service, { remove: [{ word: 'Rotavox' }, { word: 'nowhere', language: 'en' }] });
    expect(await list(next.service)).toEqual([]);
  });

  it.each([
    [{ set: [{ word: '', say: 'x' }] }, 'set[0].word'],
    [{ set: [{ word: 'x', say: '<break/>' }] }, 'set[0].say'],
    [{ set: [rotavox, { ...rotavox, say: 'other' }] }, 'set[1].word'],
    [{ set: [rotavox], remove: [{ word: 'Rotavox', language: null }] }, 'set[0].word'],
  ])('is refused as a whole: %j', async (body, field) => {
    const { service } = await start();
    const refused = await change(service, body);
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain(field);
    expect(await list(service)).toEqual([]);
  });

  it('marks the recordings that have its word, in its language, until they are spoken again with it', async () => {
    const engine = new FakeSpeechEngine({ languages: ['en-US'] });
    const service: OpenService = await OpenService.start({
      speaker: new EngineSpeaker([engine], () => [...service.store.state.pronunciations.values()]),
    });
    const { body: with_ } = await speak(service, { text: 'Rotavox' });
    await speak(service, { text: 'Goodbye' });
    const changed = async () =>
      ((await service.owner('GET', '/portal/recordings')).body['recordings'] as RecordingView[]).map(
        (one) => one.changed,
      );
    expect(await changed()).toEqual([[], []]);
    await change(service, { set: [{ ...rotavox, language: 'de' }] });
    expect(await changed()).toEqual([[], []]);
    await change(service, { set: [rotavox] });
    expect(await changed()).toEqual([['pronunciation'], []]);
    const again = await service.owner('POST', `/portal/recordings/${String(with_['id'])}/speak`);
    expect(again.body).toMatchObject({ changed: [] });
    expect(again.body['digest']).not.toBe(with_['digest']);
    expect(engine.parts.map(({ text }) => text)).toEqual(['Rotavox', 'Goodbye', 'Roh ta vox']);
  });

  it('is spoken with a menu again under the id of its recording, once', async () => {
    const { service, speaker, texts } = await start();
    const { body } = await service.owner('POST', '/portal/ivrs', menu);
    await waitFor(async () => expect(await texts()).toHaveLength(3));
    await change(service, { set: [{ word: 'Goodbye', say: 'Good bye' }] });
    const id = String(body['id']);
    expect((await speakIvr(service, id, true)).map(({ changed }) => changed)).toEqual([
      [],
      [],
      ['pronunciation'],
    ]);
    expect((await speakIvr(service, id)).map(({ made }) => made)).toEqual([false, false, true]);
    expect((await speakIvr(service, id)).map(({ made }) => made)).toEqual([false, false, false]);
    expect(speaker.asked).toHaveLength(4);
    expect(await texts()).toHaveLength(3);
  });
});

describe('speaking all texts', () => {
  const document = {
    ...twoMenus,
    prompts: { wrong_key: 'outbound_tts||Wrong key', timeout: 'outbound_tts||Too late' },
  };
  const status = async (service: OpenService) => (await service.owner('GET', '/portal/speech')).body;
  const begin = (service: OpenService, what = 'missing') =>
    service.owner('POST', '/portal/speech/all', { what });

  it('makes what drafts lack, one at a time, and lists what failed', async () => {
    const { service, speaker, texts } = await start();
    await service.owner('POST', '/portal/ivrs/drafts', { document });
    const { missing } = await status(service);
    expect(missing).toBeGreaterThanOrEqual(2);
    speaker.problems.set('Too late', { kind: 'nothing_to_say' });
    expect((await begin(service)).body).toMatchObject({ job: { status: 'running', total: missing } });
    await waitFor(async () => expect(await status(service)).toMatchObject({ job: { status: 'done' } }));
    expect(await status(service)).toMatchObject({
      missing: 1,
      job: {
        done: Number(missing) - 1,
        current: null,
        failures: [{ text: 'Too late', recording: null, problem: { kind: 'nothing_to_say' } }],
      },
    });
    expect(speaker.most).toBe(1);
    expect(await texts()).toContain('Wrong key');
    expect(service.store.state.speaking.size).toBe(0);
  });

  it('tells how many failed and the first of them at each step, and all of them to whoever asks', async () => {
    const { service, speaker } = await start();
    for (let place = 0; place < 15; place += 1) {
      const texts = [`Wrong ${place}`, `Late ${place}`];
      for (const text of texts) speaker.problems.set(text, { kind: 'nothing_to_say' });
      const [wrong_key, timeout] = texts.map((text) => `outbound_tts||${text}`);
      await service.owner('POST', '/portal/ivrs/drafts', {
        document: { ...twoMenus, prompts: { wrong_key, timeout } },
      });
    }
    await service.listen();
    const told = await readNotices<SpeakingJob>(service, 'speech');
    await begin(service);
    await waitFor(async () => expect(await status(service)).toMatchObject({ job: { status: 'done' } }));
    await waitFor(() => expect(told.at(-1)).toMatchObject({ status: 'done', failed: 30, ended_at: anyText }));
    expect(Math.max(...told.map(({ failures }) => failures.length))).toBe(20);
    expect(await status(service)).toMatchObject({ job: { failed: 30, failures: { length: 30 } } });
    const { body } = await service.owner('GET', '/portal/speech?failures=first');
    expect(body).toMatchObject({ job: { failed: 30, failures: { length: 20 } } });
    expect((await service.owner('GET', '/portal/speech?failures=none')).status).toBe(400);
  });

  it('makes changed recordings again under their ids', async () => {
    const { service, recordings } = await start();
    await service.owner('POST', '/portal/ivrs', menu);
    await waitFor(async () => expect(await status(service)).toMatchObject({ missing: 0, changed: 0 }));
    const before = (await recordings()).map(({ id }) => id);
    await service.owner('PATCH', '/portal/settings', { speech_voice: 'fake/bob' });
    expect(await status(service)).toMatchObject({ changed: 3 });
    await begin(service, 'changed');
    await waitFor(async () =>
      expect(await status(service)).toMatchObject({ changed: 0, job: { status: 'done', done: 3 } }),
    );
    expect((await recordings()).map(({ id }) => id)).toEqual(before);
  });

  it('stops when it is told to, goes on after a restart, and makes nothing twice', async () => {
    const first = await start();
    await first.service.owner('POST', '/portal/ivrs/drafts', { document });
    const gate = Promise.withResolvers<null>();
    first.speaker.ready = gate.promise;
    await begin(first.service);
    await waitFor(() => expect(first.speaker.asked).toHaveLength(1));
    const stopped = await first.service.owner('DELETE', '/portal/speech/all');
    expect(stopped.body).toMatchObject({ job: { status: 'stopped', done: 0, current: null } });
    expect(await first.texts()).toEqual([]);
    first.speaker.ready = Promise.resolve();
    await begin(first.service);
    // Ended in the middle: the end of the work is not in the journal.
    await waitFor(async () => expect((await first.texts()).length).toBeGreaterThan(0));
    await first.service.stop();
    const second = await start(new FakeSpeaker(), first.service.folder);
    await waitFor(async () => expect(await status(second.service)).toMatchObject({ missing: 0 }));
    const texts = await second.texts();
    expect(new Set(texts).size).toBe(texts.length);
    gate.resolve(null);
  });
});

describe('a recording that a person changes while it is spoken again', () => {
  it('stays theirs when they rename it, and keeps the audio that they put there', async () => {
    const { service, speaker, recordings, texts } = await start();
    await service.owner('POST', '/portal/ivrs', menu);
    await waitFor(async () => expect(await texts()).toHaveLength(3));
    const [renamed, replaced] = await recordings();
    const whileSpoken = async (id: string, act: () => Promise<Answer>) => {
      const { promise, resolve } = Promise.withResolvers<null>();
      speaker.ready = promise;
      const again = service.owner('POST', `/portal/recordings/${id}/speak`, { voice: 'fake/bob' });
      await waitFor(() => expect(speaker.running).toBe(1));
      expect((await act()).status).toBe(200);
      resolve(null);
      return (await again).body as unknown as RecordingView;
    };
    expect(
      await whileSpoken(renamed!.id, () =>
        service.owner('PATCH', `/portal/recordings/${renamed!.id}`, { name: 'Ours' }),
      ),
    ).toMatchObject({ name: 'Ours', speech: { voice: 'fake/bob', automatic: false } });
    const putAudio = () =>
      service.call({
        method: 'PUT',
        url: `/portal/recordings/${replaced!.id}`,
        headers: {
          authorization: `Bearer ${service.service.sessions.portalKey}`,
          'content-type': 'application/octet-stream',
        },
        payload: Buffer.from(wavFile()),
      });
    expect(await whileSpoken(replaced!.id, putAudio)).toMatchObject({ speech: null });
  });
});

describe('a recording that the program made and nothing plays', () => {
  const dayMs = 86_400_000;

  it('is removed after 30 days, and none of a person or that is played again', async () => {
    const clock = { nowMs: noon };
    const service = await OpenService.start({ speaker: new FakeSpeaker(), clock });
    const all = async () =>
      (await service.owner('GET', '/portal/recordings')).body['recordings'] as RecordingView[];
    const texts = async () => (await all()).map(({ speech }) => speech?.text).sort();
    const { body } = await service.owner('POST', '/portal/ivrs', menu);
    await waitFor(async () => expect(await texts()).toHaveLength(3));
    // A person asks for one of them, and has another of their own.
    await speak(service, { text: 'Goodbye' });
    await speak(service, { text: 'Of a person' });
    const path = `/portal/ivrs/${String(body['id'])}`;
    await service.owner('DELETE', path);
    const passDays = async (days: number) => {
      clock.nowMs += days * dayMs;
      const known = service.store.health().last_seq;
      service.service.wake();
      await waitFor(() => expect(service.store.health().last_seq).toBeGreaterThan(known));
    };
    await passDays(1);
    const noted = (await all()).filter((one) => one.unused_since !== null);
    expect(noted.map(({ speech }) => speech?.text).sort()).toEqual(['No such key', 'Welcome']);
    expect(noted[0]?.removed_at).toBe(new Date(noon + 31 * dayMs).toISOString());
    // It is played again, and then not.
    const { body: again } = await service.owner('POST', '/portal/ivrs', {
      ...menu,
      invalid_recording: 'recording||11',
      timeout_recording: 'recording||11',
    });
    await passDays(29);
    await service.owner('DELETE', `/portal/ivrs/${String(again['id'])}`);
    await passDays(1);
    expect(await texts()).toEqual(['Goodbye', 'Of a person', 'Welcome']);
    await passDays(30);
    expect(await texts()).toEqual(['Goodbye', 'Of a person']);
    const [removed] = await service.store.history({ kinds: ['recording.removed'], limit: 1 });
    expect(removed?.actor).toEqual({ kind: 'system' });
  });

  it.each([
    [
      'a version of a menu that was deleted',
      async (service: OpenService, prompt: string) => {
        const { body } = await service.owner('POST', '/portal/ivrs', { ...menu, recording: prompt });
        const path = `/portal/ivrs/${String(body['id'])}`;
        await service.owner('PATCH', path, { ...menu, recording: 'recording||11' });
        await service.owner('DELETE', path);
        const { body: versions } = await service.owner('GET', `${path}/versions`);
        return versions;
      },
    ],
    [
      'a version of a call flow that was deleted',
      async (service: OpenService, prompt: string) => {
        const { body } = await service.owner('POST', '/portal/ivrs/drafts', {
          document: { ...twoMenus, prompts: { wrong_key: prompt, timeout: null } },
        });
        const path = `/portal/ivrs/drafts/${String(body['id'])}`;
        const target = { revision: 1, credential: null };
        const published = await service.owner('POST', `${path}/publish`, target);
        expect(published.status, JSON.stringify(published.body)).toBe(200);
        const { body: versions } = await service.owner('GET', `${path}/versions`);
        await service.owner('DELETE', path);
        for (const id of [...service.store.state.ivrs.keys()])
          await service.owner('DELETE', `/portal/ivrs/${id}`);
        return versions;
      },
    ],
  ])('stays where %s names it by its id', async (_what, nameIt) => {
    const clock = { nowMs: noon };
    const service = await OpenService.start({ speaker: new FakeSpeaker(), clock });
    const { recordings } = service.store.state;
    const spoken = (text: string) =>
      waitFor(() => {
        const found = [...recordings.values()].find(({ speech }) => speech?.text === text);
        expect(found?.speech?.automatic).toBe(true);
        return found!;
      });
    const { body } = await service.owner('POST', '/portal/ivrs', menu);
    const [welcome] = await Promise.all([spoken('Welcome'), spoken('Goodbye'), spoken('No such key')]);
    await service.owner('DELETE', `/portal/ivrs/${String(body['id'])}`);
    const versions = await nameIt(service, `recording||${welcome.id}`);
    expect(JSON.stringify(versions)).toContain(welcome.id);
    for (const days of [1, 30]) {
      clock.nowMs += days * dayMs;
      const known = service.store.health().last_seq;
      service.service.wake();
      await waitFor(() => expect(service.store.health().last_seq).toBeGreaterThan(known));
    }
    expect([...recordings.values()].map(({ speech }) => speech?.text)).toEqual(['Welcome']);
    expect(recordings.get(welcome.id)).toMatchObject({ speech: { automatic: false }, unused_since: null });
  });
});

describe('what callers do not hear', () => {
  it('is told with each text: the letters, and a voice of another country', async () => {
    const { service } = await start();
    const { body } = await service.owner('POST', '/portal/speech/check', {
      texts: ['Hello 日本', 'Hello'],
      language: 'en-GB',
    });
    expect(body['prompts']).toMatchObject([
      { state: 'missing', unreadable: ['日', '本'], voice: 'fake/anna', voice_language: 'en-US' },
      { state: 'missing', unreadable: [], problem: null },
    ]);
  });

  it('is a warning of the menu that is stored, here and by an app', async () => {
    const { service } = await start();
    const odd = { ...menu, recording: 'outbound_tts||Hello 日本' };
    const warning = {
      field: 'recording',
      message: expect.stringMatching(/^callers do not hear these letters of the text.*: 日本\./) as unknown,
    };
    const warned = { warnings: expect.arrayContaining([warning]) as unknown };
    expect((await service.owner('POST', '/portal/ivrs', odd)).body).toMatchObject(warned);
    const { value } = await service.issue({ scopes: ['ivr:write'] });
    expect((await service.bearer(value, 'POST', '/v1/ivr', { payload: odd })).body).toMatchObject(warned);
    await service.owner('PATCH', '/portal/settings', { speech_language: 'fr-FR' });
    const french = { ...menu, recording: 'outbound_tts||Bonjour' };
    expect((await service.bearer(value, 'POST', '/v1/ivr', { payload: french })).body).toMatchObject({
      warnings: expect.arrayContaining([
        {
          field: 'recording',
          message: expect.stringContaining('There is no voice for the language fr-FR') as unknown,
        },
      ]) as unknown,
    });
  });
});

describe('a draft that is published', () => {
  const document = (text: string) => ({
    ...twoMenus,
    prompts: { wrong_key: `outbound_tts||${text}`, timeout: null },
  });

  async function publish(service: OpenService, text: string): Promise<PublishReply> {
    const nodes = Object.fromEntries(
      Object.entries(twoMenus.nodes).map(([id, node]) => [
        id,
        node.kind === 'menu'
          ? { ...node, invalid_recording: null, recording: `outbound_tts||Start of ${id}` }
          : node,
      ]),
    );
    const { body } = await service.owner('POST', '/portal/ivrs/drafts', {
      document: { ...document(text), nodes },
    });
    const path = `/portal/ivrs/drafts/${String(body['id'])}/publish`;
    const { body: reply, status } = await service.owner('POST', path, { revision: 1, credential: null });
    expect(status, JSON.stringify(reply)).toBe(200);
    return reply as unknown as PublishReply;
  }

  it('has its speech when it is published', async () => {
    const { service, texts } = await start();
    const reply = await publish(service, 'Wrong key');
    expect(reply.outcome, reply.message).toBe('published');
    expect(await texts()).toEqual(['Start of opening', 'Start of reception', 'Wrong key']);
  });

  it('is published with a warning at each prompt that cannot be spoken', async () => {
    const { service, speaker } = await start();
    speaker.problems.set('Wrong key', { kind: 'engine_failed', engine: 'fake', reason: 'silent' });
    const reply = await publish(service, 'Wrong key');
    expect(reply.outcome).toBe('published');
    for (const { reply: stored } of reply.exchanges)
      expect(stored).toMatchObject({
        warnings: expect.arrayContaining([
          {
            field: 'invalid_recording',
            message:
              'callers do not hear this text. The voice failed (fake): it gave silence. Try again, or record the prompt.',
          },
        ]) as unknown,
      });
  });

  it.each(templates)('is heard as a whole when it is the template $name', async ({ document }) => {
    const service = await OpenService.start({ speaker: new EngineSpeaker([new FakeSpeechEngine()]) });
    const { body } = await service.owner('POST', '/portal/ivrs/drafts', { document });
    const path = `/portal/ivrs/drafts/${String(body['id'])}/publish`;
    const { body: reply } = await service.owner('POST', path, { revision: 1, credential: null });
    expect(reply).toMatchObject({ outcome: 'published' });
    const prompts = [...storedPrompts(service.store.state)];
    expect(prompts.length).toBeGreaterThan(0);
    for (const { prompt } of prompts)
      expect(
        recordingOfPrompt([...service.store.state.recordings.values()], prompt, defaultSettings),
      ).not.toBeNull();
  });
});

describe('a call flow with a language of its own', () => {
  const text = 'outbound_tts||Hello';
  const spanish = { language: 'es-ES', voice: null } as const;

  function documentOf(speech?: object) {
    const nodes = Object.fromEntries(
      Object.entries(twoMenus.nodes).map(([id, node]) => [
        id,
        node.kind === 'menu' ? { ...node, recording: text } : node,
      ]),
    );
    return { ...twoMenus, nodes, ...(speech === undefined ? {} : { speech }) };
  }

  async function publish(service: OpenService, speech?: object): Promise<readonly Ivr[]> {
    const created = await service.owner('POST', '/portal/ivrs/drafts', { document: documentOf(speech) });
    expect(created.status, JSON.stringify(created.body)).toBe(200);
    const path = `/portal/ivrs/drafts/${String(created.body['id'])}/publish`;
    const before = new Set(service.store.state.ivrs.keys());
    const { body } = await service.owner('POST', path, { revision: 1, credential: null });
    expect(body).toMatchObject({ outcome: 'published' });
    return [...service.store.state.ivrs.values()].filter(({ id }) => !before.has(id));
  }

  it.each([
    ['first', [spanish, undefined]],
    ['later', [undefined, spanish]],
  ])(
    'keeps it when it is published %s, and another one with the same text keeps its own',
    async (_when, order) => {
      const { service, recordings } = await start();
      for (const speech of order) await publish(service, speech);
      const spoken = await recordings();
      expect(spoken.map(({ speech }) => [speech?.text, speech?.language]).sort()).toEqual([
        ['Hello', 'en-US'],
        ['Hello', 'es-ES'],
      ]);
      expect(spoken.map(({ changed }) => changed)).toEqual([[], []]);
      const { state } = service.store;
      const playedBy = (language: string) =>
        spoken
          .find(({ speech }) => speech?.language === language)
          ?.used_by.flatMap(({ kind, id }) => (kind === 'ivr' ? [state.ivrs.get(id as IvrId)?.speech] : []));
      expect(playedBy('es-ES')).toEqual([spanish, spanish]);
      expect(playedBy('en-US')).toEqual([undefined, undefined]);
      const all = await service.owner('GET', '/portal/speech');
      expect(all.body).toMatchObject({ missing: 0, changed: 0 });
    },
  );

  it('is stored beside its menus, also when a program stores one again, and no program sees it', async () => {
    const { service } = await start();
    const [first] = await publish(service, spanish);
    const id = String(first?.id);
    expect(first).toMatchObject({ speech: spanish });
    const { id: _id, version: _version, created_at: _created, updated_at: _updated, ...body } = { ...first };
    const stored = await service.owner('PUT', `/portal/ivrs/${id}`, {
      ...body,
      speech: undefined,
      name: 'New',
    });
    expect(stored.status).toBe(200);
    expect(stored.body).not.toHaveProperty('speech');
    expect(service.store.state.ivrs.get(id as IvrId)).toMatchObject({ name: 'New', speech: spanish });
    expect((await service.owner('GET', `/portal/ivrs/${id}`)).body).toMatchObject({ speech: spanish });
    const { value } = await service.issue();
    const seen = await service.app.inject({
      url: `/v1/ivr/${id}`,
      headers: { authorization: `Bearer ${value}` },
    });
    expect(seen.json()).toMatchObject({ name: 'New' });
    expect(seen.body).not.toContain('speech');
  });

  it('is spoken so by `ivr speak`, and what has no voice is a warning', async () => {
    const { service, speaker } = await start();
    const [first] = await publish(service, spanish);
    expect(await speakIvr(service, String(first?.id), true)).toMatchObject([
      { text: 'Hello', state: 'spoken', voice: 'fake/carla' },
    ]);
    speaker.known = speaker.known.filter(({ language }) => language !== 'es-ES');
    const created = await service.owner('POST', '/portal/ivrs/drafts', {
      document: { ...documentOf(), name: 'French', speech: { language: 'fr-FR', voice: null } },
    });
    const path = `/portal/ivrs/drafts/${String(created.body['id'])}/publish`;
    const { body } = await service.owner('POST', path, { revision: 1, credential: null });
    expect(JSON.stringify(body['exchanges'])).toContain('There is no voice for the language fr-FR');
  });

  it('is told in a check of its prompts, and a text that is only spoken for another one is none of its own', async () => {
    const { service } = await start();
    await publish(service, spanish);
    const check = async (speech?: object) =>
      (await service.owner('POST', '/portal/prompts/check', { prompts: [text], speech })).body['silent'];
    expect(await check(spanish)).toEqual([]);
    expect(await check({ language: 'fr-FR', voice: null })).toEqual([]); // better than silence
  });

  it('is not that of a recording which a person made: the settings leave it, and so do a check and `ivr speak`', async () => {
    const { service, recordings } = await start();
    const made = await speak(service, { text: 'Hello', language: 'es-ES', name: 'Ours' });
    expect(made.status).toBe(200);
    const [first] = await publish(service);
    const isTheirs = { text: 'Hello', state: 'spoken', changed: [], recording: made.body['id'], made: false };
    for (const check of [true, false])
      expect(await speakIvr(service, String(first?.id), check)).toMatchObject([isTheirs]);
    const checked = async (speech: object) =>
      (await service.owner('POST', '/portal/speech/check', { texts: ['Hello'], ...speech })).body['prompts'];
    expect(await checked({})).toMatchObject([isTheirs]);
    expect(await checked({ language: 'en-US' })).toMatchObject([{ state: 'changed', changed: ['language'] }]);
    // The designer says the same of it.
    expect((await recordings()).map(({ speech, changed }) => [speech?.language, changed])).toEqual([
      ['es-ES', []],
    ]);
    // A call flow with a language of its own does not take it.
    await publish(service, { language: 'en-US', voice: null });
    expect((await recordings()).map(({ speech }) => speech?.language).sort()).toEqual(['en-US', 'es-ES']);
  });
});
