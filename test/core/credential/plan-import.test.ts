import { describe, expect, it } from 'vitest';
import { type FoundToken, planImport } from '../../../src/core/credential/plan-import.ts';
import { providerViews } from '../../../src/text/credential/providers.ts';

const views = providerViews();
const target = { kind: 'dotenv', path: '/srv/.env', variable: 'A' } as const;

const found = (more: Partial<FoundToken> = {}): FoundToken => ({
  key: 'GITLAB_TOKEN',
  line: 1,
  token: 'glpat-a1b2c3d4e5f6',
  about: 'GITLAB_TOKEN',
  origin: null,
  use: { kind: 'target', target },
  problem: null,
  ...more,
});

const around = (more: Partial<Parameters<typeof planImport>[1]> = {}): Parameters<typeof planImport>[1] => ({
  views,
  known: [],
  names: [],
  origins: [],
  connectedTo: () => null,
  saysEnd: () => false,
  given: { hasValidity: false },
  ...more,
});

const git = (url: string) => ({ kind: 'connection', tool: 'git', url, username: 'me' }) as const;
const docker = (url: string) => ({ kind: 'connection', tool: 'docker', url, username: 'me' }) as const;

describe('the address that gets a token', () => {
  const addressOf = (one: FoundToken, more = {}) => {
    const [item] = planImport([one], around(more));
    return item?.needs.includes('address') === true ? 'needed' : item?.baseUrl;
  };

  it('is the usual one of its service', () => {
    expect(addressOf(found())).toBe('https://gitlab.com');
    expect(addressOf(found({ token: 'ghp_a1b2c3d4e5f6' }))).toBe('https://api.github.com');
  });

  it('is this program for its own tokens', () => {
    expect(addressOf(found({ token: 'rvx_a1b2c3d4e5f6' }))).toBeNull();
  });

  it.each([
    ['the file speaks of a server of one’s own', found(), ['https://gitlab.example.com']],
    ['the token has a prefix of one', found({ token: 'acme-glpat-a1b2c3d4e5' }), []],
    [
      'a registry has another name than its service',
      found({ origin: 'https://registry.example.com', use: docker('https://registry.example.com') }),
      [],
    ],
    ['a token of a service is stored for another host', found({ origin: 'https://example.com' }), []],
    ['nothing is known of the service', found({ token: 'a1b2c3d4e5f6' }), []],
  ])('is only known to a person where %s', (_why, one, origins) => {
    expect(addressOf(one, { origins, given: { hasValidity: true } })).toBe('needed');
    expect(addressOf(one, { origins, given: { hasValidity: true, baseUrl: 'https://x.example' } })).toBe(
      'https://x.example',
    );
  });

  it('is the server from which git fetches', () => {
    const url = 'https://gitlab.example.com';
    expect(addressOf(found({ origin: url, use: git(url) }))).toBe(url);
    const own = 'https://github.example.com';
    expect(addressOf(found({ token: 'ghp_a1b2c3d4e5', origin: own, use: git(own) }))).toMatch(
      /^https:\/\/github\.example\.com\//,
    );
    expect(
      addressOf(
        found({ token: 'ghp_a1b2c3d4e5', origin: 'https://github.com', use: git('https://github.com') }),
      ),
    ).toBe('https://api.github.com');
  });

  it('is the place where a token of an unknown service is used', () => {
    const url = 'https://reg.example.com';
    const one = found({ token: 'a1b2c3d4e5', origin: url, use: docker(url) });
    expect(addressOf(one, { given: { hasValidity: true } })).toBe(url);
  });
});

describe('what becomes of a token', () => {
  it('is a credential with a name of its own', () => {
    const items = planImport(
      [
        found(),
        found({ key: 'B', token: 'glpat-second' }),
        found({ key: 'oauth_token', about: 'oauth_token', token: 'glpat-third' }),
        found({ key: 'x', about: '--- ---', token: 'ghp_a1b2c3' }),
        found({ key: 'y', about: 'ab-'.repeat(30), token: 'ghp_long' }),
      ],
      around({ names: ['Gitlab'] }),
    );
    expect(items.map(({ credential }) => credential).slice(0, 4)).toEqual([
      'gitlab-2',
      'gitlab-3',
      'gitlab-4',
      'github',
    ]);
    for (const { credential } of items) expect(credential).toMatch(/^[a-z0-9][a-z0-9-]{0,62}$/);
  });

  it('is one credential with two targets where two lines have it', () => {
    const second = found({ key: 'B', use: { kind: 'target', target: { ...target, variable: 'B' } } });
    expect(planImport([found(), second], around())).toMatchObject([
      { credential: 'gitlab', isNew: true, status: 'ready' },
      { credential: 'gitlab', isNew: false, status: 'ready' },
    ]);
  });

  it('is a target of the credential that has it, once', () => {
    const known = { name: 'mine', token: found().token, targets: [] };
    expect(planImport([found()], around({ known: [known] }))).toMatchObject([
      { credential: 'mine', isNew: false, status: 'ready', needs: [] },
    ]);
    const again = { ...known, targets: [target] };
    expect(planImport([found()], around({ known: [again] }))).toMatchObject([{ status: 'done' }]);
  });

  it('waits for what a person has to say', () => {
    const one = found({ token: 'a1b2c3d4e5f6' });
    expect(planImport([one], around())).toMatchObject([{ status: 'needs', needs: ['address', 'validity'] }]);
    expect(planImport([one], around({ saysEnd: () => true }))).toMatchObject([{ needs: ['address'] }]);
  });

  it('is nothing where its line cannot be the target, the tool asks for another one, or another line is for the same address', () => {
    const url = 'https://gitlab.com';
    expect(planImport([found({ problem: { code: 'would_change' } })], around())).toMatchObject([
      { status: 'left', reason: { code: 'would_change' } },
    ]);
    const connected = around({ connectedTo: () => 'other' });
    expect(planImport([found({ use: git(url) })], connected)).toMatchObject([
      { status: 'left', reason: { code: 'connected', credential: 'other' } },
    ]);
    const two = [found({ use: git(url) }), found({ key: 'b', token: 'glpat-other', use: git(url) })];
    expect(planImport(two, around())).toMatchObject([
      { status: 'ready' },
      { status: 'left', reason: { code: 'same_place' } },
    ]);
    // The other one could not sign in any more.
    const users = [found({ use: git(url) }), found({ token: 'b', use: { ...git(url), username: 'you' } })];
    const left = { status: 'left', reason: { code: 'other_user' } };
    expect(planImport(users, around())).toMatchObject([left, left]);
  });
});
