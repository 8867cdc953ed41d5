import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AuditEvent } from '../../../src/contract/history/audit-event.ts';
import { CredentialView } from '../../../src/contract/credential/credential-view.ts';
import { credentialNamed } from '../../../src/core/credential/find-credential.ts';
import { digestOf } from '../../../src/service/secrets/token-value.ts';
import { MemoryVault } from '../../fakes/memory-vault.ts';
import type { Answer } from '../../fixtures/send-call.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { type AttackSetup, makeSetup } from './attack-setup.ts';

async function setup(): Promise<{ setup: AttackSetup; vault: MemoryVault }> {
  const vault = new MemoryVault();
  return { setup: await makeSetup({ vault }), vault };
}

function ask({ call, service }: AttackSetup, method: string, path: string, body?: unknown): Promise<Answer> {
  return call({ method, path: `/portal/credentials${path}`, bearer: service.sessions.portalKey, body });
}

async function keep(one: AttackSetup, name = 'a'): Promise<void> {
  const { access_token: value } = await one.issue();
  await one.owner('POST', '/portal/credentials', { name, value });
}

/** The vault's entries for a name: the current token, and the pending one of an open rotation. */
async function entriesOf(vault: MemoryVault, name = 'a'): Promise<(string | null)[]> {
  const accounts = [name, `${name} (pending)`];
  return Promise.all(accounts.map((account) => vault.read({ service: 'rotavox', account })));
}

function generationsIn(events: readonly AuditEvent[]): number[] {
  return events.flatMap((event) =>
    event.kind === 'credential.rotated' || event.kind === 'credential.value_replaced'
      ? [event.data.generation]
      : [],
  );
}

describe('wishes about one credential at once', () => {
  it('are done one after the other: the record knows the token that the vault has, and that token works', async () => {
    const { setup: one, vault } = await setup();
    await keep(one);
    const path = join(makeFolder(), 'token');
    await one.owner('POST', '/portal/credentials/a/targets', { kind: 'file', path });
    const target = CredentialView.parse(JSON.parse((await ask(one, 'GET', '/a')).text)).targets[0]?.id ?? '';
    const brought = await Promise.all(Array.from({ length: 4 }, () => one.issue()));
    const wishes = [
      ...Array.from({ length: 6 }, () => () => ask(one, 'POST', '/a/rotate')),
      ...Array.from({ length: 4 }, () => () => ask(one, 'POST', '/a/reissue')),
      ...brought.map(
        ({ access_token: value }) =>
          () =>
            ask(one, 'PUT', '/a/value', { value }),
      ),
      ...Array.from({ length: 4 }, () => () => ask(one, 'POST', `/a/targets/${target}/deliver`)),
      ...Array.from({ length: 4 }, () => () => ask(one, 'GET', '/a/value')),
    ];
    const order = wishes.map((_, place) => (place * 7) % wishes.length);
    const answers = await Promise.all(order.map((place) => wishes[place]!()));
    expect(answers.map(({ status }) => status)).toEqual(wishes.map(() => 200));

    const credential = credentialNamed(one.store.state, 'a');
    const [value, pending] = await entriesOf(vault);
    expect([digestOf(value ?? ''), pending]).toEqual([credential?.fingerprint, null]);
    // Four were issued again and four entered; of the six who asked for a rotation, those who came while one was made joined it.
    const made = credential?.generation ?? 0;
    expect(credential).toMatchObject({ rotation: null, trouble: null });
    expect([made >= 10, made <= 15], String(made)).toEqual([true, true]);
    expect(generationsIn(one.events)).toEqual(Array.from({ length: made - 1 }, (_, place) => place + 2));
    const self = await one.call({ method: 'GET', path: '/v1/auth/token', bearer: value ?? '' });
    expect(self.status).toBe(200);
    await ask(one, 'POST', `/a/targets/${target}/deliver`);
    expect(readFileSync(path, 'utf8')).toBe(`${value}\n`);
  });

  it('leave nothing behind when one of them is to remove it', async () => {
    const { setup: one, vault } = await setup();
    for (let round = 0; round < 5; round += 1) {
      await keep(one);
      const calls = [
        () => ask(one, 'POST', '/a/rotate'),
        () => ask(one, 'DELETE', '/a'),
        () => ask(one, 'POST', '/a/reissue'),
        () => ask(one, 'POST', '/a/targets', { kind: 'keychain', service: 'app', account: `${round}` }),
        () => ask(one, 'DELETE', '/a'),
      ];
      const answers = await Promise.all(calls.map((_, place) => calls[(place + round) % calls.length]!()));
      expect(answers.filter(({ status }) => status !== 200 && status !== 404)).toEqual([]);
      expect(one.store.state.credentials.size).toBe(0);
      expect(await entriesOf(vault)).toEqual([null, null]);
    }
    // A token that was issued again for a removed credential would work without being used.
    const reissued = generationsIn(one.events.filter(({ kind }) => kind === 'credential.value_replaced'));
    const families = [...one.store.state.tokens.families()].length;
    expect(one.store.state.tokens.counts.Blacklisted).toBe(families - 5 - reissued.length);
  });

  it('keep names and tokens together, however adding and removing alternate', async () => {
    const { setup: one, vault } = await setup();
    const tokens = await Promise.all(Array.from({ length: 8 }, () => one.issue()));
    await Promise.all(
      tokens.flatMap(({ access_token: value }) => [
        ask(one, 'POST', '', { name: 'a', value }),
        ask(one, 'DELETE', '/a'),
      ]),
    );
    const credential = credentialNamed(one.store.state, 'a');
    const [value] = await entriesOf(vault);
    expect(value === null || value === undefined ? undefined : digestOf(value)).toBe(credential?.fingerprint);
    expect(one.store.state.credentials.size).toBeLessThanOrEqual(1);
  });
});
