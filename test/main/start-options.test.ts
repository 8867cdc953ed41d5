import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hiddenFlag, hostOptionsOf, restartedAt, startRequestOf } from '../../src/main/start-options.ts';
import { GraphicsEnds } from '../../src/main/graphics-ends.ts';
import { HostError } from '../../src/host/host-error.ts';

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

it('three ends of the graphics process within a minute are too many, three in a day are not', () => {
  const ends = new GraphicsEnds();
  expect([0, 1_000, 59_999].map((atMs) => ends.isTooMany(atMs))).toEqual([false, false, true]);
  const rare = new GraphicsEnds();
  expect([0, 30_000, 60_001, 120_002].map((atMs) => rare.isTooMany(atMs))).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

describe('what the environment says about the host', () => {
  it.each([
    ['nothing', {}, {}],
    ['nothing, where both are empty', { ROTAVOX_DATA_DIR: '', ROTAVOX_PORT: '' }, {}],
    ['a folder', { ROTAVOX_DATA_DIR: '/data' }, { dataDir: '/data' }],
    ['a port', { ROTAVOX_PORT: '7682' }, { port: 7682 }],
    [
      'an encrypted file for tokens',
      { ROTAVOX_VAULT: 'file', ROTAVOX_VAULT_PASSPHRASE_FILE: '/p' },
      { vault: { kind: 'file', passphraseFile: '/p' } },
    ],
    [
      'an encrypted file without a passphrase, which the host refuses',
      { ROTAVOX_VAULT: 'file', ROTAVOX_VAULT_PASSPHRASE_FILE: '' },
      { vault: { kind: 'file' } },
    ],
    ['the keychain', { ROTAVOX_VAULT: 'keychain' }, { vault: { kind: 'keychain' } }],
    ['any free port', { ROTAVOX_PORT: '0' }, { port: 0 }],
    ['the last port', { ROTAVOX_PORT: '65535' }, { port: 65_535 }],
    [
      'both, among what is not ours',
      { ROTAVOX_DATA_DIR: 'd', ROTAVOX_PORT: '1', HOME: '/' },
      { dataDir: 'd', port: 1 },
    ],
  ])('is %s', (_name, env, options) => {
    expect(hostOptionsOf(env)).toEqual(options);
  });

  it('is refused with a sentence when the vault is none', () => {
    const read = (): unknown => hostOptionsOf({ ROTAVOX_VAULT: 'memory' });
    expect(read).toThrow(HostError);
    expect(read).toThrow('ROTAVOX_VAULT is "memory". Use keychain or file.');
  });

  it.each(['65536', '99999', '100000', '-1', '80.5', '0x50', '1e3', ' 80', '80 ', '８０', 'http', 'NaN'])(
    'is refused with a sentence when the port is “%s”',
    (port) => {
      const read = (): unknown => hostOptionsOf({ ROTAVOX_PORT: port });
      expect(read).toThrow(HostError);
      expect(read).toThrow(
        `ROTAVOX_PORT is "${port}", which is not a port. Use a number from 0 (any free port) to 65535.`,
      );
    },
  );
});
