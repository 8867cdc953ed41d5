import { describe, expect, it } from 'vitest';
import { HostError } from '../../src/host/host-error.ts';
import { hostOptionsOf } from '../../src/main/start-options.ts';

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
