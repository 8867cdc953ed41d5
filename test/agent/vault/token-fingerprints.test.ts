import { describe, expect, it } from 'vitest';
import { isFingerprintKey, TokenFingerprints } from '../../../src/agent/vault/token-fingerprints.ts';
import type { EventDraft } from '../../../src/contract/history/audit-event.ts';
import type { State } from '../../../src/core/state.ts';
import { type VaultEntry, VaultUnavailable } from '../../../src/core/vault.ts';
import { digestOf } from '../../../src/service/secrets/token-value.ts';
import { MemoryVault } from '../../fakes/memory-vault.ts';
import { startGitlabServer } from '../../fakes/start-gitlab-server.ts';
import { credentialAdded } from '../../fixtures/credential-events.ts';
import { filesBelow } from '../../fixtures/make-folder.ts';
import { stateAfter } from '../../core/credential/credential-state.ts';
import { type LoneAgent, setUpAgent, setUpLoneAgent } from '../agent-setup.ts';
import { attempt, current, expectWhole, keysSent, name, setUpRotation } from '../rotation/rotation-setup.ts';

const remote = 'https://api.example.com';
const token = '4711';

/** The keys in a vault; removing one is what a person, or an older copy of a keychain, does. */
function keysIn(vault: MemoryVault): VaultEntry[] {
  return vault.entries().filter(isFingerprintKey);
}

/** What a program that starts on these records and this vault knows. */
function started(vault = new MemoryVault(), ...fingerprints: string[]) {
  const events = fingerprints.map((fingerprint, place): EventDraft => {
    return { ...credentialAdded(`credential-${place}`), sealed: { fingerprint } };
  });
  const ledger: { state: State } = { state: stateAfter(...events) };
  return { vault, fingerprints: new TokenFingerprints(vault, ledger) };
}

describe('the fingerprint of a token of another service', () => {
  it('cannot be made from a guess without the key, which is in the vault', async () => {
    const [one, other] = [started(), started()];
    const first = await one.fingerprints.of(token, remote);
    expect(first.fingerprint).toMatch(/^h1\.[\w-]{51}$/);
    expect(first.fingerprint).not.toContain(digestOf(token));
    expect((await other.fingerprints.of(token, remote)).fingerprint).not.toBe(first.fingerprint);
    expect(keysIn(one.vault)).toHaveLength(1);
    expect(await one.fingerprints.compare(token, first.fingerprint)).toBe('same');
    expect(await one.fingerprints.compare('4712', first.fingerprint)).toBe('other');
  });

  it('is the same after a restart, with the key that the records name', async () => {
    const { vault, fingerprints } = started();
    const { fingerprint } = await fingerprints.of(token, remote);
    const again = started(vault, fingerprint).fingerprints;
    expect(await again.compare(token, fingerprint)).toBe('same');
    expect((await again.of(token, remote)).fingerprint).toBe(fingerprint);
    expect(keysIn(vault)).toHaveLength(1);
  });

  it('is made with one key by all who need the first one at the same time', async () => {
    const { vault, fingerprints } = started();
    const made = await Promise.all([1, 2, 3].map(() => fingerprints.of(token, remote)));
    expect(new Set(made.map(({ fingerprint }) => fingerprint)).size).toBe(1);
    expect(keysIn(vault)).toHaveLength(1);
  });

  it('is recognised by each of two hosts that made a key for one vault at the same time', async () => {
    const vault = new MemoryVault();
    const hosts = [started(vault), started(vault)];
    const made = await Promise.all(hosts.map((host) => host.fingerprints.of(token, remote)));
    for (const { fingerprint } of made)
      for (const host of hosts) expect(await host.fingerprints.compare(token, fingerprint)).toBe('same');
    const both = made.map(({ fingerprint }) => fingerprint);
    expect(await started(vault, ...both).fingerprints.alike(token)).toEqual([digestOf(token), ...both]);
  });

  it('is that of an older version, too, for who asks whether a token is known', async () => {
    const { fingerprints } = started();
    expect(await fingerprints.compare(token, digestOf(token))).toBe('same');
    expect(await fingerprints.compare(token, digestOf('4712'))).toBe('other');
    const { fingerprint, alike } = await fingerprints.of(token, remote);
    expect(alike).toEqual([digestOf(token), fingerprint]);
  });

  it('is the digest by which this service knows it, where it issued the token', async () => {
    const { vault, fingerprints } = started();
    expect((await fingerprints.of(token, null)).fingerprint).toBe(digestOf(token));
    expect(vault.entries()).toEqual([]);
  });

  it('leaves a vault alone that a key could not be stored in, and works when it can', async () => {
    const { vault, fingerprints } = started();
    vault.fail('locked');
    await expect(fingerprints.of(token, remote)).rejects.toThrow(VaultUnavailable);
    vault.heal();
    const { fingerprint } = await fingerprints.of(token, remote);
    expect(await fingerprints.compare(token, fingerprint)).toBe('same');
    expect(keysIn(vault)).toHaveLength(1);
  });
});

