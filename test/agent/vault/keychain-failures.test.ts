import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { join } from 'node:path';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { dismissPrompt, startKeychainSession } from './keychain-session.ts';
import { startVaultProcess } from './vault-process.ts';
import { waitFor } from '../../fixtures/wait-for.ts';

/** Far longer than a call takes, and short enough to wait for one that hangs. */
const shortLimitMs = 1_000;

describe.runIf(process.platform === 'linux')('the keychain vault on Linux', () => {
  it('is absent without a session bus', { tags: ['long'] }, async () => {
    const vault = startVaultProcess({
      ...process.env,
      DBUS_SESSION_BUS_ADDRESS: undefined,
      XDG_RUNTIME_DIR: makeFolder(),
      DISPLAY: undefined,
    });
    const absent = { code: 'absent', message: expect.stringContaining('no_session_bus') as string };
    expect(await vault.contact()).toEqual(absent);
    expect(await vault.read('a')).toEqual(absent);
    expect(await vault.write('a', 'value')).toEqual(absent);
    expect(await vault.remove('a')).toEqual(absent);
  });

  it('is absent on a bus that is gone', async () => {
    const vault = startVaultProcess({
      ...process.env,
      DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(makeFolder(), 'bus')}`,
    });
    expect(await vault.read('a')).toMatchObject({ code: 'absent' });
  });

  it('is absent on a bus without a keychain, and works once one is there', async () => {
    const session = await startKeychainSession();
    const vault = startVaultProcess(session.env);
    const absent = { code: 'absent', message: expect.stringContaining('no_secret_service') as string };
    expect(await vault.contact()).toEqual(absent);
    expect(await vault.write('a', 'value')).toEqual(absent);
    expect(await vault.read('a')).toEqual(absent);
    await session.startDaemon();
    expect(await vault.contact()).toEqual({ value: null });
    expect(await vault.write('a', 'value')).toEqual({ value: null });
    expect(await vault.read('a')).toEqual({ value: 'value' });
  });

  it('is absent where libsecret cannot be loaded', { tags: ['long'] }, async () => {
    const broken = makeFolder();
    writeFileSync(join(broken, 'libsecret-1.so.0'), '');
    const vault = startVaultProcess({ ...process.env, LD_LIBRARY_PATH: broken });
    const absent = { code: 'absent', message: expect.stringContaining('keychain_library_missing') as string };
    expect(await vault.read('a')).toEqual(absent);
    expect(await vault.read('a')).toEqual(absent);
  });

  it('never takes a locked keychain for an empty one', async () => {
    const session = await startKeychainSession();
    await session.startDaemon();
    const vault = startVaultProcess(session.env);
    await vault.write('a', 'value');
    expect(await vault.read('other')).toEqual({ value: null });
    await session.lock();

    const locked = { code: 'locked', message: expect.stringContaining('keychain_locked') as string };
    expect(await vault.read('a')).toEqual(locked);
    expect(await vault.read('other')).toEqual(locked);
    expect(await vault.write('a', 'other value')).toEqual(locked);
    expect(await vault.remove('a')).toEqual(locked);

    await session.unlock();
    expect(await vault.read('a')).toEqual({ value: 'value' });
    expect(await vault.read('other')).toEqual({ value: null });
  });

  it('never takes a keychain for an empty one that was locked before it was ever used', async () => {
    const session = await startKeychainSession();
    await session.startDaemon();
    await session.lock();
    const vault = startVaultProcess(session.env);
    expect(await vault.read('a')).toMatchObject({ code: 'locked' });
    expect(await vault.remove('a')).toMatchObject({ code: 'locked' });
  });

  it('is locked while a prompt is open, and works on when it was answered', { tags: ['long'] }, async () => {
    const session = await startKeychainSession({ prompter: 'silent' });
    await session.startDaemon();
    await startVaultProcess(session.env).write('a', 'value');
    await session.lock();

    const vault = startVaultProcess(session.env, shortLimitMs);
    const locked = { code: 'locked', message: expect.stringContaining('keychain_not_answering') as string };
    const answers = await Promise.all([vault.read('a'), vault.write('a', 'never'), vault.remove('a')]);
    expect(answers).toEqual([locked, locked, locked]);
    expect(await vault.read('a')).toEqual(locked);

    await session.unlock();
    expect(dismissPrompt(session)).toBe(true);
    await waitFor(async () => {
      expect(await vault.read('a')).toEqual({ value: 'value' });
    });
  });

  it('does not keep its program from ending while a prompt is open', { tags: ['long'] }, async () => {
    const session = await startKeychainSession({ prompter: 'silent' });
    await session.startDaemon();
    const vault = startVaultProcess(session.env, shortLimitMs + 500);
    await vault.write('a', 'value');
    await session.lock();
    expect(await vault.read('a')).toMatchObject({ code: 'locked' });
    expect(await vault.quit()).toEqual([null, 'SIGKILL']);
  });

  it('ends with its own exit code when nothing hangs', { tags: ['long'] }, async () => {
    const session = await startKeychainSession();
    await session.startDaemon();
    const vault = startVaultProcess(session.env);
    await vault.write('a', 'value');
    expect(await vault.quit()).toEqual([7, null]);
  });

  it('reports that the keychain ended, and loses nothing that was written', { tags: ['long'] }, async () => {
    const session = await startKeychainSession();
    const daemon = await session.startDaemon();
    const vault = startVaultProcess(session.env);
    await vault.write('a', 'value');
    await daemon.kill();

    expect(await vault.read('a')).toMatchObject({ code: 'failed' });
    expect(await vault.write('a', 'other')).toMatchObject({ code: 'absent' });

    await session.startDaemon();
    const failed = { code: 'failed', message: expect.stringContaining('keychain_restarted') as string };
    expect(await vault.read('a')).toEqual(failed);
    expect(await vault.write('a', 'other')).toEqual(failed);
    expect(await startVaultProcess(session.env).read('a')).toEqual({ value: 'value' });
  });
});
