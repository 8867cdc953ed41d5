import { hash } from 'node:crypto';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { VoicesNotice } from '../../../src/contract/menu/voice-pack.ts';
import { EngineSpeaker } from '../../../src/speech/engine-speaker.ts';
import { PiperEngine } from '../../../src/speech/piper-engine.ts';
import { VoicePackFolder } from '../../../src/speech/voice-pack-folder.ts';
import { voicePackProblemText } from '../../../src/text/menu/voice-pack-text.ts';
import { ivrBody } from '../../fixtures/ivr-bodies.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { archiveOf, testRuntime, testVoice } from '../../fixtures/piper-voice.ts';
import { OpenService } from '../open-service.ts';
import { readNotices } from '../read-notices.ts';

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
async function start(slow: ReadableStream<Uint8Array> | null = null) {
  const files = new Map([
    [runtime.url, runtimeArchive],
    [offered.url, archive],
  ]);
  const fetch = ((url: string, { signal }: RequestInit) => {
    if (slow === null || url !== offered.url)
      return Promise.resolve(new Response(new Uint8Array(files.get(url) ?? [])));
    const body = slow.pipeThrough(new TransformStream(), { signal: signal ?? new AbortController().signal });
    return Promise.resolve(new Response(body));
  }) as typeof globalThis.fetch;
  const voicePacks = new VoicePackFolder({
    folder: join(makeFolder(), 'voices'),
    fetch,
    runtime,
    voices: [offered],
  });
  const speaker = new EngineSpeaker([new PiperEngine(voicePacks)]);
  const service = await (await OpenService.start({ speaker, voicePacks })).listen();
  const { port } = service.app.server.address() as AddressInfo;
  const owner = async (
    method: string,
    path: string,
    body?: object | Uint8Array,
    signal: AbortSignal | null = null,
  ): Promise<Answer> => {
    const isFile = body instanceof Uint8Array;
    const answer = await globalThis.fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      signal,
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
  const packs = async () => (await owner('GET', '/portal/voice-packs')).body;
  return { owner, packs, service };
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

describe('a voice that is being added', () => {
  /** A download of which half has arrived, and the rest comes when it is told to. */
  function halfOf(bytes: Uint8Array) {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const half = bytes.length >> 1;
    void writer.write(bytes.subarray(0, half)).catch(() => undefined);
    const finish = async () => {
      await writer.write(bytes.subarray(half));
      await writer.close();
    };
    return { readable, half, finish };
  }

  it('goes on when its window is closed, and every window is told how far it is and when it is there', async () => {
    const { readable, half, finish } = halfOf(archive);
    const { owner, packs, service } = await start(readable);
    const notices = await readNotices<VoicesNotice>(service, 'voices');
    const closing = new AbortController();
    const asked = owner('POST', '/portal/voice-packs/download', { voice, keep: true }, closing.signal);
    await expect.poll(packs).toMatchObject({
      downloading: { voice, received: half, bytes: archive.length },
      adding: { voice, status: 'running', added: null, ended_at: null },
    });
    closing.abort();
    await expect(asked).rejects.toThrow('aborted');
    expect(await owner('POST', '/portal/voice-packs', archive)).toMatchObject({ status: 409 });
    expect(await packs()).toMatchObject({ adding: { voice, status: 'running' } });
    expect(new Set(notices.map(({ changed }) => changed))).toEqual(new Set(['progress']));
    await finish();
    await expect.poll(() => notices.at(-1)).toEqual({ changed: 'voices' });
    expect(await packs()).toMatchObject({
      packs: [{ voice }],
      downloading: null,
      adding: { status: 'done', added: { name: 'tones-low' }, ended_at: expect.any(String) as unknown },
    });

    // Others are told of a removal, too.
    const known = notices.length;
    await owner('DELETE', `/portal/voice-packs?voice=${encodeURIComponent(voice)}`);
    await expect.poll(() => notices.slice(known)).toEqual([{ changed: 'voices' }]);
  });

  it('is stopped by any window, and leaves nothing', async () => {
    const { owner, packs, service } = await start(halfOf(archive).readable);
    const notices = await readNotices<VoicesNotice>(service, 'voices');
    const asked = owner('POST', '/portal/voice-packs/download', { voice });
    await expect.poll(packs).toMatchObject({ downloading: { voice } });
    const stopped = await owner('DELETE', '/portal/voice-packs/adding', {});
    expect(stopped).toMatchObject({ status: 200, body: { adding: { voice, status: 'stopped' } } });
    expect(await asked).toMatchObject({
      status: 409,
      body: { message: voicePackProblemText({ kind: 'stopped' }) },
    });
    expect(await packs()).toMatchObject({ packs: [], downloading: null, adding: { status: 'stopped' } });
    expect(notices.at(-1)).toEqual({ changed: 'progress' });
    expect(await owner('DELETE', '/portal/voice-packs/adding', {})).toMatchObject({ status: 200 });
  });

  it('ends with its command, which goes away', async () => {
    const { owner, packs } = await start(halfOf(archive).readable);
    const going = new AbortController();
    const asked = owner('POST', '/portal/voice-packs/download', { voice }, going.signal);
    await expect.poll(packs).toMatchObject({ downloading: { voice } });
    going.abort();
    await expect(asked).rejects.toThrow('aborted');
    await expect.poll(packs).toMatchObject({ downloading: null, adding: { status: 'stopped' } });
  });

  it('is refused with its reason for every window, and begun anew', async () => {
    const { owner, packs } = await start();
    const refused = await owner('POST', '/portal/voice-packs', Buffer.from('something else'));
    expect(await packs()).toMatchObject({
      adding: { voice: null, status: 'refused', message: refused.body['message'], added: null },
    });
    expect(await owner('POST', '/portal/voice-packs', archive)).toMatchObject({ status: 200 });
    expect(await packs()).toMatchObject({
      adding: { voice: null, status: 'done', message: null, added: { name: 'tones-low' } },
    });
  });

  it('ends with the service, whoever began it', async () => {
    const { owner, packs, service } = await start(halfOf(archive).readable);
    const asked = owner('POST', '/portal/voice-packs/download', { voice, keep: true }).catch(() => null);
    await expect.poll(packs).toMatchObject({ downloading: { voice } });
    await service.stop();
    await asked;
  });

  it('can be stopped while its archive is uploaded and stands still', async () => {
    const { owner, packs, service } = await start();
    const { port } = service.app.server.address() as AddressInfo;
    const upload = request({
      port,
      method: 'POST',
      path: '/portal/voice-packs',
      headers: {
        authorization: `Bearer ${service.service.sessions.portalKey}`,
        'content-type': 'application/octet-stream',
        'content-length': archive.length,
      },
    });
    upload.on('error', () => undefined);
    upload.write(archive.subarray(0, 100));
    await expect.poll(packs).toMatchObject({ adding: { voice: null, status: 'running' } });
    const { body } = await owner('DELETE', '/portal/voice-packs/adding', {});
    expect(body).toMatchObject({ adding: { status: 'stopped' } });
    upload.destroy();
  });
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
