import { describe, expect, it } from 'vitest';
import { builderStage } from '../../src/launcher/run-builder.ts';

describe('the shown progress of electron-builder', () => {
  it.each([
    [
      '  • packaging       platform=linux arch=x64 electron=42.0.0 appOutDir=release/linux',
      'Copying Electron …',
    ],
    ['  • searching for node modules  pm=npm searchDir=/checkout', 'Collecting what Rotavox needs …'],
    ['  • executing @electron/fuses  electronPath=release/linux/rotavox', 'Setting the fuses …'],
    ['  • building        target=deb arch=x64 file=release/r.deb', 'Making release/r.deb …'],
    ['  • downloading     label=electron.zip progress=20%', 'Downloading electron.zip …'],
  ])('%s', (line, stage) => {
    expect(builderStage(line)).toBe(stage);
  });

  it.each([
    '  • electron-builder  version=26.17.0 os=6.18.44',
    '  • duplicate dependency references  dependencies=["building@1"]',
    '  • building block map  blockMapFile=release/r.blockmap',
    '  • constructor',
    '  ⨯ packaging failed',
    'packaging',
    '',
  ])('nothing of "%s"', (line) => {
    expect(builderStage(line)).toBeUndefined();
  });
});
