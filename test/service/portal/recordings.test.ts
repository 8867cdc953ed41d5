import { createHash } from 'node:crypto';
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type RecordingView, recordingLimitBytes } from '../../../src/contract/menu/recording.ts';
import { createClient } from '../../../src/client/create-client.ts';
import { baseUrlOf } from '../../../src/service/service-context.ts';
import { mp3File, sweep, wavFile } from '../../fixtures/audio-files.ts';
import { ivrBody } from '../../fixtures/ivr-bodies.ts';
import { twoMenus } from '../../fixtures/ivr-documents.ts';
import { type Answer, OpenService } from '../open-service.ts';

const path = '/portal/recordings';

function send(
  service: OpenService,
  method: 'POST' | 'PUT',
  url: string,
  { bytes, type = 'audio/wav' }: { bytes: Uint8Array; type?: string },
): Promise<Answer> {
  return service.call({
    method,
    url,
    headers: { authorization: `Bearer ${service.service.sessions.portalKey}`, 'content-type': type },
    payload: Buffer.from(bytes),
  });
}

async function upload(service: OpenService, query: string, bytes: Uint8Array): Promise<RecordingView> {
  const { status, body } = await send(service, 'POST', `${path}?${query}`, { bytes });
  expect(status, JSON.stringify(body)).toBe(200);
  return body as unknown as RecordingView;
}

const filesOf = (service: OpenService) => readdirSync(join(service.folder, 'recordings')).sort();
const audioOf = (service: OpenService, id: string, headers: Record<string, string> = {}, method = 'GET') =>
  service.app.inject({
    method: method as 'GET',
    url: `${path}/${encodeURIComponent(id)}/audio`,
    headers: { authorization: `Bearer ${service.service.sessions.portalKey}`, ...headers },
  });

