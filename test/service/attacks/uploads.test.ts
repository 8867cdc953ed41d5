import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { wavFile } from '../../fixtures/audio-files.ts';
import { recordingLimitBytes } from '../../../src/contract/menu/recording.ts';
import { type AttackSetup, makeSetup } from './attack-setup.ts';
import { openWire } from './wire.ts';

function head(setup: AttackSetup, ...more: string[]): string {
  const lines = [
    'POST /portal/recordings?name=x HTTP/1.1',
    `Host: ${setup.host}`,
    `Authorization: Bearer ${setup.service.sessions.portalKey}`,
    'Content-Type: audio/wav',
    ...more,
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

const filesOf = ({ folder }: AttackSetup) => readdirSync(join(folder, 'recordings'));
const keptBy = ({ store }: AttackSetup) => [...store.state.recordings.values()];

describe('an upload', () => {
  it('that ends before its Content-Length leaves nothing behind', async () => {
    const setup = await makeSetup();
    const wire = openWire(setup.port);
    wire.write(head(setup, 'Content-Length: 100000'));
    wire.write(Buffer.from(wavFile(50)));
    wire.socket.end();
    await wire.closed();
    expect(keptBy(setup)).toEqual([]);
    expect(filesOf(setup)).toEqual([]);
  });

  it('that is longer than its Content-Length is never more than that says', async () => {
    const setup = await makeSetup();
    const wire = openWire(setup.port);
    const bytes = wavFile(50);
    wire.write(head(setup, `Content-Length: ${bytes.length}`));
    wire.write(Buffer.concat([bytes, Buffer.from('\0more')]));
    // The rest is parsed as a call, which is invalid. It is refused after the answer to the upload.
    const answers = await wire.answers(2);
    expect(answers.map(({ status }) => status)).toEqual([200, 400]);
    expect(keptBy(setup).map((kept) => kept.bytes)).toEqual([bytes.length]);
  });

  it('that says no length is cut off at the limit', { timeout: 30_000 }, async () => {
    const setup = await makeSetup();
    const wire = openWire(setup.port);
    wire.write(head(setup, 'Transfer-Encoding: chunked'));
    const piece = Buffer.alloc(1024 * 1024);
    for (let sent = 0; sent <= recordingLimitBytes; sent += piece.length) {
      wire.write(Buffer.concat([Buffer.from('100000\r\n'), piece, Buffer.from('\r\n')]));
    }
    const [answer] = await wire.answers(1);
    expect(answer?.status).toBe(413);
    expect(answer?.body).toContain('The limit is 20 MiB.');
    expect(filesOf(setup)).toEqual([]);
  });

  it('whose length is above the limit is refused before a byte of it', async () => {
    const setup = await makeSetup();
    const wire = openWire(setup.port);
    wire.write(head(setup, `Content-Length: ${recordingLimitBytes + 1}`));
    const [answer] = await wire.answers(1);
    expect(answer?.status).toBe(413);
  });

  it('of a stranger is refused before its bytes are looked at', async () => {
    const setup = await makeSetup();
    const wire = openWire(setup.port);
    wire.write(
      `POST /portal/recordings?name=x HTTP/1.1\r\nHost: ${setup.host}\r\nContent-Length: 1000000\r\n\r\n`,
    );
    const [answer] = await wire.answers(1);
    expect(answer?.status).toBe(401);
    expect(filesOf(setup)).toEqual([]);
  });
});
