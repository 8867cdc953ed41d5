import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConnectionTest, DeliveryPreview } from '../../../src/contract/credential/credential-checks.ts';
import { isoInstant } from '../../../src/core/iso-instant.ts';
import { dayMs } from '../../../src/core/token/token-record.ts';
import { noon } from '../../fixtures/make-events.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { OpenService } from '../open-service.ts';
import { issueAndAdd } from './credential-token.ts';

async function listening(): Promise<OpenService> {
  return (await OpenService.start()).listen();
}

describe('testing over the portal', () => {
  it('a credential answers what its service says of the current token', async () => {
    const service = await listening();
    await issueAndAdd(service, 'a');
    const before = service.store.health().last_seq;
    const { status, body } = await service.owner('POST', '/portal/credentials/a/test');
    expect(status).toBe(200);
    expect(ConnectionTest.parse(body)).toMatchObject({
      outcome: 'works',
      checked_at: isoInstant(noon),
      token: {
        name: 'token of a',
        status: 'Active',
        expires_at: isoInstant(noon + 7 * dayMs),
        validity_days: 7,
      },
    });
    expect(service.store.health().last_seq).toBe(before);
  });

  it('a credential that is called test is tested like any other', async () => {
    const service = await listening();
    const { value } = await issueAndAdd(service, 'test');
    for (const [path, payload] of [
      ['/portal/credentials/test/test', undefined],
      ['/portal/credentials/test', { value }],
    ] as const) {
      expect((await service.owner('POST', path, payload)).body).toMatchObject({ outcome: 'works' });
    }
    expect((await service.owner('GET', '/portal/credentials/test')).body.name).toBe('test');
  });

  it('a token that is not stored is tried and forgotten', async () => {
    const service = await listening();
    const { value, id } = await service.issue({ name: 'fresh' });
    const works = await service.owner('POST', '/portal/credentials/test', { value: ` ${value}\n` });
    expect(works.body).toMatchObject({ outcome: 'works', token: { name: 'fresh' } });
    await service.owner('POST', `/portal/tokens/${id}/suspend`);
    const suspended = await service.owner('POST', '/portal/credentials/test', { value, base_url: null });
    expect(suspended.body).toMatchObject({ outcome: 'refused', token: null });
    expect(String(suspended.body.message)).toContain('is suspended');
    const nowhere = { value, base_url: 'http://127.0.0.1:1' };
    expect((await service.owner('POST', '/portal/credentials/test', nowhere)).body).toMatchObject({
      outcome: 'unreachable',
      message: expect.stringContaining('nothing listens there') as string,
    });
    expect((await service.owner('GET', '/portal/credentials')).body.credentials).toEqual([]);
  });
});

describe('the preview of a delivery over the portal', () => {
  it('shows the line that changes, and adding the target changes that line', async () => {
    const service = await listening();
    const { value } = await issueAndAdd(service, 'a');
    const path = join(makeFolder(), '.env');
    const text = 'SECRET=x\nexport API_TOKEN="old"\n';
    writeFileSync(path, text, { mode: 0o600 });
    const before = service.store.health().last_seq;
    const target = { kind: 'dotenv', path, variable: 'API_TOKEN' };
    const { status, body } = await service.owner('POST', '/portal/credentials/a/targets/preview', target);
    expect(status).toBe(200);
    expect(DeliveryPreview.parse(body)).toMatchObject({
      possible: true,
      place: path,
      exists: true,
      lines: [{ number: 2, before: 'export API_TOKEN="••••••"', after: 'export API_TOKEN="••••••"' }],
    });
    expect(readFileSync(path, 'utf8')).toBe(text);
    expect(service.store.health().last_seq).toBe(before);
    await service.owner('POST', '/portal/credentials/a/targets', target);
    expect(readFileSync(path, 'utf8')).toBe(`SECRET=x\nexport API_TOKEN="${value}"\n`);
  });

  it('says that a place cannot be, with 200: that is the answer to the question', async () => {
    const service = await listening();
    await issueAndAdd(service, 'a');
    const path = join(makeFolder(), 'missing', 'token');
    const { status, body } = await service.owner('POST', '/portal/credentials/a/targets/preview', {
      kind: 'file',
      path,
    });
    expect([status, body.possible, body.exists, body.lines]).toEqual([200, false, false, []]);
    expect(existsSync(join(path, '..'))).toBe(false);
  });

  it('runs no command', async () => {
    const service = await listening();
    await issueAndAdd(service, 'a');
    const witness = join(makeFolder(), 'it-ran');
    const command = [
      process.execPath,
      '-e',
      `require('node:fs').writeFileSync(${JSON.stringify(witness)}, '')`,
    ];
    const target = { kind: 'hook', command };
    const { body } = await service.owner('POST', '/portal/credentials/a/targets/preview', target);
    expect(body.possible).toBe(true);
    expect(existsSync(witness)).toBe(false);
    await service.owner('POST', '/portal/credentials/a/targets', target);
    expect(existsSync(witness)).toBe(true);
  });
});
