import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { FileVault } from '../../../src/agent/vault/file-vault.ts';
import { openKeyFile } from '../../../src/agent/vault/key-file.ts';
import { keyFileCost } from '../../../src/agent/vault/vault-file.ts';
import { writeVaultChoice } from '../../../src/host/vault-choice-file.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { startAsNewUser } from '../../fixtures/new-user.ts';
import { type KeychainSession, startKeychainSession } from './keychain-session.ts';

const child = join(import.meta.dirname, 'move-child.ts');
const command = 'alias rotavox=$PWD/out/rotavox\n';

async function unlockedSession(): Promise<KeychainSession> {
  const session = await startKeychainSession();
  await session.startDaemon();
  return session;
}

/** A data folder whose file vault has two tokens. */
async function folderWithFile(): Promise<string> {
  const dataDir = makeFolder();
  writeVaultChoice(dataDir, { place: { kind: 'file', key: 'file' } });
  const { path: keyFile, key: passphrase } = await openKeyFile(dataDir);
  const vault = await FileVault.open({ path: dataDir, passphrase, keyFile, cost: keyFileCost });
  for (const account of ['a', 'b']) await vault.write({ service: 'rotavox', account }, `token of ${account}`);
  return dataDir;
}

describe.runIf(process.platform === 'linux')('moving tokens between a file and a real keychain', () => {
  it.each([
    [2, 'file'],
    [4, 'file'],
    [6, 'keychain'],
    [8, 'keychain'],
  ] as const)(
    'loses none when the program is killed before change %i',
    { tags: ['long'] },
    async (nth, place) => {
      const session = await unlockedSession();
      const dataDir = await folderWithFile();
      const run = (...args: string[]) =>
        spawn(process.execPath, [child, dataDir, ...args], {
          env: session.env,
          stdio: ['ignore', 'pipe', 'inherit'],
        });
      const killed = run('keychain', String(nth));
      const [, signal] = (await once(killed, 'exit')) as [null, string];
      expect(signal).toBe('SIGKILL');
      const looking = run('look');
      expect(JSON.parse(await text(looking.stdout))).toEqual({
        kind: place,
        values: ['token of a', 'token of b'],
      });
      expect(await session.lookUp('a')).toBe(place === 'file' ? null : 'token of a');
      expect(existsSync(join(dataDir, 'vault.json'))).toBe(place === 'file');
      expect(existsSync(join(dataDir, 'vault.key'))).toBe(place === 'file');
    },
  );

  it('is a command, while Rotavox runs and while it does not', { tags: ['long'] }, async () => {
    const session = await startKeychainSession();
    const user = await startAsNewUser(session.env);
    await session.startDaemon();
    const keep = 'rotavox token issue --name a --validity 7 --keep-as nightly\nrotavox get nightly\n';
    const { stdout } = await user.type(`${command}${keep}`);
    const token = /rvx_\S+/.exec(stdout)?.[0] ?? '';
    expect(token).not.toBe('');
    const moved = await user.type(
      `${command}rotavox vault move keychain\nrotavox get nightly\nrotavox status --json`,
    );
    expect(moved).toMatchObject({ code: 0 });
    expect(moved.stdout).toContain(token);
    expect(moved.stdout).toContain('"vault":{"kind":"keychain"}');
    expect(await session.lookUp('nightly')).toBe(token);
    expect(existsSync(join(user.dataDir, 'vault.json'))).toBe(false);
    const again = await user.type(`${command}rotavox vault move keychain`);
    expect(again).toMatchObject({ code: 1 });
    expect(again.stderr).toContain('already');
    // A rotation after the move is stored at the new place.
    expect((await user.type(`${command}rotavox credential rotate nightly`)).code).toBe(0);
    const rotated = (await session.lookUp('nightly')) ?? '';
    expect(rotated).toMatch(/^rvx_/);
    expect(rotated).not.toBe(token);
    await user.stop();

    const back = await user.type(`${command}rotavox vault move file --json`);
    expect(back).toMatchObject({ code: 0 });
    expect(JSON.parse(back.stdout)).toEqual({ moved: 1, vault: { kind: 'file', key: 'file' } });
    expect(await session.lookUp('nightly')).toBeNull();
    expect(readFileSync(join(user.dataDir, 'vault-choice.json'), 'utf8')).not.toContain('leftover');
    const later = await startAsNewUser({}, user.home);
    expect((await later.type(`${command}rotavox get nightly`)).stdout.trim()).toBe(rotated);
  });
});