describe('a key that is gone', () => {
  async function withoutKey(content: string | null = null) {
    const { vault, fingerprints } = started();
    const { fingerprint } = await fingerprints.of(token, remote);
    for (const entry of keysIn(vault))
      await (content === null ? vault.remove(entry) : vault.write(entry, content));
    return { ...started(vault, fingerprint), before: fingerprints, fingerprint };
  }

  it.each([
    ['is missing', null],
    ['was replaced by something else', 'of another program'],
    ['is another key', Buffer.alloc(32, 7).toString('base64url')],
  ])('and %s makes no token the same, and none another one', async (_what, content) => {
    const { fingerprints, fingerprint } = await withoutKey(content);
    expect(await fingerprints.compare(token, fingerprint)).toBe('unknown');
    expect(await fingerprints.compare('4712', fingerprint)).toBe('unknown');
    expect(await fingerprints.alike(token)).toEqual([digestOf(token)]);
  });

  it('is followed by a new one, which changes nothing about that', async () => {
    const { fingerprints, fingerprint } = await withoutKey();
    const next = await fingerprints.of(token, remote);
    expect(next.fingerprint).not.toBe(fingerprint);
    expect(next.alike).toEqual([digestOf(token), next.fingerprint]);
    expect(await fingerprints.compare(token, next.fingerprint)).toBe('same');
    expect(await fingerprints.compare(token, fingerprint)).toBe('unknown');
  });

  it('is stored again by the program that has read it', async () => {
    const { vault, before, fingerprint } = await withoutKey();
    expect((await before.of(token, remote)).fingerprint).toBe(fingerprint);
    expect(await started(vault, fingerprint).fingerprints.compare(token, fingerprint)).toBe('same');
  });

  it('ends no rotation: the token in the vault is used, and the next one is recognised', async () => {
    const setup = await setUpRotation();
    const { here } = setup;
    for (const entry of keysIn(here.vault)) await here.vault.remove(entry);
    const restarted = await setUpLoneAgent({
      folder: await closed(here),
      vault: here.vault,
      time: setup.time,
    });
    expect(await restarted.agent.requests.valueOf(name)).toMatchObject({ ok: true, value: setup.first });
    expect(await attempt({ ...setup, here: restarted })).toMatchObject({ state: 'fine', generation: 2 });
    await here.vault.write(current, 'written by something else');
    expect((await restarted.agent.requests.valueOf(name)).ok).toBe(false);
  });

  it('is needed before the service is asked: nothing is sent while it cannot be stored', async () => {
    const setup = await setUpRotation();
    const { here } = setup;
    for (const entry of keysIn(here.vault)) await here.vault.remove(entry);
    here.vault.onCall = ({ kind, entry }) => {
      if (kind === 'write' && isFingerprintKey(entry)) here.vault.fail('locked');
    };
    expect(await attempt(setup)).toMatchObject({ state: 'vault_unavailable', generation: 1 });
    expect(keysSent(setup)).toEqual([]);
    here.vault.onCall = () => undefined;
    here.vault.heal();
    await attempt(setup);
    await expectWhole(setup, 2);
  });
});

/** Closes a setup, for another one on its folder. */
async function closed({ agent, store, folder }: LoneAgent) {
  await agent.close();
  await store.close();
  return folder;
}

describe('the data folder', () => {
  it('has the SHA-256 of no token that a credential of another service ever had', async () => {
    const setup = await setUpRotation();
    const { here, there } = setup;
    await attempt(setup);
    const rotated = (await here.valueOf(name)) ?? '';
    const { value: pasted } = await there.issue();
    expect((await here.agent.requests.replaceValue(name, { value: pasted }, 'pasted')).ok).toBe(true);
    const gitlab = await startGitlabServer(here.time.clock);
    const [first, second] = [gitlab.issue().value, gitlab.issue().value];
    const provider = { id: 'gitlab', inputs: { kind: 'personal' } };
    await here.keep({ name: 'gitlab', value: first, base_url: gitlab.baseUrl, provider });
    expect((await here.agent.requests.setStandby('gitlab', { value: second })).ok).toBe(true);
    await closed(here);
    const content = filesBelow(here.folder)
      .map((file) => file.content)
      .join('\n');
    expect(content.match(/"fingerprint":"h1\./g)?.length).toBeGreaterThanOrEqual(5);
    for (const one of [setup.first, rotated, pasted, first, second])
      expect(content.includes(digestOf(one)), 'the digest of a token').toBe(false);
  });
});

describe('a record of an older version', () => {
  async function older(value: string) {
    const here = await setUpLoneAgent();
    const event = { ...credentialAdded('older'), sealed: { fingerprint: digestOf(value) } };
    await here.store.transact(() => ({ events: [event], value: null }));
    return here;
  }

  it('is recognised when its token is pasted for another credential', async () => {
    const gitlab = await startGitlabServer(() => Date.parse('2026-01-10T12:00:00Z'));
    const { value } = gitlab.issue();
    const here = await older(value);
    const provider = { id: 'gitlab', inputs: { kind: 'personal' } };
    const kept = here.keep({ name: 'gitlab', value, base_url: gitlab.baseUrl, provider });
    await expect(kept).rejects.toThrow('token_taken');
  });

  it('is named when its token is tested', async () => {
    const there = await setUpAgent();
    const { value } = await there.issue();
    const here = await older(value);
    const test = await here.agent.requests.testConnection({ value, base_url: there.baseUrl });
    expect(test.message).toContain('“older”');
  });
});
