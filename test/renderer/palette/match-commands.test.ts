import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Command, matchCommands } from '../../../src/renderer/palette/match-commands.ts';

function command(title: string, more: Partial<Pick<Command, 'group' | 'words'>> = {}): Command {
  return { id: title, group: 'action', title, go: () => undefined, ...more };
}

const commands = [
  command('Issue a token…', { words: 'new create' }),
  command('Rotate billing-sync now'),
  command('Tokens', { group: 'page' }),
  command('billing-sync', { group: 'credential' }),
  command('Zürich', { group: 'credential' }),
];

describe('what is typed in the palette', () => {
  it.each([
    ['tok', ['Tokens', 'Issue a token…']],
    ['TOKEN', ['Tokens', 'Issue a token…']],
    ['bill', ['billing-sync', 'Rotate billing-sync now']],
    ['sync rotate', ['Rotate billing-sync now']],
    ['new', ['Issue a token…']],
    ['zurich', ['Zürich']],
    ['credentials', ['billing-sync', 'Zürich']],
    ['no such name', []],
  ])('%s finds %j', (typed, titles) => {
    expect(matchCommands(commands, typed).map(({ title }) => title)).toEqual(titles);
  });

  it('finds everything while it is nothing, by group', () => {
    expect(matchCommands(commands, '  ').map(({ title }) => title)).toEqual([
      'Issue a token…',
      'Rotate billing-sync now',
      'Tokens',
      'billing-sync',
      'Zürich',
    ]);
  });

  it('finds a thing by any part of its name, first of all when that is the whole of it', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{3,12}$/), fc.nat(), (name, at) => {
        const all = [command(`Open ${name} here`), command(name)];
        const part = name.slice(at % name.length);
        expect(matchCommands(all, part)).toHaveLength(2);
        expect(matchCommands(all, name)[0]?.title).toBe(name);
      }),
    );
  });
});
