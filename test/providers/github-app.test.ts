import { describe, expect, it } from 'vitest';
import { AddCredential } from '../../src/contract/credential/credential.ts';
import { startGithubAppServer } from '../fakes/github-app-server.ts';
import { setUpLoneAgent } from '../agent/agent-setup.ts';
import { describeProvider } from './provider-suite.ts';

const hourMs = 3_600_000;

interface Bundle {
  readonly private_key: string;
  readonly access_token: string;
}

function bundleIn(secret: string): Bundle {
  return JSON.parse(secret) as Bundle;
}

describeProvider(
  'an installation of a GitHub App',
  async (time) => {
    const github = await startGithubAppServer(time.clock);
    const { app, installation } = github;
    return {
      baseUrl: github.baseUrl,
      provider: { id: 'github-app', inputs: { app, installation } },
      token: github.pem,
      // The key obtains another token at any time.
      isAlive: (secret) => github.tokens.has(bundleIn(secret).access_token),
      keepsOld: true,
      secretsIn: (secret) => [bundleIn(secret).access_token, bundleIn(secret).private_key],
      replaces: (path) => path.endsWith('/access_tokens'),
    };
  },
  { afterLostReply: 'fine' },
);

describe('a credential of a GitHub App', () => {
  const name = 'bot';

  async function setUp(change: Record<string, unknown> = {}) {
    const here = await setUpLoneAgent();
    const github = await startGithubAppServer(here.time.clock);
    const inputs = { app: github.app, installation: github.installation };
    const provider = { id: 'github-app', inputs } as const;
    const wanted = { name, value: github.pem, base_url: github.baseUrl, provider, ...change };
    return { here, github, wanted, requests: here.agent.requests };
  }

  it('is added with the key, in either form, and gives tokens of an hour', async () => {
    const { here, github, wanted, requests } = await setUp();
    await here.keep(wanted);
    await here.keep({ ...wanted, name: 'converted', value: github.pkcs8 });
    // As a field of one line leaves it.
    await here.keep({ ...wanted, name: 'one-line', value: github.pem.replace(/\n/g, '') });
    for (const one of [name, 'converted', 'one-line']) {
      const read = await requests.valueOf(one);
      expect(read.ok && github.tokens.has(read.value)).toBe(true);
      expect(here.view(one)).toMatchObject({
        state: 'fine',
        expires_at: new Date(here.time.nowMs + hourMs).toISOString(),
      });
    }
  });

  it('gives a token that works, also after the machine has slept', async () => {
    const { here, github, wanted, requests } = await setUp();
    await here.keep(wanted);
    here.time.jump(9 * hourMs);
    const read = await requests.valueOf(name);
    expect(read.ok && github.tokens.get(read.value)).toBe(here.time.nowMs + hourMs);
  });

  it('obtains a token although the clock of this machine is wrong', async () => {
    const { here, github, wanted, requests } = await setUp();
    github.clock = () => here.time.nowMs + hourMs;
    await here.keep(wanted);
    expect(github.calls.filter((call) => call.startsWith('POST'))).toHaveLength(2);
    // By the clock of this machine.
    expect(here.view(name).expires_at).toBe(new Date(here.time.nowMs + hourMs).toISOString());
    expect((await requests.testCredential(name)).ok).toBe(true);
  });

  it.each([
    ['a key that is none', { value: 'c2VjcmV0' }, 'not_a_key'],
    [
      'an app that is not installed',
      { provider: { id: 'github-app', inputs: { app: 'Iv23liAbC', installation: '1' } } },
      'client_not_accepted',
    ],
  ])('is refused with %s', async (_what, change, code) => {
    const { wanted, requests } = await setUp(change);
    const added = await requests.add('cred_x' as never, AddCredential.parse(wanted));
    expect(added).toMatchObject({ ok: false, refusal: { reason: { code } } });
  });

  it('needs the app and the installation', async () => {
    const { wanted } = await setUp({ provider: { id: 'github-app', inputs: {} } });
    const paths = AddCredential.safeParse(wanted).error?.issues.map(({ path }) => path.join('.'));
    expect(paths).toEqual(['provider.inputs.app', 'provider.inputs.installation']);
  });

  it('ends its token at GitHub when it is removed', async () => {
    const { here, github, wanted, requests } = await setUp();
    await here.keep(wanted);
    expect(github.tokens.size).toBe(1);
    await requests.remove(name);
    expect(github.tokens.size).toBe(0);
    expect(await here.valueOf(name)).toBeNull();
  });
});
