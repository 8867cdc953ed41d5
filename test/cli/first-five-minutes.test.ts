import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { IvrCreated } from '../../src/contract/menu/ivr.ts';
import { HistoryPage } from '../../src/contract/service/portal.ts';
import { TokenPage } from '../../src/contract/token/token-list.ts';
import { RotateReply } from '../../src/contract/token/token.ts';
import { firstFiveMinutes, startAsNewUser } from '../fixtures/new-user.ts';
import { fileWith, menu } from './menu.ts';
import { serviceHere, serviceHereOn } from './service-here.ts';
import type { CalledService } from './rotavox.ts';

function post(service: CalledService, path: string, token: string, body?: unknown): Promise<Response> {
  return fetch(`${service.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

it('a new user issues a token, rotates it, creates IVRs, and finds all of it after a restart', async () => {
  const service = await serviceHere();

  const issued = await service.cli('token', 'issue', '--name', 'nightly-report', '--validity', '7');
  const first = issued.stdout.trim();

  const rotation = await post(service, '/v1/auth/rotate', first);
  expect(rotation.status).toBe(200);
  const rotated = RotateReply.parse(await rotation.json());
  expect(rotated).toMatchObject({ message: 'Token refreshed successfully.', validity_days: 7 });
  const second = rotated.access_token;
  expect((await post(service, '/v1/auth/rotate', first)).status).toBe(401);

  const { tokens } = TokenPage.parse(await service.json('token', 'list'));
  expect(tokens.map(({ status }) => status)).toEqual(['Active', 'Superseded']);
  const [successor, source] = tokens;
  for (const { id } of [successor!, source!]) {
    const { events } = HistoryPage.parse(await service.json('token', 'history', id));
    expect(events.map(({ kind }) => kind)).toContain('token.rotated');
  }
  expect((await service.cli('token', 'history', source!.id)).stdout).toContain('Superseded token used');

  const called = await post(service, '/v1/ivr', second, menu);
  const byApp = IvrCreated.parse(await called.json());
  const byOwner = IvrCreated.parse(
    await service.json('ivr', 'create', await fileWith({ ...menu, name: 'Second' })),
  );

  const before = {
    tokens: await service.json('token', 'list'),
    ivrs: await service.json('ivr', 'list'),
    history: await service.json('history'),
  };
  expect(before.ivrs).toMatchObject({ ivrs: [{ id: byApp.id, timeout: 5 }, { id: byOwner.id }] });
  await service.stop();

  const again = await serviceHereOn(service.dataDir);
  expect(await again.json('token', 'list')).toEqual(before.tokens);
  expect(await again.json('ivr', 'list')).toEqual(before.ivrs);
  expect(await again.json('history')).toEqual(before.history);
  expect((await again.cli('history', '--verify')).stdout).toContain('The journal is intact');
  const third = RotateReply.parse(await (await post(again, '/v1/auth/rotate', second)).json()).access_token;

  const everything = await contentsOf(again.dataDir);
  expect(everything).toContain('nightly-report');
  for (const value of [first, second, third]) {
    expect(everything).not.toContain(value);
    expect([...service.said, ...again.said].join('\n')).not.toContain(value);
  }
});

describe('a new user on a machine without a keychain, D-Bus and display', () => {
  it(
    'types the first five minutes of the README, word for word, and finds the tokens again after a restart',
    { tags: ['long'] },
    async () => {
      const user = await startAsNewUser();
      const typed = await user.type(firstFiveMinutes());
      expect(typed).toMatchObject({ code: 0 });
      expect(typed.stdout).toContain('Token refreshed successfully.');
      expect(typed.stdout).toContain('The journal is intact');
      const read = `alias rotavox=$PWD/out/rotavox\nrotavox get nightly\ncat .env\n`;
      const { stdout } = await user.type(read);
      const [token = '', line] = stdout.split('\n');
      const status = `alias rotavox=$PWD/out/rotavox\nrotavox status --json\nrotavox status\n`;
      const [json = '', ...table] = (await user.type(status)).stdout.split('\n');
      expect(JSON.parse(json)).toMatchObject({ vault: { kind: 'file', key: 'file' } });
      expect(table.join('\n')).toContain("anyone who can read your account's files can use them");
      expect(token).toMatch(/^rvx_/);
      expect(line).toBe(`API_TOKEN=${token}`);
      await user.stop();

      const key = (await readFile(join(user.dataDir, 'vault.key'), 'utf8')).trim();
      const contents = await contentsOf(user.dataDir);
      expect(contents.replaceAll(key, '')).not.toContain(token);
      expect(contents.split(key)).toHaveLength(2);
      const again = await startAsNewUser({}, user.home);
      expect((await again.type(read)).stdout.split('\n')[0]).toBe(token);
      for (const lines of [user.printed, again.printed]) {
        expect(lines.length).toBeLessThanOrEqual(12);
        expect(lines.join('\n')).not.toMatch(new RegExp(`npm --prefix|${token}|${key}`));
        expect(lines.join('\n')).toContain('alias rotavox=');
      }
      expect(user.printed.filter((said) => said.includes('vault.key'))).toHaveLength(1);
      expect(again.printed.filter((said) => said.includes('vault.key'))).toEqual([]);
    },
  );
});

/** Every file of a folder as one text. */
async function contentsOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const contents = await Promise.all(
    files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')),
  );
  return contents.join('\n');
}
