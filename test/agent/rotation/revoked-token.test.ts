import { isEndedWhenReplaced } from '../../../src/providers/catalogue.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AssistedProvider } from '../../../src/providers/assisted/calls.ts';
import type { Call, CallResult } from '../../../src/providers/http/service-caller.ts';
import type { TargetId } from '../../../src/contract/credential/credential.ts';
import { addTarget } from '../../../src/core/credential/change-credential.ts';
import { githubUser, startAssistedServer } from '../../fakes/assisted-server.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { noon } from '../../fixtures/make-events.ts';
import { setUpLoneAgent } from '../agent-setup.ts';
import { attemptOf } from '../../providers/provider-suite.ts';

const name = 'ci';
const hourMs = 3_600_000;
const [first, second, third] = ['ghp_first', 'ghp_second', 'github_pat_third'];
const entry = (account: string) => ({ service: 'rotavox', account });

/** A personal access token of GitHub that a person replaces, with the loop running. */
async function setUp({ old_token = 'revoke', ...more }: { old_token?: string; delivers?: boolean } = {}) {
  const folder = makeFolder();
  const here = await setUpLoneAgent({ folder });
  const github = await startAssistedServer(here.time.clock);
  for (const token of [first, second, third]) github.tokens.set(token, githubUser('2026-03-10 12:00:00 UTC'));
  await here.keep({
    name,
    value: first,
    base_url: github.baseUrl,
    provider: { id: 'assisted', inputs: { service: 'github', old_token } },
  });
  if (more.delivers === true) {
    const target = { kind: 'file', path: join(makeFolder(), 'token') } as const;
    await here.store.transact((state) => addTarget(state, name, 'tgt_x' as TargetId, target));
  }
  here.agent.start();
  const replace = async (value: string) => {
    const replaced = await here.agent.requests.replaceValue(name, { value }, 'pasted');
    expect(replaced.ok).toBe(true);
  };
  const kept = (generation: number) => here.vault.read(entry(`${name} (retiring ${generation})`));
  const revoked = () => github.calls.filter((call) => call === 'POST /credentials/revoke').length;
  const overlap = async () => {
    const gone = here.next('credential.retired');
    await here.time.advance(25 * hourMs);
    await gone;
  };
  return { here, folder, github, replace, kept, revoked, overlap };
}

