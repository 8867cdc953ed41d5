import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hiddenFlag, restartedAt, startRequestOf } from '../../src/main/start-options.ts';

const link = 'rotavox://ivr/main';
const linked = { isHidden: false, place: { window: 'designer', path: '/ivr/main' } };

describe('what a start asks for', () => {
  it.each([
    ['nothing', [], { isHidden: false, place: undefined }],
    ['no window', ['--hidden'], { isHidden: true, place: undefined }],
    ['a place', [link], linked],
    ['a place, for which a start at login is no reason to stay hidden', ['--hidden', link], linked],
    ['the first of two places', [link, 'rotavox://ivr/other'], linked],
    ['a place among what is not ours', ['--no-sandbox', '--lang=de', '/work', link, '--trace'], linked],
    [
      'nothing, with a link that leads nowhere',
      ['rotavox://settings'],
      { isHidden: false, place: undefined },
    ],
    [
      'no window, with a link that leads nowhere',
      ['--hidden', 'https://x'],
      { isHidden: true, place: undefined },
    ],
    [
      'nothing, with flags that are only like ours',
      ['--hidden=no', '-hidden', '--HIDDEN'],
      { isHidden: false, place: undefined },
    ],
  ])('is %s', (_name, given, wanted) => {
    expect(startRequestOf(['/opt/Rotavox/rotavox', ...given])).toEqual(wanted);
  });

  it('is a host for a team, the last one that is named, as it was typed', () => {
    const hostOf = (...given: string[]) => startRequestOf(['/opt/Rotavox/rotavox', ...given]).host;
    expect(hostOf('--hidden')).toBeUndefined();
    expect(hostOf('--host=none', '--hidden', '--host=https://team.example.com')).toBe(
      'https://team.example.com',
    );
    expect(hostOf('--host', 'https://team.example.com', '--host-rules=MAP')).toBeUndefined();
  });

  it('is never hidden with a place, and never a place but the designer, whatever a second start was given', () => {
    const anyArgument = fc.oneof(fc.string(), fc.constantFrom(hiddenFlag, link, 'rotavox://tokens/issue'));
    fc.assert(
      fc.property(fc.array(anyArgument, { maxLength: 8 }), (argv) => {
        const { isHidden, place } = startRequestOf(argv);
        expect(isHidden).toBe(place === undefined && argv.includes(hiddenFlag));
        expect(place?.window ?? 'designer').toBe('designer');
      }),
    );
  });
});

describe('when the app started itself again', () => {
  it.each([
    ['never, when somebody else started it', [], -Infinity],
    ['the instant that it was given', ['--hidden', '--restarted-at=1700000000000'], 1_700_000_000_000],
    ['the last of two', ['--restarted-at=1', '--restarted-at=2'], 2],
    ['never, for what is no instant', ['--restarted-at=soon'], -Infinity],
    ['never, for one that is not finite', [`--restarted-at=${'9'.repeat(400)}`], -Infinity],
  ])('is %s', (_name, given, atMs) => {
    expect(restartedAt(['/opt/Rotavox/rotavox', ...given])).toBe(atMs);
  });
});
