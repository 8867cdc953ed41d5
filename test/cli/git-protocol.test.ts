import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { gitAnswer, isWholeGitRequest, readGitRequest } from '../../src/cli/connect/tool-protocols.ts';
import type { ConnectionToken } from '../../src/contract/credential/tool-connection.ts';

const read = (text: string) => readGitRequest(Buffer.from(text));
const request = 'protocol=https\nhost=git.example.com:8443\npath=group/sub project.git\nusername=me\n\n';
const token: ConnectionToken = {
  username: 'oauth2',
  value: 'glpat-secret',
  scheme: 'basic',
  usable_until: '2026-01-10T12:00:00.900Z',
  generation: 3,
};

describe('a request of git', () => {
  it('is read as an address, and with what newer versions of git say', () => {
    expect(read(request)).toEqual({
      url: 'https://git.example.com:8443/group/sub%20project.git',
      username: 'me',
      password: undefined,
      hasAuthtype: false,
    });
    const newer =
      'capability[]=authtype\ncapability[]=state\nwwwauth[]=Basic realm="x"\nwwwauth[]=Bearer\trealm="x"\n';
    expect(read(newer + request)).toMatchObject({ hasAuthtype: true });
    expect(read('protocol=http\nhost=[::1]:80\npassword=a=b\n')).toMatchObject({
      url: 'http://[::1]:80/',
      password: 'a=b',
    });
    expect(read('protocol=https\nhost=h\n\nhost=other\n')).toMatchObject({ url: 'https://h/' });
  });

  it.each([
    ['nothing', ''],
    ['no host', 'protocol=https\n'],
    ['no protocol', 'host=h\n'],
    ['another protocol', 'protocol=ssh\nhost=h\n'],
    ['a repeated host', 'protocol=https\nhost=h\nhost=i\n'],
    ['a repeated protocol', 'protocol=https\nprotocol=https\nhost=h\n'],
    ['CR in the host', 'protocol=https\nhost=h\revil\n'],
    ['CR at the end of lines', 'protocol=https\r\nhost=h\r\n'],
    ['NUL', 'protocol=https\nhost=h\0\n'],
    ['an escape sequence', 'protocol=https\nhost=h\u001b[0m\n'],
    ['a path in the host', 'protocol=https\nhost=h/x\n'],
    ['a user in the host', 'protocol=https\nhost=me@h\n'],
    ['an escape in the host', 'protocol=https\nhost=h%0a\n'],
    ['a backslash in the host', 'protocol=https\nhost=h\\x\n'],
    ['a line without a value', 'protocol=https\nhost=h\nnothing\n'],
    ['too much', `protocol=https\nhost=h\npath=${'x'.repeat(64 * 1024)}\n`],
  ])('is none: %s', (_what, text) => {
    expect(read(text)).toBeNull();
  });

  it('is none without UTF-8', () => {
    expect(readGitRequest(Buffer.from('protocol=https\nhost=h\xff\n', 'latin1'))).toBeNull();
  });

  it('is whole with an empty line', () => {
    expect(isWholeGitRequest(Buffer.from(request))).toBe(true);
    expect(isWholeGitRequest(Buffer.from(request.slice(0, -1)))).toBe(false);
  });

  it('is whatever comes, or none, and names one host of one line', () => {
    const line = fc.oneof(
      fc.constantFrom('protocol=https', 'host=git.example.com', 'path=a/../b', 'username=', '='),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(fc.array(line), fc.uint8Array({ maxLength: 20 }), (lines, noise) => {
        const asked = readGitRequest(Buffer.concat([Buffer.from(lines.join('\n')), noise]));
        expect(asked === null || /^https?:\/\/[^/\s]+\/[^\s?#]*$/.test(asked.url)).toBe(true);
      }),
    );
  });
});

describe('the answer to git', () => {
  it('is a user name and a password, or a token alone', () => {
    const expires = 'password_expiry_utc=1768046400\n';
    expect(gitAnswer(token, { hasAuthtype: false })).toBe(
      `username=oauth2\npassword=glpat-secret\n${expires}`,
    );
    expect(gitAnswer({ ...token, scheme: 'bearer' }, { hasAuthtype: true })).toBe(
      `capability[]=authtype\nauthtype=Bearer\ncredential=glpat-secret\nephemeral=true\n${expires}`,
    );
  });

  it('is none where git would send a token alone as a password', () => {
    expect(gitAnswer({ ...token, scheme: 'bearer' }, { hasAuthtype: false })).toBeNull();
  });
});
