import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MemoryVault } from '../../fakes/memory-vault.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { Notebook } from '../../fixtures/notebook.ts';
import { OpenService } from '../open-service.ts';
import { issueAndAdd, shown, valueOf } from './credential-token.ts';
import { ConnectionTest, DeliveryPreview } from '../../../src/contract/credential/credential-checks.ts';
import { isoInstant } from '../../../src/core/iso-instant.ts';
import { dayMs } from '../../../src/core/token/token-record.ts';
import { noon } from '../../fixtures/make-events.ts';

/** Every file below a folder as text. */
function filesOf(folder: string): { name: string; text: string }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'latin1') }));
}

/** A token in any form in which it could be stored by accident. */
function formsOf(value: string): string[] {
  const bytes = Buffer.from(value);
  const base64 = [0, 1, 2].map((shift) => bytes.subarray(shift).toString('base64url').slice(0, 40));
  return [value, value.slice(4, 40), bytes.toString('hex'), ...base64];
}

describe('the token of a credential', () => {
  it('is returned only by the route for it, in an answer that may not be cached', async () => {
    const service = await (await OpenService.start()).listen();
    const { value } = await service.issue();
    await service.owner('POST', '/portal/credentials', { name: 'a', value });
    const { status, headers, body } = await service.owner('GET', '/portal/credentials/a/value');
    expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(body).toEqual({
      name: 'a',
      value,
      generation: 1,
      expires_at: (await shown(service, 'a')).expires_at,
    });
  });

  it('is in no other answer, no event, no file of the service and no line of its log', async () => {
    const notebook = new Notebook();
    const vault = new MemoryVault();
    const log = { level: 'trace', stream: notebook } as const;
    const service = await (await OpenService.start({ vault, log })).listen();
    const events: unknown[] = [];
    service.store.subscribe((event) => events.push(event));
    const answers: string[] = [];
    const ask = async (...call: Parameters<OpenService['owner']>) => {
      const answer = await service.owner(...call);
      answers.push(JSON.stringify(answer));
      return answer;
    };
    const values = new Set<string>();
    const note = async () => values.add(await valueOf(service, 'a'));

    // Runs through every operation: every token is recorded, and every answer except that one is kept.
    const first = (await service.issue()).value;
    await ask('POST', '/portal/credentials', { name: 'a', value: first });
    await note();
    const folder = makeFolder();
    await ask('POST', '/portal/credentials/a/test');
    await ask('POST', '/portal/credentials/test', { value: first });
    await ask('POST', '/portal/credentials/test', { value: `${first}x`, base_url: 'http://127.0.0.1:1' });
    await ask('POST', '/portal/credentials/test', { value: first, base_url: `http://127.0.0.1/?${first}` });
    await ask('POST', '/portal/credentials/a/targets', { kind: 'file', path: join(folder, 'token') });
    await ask('POST', '/portal/credentials/a/targets', { kind: 'dotenv', path: join(folder, '.env') });
    await ask('POST', '/portal/credentials/a/targets', { kind: 'keychain', service: 'app', account: 'me' });
    const leaks = ['sh', '-c', 'cat; env; echo failed >&2; exit 3'];
    await ask('POST', '/portal/credentials/a/targets', { kind: 'hook', command: leaks, pass: 'env' });
    await ask('POST', '/portal/credentials/a/targets', { kind: 'hook', command: leaks });
    const previewed = [
      { kind: 'file', path: join(folder, 'token') },
      { kind: 'dotenv', path: join(folder, '.env') },
      { kind: 'keychain', service: 'app', account: 'me' },
      { kind: 'hook', command: leaks, pass: 'env' },
    ];
    for (const target of previewed) await ask('POST', '/portal/credentials/a/targets/preview', target);
    await ask('POST', '/portal/credentials/a/rotate');
    await note();
    for (const target of previewed) await ask('POST', '/portal/credentials/a/targets/preview', target);
    await ask('POST', '/portal/credentials/a/test');
    for (const { id } of (await shown(service, 'a')).targets) {
      await ask('POST', `/portal/credentials/a/targets/${id}/deliver`);
    }
    await ask('POST', '/portal/credentials/a/reissue');
    await note();
    const second = (await service.issue()).value;
    await ask('PUT', '/portal/credentials/a/value', { value: second });
    await note();
    await ask('PUT', '/portal/credentials/a/value', { value: `${second}x` });
    await ask('POST', '/portal/credentials', { name: 'a', value: second });
    await ask('POST', '/portal/credentials', {
      name: 'b',
      value: second,
      expires_at: second,
      [second]: second,
    });
    vault.fail('locked');
    await ask('POST', '/portal/credentials/a/rotate');
    await ask('PUT', '/portal/credentials/a/value', { value: second });
    await ask('POST', '/portal/credentials/a/test');
    vault.heal();
    await ask('POST', '/portal/credentials/a/rotate');
    await note();
    await service.rotate(second);
    for (const path of ['', '/a', '/a/history']) await ask('GET', `/portal/credentials${path}`);
    for (const path of ['history', 'status', 'tokens']) await ask('GET', `/portal/${path}`);
    await ask('POST', '/portal/credentials/a/pause');
    await ask('DELETE', '/portal/credentials/a');
    await service.stop();

    expect(values.size).toBe(5);
    const files = filesOf(service.folder);
    expect(files.map(({ name }) => name)).toContain('state.json');
    for (const [place, value] of [...values].entries()) {
      for (const form of formsOf(value)) {
        expect(notebook.text.includes(form), `value ${place} in the log`).toBe(false);
        expect(JSON.stringify(events).includes(form), `value ${place} in an event`).toBe(false);
        for (const { name, text } of files)
          expect(text.includes(form), `value ${place} in ${name}`).toBe(false);
        // A request with a field of that name gets the name back.
        const heard = answers.filter((answer) => !answer.includes('is not a field of this request'));
        expect(
          heard.filter((answer) => answer.includes(form)),
          `value ${place} in an answer`,
        ).toEqual([]);
      }
    }
    // The search works: the targets contain it.
    expect(readFileSync(join(folder, 'token'), 'utf8')).toMatch(/^rvx_/);
  });
});

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

  it('shows the value of a settings file that changes; a file where it cannot be changed is refused', async () => {
    const service = await listening();
    const { value } = await issueAndAdd(service, 'a');
    const path = join(makeFolder(), 'app.json');
    writeFileSync(path, '{\n  "Secret": "x",\n  "Token": "old" // ours\n}\n', { mode: 0o600 });
    const target = { kind: 'setting', path, key: 'Token', template: 'Bearer {token}' };
    const { body } = await service.owner('POST', '/portal/credentials/a/targets/preview', target);
    expect(DeliveryPreview.parse(body)).toMatchObject({
      possible: true,
      place: path,
      lines: [{ number: 3, before: '"Token": "••••••"', after: '"Token": "Bearer ••••••"' }],
    });
    const missing = await service.owner('POST', '/portal/credentials/a/targets', { ...target, key: 'None' });
    expect(missing.status).toBe(400);
    expect(JSON.stringify(missing.body)).toContain(`${path} has no None.`);
    await service.owner('POST', '/portal/credentials/a/targets', target);
    expect(readFileSync(path, 'utf8')).toBe(`{\n  "Secret": "x",\n  "Token": "Bearer ${value}" // ours\n}\n`);
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
