import { describe, expect, it } from 'vitest';
import { type Offer, type OfferTerms, readOffer } from '../../../src/main/updates/read-offer.ts';
import { UpdateError } from '../../../src/main/updates/update-state.ts';

const sha512 = `${'A'.repeat(86)}==`;
const terms: OfferTerms = {
  feed: 'https://example.com/rotavox',
  extension: 'AppImage',
  runningVersion: '1.0.0',
};

function read(list: unknown, differences: Partial<OfferTerms> = {}): Offer | null {
  return readOffer(list, { ...terms, ...differences });
}

function listOf(...urls: string[]): unknown {
  return { version: '2.0.0', files: urls.map((url) => ({ url, sha512, size: 3 })), releaseDate: 'today' };
}

describe('what a feed offers', () => {
  it('is a version and the checksums of the files that install here', () => {
    const other = `${'B'.repeat(86)}==`;
    const files = [
      { url: 'Rotavox-2.0.0.AppImage', sha512 },
      { url: 'rotavox_2.0.0_amd64.deb', sha512: other },
    ];
    expect(read({ version: '2.0.0', files })).toEqual({ version: '2.0.0', sha512s: [sha512] });
    expect(() => read({ version: '2.0.0', files }, { extension: 'exe' })).toThrow('no_installer');
  });

  it.each([
    'Rotavox-2.0.0.AppImage',
    'linux/x64/Rotavox-2.0.0.AppImage',
    'Rotavox Setup 2.0.0.AppImage',
    'Rotavox-2.0.0+build(1)@x~y.AppImage',
  ])('may lie below the feed, as %s does', (url) => {
    expect(read(listOf(url))).toMatchObject({ version: '2.0.0' });
    expect(read(listOf(url), { feed: 'https://example.com/rotavox/' })).toMatchObject({ version: '2.0.0' });
  });

  it.each([
    'https://elsewhere.example/Rotavox.AppImage',
    'https://example.com/rotavox/Rotavox.AppImage',
    '//elsewhere.example/Rotavox.AppImage',
    '/Rotavox.AppImage',
    '../Rotavox.AppImage',
    'x/../../Rotavox.AppImage',
    './Rotavox.AppImage',
    '.Rotavox.AppImage',
    '..\\Rotavox.AppImage',
    '%2e%2e/Rotavox.AppImage',
    'x%2f..%2fRotavox.AppImage',
    'file:///etc/Rotavox.AppImage',
    'Rotavox.AppImage?x=.AppImage',
    'Rotavox.AppImage#.AppImage',
    'x\n.AppImage',
    "';touch x;'.AppImage",
    '',
  ])('is refused as a whole when one of its files is named %j', (url) => {
    expect(() => read(listOf('Rotavox-2.0.0.AppImage', url))).toThrow(UpdateError);
  });

  it.each([
    ['nothing', null],
    ['a text', '<html>'],
    ['no version', { files: [{ url: 'a.AppImage', sha512 }] }],
    ['a version that is a number', { version: 2, files: [{ url: 'a.AppImage', sha512 }] }],
    ['a version with a newline', { version: '2.0.0\n', files: [{ url: 'a.AppImage', sha512 }] }],
    [
      'a version of endless length',
      { version: `2.0.0-${'a'.repeat(99)}`, files: [{ url: 'a.AppImage', sha512 }] },
    ],
    ['no files', { version: '2.0.0', path: 'a.AppImage', sha512 }],
    ['an empty list of files', { version: '2.0.0', files: [] }],
    ['no checksum', { version: '2.0.0', files: [{ url: 'a.AppImage' }] }],
    ['a shorter checksum', { version: '2.0.0', files: [{ url: 'a.AppImage', sha512: 'AAAA' }] }],
    ['another checksum', { version: '2.0.0', files: [{ url: 'a.AppImage', sha2: 'a'.repeat(64) }] }],
  ])('is refused with %s', (_what, list) => {
    expect(() => read(list)).toThrow('incomplete_list');
  });

  it('is no preview, unless a preview is running', () => {
    const list = { version: '2.0.0-beta.1', files: [{ url: 'a.AppImage', sha512 }] };
    expect(read(list)).toBeNull();
    expect(read(list, { runningVersion: '1.9.0+build-7' })).toBeNull();
    expect(read(list, { runningVersion: '2.0.0-alpha.3' })).toMatchObject({ version: '2.0.0-beta.1' });
    expect(read({ ...list, version: '2.0.0+build-7' })).toMatchObject({ version: '2.0.0+build-7' });
  });
});
