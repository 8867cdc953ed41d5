import { describe, expect, it } from 'vitest';
import { appPage, tokenPageIfAssisted } from '../../../src/providers/catalogue.ts';
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
  // The sources of the beginnings are beside each in `src/providers`, and in the `docs` of provider files.
  it.each([
    ['rvx_abc', 'This program', {}],
    // https://docs.gitlab.com/security/tokens/#token-prefixes
    ['glpat-abc', 'GitLab', {}],
    ['glpat-abc.01.0123abcde', 'GitLab', {}],
    ['glrt-abc', 'GitLab', { kind: 'runner' }],
    ['glrtr-abc', 'GitLab', { kind: 'runner' }],
    // https://docs.gitlab.com/administration/settings/account_and_limit_settings/#instance-token-prefix
    ['acme-glpat-abc', 'GitLab', {}],
    // https://github.blog/changelog/2021-03-31-authentication-token-format-updates-are-generally-available
    ['ghp_abc', 'GitHub', { service: 'github' }],
    ['github_pat_abc', 'GitHub', { service: 'github' }],
    ['ghu_abc', 'GitHub App sign-in', { service: 'github' }],
    ['gho_abc', 'GitHub App sign-in', { service: 'github' }],
    ['ghr_abc', 'GitHub App sign-in', { service: 'github' }],
    ['ghs_abc', 'GitHub App installation', {}],
    // https://docs.slack.dev/authentication/tokens, https://docs.slack.dev/authentication/using-token-rotation
    ['xoxb-1-2-abc', 'Slack', { service: 'slack' }],
    ['xoxp-1-2-abc', 'Slack', { service: 'slack' }],
    ['xoxe.xoxb-1-abc', 'Slack', { service: 'slack' }],
    ['xoxe-1-abc', 'Slack', { service: 'slack' }],
    // https://developers.google.com/identity/protocols/oauth2#size
    ['ya29.abc', 'Google', { service: 'google' }],
    ['1//0gabc', 'Google', { service: 'google' }],
    // https://docs.npmjs.com/about-access-tokens
    ['npm_abc', 'npm', { service: 'npm' }],
    // https://docs.digitalocean.com/reference/api/create-personal-access-token
    ['dop_v1_abc', 'DigitalOcean', { service: 'digitalocean' }],
    // https://tailscale.com/kb/1215/oauth-clients
    ['tskey-api-abc', 'Tailscale API token', { service: 'tailscale' }],
    ['tskey-client-abc', 'Tailscale OAuth client', { service: 'tailscale' }],
    // https://support.atlassian.com/atlassian-account/docs/manage-api-tokens-for-your-atlassian-account
    ['ATATT3xabc', 'Atlassian API token', { service: 'atlassian' }],
    ['ATSTT3xabc', 'Atlassian API token', { service: 'atlassian' }],
    // https://developer.hashicorp.com/vault/docs/concepts/tokens#token-prefixes
    ['hvs.abc', 'HashiCorp Vault or OpenBao', {}],
    ['hvb.abc', 'HashiCorp Vault or OpenBao', {}],
    // https://openbao.org/docs/concepts/tokens/#token-formats
    ['s.raPGTZdARXdY0KvHcWSpp5wWZIHNT', 'HashiCorp Vault or OpenBao', {}],
    ['b.n6keuKu5Q6pXhaIcfnC9cFNd', 'HashiCorp Vault or OpenBao', {}],
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
    // With one letter before the dot it could be an address.
    expect(entryOfToken('s.company.example', entries)).toBeNull();
    expect(entryOfToken('s.tooshort', entries)).toBeNull();
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

  // As each service's own documentation has it; the sources are beside the beginnings of its tokens.
  it.each([
    ['Slack', 'slack', 'https://api.slack.com/apps', ['OAuth & Permissions', 'PKCE']],
    ['Google', 'google', 'https://console.cloud.google.com/auth/clients', ['Desktop app']],
    ['npm', 'npm', 'https://www.npmjs.com/settings/~/tokens', ['Generate New Token', '90 days']],
    [
      'DigitalOcean',
      'digitalocean',
      'https://cloud.digitalocean.com/account/api/tokens',
      ['Generate New Token', 'account:read'],
    ],
    [
      'Tailscale API token',
      'tailscale',
      'https://login.tailscale.com/admin/settings/keys',
      ['Generate access token', 'Network admin'],
    ],
    [
      'Tailscale OAuth client',
      'tailscale',
      'https://login.tailscale.com/admin/settings/trust-credentials',
      ['Trust credentials', 'OAuth'],
    ],
    [
      'Atlassian API token',
      'atlassian',
      'https://id.atlassian.com/manage-profile/security/api-tokens',
      ['Create API token with scopes', 'admin.atlassian.com'],
    ],
    ['HashiCorp Vault or OpenBao', '', null, ['vault token create', 'sudo', 'bao']],
  ])('of %s leads to its page and says what to choose there', (name, service, page, said) => {
    const entry = entries.find((one) => one.name === name);
    if (entry === undefined) throw new Error(`${name} is missing`);
    const choice = { id: entry.provider.id, inputs: entry.inputs };
    expect(entry.inputs['service'] ?? '').toBe(service);
    expect(tokenPageIfAssisted(choice, 'https://example.com') ?? appPage(choice, null)).toBe(page);
    for (const words of said) expect(creationOf(entry.provider, entry.inputs)).toContain(words);
  });
});
