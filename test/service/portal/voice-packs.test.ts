import { hash } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EngineSpeaker } from '../../../src/speech/engine-speaker.ts';
import { PiperEngine } from '../../../src/speech/piper-engine.ts';
import { VoicePackFolder } from '../../../src/speech/voice-pack-folder.ts';
import { ivrBody } from '../../fixtures/ivr-bodies.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { archiveOf, testRuntime, testVoice } from '../../fixtures/piper-voice.ts';
import { OpenService } from '../open-service.ts';

const voice = 'piper/en_US-tones-low';
const archive = await archiveOf(testVoice());
const { runtime, archive: runtimeArchive } = await testRuntime();
const offered = {
  voice: voice as never,
  name: 'tones-low',
  language: 'en-US',
  licence: 'CC0',
  url: 'https://example.com/vits-piper-en_US-tones-low.tar.gz',
  bytes: archive.length,
  sha256: hash('sha256', archive, 'hex'),
};

/** A service that listens, because uploads are streams; the addresses of voices are answered here. */
async function start() {
  const files = new Map([
    [runtime.url, runtimeArchive],
    [offered.url, archive],
  ]);
  const fetch = ((url: string) =>
    Promise.resolve(new Response(new Uint8Array(files.get(url) ?? [])))) as typeof globalThis.fetch;
  const voicePacks = new VoicePackFolder({
    folder: join(makeFolder(), 'voices'),
    fetch,
    runtime,
    voices: [offered],
  });
  const speaker = new EngineSpeaker([new PiperEngine(voicePacks)]);
  const service = await (await OpenService.start({ speaker, voicePacks })).listen();
  const { port } = service.app.server.address() as AddressInfo;
  const owner = async (method: string, path: string, body?: object | Uint8Array): Promise<Answer> => {
    const isFile = body instanceof Uint8Array;
    const answer = await globalThis.fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${service.service.sessions.portalKey}`,
        ...(body === undefined
          ? {}
          : { 'content-type': isFile ? 'application/octet-stream' : 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isFile ? new Uint8Array(body) : JSON.stringify(body) }),
    });
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: answer.status, body: isJson ? ((await answer.json()) as Answer['body']) : {} };
  };
  return { owner };
}

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

it('adds a voice of the list, speaks what could not be spoken, and says what was spoken with it when it is removed', async () => {
  const { owner } = await start();
  const menu = { ...ivrBody, recording: 'outbound_tts||Welcome', invalid_recording: 'recording||other' };
  await owner('POST', '/portal/ivrs', menu);
  expect((await owner('GET', '/portal/voice-packs')).body).toMatchObject({
    packs: [],
    offered: [{ voice, licence: 'CC0' }],
    runtime: { name: 'sherpa-onnx', installed: false },
    downloading: null,
  });

  const added = await owner('POST', '/portal/voice-packs/download', { voice });
  expect(added).toMatchObject({
    status: 200,
    body: { pack: { voice, recordings: [] }, runtime_added: true },
  });
  const packs = async () =>
    (await owner('GET', '/portal/voice-packs')).body['packs'] as { recordings: object[] }[];
  await expect.poll(async () => (await packs())[0]?.recordings.length).toBe(1);
  const [recording] = (await owner('GET', '/portal/recordings')).body['recordings'] as { id: string }[];
  const spoken = [{ id: recording?.id, name: 'Welcome' }];
  expect(await packs()).toMatchObject([{ voice, problem: null, recordings: spoken }]);

  const removed = await owner('DELETE', `/portal/voice-packs?voice=${encodeURIComponent(voice)}`);
  expect(removed).toMatchObject({ status: 200, body: { voice, recordings: spoken } });
  const audio = await owner('GET', `/portal/recordings/${recording?.id}/audio`);
  expect(audio.status, 'the audio stays').toBe(200);
  const again = await owner('POST', `/portal/recordings/${recording?.id}/speak`);
  expect(again).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('no voice') as unknown },
  });
  expect((await owner('GET', '/portal/recordings')).body['recordings']).toHaveLength(1);
});

it.each([
  ['POST', '/portal/voice-packs/download', { voice: 'piper/xx_XX-nobody-low' }, 404],
  ['POST', '/portal/voice-packs/download', { voice: 'x' }, 400],
  ['DELETE', '/portal/voice-packs?voice=piper%2Fxx_XX-nobody-low', undefined, 404],
  ['DELETE', '/portal/voice-packs', undefined, 400],
  ['POST', '/portal/voice-packs', Buffer.from('something else'), 400],
] as const)('refuses %s %s', async (method, path, body, status) => {
  const { owner } = await start();
  expect((await owner(method, path, body)).status).toBe(status);
});

it('adds a voice from the bytes of its archive', async () => {
  const { owner } = await start();
  expect(await owner('POST', '/portal/voice-packs', archive)).toMatchObject({
    status: 200,
    body: { pack: { voice } },
  });
  expect((await owner('GET', '/portal/voices')).body).toMatchObject({
    voices: [{ id: voice, quality: 'natural' }],
  });
});