describe('a recording', () => {
  it('is stored as it was uploaded, in a separate file that only the owner can read', async () => {
    const service = await OpenService.start();
    const bytes = wavFile(750);
    const recording = await upload(service, 'name=Welcome', bytes);
    expect(recording).toMatchObject({
      name: 'Welcome',
      format: 'wav',
      bytes: bytes.length,
      duration_ms: 750,
    });
    expect(recording).toMatchObject({ id: expect.stringMatching(/^rec_/) as unknown, used_by: [] });
    expect(filesOf(service)).toEqual([`${recording.digest}.wav`]);
    const { mode } = statSync(join(service.folder, 'recordings', `${recording.digest}.wav`));
    expect(mode & 0o777).toBe(0o600);
    const audio = await audioOf(service, recording.id);
    expect(audio.rawPayload.equals(Buffer.from(bytes))).toBe(true);
    expect((await service.owner('GET', path)).body).toEqual({ recordings: [recording] });
  });

  it('is what is in it, whatever it is declared to be, and refused with what is wrong', async () => {
    const service = await OpenService.start();
    for (const type of ['application/json', 'text/html', ';;;', '', 'audio/mpeg; charset=x']) {
      const answer = await send(service, 'POST', `${path}?name=x`, { bytes: wavFile(), type });
      expect([answer.status, answer.body['format']], type).toEqual([200, 'wav']);
    }
    for (const [text, why] of [
      ['<html><script>1</script>', 'This is not a WAV, MP3 or Ogg file.'],
      ['%PDF-1.4', 'This is not a WAV, MP3 or Ogg file.'],
      ['\0\0\0 ftypM4A ', 'This is a file in the format m4a.'],
      ['', 'The file is empty.'],
    ] as const) {
      const answer = await send(service, 'POST', `${path}?name=x`, { bytes: Buffer.from(text, 'latin1') });
      expect(answer, text).toMatchObject({ status: 400, body: { code: 'bad_request' } });
      expect(answer.body['message']).toContain(why);
    }
    expect(filesOf(service)).toHaveLength(1);
  });

  it('is stored as a WAV file of 16 bits where not everything plays what was uploaded', async () => {
    const service = await OpenService.start();
    const recording = await upload(service, 'name=Welcome', sweep('gsm'));
    expect(recording).toMatchObject({ format: 'wav', duration_ms: 280, bytes: 44 + 2240 * 2 });
    const { rawPayload } = await audioOf(service, recording.id);
    expect(rawPayload.readUInt16LE(20)).toBe(1);
    expect(createHash('sha256').update(rawPayload).digest('hex')).toBe(recording.digest);
    const again = await upload(service, 'name=Again', sweep('gsm'));
    expect(again.digest).toBe(recording.digest);
    const zeros = Buffer.concat([Buffer.alloc(731), mp3File(3)]);
    expect(await upload(service, 'name=Zeros', zeros)).toMatchObject({
      format: 'mp3',
      bytes: zeros.length - 731,
    });
  });

  it('has the id that it is given, once, and none that could be a path', async () => {
    const service = await OpenService.start();
    await upload(service, 'name=Welcome&id=11', wavFile());
    const again = await send(service, 'POST', `${path}?name=Other&id=11`, { bytes: wavFile(600) });
    expect(again).toMatchObject({ status: 409, body: { code: 'conflict' } });
    // The audio that was uploaded for it is not left behind.
    expect(filesOf(service)).toHaveLength(1);
    for (const id of ['../../etc/passwd', 'a/b', 'a\\b', 'a|b', '', '.', '..']) {
      const answer = await send(service, 'POST', `${path}?name=x&id=${encodeURIComponent(id)}`, {
        bytes: wavFile(),
      });
      expect(answer.status, id).toBe(400);
    }
    for (const id of ['..%2f..%2fstate.json', '%2e%2e', 'x']) {
      const audio = await service.owner('GET', `${path}/${id}/audio`);
      expect(audio.status, id).toBe(404);
    }
  });

  it(
    'may be as large as the limit and no larger, and the answer says how large',
    { tags: ['long'] },
    async () => {
      const service = await (await OpenService.start()).listen();
      const client = createClient({
        baseUrl: baseUrlOf(service.app),
        authorization: `Bearer ${service.service.sessions.portalKey}`,
      });
      const largest = new Uint8Array(recordingLimitBytes);
      largest.set(wavFile());
      const kept = await client.call('uploadRecording', { query: { name: 'Long' }, body: largest });
      expect(kept).toMatchObject({ ok: true, value: { bytes: recordingLimitBytes } });
      const asBlob = new Blob([wavFile(300)], { type: 'text/plain' });
      expect(await client.call('uploadRecording', { query: { name: 'Blob' }, body: asBlob })).toMatchObject({
        ok: true,
        value: { format: 'wav', duration_ms: 300 },
      });
      const tooLarge = await send(service, 'POST', `${path}?name=x`, {
        bytes: new Uint8Array(recordingLimitBytes + 1),
      });
      expect(tooLarge).toMatchObject({
        status: 413,
        body: { code: 'body_too_large', message: 'The body is too large. The limit is 20 MiB.' },
      });
    },
  );

  it('is sent in parts', async () => {
    const service = await OpenService.start();
    const bytes = Buffer.from(mp3File(10));
    const { id, digest } = await upload(service, 'name=M%C3%BCller%20%22%2F..&id=m', bytes);
    const size = bytes.length;
    const whole = await audioOf(service, id);
    expect(whole.headers).toMatchObject({
      'content-type': 'audio/mpeg',
      'content-length': String(size),
      'accept-ranges': 'bytes',
      etag: `"${digest}"`,
      'x-content-type-options': 'nosniff',
      'content-disposition': `inline; filename="M_ller __...mp3"; filename*=UTF-8''M%C3%BCller%20%22%2F...mp3`,
    });
    for (const [range, start, end] of [
      ['bytes=0-9', 0, 9],
      ['bytes=100-', 100, size - 1],
      ['bytes=-10', size - 10, size - 1],
      [`bytes=10-${size * 2}`, 10, size - 1],
      [`bytes=-${size * 2}`, 0, size - 1],
    ] as const) {
      const part = await audioOf(service, id, { range });
      expect(part.statusCode, range).toBe(206);
      expect(part.headers['content-range']).toBe(`bytes ${start}-${end}/${size}`);
      expect(part.rawPayload.equals(bytes.subarray(start, end + 1)), range).toBe(true);
    }
    for (const range of [`bytes=${size}-`, 'bytes=-0']) {
      const none = await audioOf(service, id, { range });
      expect(none.statusCode, range).toBe(416);
      expect(none.headers['content-range']).toBe(`bytes */${size}`);
      expect(none.json()).toMatchObject({ code: 'range_not_satisfiable' });
    }
    for (const range of ['bytes=5-2', 'bytes=0-1,4-5', 'lines=1-2', 'bytes=-', 'bytes=a-b']) {
      expect((await audioOf(service, id, { range })).statusCode, range).toBe(200);
    }
    expect((await audioOf(service, id, { 'if-none-match': `"x", W/"${digest}"` })).statusCode).toBe(304);
    const ifRange = { range: 'bytes=0-1', 'if-range': '"other"' };
    expect((await audioOf(service, id, ifRange)).statusCode).toBe(200);
    const head = await audioOf(service, id, { range: 'bytes=0-9' }, 'HEAD');
    expect([head.statusCode, head.headers['content-length'], head.rawPayload.length]).toEqual([206, '10', 0]);
  });

  it('is renamed and replaced under its id', async () => {
    const service = await OpenService.start();
    const first = await upload(service, 'name=Welcome&id=11', wavFile());
    service.clock.nowMs += 1000;
    const renamed = await service.owner('PATCH', `${path}/11`, { name: ' Hello ' });
    expect(renamed).toMatchObject({ status: 200, body: { id: '11', name: 'Hello', digest: first.digest } });
    const replaced = await send(service, 'PUT', `${path}/11`, { bytes: mp3File(5) });
    expect(replaced.body).toMatchObject({ name: 'Hello', format: 'mp3', created_at: first.created_at });
    expect(filesOf(service)).toEqual([`${String(replaced.body['digest'])}.mp3`]);
    const before = service.store.health().last_seq;
    await send(service, 'PUT', `${path}/11`, { bytes: mp3File(5) });
    await service.owner('PATCH', `${path}/11`, { name: 'Hello' });
    expect(service.store.health().last_seq).toBe(before);
    expect((await send(service, 'PUT', `${path}/11`, { bytes: Buffer.from('no') })).status).toBe(400);
    expect((await service.owner('PATCH', `${path}/11`, { name: '' })).status).toBe(400);
    expect((await service.owner('PATCH', `${path}/12`, { name: 'x' })).status).toBe(404);
    expect((await send(service, 'PUT', `${path}/12`, { bytes: wavFile() })).status).toBe(404);
    expect((await service.owner('DELETE', `${path}/12`)).status).toBe(404);
  });

  it('shares its file with one that has the same audio, until the last of them is gone', async () => {
    const service = await OpenService.start();
    const [one, other] = [
      await upload(service, 'name=One', wavFile()),
      await upload(service, 'name=Other', wavFile()),
    ];
    expect(filesOf(service)).toHaveLength(1);
    expect((await service.owner('DELETE', `${path}/${one.id}`)).body).toEqual({ id: one.id });
    expect((await audioOf(service, other.id)).statusCode).toBe(200);
    await Promise.all([
      service.owner('DELETE', `${path}/${other.id}`),
      upload(service, 'name=Third', wavFile()),
    ]);
    expect(filesOf(service)).toHaveLength(1);
  });

  it('is not removed while a draft or a stored menu plays it, and says where', async () => {
    const service = await OpenService.start();
    await upload(service, 'name=Welcome&id=11', wavFile());
    await upload(service, 'name=Pardon&id=2', wavFile(600));
    const ivr = await service.owner('POST', '/portal/ivrs', ivrBody);
    const draft = await service.owner('POST', '/portal/ivrs/drafts', { document: twoMenus });
    const { recordings } = (await service.owner('GET', path)).body as { recordings: RecordingView[] };
    expect(recordings.map(({ used_by }) => used_by)).toMatchObject([
      [{ kind: 'ivr', id: ivr.body['id'], name: 'Reception', field: 'recording' }],
      [
        {
          kind: 'draft',
          id: draft.body['id'],
          name: 'Reception',
          field: 'nodes.reception.invalid_recording',
        },
        { kind: 'draft', field: 'nodes.opening.invalid_recording' },
      ],
    ]);
    for (const [id, where] of [
      ['11', 'the stored menu “Reception” (recording)'],
      ['2', 'the draft “Reception” (nodes.reception.invalid_recording)'],
    ] as const) {
      const refused = await service.owner('DELETE', `${path}/${id}`);
      expect(refused).toMatchObject({ status: 409, body: { code: 'conflict' } });
      expect(refused.body['message']).toContain(where);
    }
    expect(filesOf(service)).toHaveLength(2);
  });

  it('survives a restart, which takes away what no recording has and leaves what is not ours', async () => {
    const service = await OpenService.start();
    const recording = await upload(service, 'name=Welcome', wavFile());
    await service.stop();
    const folder = join(service.folder, 'recordings');
    writeFileSync(join(folder, `${'0'.repeat(64)}.wav`), 'an orphan');
    writeFileSync(join(folder, `${recording.digest}.wav.new`), 'half');
    writeFileSync(join(folder, `${recording.digest}.wav.0123456789abcdef.new`), 'half');
    writeFileSync(join(folder, 'notes.txt'), 'mine');
    const again = await OpenService.start({ folder: service.folder });
    expect(filesOf(again)).toEqual([`${recording.digest}.wav`, 'notes.txt']);
    expect((await audioOf(again, recording.id)).statusCode).toBe(200);
    rmSync(join(folder, `${recording.digest}.wav`));
    const gone = await audioOf(again, recording.id);
    expect(gone.statusCode).toBe(404);
    expect(gone.json<{ message: string }>().message).toContain('backup');
  });

  it('is described with the types of audio, its limit and its parts', async () => {
    const service = await OpenService.start();
    const { body } = await service.call({ method: 'GET', url: '/openapi.json' });
    const { paths } = body as { paths: Record<string, Record<string, Record<string, unknown>>> };
    const types = { 'audio/wav': {}, 'audio/mpeg': {}, 'audio/ogg': {} };
    expect(paths[path]?.['post']).toMatchObject({ requestBody: { required: true, content: types } });
    expect(JSON.stringify(paths[path]?.['post'])).toContain('The limit is 20 MiB.');
    expect(paths[`${path}/{id}/audio`]?.['get']?.['responses']).toMatchObject({
      200: { content: types },
      206: { content: types },
      416: {},
    });
  });

  it('is the owner’s alone', async () => {
    const service = await OpenService.start();
    const { id } = await upload(service, 'name=Welcome', wavFile());
    const { value } = await service.issue();
    for (const [method, url] of [
      ['GET', path],
      ['POST', `${path}?name=x`],
      ['PUT', `${path}/${id}`],
      ['DELETE', `${path}/${id}`],
      ['GET', `${path}/${id}/audio`],
    ] as const) {
      expect((await service.bearer(value, method, url)).status, `${method} ${url}`).toBe(401);
    }
  });
});