describe('the old token of GitHub, after a person has entered a new one', () => {
  it('is kept until the overlap is over, then revoked by its value and forgotten', async () => {
    const { here, folder, github, replace, kept, overlap } = await setUp();
    await replace(second);
    expect(here.view(name)).toMatchObject({
      generation: 2,
      retiring: [{ generation: 1, retire_by: new Date(noon + 24 * hourMs).toISOString() }],
    });
    expect([await kept(1), await here.valueOf(name)]).toEqual([first, second]);
    await here.time.advance(23 * hourMs);
    expect(github.tokens.has(first)).toBe(true);
    await overlap();
    await expect.poll(() => kept(1)).toBeNull();
    expect([...github.tokens.keys()]).toEqual([second, third]);
    expect(here.view(name)).toMatchObject({ state: 'reminder', retiring: [] });
    expect(JSON.stringify(here.events)).not.toContain(first);
    expect(JSON.stringify(here.events)).not.toContain(second);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
    expect(files.length).toBeGreaterThan(0);
    for (const { parentPath, name: file } of files) {
      expect(readFileSync(join(parentPath, file), 'utf8')).not.toContain(first);
    }
  });

  it('is revoked a minute after its targets have the new one', async () => {
    const { here, github, replace } = await setUp({ delivers: true });
    const delivered = here.next('credential.delivered');
    await here.time.advance(1000);
    await delivered;
    const again = here.next('credential.delivered');
    await replace(second);
    await here.time.advance(1000);
    await again;
    expect(github.tokens.has(first)).toBe(true);
    const gone = here.next('credential.retired');
    await here.time.advance(61_000);
    await gone;
    expect(github.tokens.has(first)).toBe(false);
  });

  it('stays where that was chosen, for other services, and for tokens that GitHub cannot revoke', async () => {
    const { here, replace, kept } = await setUp({ old_token: 'keep' });
    await replace(second);
    expect([here.view(name).retiring, await kept(1)]).toEqual([[], null]);
    const github = { service: 'github', old_token: 'revoke' };
    const ends = (inputs: Record<string, string>, old: string) =>
      isEndedWhenReplaced({ id: 'assisted', inputs }, old);
    expect(ends(github, first)).toBe(true);
    expect(ends(github, 'a'.repeat(40))).toBe(false);
    expect(ends({ service: 'github' }, first)).toBe(false);
    expect(ends({ ...github, service: 'npm' }, first)).toBe(false);
  });

  it('is not revoked where it was entered again', async () => {
    const { here, github, replace, kept, revoked } = await setUp();
    await replace(first);
    expect(here.view(name).retiring).toEqual([]);
    await replace(second);
    await replace(first);
    expect(here.view(name).retiring).toMatchObject([{ generation: 3 }]);
    expect([await kept(2), await kept(3)]).toEqual([null, second]);
    const gone = here.next('credential.retired');
    await here.time.advance(25 * hourMs);
    await gone;
    expect([...github.tokens.keys()]).toEqual([first, third]);
    expect(revoked()).toBe(1);
  });

  it('is revoked each time, one after the other', async () => {
    const { here, github, replace } = await setUp();
    await replace(second);
    await replace(third);
    expect(here.view(name).retiring).toHaveLength(2);
    await expect
      .poll(async () => {
        await here.time.advance(6 * hourMs);
        return [...github.tokens.keys()];
      })
      .toEqual([third]);
  });

  it('stays while GitHub refuses the new one: it may be the last that works', async () => {
    const { here, github, replace, kept, revoked } = await setUp();
    await replace(second);
    const works = github.tokens.get(second);
    github.tokens.delete(second);
    const failed = here.next('credential.retire_failed');
    await here.time.advance(25 * hourMs);
    await failed;
    expect([github.tokens.has(first), await kept(1), revoked()]).toEqual([true, first, 0]);
    if (works !== undefined) github.tokens.set(second, works);
    const gone = here.next('credential.retired');
    await here.time.advance(3 * hourMs);
    await gone;
    expect(github.tokens.has(first)).toBe(false);
  });

  it('is tried again when GitHub fails or asks to wait, and counts as revoked when it is gone', async () => {
    const { here, github, replace } = await setUp();
    github.refusesToRevoke = { status: 403, body: {}, headers: { 'x-ratelimit-remaining': '0' } };
    await replace(second);
    const failed = here.next('credential.retire_failed');
    await here.time.advance(25 * hourMs);
    await failed;
    expect(here.view(name).retiring).toMatchObject([{ message: expect.any(String) as string }]);
    github.tokens.delete(first);
    const gone = here.next('credential.retired');
    await here.time.advance(3 * hourMs);
    expect((await gone).data).toMatchObject({ how: 'already_gone' });
  });

  it('is revoked and forgotten with the credential', async () => {
    const { here, github, replace, kept } = await setUp();
    await replace(second);
    expect((await here.agent.requests.remove(name)).ok).toBe(true);
    expect([await kept(1), github.tokens.has(first)]).toEqual([null, false]);
  });

  it('cannot be added to another credential while it is going to be revoked', async () => {
    const { here, github, replace } = await setUp();
    await replace(second);
    const added = await here.agent.requests.add('cred_other' as never, {
      name: 'other',
      value: first,
      base_url: github.baseUrl,
      provider: { id: 'assisted', inputs: { service: 'github', old_token: 'revoke' } },
    });
    expect(added).toMatchObject({ refusal: { reason: { code: 'token_taken', name } } });
  });

  it('is lost where the vault lost it, and that is said', async () => {
    const { here, replace, revoked } = await setUp();
    await replace(second);
    await here.vault.remove(entry(`${name} (retiring 1)`));
    const failed = here.next('credential.retire_failed');
    await here.time.advance(25 * hourMs);
    await failed;
    expect([here.view(name).retiring.length, revoked()]).toEqual([1, 0]);
  });
});

describe('a revocation at GitHub', () => {
  async function revokeAt(
    baseUrl: string,
    answers: readonly Partial<Extract<CallResult, { kind: 'answer' }>>[],
  ) {
    const calls: Call[] = [];
    const call = (one: Call): Promise<CallResult> => {
      const answer = answers[calls.push(one) - 1] ?? {};
      return Promise.resolve({ kind: 'answer', status: 200, body: {}, text: '', headers: {}, ...answer });
    };
    const provider = new AssistedProvider({ call } as never, () => noon);
    const held = attemptOf({ baseUrl, token: second, inputs: { service: 'github' } });
    return { result: await provider.end(held, { by: 'value', value: first }), calls };
  }

  it('is made without a token at GitHub.com, and with the current one elsewhere', async () => {
    const there = await revokeAt('https://api.github.com', [{}, { status: 202 }]);
    expect(there.result).toEqual({ ok: true, value: 'deleted' });
    expect(there.calls[1]).toMatchObject({
      method: 'POST',
      path: '/credentials/revoke',
      slot: null,
      body: { credentials: [first] },
    });
    const own = await revokeAt('https://git.example.com/api/v3', [{}, { status: 202 }]);
    expect(own.calls[1]).toMatchObject({ token: second, slot: { header: 'authorization' } });
  });

  it.each([
    [{ status: 403 }, 'refused'],
    [{ status: 403, headers: { 'retry-after': '60' } }, 'service_failed'],
    [{ status: 422 }, 'service_failed'],
    [{ status: 404 }, 'no_endpoint'],
    [{ status: 302 }, 'redirected'],
  ])('that is answered %j is %s', async (answer, code) => {
    const { result } = await revokeAt('https://api.github.com', [{}, answer]);
    expect(result).toMatchObject({ ok: false, refusal: { trouble: { code } } });
  });
});
