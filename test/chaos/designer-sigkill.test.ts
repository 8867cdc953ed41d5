import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createClient, type Client } from '../../src/client/create-client.ts';
import { ServiceUnreachable } from '../../src/client/read-refusal.ts';
import type { IvrDocument } from '../../src/contract/menu/ivr-draft.ts';
import { recordingAudioPath } from '../../src/contract/address.ts';
import { wavFile } from '../fixtures/audio-files.ts';
import { twoMenus } from '../fixtures/ivr-documents.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { chanceOf, chosenSeed } from './chance.ts';
import { type ServiceProcess, startService } from './service-process.ts';

/** How often the service is killed; the test command takes the short form. */
const kills = Number(process.env['ROTAVOX_CHAOS_KILLS'] ?? 1);

/** What was acknowledged: the last name a draft was saved under, and the seed of each recording's audio. */
interface Acknowledged {
  draftId: string;
  revision: number;
  name: string;
  readonly recordings: Map<string, number>;
}

const clientOf = ({ port, portalKey }: ServiceProcess): Client =>
  createClient({ baseUrl: `http://127.0.0.1:${port}`, authorization: `Bearer ${portalKey}` });

async function saveUntilGone(client: Client, known: Acknowledged): Promise<void> {
  await untilGone(async (place) => {
    const name = `Name ${place}`;
    const document: IvrDocument = { ...twoMenus, name };
    const params = { id: known.draftId };
    const saved = await client.call('saveDraft', { params, body: { revision: known.revision, document } });
    if (!saved.ok) throw new Error(saved.message);
    Object.assign(known, { revision: saved.value.revision, name });
  });
}

async function uploadUntilGone(client: Client, known: Acknowledged): Promise<void> {
  await untilGone(async (place) => {
    const seed = (known.recordings.size * 100 + place) % 65_536;
    const query = { name: `Recording ${seed}` };
    const kept = await client.call('uploadRecording', { query, body: wavFile(400, seed) });
    if (!kept.ok) throw new Error(kept.message);
    known.recordings.set(kept.value.id, seed);
  });
}

async function untilGone(act: (place: number) => Promise<void>): Promise<void> {
  try {
    for (let place = 0; ; place += 1) await act(place);
  } catch (error) {
    if (!(error instanceof ServiceUnreachable)) throw error;
  }
}

/** Everything acknowledged exists; a save that was not acknowledged may exist, but only completely. */
async function expectWhole(service: ServiceProcess, folder: string, known: Acknowledged): Promise<void> {
  const client = clientOf(service);
  const draft = await client.call('readDraft', { params: { id: known.draftId } });
  if (!draft.ok) throw new Error(draft.message);
  const { revision, document } = draft.value;
  expect(revision - known.revision).toBeGreaterThanOrEqual(0);
  expect(revision - known.revision).toBeLessThanOrEqual(1);
  if (revision === known.revision) expect(document.name).toBe(known.name);
  expect({ ...document, name: '' }).toEqual({ ...twoMenus, name: '' });
  Object.assign(known, { revision, name: document.name });

  const listed = await client.call('listRecordings');
  if (!listed.ok) throw new Error(listed.message);
  const files = new Set(listed.value.recordings.map(({ digest, format }) => `${digest}.${format}`));
  expect(new Set(readdirSync(join(folder, 'recordings')))).toEqual(files);
  for (const [id, seed] of known.recordings) {
    const answer = await fetch(`http://127.0.0.1:${service.port}${recordingAudioPath(id)}`, {
      headers: { authorization: `Bearer ${service.portalKey}` },
    });
    expect(answer.status, id).toBe(200);
    expect(Buffer.from(await answer.arrayBuffer()).equals(Buffer.from(wavFile(400, seed))), id).toBe(true);
  }
}

it(
  `loses no save and no recording that was acknowledged, killed ${kills} times at random instants`,
  { tags: ['long'], timeout: 60_000 + kills * 5_000 },
  async () => {
    const seed = chosenSeed();
    console.log(`ROTAVOX_CHAOS_SEED=${seed} ROTAVOX_CHAOS_KILLS=${kills}`);
    const chance = chanceOf(seed);
    const folder = makeFolder();
    let service = await startService(folder);
    const created = await clientOf(service).call('createDraft', { body: { document: twoMenus } });
    if (!created.ok) throw new Error(created.message);
    const { id: draftId, revision } = created.value;
    const known: Acknowledged = { draftId, revision, name: twoMenus.name, recordings: new Map() };
    for (let kill = 0; kill < kills; kill += 1) {
      const client = clientOf(service);
      const work = [saveUntilGone(client, known), uploadUntilGone(client, known)];
      // The first kill comes after an acknowledged change, because otherwise the test could not fail.
      if (kill === 0)
        await expect
          .poll(() => known.recordings.size > 0 && known.revision > 1, { timeout: 20_000 })
          .toBe(true);
      // Not a wait for a condition: the instant at which the process is killed.
      await new Promise((resolve) => setTimeout(resolve, chance.between(20, 250)));
      await service.kill();
      await Promise.all(work);
      service = await startService(folder);
      await expectWhole(service, folder, known);
    }
    expect(known.revision).toBeGreaterThan(1);
    expect(known.recordings.size).toBeGreaterThan(0);
    expect(await service.stop()).toBe(0);
  },
);
