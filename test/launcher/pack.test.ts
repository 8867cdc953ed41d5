import { describe, expect, it } from 'vitest';
import { electronFileName } from '../../src/launcher/official-electron.ts';
import { runBuilder } from '../../src/launcher/run-builder.ts';
import { runLauncher } from './run-launcher.ts';
import { scratchFolder } from './scratch-folder.ts';

describe('npm run pack', () => {
  it('explains itself', async () => {
    const { code, stdout } = await runLauncher('pack.ts', ['--help']);
    expect(code).toBe(0);
    expect(stdout).toContain('--installers');
  });

  it('refuses an option it does not know, and shows those it knows', async () => {
    const { code, stderr } = await runLauncher('pack.ts', ['--dmg']);
    expect(code).toBe(2);
    expect(stderr).toContain("'--dmg'");
    expect(stderr).toContain('Usage: npm run pack');
  });

  it('makes no installer with an Electron that somebody pointed it to', async () => {
    const dist = scratchFolder({ [electronFileName]: '', version: '45.4.1' });
    const { code, stderr } = await runLauncher('pack.ts', ['--installers'], {
      ELECTRON_OVERRIDE_DIST_PATH: dist,
    });
    expect(code).toBe(1);
    expect(stderr).toContain('unset it and try again');
  });

  it('says what is wrong with an Electron that does not say its version', async () => {
    const dist = scratchFolder({ [electronFileName]: '' });
    const { code, stderr } = await runLauncher('pack.ts', [], { ELECTRON_OVERRIDE_DIST_PATH: dist });
    expect(code).toBe(1);
    expect(stderr).toContain(`${dist} has no file "version"`);
  });

  it('says where there is no Electron to pack', async () => {
    const dist = scratchFolder({});
    const { code, stderr } = await runLauncher('pack.ts', [], { ELECTRON_OVERRIDE_DIST_PATH: dist });
    expect(code).toBe(1);
    expect(stderr).toContain(`ELECTRON_OVERRIDE_DIST_PATH is ${dist}, where there is no ${electronFileName}`);
  });

  it('shows all that electron-builder said when that fails', async () => {
    const told: string[] = [];
    const failing = runBuilder(['--no-such-option'], { tell: (line) => told.push(line) });
    await expect(failing).rejects.toThrow('electron-builder ended with 1');
    expect(told.join('\n')).toContain('Unknown argument');
  });
});
