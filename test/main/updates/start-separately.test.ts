import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { environmentOutsideMount, startSeparately } from '../../../src/main/updates/replace-app-image.ts';
import { waitFor } from '../../fixtures/wait-for.ts';

describe('starting an AppImage', () => {
  it('starts a separate process, with its arguments, in no folder that could be removed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rotavox-start-'));
    const file = join(folder, 'Rotavox.AppImage');
    const note = join(folder, 'note');
    await writeFile(file, `#!/bin/sh\necho "$PWD $*" > '${note}.part'; mv '${note}.part' '${note}'\n`);
    await chmod(file, 0o700);
    await startSeparately(file, ['--hidden', '--lang=de']);
    const words = await waitFor(() => readFile(note, 'utf8'));
    expect(words).toBe('/ --hidden --lang=de\n');
    await rm(folder, { recursive: true, force: true });
  });

  it('reports a failure', async () => {
    await expect(startSeparately('/nowhere/Rotavox.AppImage', [])).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('the environment outside the mount', () => {
  const mount = '/tmp/.mount_Rotavoabc';

  it('has nothing of it, and everything else as it was', () => {
    expect(
      environmentOutsideMount({
        APPIMAGE: '/home/me/Rotavox.AppImage',
        APPDIR: mount,
        ARGV0: './Rotavox.AppImage',
        OWD: '/home/me',
        PATH: `${mount}:${mount}/usr/sbin:/usr/bin:/bin`,
        LD_LIBRARY_PATH: `${mount}/usr/lib`,
        XDG_DATA_DIRS: `${mount}/usr/share:/usr/share`,
        TITLE: 'a:b::c',
        NEIGHBOUR: `${mount}d/bin:/bin`,
        HOME: '/home/me',
      }),
    ).toEqual({
      PATH: '/usr/bin:/bin',
      XDG_DATA_DIRS: '/usr/share',
      TITLE: 'a:b::c',
      NEIGHBOUR: `${mount}d/bin:/bin`,
      HOME: '/home/me',
    });
  });

  it('is the environment itself where there is no mount', () => {
    expect(environmentOutsideMount({ PATH: '/bin', HOME: '/home/me' })).toEqual({
      PATH: '/bin',
      HOME: '/home/me',
    });
  });
});
