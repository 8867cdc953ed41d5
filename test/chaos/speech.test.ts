import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { RecordingView, SpeechStatus } from '../../src/contract/menu/recording.ts';
import type { HistoryPage } from '../../src/contract/service/portal.ts';
import { twoMenus } from '../fixtures/ivr-documents.ts';
import { makeFolder, writtenPart } from '../fixtures/make-folder.ts';
import { waitFor } from '../fixtures/wait-for.ts';
import { longTag } from '../tools/suites.ts';
import { canLimitFileSize, limitFileSize } from './full-disk.ts';
import { type ServiceProcess, startService } from './service-process.ts';

const speechOf = async (service: ServiceProcess): Promise<SpeechStatus> =>
  (await service.owner('GET', '/portal/speech')) as SpeechStatus;
const recordingsOf = async (service: ServiceProcess): Promise<RecordingView[]> =>
  ((await service.owner('GET', '/portal/recordings')) as { recordings: RecordingView[] }).recordings;

/** A draft with two texts that no recording has. */
async function draftTexts(service: ServiceProcess, place: number): Promise<void> {
  const prompts = {
    wrong_key: `outbound_tts||Number ${place} has no such key.`,
    timeout: `outbound_tts||Number ${place} is late.`,
  };
  await service.owner('POST', '/portal/ivrs/drafts', { document: { ...twoMenus, prompts } });
}

/** What is in the folder is what the recordings are, and each text has one. */
async function expectWhole(service: ServiceProcess, folder: string): Promise<RecordingView[]> {
  const recordings = await recordingsOf(service);
  const texts = recordings.map(({ speech }) => speech?.text);
  expect(new Set(texts).size).toBe(texts.length);
  const files = recordings.map(({ digest, format }) => `${digest}.${format}`);
  expect(readdirSync(join(folder, 'recordings')).sort()).toEqual(files.sort());
  return recordings;
}

/** Speaks the texts of so many drafts, stopped once and killed whenever so many are made. */
async function speakThroughKills(drafts: number, kills: readonly number[], waitMs?: number): Promise<void> {
  const folder = makeFolder();
  let service = await startService(folder);
  for (let place = 1; place <= drafts; place += 1) await draftTexts(service, place);
  const { missing } = await speechOf(service);
  expect(missing).toBeGreaterThanOrEqual(2 * drafts);
  const begin = () => service.owner('POST', '/portal/speech/all', { what: 'missing' });
  await begin();
  const stopped = (await service.owner('DELETE', '/portal/speech/all')) as SpeechStatus;
  expect(stopped.job).toMatchObject({ status: 'stopped', current: null });
  await begin();
  const known = new Map<string, string>();
  for (const made of kills) {
    await waitFor(
      async () => expect((await recordingsOf(service)).length).toBeGreaterThanOrEqual(made),
      waitMs,
    );
    for (const { id, digest } of await recordingsOf(service)) known.set(id, digest);
    await service.kill();
    service = await startService(folder);
    expect((await speechOf(service)).job).toMatchObject({ what: 'missing', total: stopped.missing });
  }
  await waitFor(
    async () =>
      expect(await speechOf(service)).toMatchObject({ missing: 0, job: { status: 'done', failures: [] } }),
    waitMs,
  );
  const recordings = await expectWhole(service, folder);
  expect(recordings).toHaveLength(missing);
  // What was there before a kill is still the same.
  for (const [id, digest] of known)
    expect(recordings).toContainEqual(expect.objectContaining({ id, digest }));
  const { events } = (await service.owner('GET', '/portal/history?limit=1000')) as HistoryPage;
  const kinds = events.map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'recording.added')).toHaveLength(missing);
  // Begun, stopped, begun again and done: a kill is none of these.
  const ofWork = kinds.filter((kind) => kind.startsWith('speech.')).sort();
  expect(ofWork).toEqual(['speech.begun', 'speech.begun', 'speech.ended', 'speech.ended']);
  expect(await service.stop()).toBe(0);
}

it('speaking all texts goes on after a stop and after each kill, makes nothing twice and loses nothing', () =>
  speakThroughKills(4, [2, 5]));

it('speaking 200 texts does so, too', { tags: [longTag], timeout: 20 * 60_000 }, () =>
  speakThroughKills(100, [20, 100, 101, 180], 10 * 60_000),
);

it.runIf(canLimitFileSize)(
  'speech that the disk does not take changes nothing, is told, and is made once there is room',
  async () => {
    const folder = makeFolder();
    const service = await startService(folder);
    await draftTexts(service, 1);
    const { missing } = await speechOf(service);
    const speak = (text: string) =>
      service.call({
        method: 'POST',
        path: '/portal/recordings/speak',
        bearer: service.portalKey,
        body: { text },
      });
    const journal = () => writtenPart(readFileSync(join(folder, 'journal/00000001.jsonl'))).length;

    // The audio does not fit.
    limitFileSize(service.pid, 20_000);
    const refused = await speak('Welcome to Example.');
    expect(refused.status, refused.text).toBe(503);
    expect(refused.text).toContain('at its file size limit');
    expect(await expectWhole(service, folder)).toEqual([]);
    await service.owner('POST', '/portal/speech/all', { what: 'missing' });
    const stopped = await waitFor(async () => {
      const status = await speechOf(service);
      expect(status.job?.status).toBe('stopped');
      return status;
    });
    expect(stopped).toMatchObject({ missing, job: { done: 0, current: null } });
    expect(stopped.job?.interrupted).toContain('at its file size limit');
    expect(await expectWhole(service, folder)).toEqual([]);

    // Nothing that the journal has to say fits either.
    limitFileSize(service.pid, journal() + 10);
    expect((await speak('Welcome to Example.')).status).toBe(503);
    expect(await expectWhole(service, folder)).toEqual([]);

    limitFileSize(service.pid, 'unlimited');
    expect((await speak('Welcome to Example.')).status).toBe(200);
    await service.owner('POST', '/portal/speech/all', { what: 'missing' });
    await waitFor(async () =>
      expect(await speechOf(service)).toMatchObject({ missing: 0, job: { status: 'done' } }),
    );
    expect(await expectWhole(service, folder)).toHaveLength(missing + 1);
    expect(await service.stop()).toBe(0);
  },
);
