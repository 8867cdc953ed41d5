import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findElectronRuntime } from '../../src/launcher/electron-runtime.ts';
import { electronFileName } from '../../src/launcher/official-electron.ts';
import { scratchFolder } from './scratch-folder.ts';

describe('an Electron that somebody pointed the launcher to', () => {
  it('is taken before every other', async () => {
    const dist = scratchFolder({ [electronFileName]: '' });
    const told: string[] = [];
    const runtime = await findElectronRuntime({
      tell: (line) => told.push(line),
      env: { ELECTRON_OVERRIDE_DIST_PATH: dist },
    });
    expect(runtime).toEqual({
      kind: 'found',
      origin: 'override',
      distDir: dist,
      executablePath: join(dist, electronFileName),
    });
    expect(told).toEqual([]);
  });

  it('is not replaced by another when it is not there', async () => {
    const dist = scratchFolder({});
    const runtime = await findElectronRuntime({
      tell: () => undefined,
      env: { ELECTRON_OVERRIDE_DIST_PATH: dist },
    });
    expect(runtime).toMatchObject({ kind: 'missing', reason: expect.stringContaining(dist) as string });
  });
});
