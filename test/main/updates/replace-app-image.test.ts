import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { replaceAppImage, verifyDownload } from '../../../src/main/updates/replace-app-image.ts';

function sha512Of(content: string): string {
  return createHash('sha512').update(content).digest('base64');
}

describe('replacing an AppImage', () => {
  let folder: string;
  let home: string;
  let installed: string;
  let downloaded: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rotavox-replace-'));
    home = join(folder, 'home');
    await mkdir(home);
    installed = join(home, 'Rotavox-1.0.0.AppImage');
    downloaded = join(home, '.Rotavox-1.0.0.AppImage.new');
    await writeFile(installed, 'old');
    await chmod(installed, 0o700);
    await writeFile(downloaded, 'new');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('keeps the name and the rights of the old one, and leaves nothing beside it', async () => {
    await replaceAppImage(downloaded, installed);
    expect(await readFile(installed, 'utf8')).toBe('new');
    expect((await stat(installed)).mode & 0o777).toBe(0o700);
    expect(await readdir(home)).toEqual(['Rotavox-1.0.0.AppImage']);
  });

  it('does not disturb programs that have the old one open', async () => {
    const { ino } = await stat(installed);
    await replaceAppImage(downloaded, installed);
    expect((await stat(installed)).ino).not.toBe(ino);
  });

  it('replaces what a link points to, not the link', async () => {
    const link = join(folder, 'rotavox');
    await symlink(installed, link);
    await replaceAppImage(downloaded, link);
    expect(await readFile(installed, 'utf8')).toBe('new');
    expect(await readFile(link, 'utf8')).toBe('new');
  });

  it('reports that it cannot, and the old one is unchanged', async () => {
    await rm(downloaded);
    await expect(replaceAppImage(downloaded, installed)).rejects.toMatchObject({
      problem: { code: 'not_replaced', error: 'ENOENT' },
    });
    expect(await readdir(home)).toEqual(['Rotavox-1.0.0.AppImage']);
    expect(await readFile(installed, 'utf8')).toBe('old');
  });
});

describe('verifying a download again', () => {
  let file: string;
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rotavox-verify-'));
    file = join(folder, 'Rotavox Setup 2.0.0.exe');
    await writeFile(file, 'new');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('lets the listed file be', async () => {
    await verifyDownload(file, sha512Of('new'));
    expect(existsSync(file)).toBe(true);
  });

  it('deletes any other file and reports it', async () => {
    await expect(verifyDownload(file, sha512Of('other'))).rejects.toThrow('wrong_file');
    expect(existsSync(file)).toBe(false);
  });
});
