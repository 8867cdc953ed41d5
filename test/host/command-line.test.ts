import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
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

const linux = { platform: 'linux' } as const;

/** An installed program with its command in a place. */
function makePackage(place: string, name = 'package'): { folder: string; own: string } {
  const folder = join(makeFolder(), name);
  const own = join(folder, place);
  mkdirSync(dirname(own), { recursive: true });
  writeFileSync(own, '');
  return { folder, own };
}

describe('how the command line is called', () => {
  it('is `rotavox` in a checkout, whatever it is called and whatever is on the path', () => {
    for (const name of ['checkout', "it's $HOME `id`"]) {
      expect(commandLineOf(makeCheckout(name), { ...linux, searchPath: '' })).toBe('rotavox');
      expect(commandLineOf(makeCheckout(name), { platform: 'win32', searchPath: '' })).toBe('rotavox');
    }
  });

  it('is nothing where there is neither a launcher nor a command', () => {
    expect(commandLineOf(makeFolder())).toBeNull();
  });

  it('is `rotavox` where a terminal finds this one, from an npm package and from a desktop package', () => {
    for (const place of ['out/cli/index.js', 'bin/rotavox']) {
      const { folder, own } = makePackage(place);
      const bin = makeFolder();
      symlinkSync(own, join(bin, 'rotavox'));
      expect(commandLineOf(folder, { ...linux, searchPath: [makeFolder(), bin].join(delimiter) })).toBe(
        'rotavox',
      );
    }
  });

  it('is the path where `rotavox` is not found, is another one, or is found by npm scripts only', () => {
    const { folder, own } = makePackage('out/cli/index.js');
    const other = makePackage('rotavox').folder;
    const ours = makeFolder();
    symlinkSync(own, join(ours, 'rotavox'));
    const local = join(folder, 'node_modules', '.bin');
    mkdirSync(local, { recursive: true });
    symlinkSync(own, join(local, 'rotavox'));
    for (const searchPath of ['', makeFolder(), [other, ours].join(delimiter), local])
      expect(commandLineOf(folder, { ...linux, searchPath })).toBe(`node '${own}'`);
    const desktop = makePackage('bin/rotavox');
    expect(commandLineOf(desktop.folder, { ...linux, searchPath: '' })).toBe(`'${desktop.own}'`);
  });

  it('is quoted for a shell whatever the folder is called', () => {
    const { folder } = makePackage('bin/rotavox', "it's $HOME `id`");
    expect(commandLineOf(folder, { ...linux, searchPath: '' })).toContain(
      `/it'\\''s $HOME \`id\`/bin/rotavox'`,
    );
  });

  it("is `rotavox` on Windows where npm's script for it is on the path", () => {
    const prefix = makeFolder();
    const folder = join(prefix, 'node_modules', 'rotavox');
    mkdirSync(join(folder, 'out', 'cli'), { recursive: true });
    writeFileSync(join(folder, 'out', 'cli', 'index.js'), '');
    writeFileSync(join(prefix, 'rotavox.cmd'), '');
    expect(commandLineOf(folder, { platform: 'win32', searchPath: prefix })).toBe('rotavox');
    const elsewhere = makePackage('out/cli/index.js');
    expect(commandLineOf(elsewhere.folder, { platform: 'win32', searchPath: prefix })).toBe(
      `node "${elsewhere.own}"`,
    );
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
