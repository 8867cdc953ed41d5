import { describe, expect, it } from 'vitest';
import { readPackOptions } from '../../src/launcher/pack-app.ts';

describe('the arguments of npm run pack', () => {
  it.each([
    [[], { kind: 'pack', form: 'folder' }],
    [['--installers'], { kind: 'pack', form: 'installers' }],
    [['--deb'], { kind: 'pack', form: 'deb' }],
    [['--help'], { kind: 'help' }],
    [['-h', '--installers'], { kind: 'help' }],
  ])('%j ask for %j', (args, options) => {
    expect(readPackOptions(args)).toEqual(options);
  });

  it.each([[['--installer']], [['installers']], [['--installers=yes']], [['--deb', '--installers']]])(
    '%j are refused, naming what is wrong',
    (args) => {
      const options = readPackOptions(args);
      expect(options).toMatchObject({
        kind: 'misused',
        reason: expect.stringContaining('installer') as string,
      });
    },
  );
});
