import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CredentialId } from '../../../src/contract/credential/credential.ts';
import type { ConnectionId, ConnectionRecord } from '../../../src/contract/credential/tool-connection.ts';
import { matchConnection, placeTrouble, readPlace } from '../../../src/core/connection/match-connection.ts';

const at = '2026-01-10T12:00:00.000Z';

function connection(id: string, more: Partial<ConnectionRecord> = {}): ConnectionRecord {
  return {
    id: id as ConnectionId,
    tool: 'git',
    credential_id: 'cred_a' as CredentialId,
    origin: 'https://git.example.com',
    username: 'oauth2',
    scheme: 'basic',
    created_at: at,
    setting: { file: '/home/me/.gitconfig', text: 'x', before: '', is_new_file: false },
    ...more,
  };
}

const whole = connection('whole');
const group = connection('group', { path_prefix: 'group' });
const project = connection('project', { path_prefix: 'group/sub project' });
const other = connection('port', { origin: 'https://git.example.com:8443' });
const idn = connection('idn', { origin: 'https://xn--bcher-kva.example' });
const local = connection('local', { origin: 'http://127.0.0.1:3000' });
const parse = (address: string) => URL.parse(address);
const all = [whole, group, project, other, idn, local];

const found = (url: string, more: { username?: string; tool?: string } = {}) =>
  matchConnection(all, { tool: 'git', url, ...more }, parse)?.id ?? null;

describe('the connection of an address', () => {
  it.each<[string, string, string | null]>([
    ['any path of an origin', 'https://git.example.com/other/x.git', 'whole'],
    ['the usual port', 'https://git.example.com:443/', 'whole'],
    ['capital letters', 'HTTPS://GIT.Example.COM', 'whole'],
    ['another port', 'https://git.example.com:8443/x', 'port'],
    ['a port that nobody connected', 'https://git.example.com:8444/x', null],
    ['http where https is connected', 'http://git.example.com/x', null],
    ['a subdomain', 'https://a.git.example.com/x', null],
    ['a parent domain', 'https://example.com/x', null],
    ['a name that only begins so', 'https://git.example.com.evil.test/x', null],
    ['a dot at the end', 'https://git.example.com./x', null],
    ['the longest path', 'https://git.example.com/group/sub%20project/x.git', 'project'],
    ['a shorter path', 'https://git.example.com/group/sub/x.git', 'group'],
    ['whole segments only', 'https://git.example.com/groups/x.git', 'whole'],
    ['steps back out of a path', 'https://git.example.com/group/../other', null],
    ['encoded steps', 'https://git.example.com/group/%2e%2e/other', null],
    // Git sends it as it is written: a server that goes by the first segment has it elsewhere.
    ['steps into a path from elsewhere', 'https://git.example.com/other/.%2E/group/x', null],
    ['steps at the end', 'https://git.example.com/group/..', null],
    ['a step on the spot', 'https://git.example.com/./group', null],
    ['dots in a name', 'https://git.example.com/group/..x.git', 'group'],
    ['a name in another script', 'https://bücher.example/x', 'idn'],
    ['this machine', 'http://127.0.0.1:3000/x', 'local'],
    ['http to another machine', 'http://10.0.0.1:3000/x', null],
    ['a user', 'https://me@git.example.com/x', null],
    ['an empty user', 'https://@git.example.com/x', null],
    ['a backslash', 'https://git.example.com\\@evil.test/x', null],
    ['a line break', 'https://git.example.com/\nx', null],
    ['a query', 'https://git.example.com/?x', null],
    ['an encoded slash', 'https://git.example.com/group%2fx', null],
    ['a zero byte', 'https://git.example.com/%00', null],
    ['no UTF-8', 'https://git.example.com/%ff', null],
    ['another scheme', 'ssh://git.example.com/x', null],
    ['no address', 'git.example.com', null],
  ])('of %s: %s', (_what, url, expected) => {
    expect(found(url)).toBe(expected);
  });

  it('is none of another tool, and none with another user name', () => {
    const url = 'https://git.example.com/x';
    expect(found(url, { tool: 'docker' })).toBeNull();
    expect(found(url, { username: 'oauth2' })).toBe('whole');
    expect(found(url, { username: '' })).toBe('whole');
    expect(found(url, { username: 'somebody' })).toBeNull();
  });

  it('is never one of another origin, whatever is asked', () => {
    const part = fc.constantFrom(
      'git.example.com',
      '@',
      ':',
      '/',
      '\\',
      '%2f',
      '..',
      'evil.test',
      ':8443',
      '?',
      '#',
      'é',
      '\u3002',
      '\t',
    );
    const scheme = fc.constantFrom('https://', 'http://', 'https:/', 'https:\\\\', 'HTTPS://');
    fc.assert(
      fc.property(scheme, fc.array(fc.oneof(part, fc.string()), { maxLength: 6 }), (start, parts) => {
        const url = start + parts.join('');
        const match = matchConnection(all, { tool: 'git', url }, parse);
        expect(match === null || new URL(url).origin === match.origin).toBe(true);
      }),
    );
  });
});

it('reads any text as an address or as none', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void readPlace(text, parse)));
});

it.each([
  ['docker', 'https://registry.example.com:5050', null],
  ['docker', 'https://registry.example.com/team', 'path'],
  ['docker', 'http://127.0.0.1:5000', null],
  ['docker', 'https://index.docker.io/v1/', null],
  ['docker', 'https://index.docker.io/library', 'path'],
  ['terraform', 'https://app.example.com/', null],
  ['terraform', 'https://app.example.com/a', 'path'],
  ['kubectl', 'http://localhost:6443', 'no_https'],
  ['go', 'http://localhost/a', 'no_https'],
  ['bazel', 'https://cache.example.com/a', null],
  ['git', 'http://localhost/a', null],
] as const)('%s at %s: %s', (tool, url, trouble) => {
  expect(placeTrouble(tool, readPlace(url, parse)!)).toBe(trouble);
});
