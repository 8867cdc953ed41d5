import { describe, expect, it } from 'vitest';
import { readPackOptions } from '../../src/launcher/pack-app.ts';

describe('the arguments of npm run pack', () => {
  it.each([
    [[], { kind: 'pack', installers: false }],
    [['--installers'], { kind: 'pack', installers: true }],
    [['--help'], { kind: 'help' }],
    [['-h', '--installers'], { kind: 'help' }],
  ])('%j ask for %j', (args, options) => {
    expect(readPackOptions(args)).toEqual(options);
  });

  it.each([[['--installer']], [['installers']], [['--installers=yes']]])(
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
