import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { backupText } from '../../src/text/service/backup-text.ts';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ageStart } from '../../src/host/backup/backup-file.ts';
import { hasTerminals, inTerminal, shellLine } from './in-terminal.ts';
import { exitCodeOf, freshDataDir, removeDataDir, rotavox, serviceOn, spawnRotavox } from './rotavox.ts';
import { serviceHereOn } from './service-here.ts';

/** A data folder with one token, and files with passphrases beside it. */
async function folderForTest() {
  const dataDir = await freshDataDir();
  onTestFinished(() => removeDataDir(dataDir));
  const service = await serviceHereOn(dataDir);
  const issued = await service.cli('token', 'issue', '--name', 'a', '--validity', '7', '--keep-as', 'a');
  expect(issued.code).toBe(0);
  const { stdout: token } = await service.cli('get', 'a');
  const place = (name: string): string => join(dirname(dataDir), name);
  const passphraseFile = (words: string): string[] => {
    writeFileSync(place(words), `${words}\n`, { mode: 0o600 });
    return ['--passphrase-file', place(words)];
  };
  return {
    dataDir,
    service,
    token,
    place,
    file: place('a.backup'),
    passphrase: passphraseFile('correct horse'),
    passphraseFile,
  };
}

describe('rotavox backup and restore', () => {
  it('bring a token to another folder, from a running service and without one', async () => {
    const { dataDir, service, token, file, place, passphrase } = await folderForTest();
    const made = await service.cli('backup', file, ...passphrase);
    expect(made).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^The backup is in .*a\.backup \(\d+ KB\)\. It was read back and is complete\.\n$/,
      ) as string,
      stderr: expect.stringContaining('Keep the passphrase apart from the file.') as string,
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const running = await rotavox(['restore', file, ...passphrase], { dataDir });
    expect(running).toMatchObject({ code: 1, stderr: expect.stringContaining('quit it first') as string });
    await service.stop();
    const restored = await rotavox(['restore', file, ...passphrase], { dataDir: place('new') });
    expect(restored).toMatchObject({ code: 0, stderr: `${backupText.keyFile}\n` });
    expect(restored.stdout).toContain('1 credential, 1 secret, ');
    const other = await serviceOn(place('new'));
    expect((await other.cli('get', 'a')).stdout).toBe(token);
    expect(await other.json('status')).toMatchObject({ vault: { kind: 'file', key: 'file' } });
    // Which of the two rotates is asked.
    expect(other.stderr.join('\n')).toContain('confirm-move');
    // The same name again: it is a backup, so it is replaced.
    const again = await rotavox(['backup', file, ...passphrase, '--json'], { dataDir });
    expect([again.code, JSON.parse(again.stdout)]).toEqual([0, { file, bytes: statSync(file).size }]);
  });

  it(
    'refuse a place, a passphrase and a folder in words, and change nothing',
    { tags: ['long'] },
    async () => {
      const { dataDir, service, file, place, passphrase, passphraseFile } = await folderForTest();
      writeFileSync(place('letter.txt'), 'Dear Ms Example');
      mkdirSync(place('folder'));
      const refusals: [string, string][] = [
        [join(dataDir, 'a.backup'), 'is in the data folder, and would be lost with it'],
        [place('letter.txt'), 'exists and is not a backup of Rotavox'],
        [place('folder'), 'is a folder'],
        [join(place('none'), 'a.backup'), 'cannot be written to'],
      ];
      for (const [path, reason] of refusals)
        expect(await service.cli('backup', path, ...passphrase)).toMatchObject({
          code: 1,
          stdout: '',
          stderr: expect.stringContaining(reason) as string,
        });
      expect(readFileSync(place('letter.txt'), 'utf8')).toBe('Dear Ms Example');
      expect((await service.cli('backup', file)).stderr).toContain('--passphrase-file');
      expect((await service.cli('backup', file, ...passphraseFile('short'))).stderr).toContain(
        '8 characters',
      );
      expect(existsSync(file)).toBe(false);
      await service.stop();
      expect((await rotavox(['backup', file, ...passphrase], { dataDir: place('none') })).stderr).toContain(
        `There is no data folder ${place('none')}`,
      );
      expect((await rotavox(['backup', file, ...passphrase], { dataDir })).code).toBe(0);
      const restore = (path: string, ...options: string[]) =>
        rotavox(['restore', path, ...options], { dataDir });
      expect((await restore(file, ...passphrase)).stderr).toContain('With --replace');
      expect((await restore(file, '--replace', ...passphraseFile('another one'))).stderr).toContain(
        'The passphrase does not open this backup.',
      );
      expect((await restore(place('letter.txt'), '--replace', ...passphrase)).stderr).toContain(
        'is not a backup',
      );
      expect((await restore(place('gone'), '--replace', ...passphrase)).stderr).toContain('There is no file');
      expect(readdirSync(dataDir).filter((name) => name.includes('restor'))).toEqual([]);
      const replaced = await restore(file, '--replace', ...passphrase, '--json');
      expect(JSON.parse(replaced.stdout)).toMatchObject({ credentials: 1, secrets: 1, folder: dataDir });
    },
  );

  it.skipIf(!hasTerminals)(
    'ask for the passphrase on a terminal, twice for a new one, and show none',
    { tags: ['long'] },
    async () => {
      const { dataDir, service, file } = await folderForTest();
      await service.stop();
      const back = inTerminal(`exec ${shellLine(['backup', file])}`, dataDir);
      await back.shows('Passphrase for the backup');
      back.type('battery staple\r');
      await back.shows('Passphrase again');
      back.type('battery stable\r');
      expect(await back.ended).toBe(2);
      expect(back.screen()).toContain('two different passphrases');
      expect(back.screen()).not.toContain('battery');
      expect(existsSync(file)).toBe(false);
    },
  );

  it(
    'leave the old backup, or a folder that the next start completes, when they are killed',
    { tags: ['long'], timeout: 240_000 },
    async () => {
      const { dataDir, service, token, file, place, passphrase } = await folderForTest();
      await service.stop();
      expect((await rotavox(['backup', file, ...passphrase], { dataDir })).code).toBe(0);
      const killed = async (args: string[], ms: number): Promise<boolean> => {
        const child = spawnRotavox([...args, ...passphrase], { dataDir });
        const ended = exitCodeOf(child);
        await Promise.race([ended, wait(ms)]);
        child.kill('SIGKILL');
        return (await ended) === null;
      };
      let kills = 0;
      for (let ms = 400; ms < 3000; ms += 200) {
        if (await killed(['backup', file], ms)) kills += 1;
        expect(readFileSync(file, 'latin1').startsWith(ageStart)).toBe(true);
        const isWhole = await rotavox(['restore', file, ...passphrase], { dataDir: place(`backup-${ms}`) });
        expect(isWhole.code).toBe(0);
        if (await killed(['restore', file, '--replace'], ms)) kills += 1;
        const next = await serviceOn(dataDir);
        expect((await next.cli('get', 'a')).stdout).toBe(token);
        await next.stop();
        expect(readdirSync(dataDir).filter((name) => name.startsWith('restor'))).toEqual([]);
      }
      expect(kills).toBeGreaterThan(4);
      // What the killed ones were writing is gone.
      await rotavox(['backup', file, ...passphrase], { dataDir });
      expect(readdirSync(dirname(file)).filter((name) => name.endsWith('.new'))).toEqual([]);
    },
  );
});
