import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { firstFiveMinutes, startAsNewUser } from '../../fixtures/new-user.ts';
import { startKeychainSession } from './keychain-session.ts';

const command = 'alias rotavox=$PWD/out/rotavox\n';

describe.runIf(process.platform === 'linux')('a new user on a machine with a keychain', () => {
  it(
    'types the first five minutes of the README, word for word, and has the tokens in the keychain',
    { tags: ['long'] },
    async () => {
      const session = await startKeychainSession();
      await session.startDaemon();
      const user = await startAsNewUser(session.env);
      const typed = await user.type(firstFiveMinutes());
      expect(typed).toMatchObject({ code: 0 });
      expect(typed.stdout).toContain('Token refreshed successfully.');
      const { stdout } = await user.type(`${command}rotavox get nightly\n`);
      expect(await session.lookUp('nightly')).toBe(stdout.trim());
      for (const name of ['vault.key', 'vault.json'])
        expect(existsSync(join(user.dataDir, name))).toBe(false);
      await user.stop();
      // Without its keychain the folder gets no other vault.
      const without = await startAsNewUser({}, user.home);
      const got = await without.type(`${command}rotavox get nightly\n`);
      expect(got).toMatchObject({ code: 1, stdout: '' });
      expect(got.stderr).toContain('no keychain');
      expect(existsSync(join(user.dataDir, 'vault.key'))).toBe(false);
    },
  );

  it('gets no other vault while the keychain is locked', { tags: ['long'] }, async () => {
    const session = await startKeychainSession();
    await session.startDaemon();
    await session.lock();
    const user = await startAsNewUser(session.env);
    const issued = await user.type(`${command}rotavox token issue --name a --validity 7 --keep-as a\n`);
    expect(issued).toMatchObject({ code: 1 });
    expect(issued.stderr).toContain('locked');
    expect(existsSync(join(user.dataDir, 'vault.key'))).toBe(false);
  });

  it('gets a file with a key file in a session whose bus has no keychain', { tags: ['long'] }, async () => {
    const session = await startKeychainSession();
    const user = await startAsNewUser(session.env);
    expect(existsSync(join(user.dataDir, 'vault.key'))).toBe(true);
    await session.startDaemon();
    expect(await user.type(firstFiveMinutes())).toMatchObject({ code: 0 });
    await user.stop();
    const later = await startAsNewUser(session.env, user.home);
    expect((await later.type(`${command}rotavox get nightly\n`)).stdout).toMatch(/^rvx_/);
    expect(await session.lookUp('nightly')).toBeNull();
  });
});
