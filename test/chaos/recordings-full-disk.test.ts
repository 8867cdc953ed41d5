import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createClient } from '../../src/client/create-client.ts';
import { wavFile } from '../fixtures/audio-files.ts';
import { makeFolder, writtenPart } from '../fixtures/make-folder.ts';
import { canLimitFileSize, limitFileSize } from './full-disk.ts';
import { startService } from './service-process.ts';

it.runIf(canLimitFileSize)(
  'a recording that the disk does not take is refused with the reason and leaves nothing behind',
  async () => {
    const folder = makeFolder();
    const service = await startService(folder);
    const { pid, port, portalKey } = service;
    const client = createClient({
      baseUrl: `http://127.0.0.1:${port}`,
      authorization: `Bearer ${portalKey}`,
    });
    const upload = (body: Uint8Array<ArrayBuffer>) =>
      client.call('uploadRecording', { query: { name: 'Welcome' }, body });
    const files = () => readdirSync(join(folder, 'recordings'));
    const journalBytes = () => writtenPart(readFileSync(join(folder, 'journal/00000001.jsonl'))).length;

    // The file does not fit.
    limitFileSize(pid, 20_000);
    const refused = await upload(wavFile(10_000));
    expect(refused).toMatchObject({ ok: false, status: 503, code: 'store_unavailable' });
    expect(refused.ok ? '' : refused.message).toContain('at its file size limit');
    expect(files()).toEqual([]);

    // The file fits and its record does not.
    limitFileSize(pid, journalBytes() + 10);
    const unrecorded = await upload(wavFile(1));
    expect(unrecorded).toMatchObject({ ok: false, status: 503 });
    expect(files()).toEqual([]);

    limitFileSize(pid, 'unlimited');
    expect(await upload(wavFile(10_000))).toMatchObject({ ok: true });
    expect(files()).toHaveLength(1);
    const listed = await client.call('listRecordings');
    expect(listed.ok ? listed.value.recordings : []).toHaveLength(1);
    expect(await service.stop()).toBe(0);
  },
);
