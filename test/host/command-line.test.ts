import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandLineOf, withDataDir } from '../../src/host/command-line.ts';
import { makeFolder } from '../fixtures/make-folder.ts';

/** A folder that looks like a checkout. */
function makeCheckout(name = 'checkout'): string {
  const checkout = join(makeFolder(), name);
  mkdirSync(join(checkout, 'src', 'launcher'), { recursive: true });
  writeFileSync(join(checkout, 'src', 'launcher', 'rotavox.ts'), '');
  return checkout;
}

describe('how the command line is called', () => {
  it('from a checkout is by its script, from any folder', () => {
    const checkout = makeCheckout();
    expect(commandLineOf(checkout, 'linux')).toBe(`npm --prefix '${checkout}' run --silent rotavox --`);
    expect(commandLineOf(checkout, 'win32')).toBe(`npm --prefix "${checkout}" run --silent rotavox --`);
  });

  it('is quoted for a shell whatever the folder is called', () => {
    const checkout = makeCheckout("it's $HOME `id`");
    expect(commandLineOf(checkout, 'linux')).toContain(`/it'\\''s $HOME \`id\`' run`);
  });

  it('is nothing where there is no launcher, as in a package', () => {
    expect(commandLineOf(makeFolder())).toBeNull();
  });
});

describe('the data folder in it', () => {
  const linux = { environment: {}, platform: 'linux', homeDir: '/home/me' } as const;
  const usual = '/home/me/.config/Rotavox/data';

  it('is left out for the default folder of the command line', () => {
    expect(withDataDir('rotavox', usual, linux)).toBe('rotavox');
    const windows = { environment: { APPDATA: 'C:\\Data' }, platform: 'win32', homeDir: 'C:\\me' } as const;
    expect(withDataDir('rotavox', 'C:\\Data\\Rotavox\\data', windows)).toBe('rotavox');
  });

  it('is named where another one was chosen, also by a variable that is not set where it is pasted', () => {
    expect(withDataDir('rotavox', '/srv/my data', linux)).toBe("rotavox --data-dir '/srv/my data'");
    const environment = { ROTAVOX_DATA_DIR: '/srv/data' };
    expect(withDataDir('rotavox', '/srv/data', { ...linux, environment })).toBe(
      "rotavox --data-dir '/srv/data'",
    );
    const windows = { environment: {}, platform: 'win32', homeDir: 'C:\\me' } as const;
    expect(withDataDir('rotavox', 'D:\\my data', windows)).toBe('rotavox --data-dir "D:\\my data"');
  });
});
