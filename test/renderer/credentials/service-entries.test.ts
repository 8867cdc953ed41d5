import { describe, expect, it } from 'vitest';
import {
  creationOf,
  entryOfToken,
  searchServices,
  serviceEntries,
} from '../../../src/renderer/credentials/service-entries.ts';
import { providerViews } from '../../../src/text/credential/providers.ts';
import { expectSentences } from '../../text/problems.ts';

const entries = serviceEntries(providerViews());
const found = (sought: string) => searchServices(entries, sought).map(({ name }) => name);

describe('the services to choose from', () => {
  it('begin with this program, have each known service by its name, and end with what is for any other', () => {
    const names = entries.map(({ name }) => name);
    expect(names[0]).toBe('This program');
    expect(names.slice(-4)).toEqual([
      'Another service with the Rotavox API',
      'Another OAuth server, with a client secret',
      'Another OAuth server, with a sign-in',
      'Another service, reminders only',
    ]);
    const between = names.slice(1, -4);
    expect(between).toEqual(between.toSorted((one, other) => one.localeCompare(other, 'en')));
    expect(between).toEqual(expect.arrayContaining(['GitHub', 'Google', '3CX', 'npm', 'Slack']));
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
  });

  it.each(entries.map((entry) => [entry.name, entry] as const))(
    'says in whole sentences what “%s” is and how to get what it asks for',
    (_name, { summary, provider, inputs }) => {
      expectSentences(summary);
      const how = creationOf(provider, inputs);
      // It has names of scopes in it, as they are on the page.
      if (how !== null) expect(how).toMatch(/^[A-Z].*\.$/);
    },
  );
});

describe('the search for a service', () => {
  it.each([
    ['gitlab', 'GitLab'],
    ['git lab sign', 'GitLab sign-in'],
    ['runner', 'GitLab'],
    ['https://gitlab.com/-/user_settings/personal_access_tokens', 'GitLab'],
    ['github.com', 'GitHub'],
    ['servetel', 'Smartflo, Acefone or Servetel'],
    ['gmail', 'Google'],
    ['azure', 'Microsoft'],
    ['GITLÁB', 'GitLab'],
    ['smartfol', 'Smartflo, Acefone or Servetel'],
    ['gihub', 'GitHub'],
    ['gogle', 'Google'],
    ['dataddog', 'Datadog'],
    ['tailscsle', 'Tailscale API token'],
  ])('finds by “%s”', (sought, name) => {
    expect(found(sought)).toContain(name);
  });

  it('finds every telephone system by what it is', () => {
    expect(found('phone')).toEqual(
      expect.arrayContaining(['3CX', 'FreePBX', 'Smartflo, Acefone or Servetel']),
    );
  });

  it('has the service with that name first', () => {
    expect(found('github')[0]).toBe('GitHub');
    expect(found('slack')).toEqual(['Slack']);
    expect(found('vault')[0]).toBe('Vault AppRole secret id');
  });

  it('takes no word for a mistyped one that is found as it is, nor two wrong letters for one', () => {
    expect(found('npm')).toEqual(['npm']);
    expect(found('gtilba')).toEqual([]);
    expect(found('xyz')).toEqual([]);
  });

  it('finds all while nothing is sought, and the service of a token that is typed', () => {
    expect(found(' ')).toHaveLength(entries.length);
    expect(found('glpat-01')).toEqual(['GitLab']);
  });
});

describe('a token', () => {
  it.each([
    ['rvx_abc', 'This program', {}],
    ['glpat-abc', 'GitLab', {}],
    ['glrt-abc', 'GitLab', { kind: 'runner' }],
    ['ghp_abc', 'GitHub', { service: 'github' }],
    ['github_pat_abc', 'GitHub', { service: 'github' }],
    ['npm_abc', 'npm', { service: 'npm' }],
    ['tskey-api-abc', 'Tailscale API token', { service: 'tailscale' }],
    ['tskey-client-abc', 'Tailscale OAuth client', { service: 'tailscale' }],
    ['hvs.abc', 'HashiCorp Vault or OpenBao', {}],
    ['"glpat-abc"', 'GitLab', {}],
    ['Bearer ghp_abc', 'GitHub', { service: 'github' }],
    ['export GITLAB_TOKEN=glpat-abc', 'GitLab', {}],
  ])('leads to its service by its beginning: %s', (token, name, inputs) => {
    const known = entryOfToken(` ${token}\n`, entries);
    expect(known?.entry.name).toBe(name);
    expect(known?.inputs).toEqual(inputs);
  });

  it('leads nowhere where its beginning says nothing', () => {
    expect(entryOfToken('0123456789', entries)).toBeNull();
  });
});

describe('how to get a token', () => {
  it('names the rights, by what was chosen', () => {
    const gitlab = entries.find(({ name }) => name === 'GitLab')?.provider;
    if (gitlab === undefined) throw new Error('GitLab is missing');
    expect(creationOf(gitlab, {})).toContain('self_rotate');
    expect(creationOf(gitlab, { kind: 'project' })).toContain('role');
    expect(creationOf(gitlab, { kind: 'runner' })).toContain('no scopes');
  });
});
