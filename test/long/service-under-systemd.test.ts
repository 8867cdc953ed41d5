import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { DebianRoot, type Ended } from './debian-root.ts';

const isRoot = process.platform === 'linux' && process.getuid?.() === 0;

/** `rotavox service` in a clean Debian whose process 1 is systemd, with the sandbox and the credentials that it gives. */
describe.skipIf(!isRoot)('rotavox service under systemd', () => {
  let root: DebianRoot;
  beforeAll(async () => {
    root = await DebianRoot.boot();
    return () => root.close();
  });
  const dataDir = '/var/lib/rotavox/data';

  it('runs for the machine with an account of its own, survives a kill, and is removed without its data', async () => {
    const installed = await root.run('rotavox', 'service', 'install', '--system');
    expect(installed).toMatchObject({ code: 0, stdout: '' });
    expect(installed.stderr).toContain('starts when the machine starts');
    const shown = await root.run('systemctl', 'show', 'rotavox', '--property=User,ActiveState,UnitFileState');
    expect(shown.stdout.split('\n').sort().join(' ').trim()).toBe(
      'ActiveState=active UnitFileState=enabled User=rotavox',
    );

    const issue = ['token', 'issue', '--name', 'a', '--validity', '7', '--keep-as', 'nightly'];
    expect(await root.run('rotavox', '--data-dir', dataDir, ...issue)).toMatchObject({ code: 0 });
    const token = (await root.run('rotavox', '--data-dir', dataDir, 'get', 'nightly')).stdout;
    expect(token).toMatch(/^rvx_/);

    await root.run('systemctl', 'kill', '--signal=KILL', 'rotavox');
    await expect
      .poll(async () => (await root.run('rotavox', '--data-dir', dataDir, 'get', 'nightly')).stdout, {
        timeout: 60_000,
      })
      .toBe(token);
    const again = await root.run('rotavox', 'service', 'install', '--system');
    expect(again).toMatchObject({ code: 1 });
    expect(again.stderr).toContain('already installed');

    expect(await root.run('rotavox', 'service', 'uninstall', '--system')).toMatchObject({ code: 0 });
    expect((await root.run('systemctl', 'is-active', 'rotavox')).stdout).toBe('inactive\n');
    expect(existsSync(join(root.folder, 'etc/systemd/system/rotavox.service'))).toBe(false);
    expect(existsSync(join(root.folder, dataDir, 'vault.json'))).toBe(true);
  });

  it('runs for an ordinary account, and refuses what only root may do', async () => {
    await root.run('useradd', '--create-home', 'alice');
    await root.run('loginctl', 'enable-linger', 'alice');
    const uid = (await root.run('id', '--user', 'alice')).stdout.trim();
    await expect
      .poll(() => root.run('systemctl', 'is-active', `user@${uid}`), { timeout: 60_000 })
      .toMatchObject({ stdout: 'active\n' });
    const asAlice = (...command: string[]): Promise<Ended> =>
      root.run(
        'runuser',
        '-u',
        'alice',
        '--',
        'env',
        'HOME=/home/alice',
        `XDG_RUNTIME_DIR=/run/user/${uid}`,
        ...command,
      );

    const refused = await asAlice('rotavox', 'service', 'install', '--system');
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain('installed by root');
    const afterSu = await asAlice('env', '--unset=XDG_RUNTIME_DIR', 'rotavox', 'service', 'install');
    expect(afterSu.stderr).toContain('after su or sudo');

    const installed = await asAlice('rotavox', 'service', 'install');
    expect(installed).toMatchObject({ code: 0 });
    expect(installed.stderr).toContain('/home/alice/.config/Rotavox/data');
    expect(installed.stderr).toContain('starts when the machine starts');
    expect((await asAlice('rotavox', 'service', 'status')).stdout).toMatch(/Running\s+yes/);
    expect(await asAlice('rotavox', 'status')).toMatchObject({ code: 0 });
    expect(await asAlice('rotavox', 'service', 'uninstall')).toMatchObject({ code: 0 });
    expect(await asAlice('rotavox', 'status')).toMatchObject({ code: 3 });
  });
});
