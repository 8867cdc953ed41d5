import { describe, expect, it } from 'vitest';
import { type Pending, pendingEntry } from '../../../src/agent/vault/token-entries.ts';
import type { ProviderChoice } from '../../../src/contract/credential/provider.ts';
import { githubUser, startAssistedServer } from '../../fakes/assisted-server.ts';
import { startFaultyProxy } from '../../fakes/faulty-proxy.ts';
import { startGitlabServer } from '../../fakes/start-gitlab-server.ts';
import { startVaultServer } from '../../fakes/vault-server.ts';
import { noon } from '../../fixtures/make-events.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { setUpLoneAgent } from '../agent-setup.ts';

const name = 'ci';
const gitlabOf = (kind: string): ProviderChoice => ({
  id: 'gitlab',
  inputs: kind === 'personal' ? { kind } : { kind, of: '7' },
});

/** An agent with one credential, which is ended. */
async function setUp(of: { value: string; base_url: string; provider: ProviderChoice }) {
  const here = await setUpLoneAgent({ folder: makeFolder() });
  await here.keep({ name, ...of });
  const end = async () => {
    const ended = await here.agent.requests.end(name);
    return ended.ok ? ended.value : ended.refusal;
  };
  return { here, end };
}

describe('ending the tokens of a credential', () => {
  it.each(['personal', 'project', 'group'])('ends a %s token of GitLab, once', async (kind) => {
    const at = await startGitlabServer(() => noon);
    const token = at.issue();
    const { here, end } = await setUp({
      value: token.value,
      base_url: at.baseUrl,
      provider: gitlabOf(kind),
    });
    expect(at.isAlive(token.value)).toBe(true);
    expect(await end()).toMatchObject({ outcome: 'ended', message: null });
    expect(at.isAlive(token.value)).toBe(false);
    expect(here.view(name)).toMatchObject({
      state: 'refused',
      trouble: { kind: 'invalid', next_try_at: null },
    });
    expect(here.view(name).message).toContain('You had this token ended at its service.');
    // Again, as after a kill between two of them.
    expect(await end()).toMatchObject({ outcome: 'ended_before' });
    // Nothing rotates it any more.
    here.agent.start();
    await here.time.advance(20 * 86_400_000);
    expect(here.events.filter(({ kind: one }) => one === 'credential.rotation_begun')).toEqual([]);
    // Until another token is entered.
    const other = at.issue();
    expect((await here.agent.requests.replaceValue(name, { value: other.value }, 'pasted')).ok).toBe(true);
    expect(here.view(name).state).not.toBe('refused');
  });

  it('ends a token of GitHub by its value, whatever was chosen for old ones', async () => {
    const here = await setUpLoneAgent({ folder: makeFolder() });
    const github = await startAssistedServer(here.time.clock);
    github.tokens.set('ghp_first', githubUser('2026-03-10 12:00:00 UTC'));
    await here.keep({
      name,
      value: 'ghp_first',
      base_url: github.baseUrl,
      provider: { id: 'assisted', inputs: { service: 'github', old_token: 'keep' } },
    });
    const end = () => here.agent.requests.end(name);
    expect(await end()).toMatchObject({ ok: true, value: { outcome: 'ended' } });
    expect(github.tokens.has('ghp_first')).toBe(false);
    expect(await end()).toMatchObject({ ok: true, value: { outcome: 'ended_before' } });
    expect(github.calls.filter((call) => call === 'POST /credentials/revoke')).toHaveLength(1);
  });

  it('ends a token of Vault, and says why where its policies forbid that', async () => {
    const vault = await startVaultServer(() => noon);
    const token = vault.issue();
    const { end } = await setUp({
      value: token.value,
      base_url: vault.baseUrl,
      provider: { id: 'vault', inputs: {} },
    });
    expect(await end()).toMatchObject({ outcome: 'ended' });
    expect(vault.isAlive(token.value)).toBe(false);
    const bound = vault.issue({ denied: ['revoke-self'] });
    const other = await setUp({
      value: bound.value,
      base_url: vault.baseUrl,
      provider: { id: 'vault', inputs: {} },
    });
    expect(await other.end()).toMatchObject({
      outcome: 'alive',
      message: expect.stringMatching(/^It could not be ended\. .*403/s) as string,
    });
    expect(other.here.view(name).state).not.toBe('refused');
  });

  it('says what failed, and ends it when it is asked again', async () => {
    const at = await startGitlabServer(() => noon);
    const token = at.issue();
    const proxy = await startFaultyProxy(() => at.baseUrl);
    proxy.meets = (path) => path.endsWith('/self');
    const { here, end } = await setUp({
      value: token.value,
      base_url: proxy.baseUrl,
      provider: gitlabOf('personal'),
    });
    proxy.faults.push({ status: 503 });
    expect(await end()).toMatchObject({
      outcome: 'alive',
      message: expect.stringContaining('503') as string,
    });
    expect(at.isAlive(token.value)).toBe(true);
    expect(here.view(name).state).not.toBe('refused');
    expect(await end()).toMatchObject({ outcome: 'ended' });
  });

  it('ends a new token that is not in use yet, and says when there may be one that nobody knows', async () => {
    const at = await startGitlabServer(() => noon);
    const proxy = await startFaultyProxy(() => at.baseUrl);
    const { here, end } = await setUp({
      value: at.issue({ scopes: ['api'] }).value,
      base_url: proxy.baseUrl,
      provider: gitlabOf('personal'),
    });
    // Killed after the new token was stored, and before it became the current one.
    const second = at.issue();
    const stored: Pending = {
      idempotency_key: 'key',
      value: second.value,
      validity_days: 30,
      expires_at: null,
      expiry_assumed: null,
      upstream_id: null,
      note: null,
      asked_at: new Date(noon).toISOString(),
    };
    await here.vault.write(pendingEntry(name), JSON.stringify(stored));
    expect(await end()).toMatchObject({ outcome: 'ended', message: null });
    expect(at.tokens.filter(({ value }) => at.isAlive(value))).toEqual([]);
    expect(await here.vault.read(pendingEntry(name))).toBeNull();

    // GitLab has replaced it, and the reply was lost.
    const third = at.issue({ scopes: ['api'] });
    expect((await here.agent.requests.replaceValue(name, { value: third.value }, 'pasted')).ok).toBe(true);
    proxy.meets = (path) => path.endsWith('/rotate');
    proxy.faults.push('drop_reply');
    await here.agent.requests.rotateNow(name);
    expect(await end()).toMatchObject({
      outcome: 'alive',
      message: expect.stringContaining('a new token that nobody here knows') as string,
    });
  });
});
