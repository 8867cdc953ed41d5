import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hasTerminals, inTerminal, shellLine } from './in-terminal.ts';
import { freshDataDir, removeDataDir, rotavox, serviceOn } from './rotavox.ts';
import { serviceHereOn } from './service-here.ts';

/** A data folder with one credential, and copies of it on this machine. */
async function folderForTest() {
  const dataDir = await freshDataDir();
  onTestFinished(() => removeDataDir(dataDir));
  const service = await serviceHereOn(dataDir);
  const issued = await service.cli('token', 'issue', '--name', 'a', '--validity', '7', '--keep-as', 'a');
  expect(issued.code).toBe(0);
  const { stdout: token } = await service.cli('get', 'a');
  await service.stop();
  return {
    dataDir,
    token,
    from: { reason: 'copy', name: null, folder: dataDir },
    copyTo(name: string): string {
      const copy = join(dataDir, '..', name);
      cpSync(dataDir, copy, { recursive: true });
      return copy;
    },
  };
}

const idIn = (dataDir: string): string =>
  (JSON.parse(readFileSync(join(dataDir, 'machine.json'), 'utf8')) as { id: string }).id;

describe('rotavox confirm-move', () => {
  it(
    'has a running service rotate from here, and what it does until then says so',
    { tags: ['long'] },
    async () => {
      const { dataDir, token, from, copyTo } = await folderForTest();
      const service = await serviceOn(copyTo('copy'));
      await expect.poll(() => service.stderr.join('\n')).toContain('These data are a copy of');
      expect(service.stderr.join('\n')).toContain('`rotavox confirm-move`');
      expect(await service.json('status')).toMatchObject({ moved_from: from });
      expect((await service.cli('status')).stdout).toMatch(
        new RegExp(
          `^Moved +These data are a copy of the data folder ${dataDir} on this computer.*confirm-move`,
          'm',
        ),
      );
      expect(await service.cli('get', 'a')).toMatchObject({ code: 0, stdout: token });
      const refused = await service.cli('credential', 'rotate', 'a');
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toContain('Rotavox rotates and delivers nothing until you confirm');
      expect(refused.stderr).toContain('To do: rotavox confirm-move');
      const move = await service.cli('vault', 'move', 'keychain');
      expect(move).toMatchObject({ code: 1, stderr: expect.stringContaining('confirm-move') as string });

      const unasked = await service.cli('confirm-move');
      expect(unasked).toMatchObject({ code: 2, stdout: '' });
      expect(unasked.stderr).toContain(`You confirm that Rotavox no longer runs with ${dataDir}`);
      expect(unasked.stderr).toContain('--yes');
      expect(await service.json('status')).toMatchObject({ moved_from: from });

      expect(await service.json('confirm-move', '--yes')).toEqual({ confirmed: from });
      expect(await service.json('status')).toMatchObject({ moved_from: null });
      expect((await service.cli('credential', 'rotate', 'a')).code).toBe(0);
      expect((await service.cli('get', 'a')).stdout).not.toBe(token);
      const again = await service.cli('confirm-move', '--yes');
      expect(again).toMatchObject({ code: 0, stderr: '' });
      expect(again.stdout).toContain('nothing to confirm');
    },
  );

  it('does not believe it while the first folder is in use on this machine', { tags: ['long'] }, async () => {
    const { dataDir, from, copyTo } = await folderForTest();
    const copy = copyTo('copy');
    const first = await serviceOn(dataDir);
    const says = {
      code: 1,
      stderr: expect.stringContaining(
        `Rotavox still runs with the data folder ${dataDir} (process ${String(first.child.pid)})`,
      ) as string,
    };
    expect(await rotavox(['confirm-move', '--yes'], { dataDir: copy })).toMatchObject(says);
    const service = await serviceOn(copy);
    expect(await service.cli('confirm-move', '--yes')).toMatchObject(says);
    expect(await service.json('status')).toMatchObject({ moved_from: from });
    await first.stop('SIGKILL'); // its lock is left
    expect(await service.json('confirm-move', '--yes')).toEqual({ confirmed: from });
  });

  it('confirms a folder that no service uses, which then starts without a word', async () => {
    const { dataDir, copyTo } = await folderForTest();
    const copy = copyTo('copy');
    const move = await rotavox(['vault', 'move', 'keychain'], { dataDir: copy });
    expect(move).toMatchObject({ code: 1, stderr: expect.stringContaining('confirm-move') as string });
    expect((await rotavox(['confirm-move'], { dataDir: copy })).code).toBe(2);
    expect(idIn(copy)).toBe(idIn(dataDir));
    const done = await rotavox(['confirm-move', '--yes'], { dataDir: copy });
    expect(done).toEqual({
      code: 0,
      stdout: 'Confirmed. Rotavox rotates the tokens from here.\n',
      stderr: '',
    });
    expect(idIn(copy)).not.toBe(idIn(dataDir));
    const service = await serviceOn(copy);
    expect(await service.json('status')).toMatchObject({ moved_from: null });
    expect(service.stderr.join('\n')).not.toContain('confirm-move');
  });

  it('has nothing to do for a folder that was moved, and names one that is missing', async () => {
    const { dataDir, copyTo } = await folderForTest();
    const moved = copyTo('moved');
    rmSync(dataDir, { recursive: true });
    const done = await rotavox(['confirm-move', '--json'], { dataDir: moved });
    expect([done.code, JSON.parse(done.stdout)]).toEqual([0, { confirmed: null }]);
    const missing = await rotavox(['confirm-move', '--yes'], { dataDir });
    expect(missing).toMatchObject({ code: 1, stdout: '' });
    expect(missing.stderr).toContain(`There is no data folder ${dataDir}.`);
  });

  it.skipIf(!hasTerminals)('asks on a terminal, and only a yes confirms', { tags: ['long'] }, async () => {
    const { dataDir, copyTo } = await folderForTest();
    const copy = copyTo('copy');
    const answer = async (typed: string): Promise<number | null> => {
      const terminal = inTerminal(`exec ${shellLine(['confirm-move'])}`, copy);
      await terminal.shows('Rotate from here? [y/N]');
      expect(terminal.screen()).toContain('If it still runs there as well');
      terminal.type(`${typed}\r`);
      return terminal.ended;
    };
    expect(await answer('')).toBe(1);
    expect(idIn(copy)).toBe(idIn(dataDir));
    expect(await answer('y')).toBe(0);
    expect(idIn(copy)).not.toBe(idIn(dataDir));
  });
});
