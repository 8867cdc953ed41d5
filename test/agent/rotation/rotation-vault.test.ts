import { vaultProblems } from '../../fakes/memory-vault.ts';
import { describe, expect, it } from 'vitest';
import type { VaultTrouble } from '../../../src/contract/credential/vault-problem.ts';
import { vaultProblemText } from '../../../src/text/credential/vault-text.ts';
import type { VaultCall } from '../../fakes/memory-vault.ts';
import { credentialIdNamed } from '../../fixtures/credential-events.ts';
import { makeAgent } from '../../fixtures/make-agent.ts';
import {
  attempt,
  current,
  expectWhole,
  failures,
  keysSent,
  setUpRotation,
  name,
  pending,
  type RotationSetup,
} from './rotation-setup.ts';

type Where = Pick<VaultCall, 'kind'> & { readonly account: string; readonly nth?: number };

/** Runs something at a call to the vault, before it takes effect. */
function at({ here }: RotationSetup, { kind, account, nth = 1 }: Where, act: () => void): void {
  let count = 0;
  here.vault.onCall = (call) => {
    if (call.kind !== kind || call.entry.account !== account) return;
    count += 1;
    if (count === nth) act();
  };
}

const troubles: readonly VaultTrouble[] = ['locked', 'absent', 'failed'];

describe('a vault that fails', () => {
  const beforeTheCall: Record<string, Where> = {
    'when what is pending is looked for': { kind: 'read', account: pending.account },
    'when the source is read': { kind: 'read', account: current.account },
    'when room is reserved': { kind: 'write', account: pending.account },
    'when the room is read back': { kind: 'read', account: pending.account, nth: 2 },
  };
  it.each(Object.entries(beforeTheCall))('%s: nothing reaches the service', async (_when, where) => {
    const setup = await setUpRotation();
    const { here, first } = setup;
    for (const code of troubles) {
      at(setup, where, () => {
        here.vault.fail(code);
      });
      expect(await attempt(setup)).toMatchObject({
        state: 'vault_unavailable',
        message: vaultProblemText(vaultProblems[code]),
        trouble: { kind: 'vault' },
        generation: 1,
      });
      expect(here.view(name).next_rotation_at).not.toBeNull();
      expect(here.agent.requests.vaultStatus()).toMatchObject({ status: code });
      here.vault.heal();
    }
    expect(keysSent(setup)).toEqual([]);
    expect(failures(setup).map(({ data }) => data.may_have_acted)).toEqual([false, false, false]);
    expect(await here.valueOf(name)).toBe(first);

    here.vault.onCall = () => undefined;
    await attempt(setup);
    await expectWhole(setup, 2);
    expect(keysSent(setup)).toHaveLength(1);
  });

  const afterTheCall: Record<string, Where> = {
    'between the reply and its writing': { kind: 'write', account: pending.account, nth: 2 },
    'when what is pending is read back': { kind: 'read', account: pending.account, nth: 3 },
    'when the value takes its place': { kind: 'write', account: current.account },
    'when what is current is read back': { kind: 'read', account: current.account, nth: 2 },
  };
  it.each(Object.entries(afterTheCall))(
    '%s: the token is kept in memory, and the service is not asked again',
    async (_when, where) => {
      const setup = await setUpRotation();
      const { here } = setup;
      at(setup, where, () => {
        here.vault.fail('locked');
      });
      expect(await attempt(setup)).toMatchObject({ state: 'vault_unavailable', generation: 1 });
      expect(keysSent(setup)).toHaveLength(1);
      // Still locked: the service is not called, nothing is lost.
      expect(await attempt(setup)).toMatchObject({ state: 'vault_unavailable', generation: 1 });

      here.vault.heal();
      here.vault.onCall = () => undefined;
      await attempt(setup);
      await expectWhole(setup, 2);
      expect(keysSent(setup)).toHaveLength(1);
    },
  );

  it.each(Object.entries(afterTheCall))(
    '%s, and the program ends: the next one gets the same token by the same key',
    async (_when, where) => {
      const setup = await setUpRotation();
      const { here, time } = setup;
      at(setup, where, () => {
        here.vault.fail('locked');
      });
      await attempt(setup);
      await here.agent.close();
      here.vault.heal();
      here.vault.onCall = () => undefined;
      const { store: ledger, vault, baseUrl } = here;
      const next = makeAgent({ ledger, vault, clock: time.clock, timer: time, embeddedUrl: () => baseUrl });
      await next.requests.rotateNow(name);
      await expectWhole(setup, 2);
      expect(new Set(keysSent(setup)).size).toBe(1);
      expect(setup.there.events.filter(({ kind }) => kind === 'token.rotated')).toHaveLength(1);
    },
  );

  it('when what was pending is removed: the rotation is done, and the next one cleans up', async () => {
    const setup = await setUpRotation();
    const { here } = setup;
    at(setup, { kind: 'remove', account: pending.account }, () => {
      here.vault.fail('locked');
    });
    expect(await attempt(setup)).toMatchObject({ generation: 2, trouble: null, rotation: null });
    here.vault.heal();
    expect(await here.vault.read(pending)).not.toBeNull();

    here.vault.onCall = () => undefined;
    await attempt(setup);
    await expectWhole(setup, 3);
    expect(new Set(keysSent(setup)).size).toBe(2);
  });
});

describe('a vault that loses what it took', () => {
  const losses: Record<string, Where & { readonly asked: number }> = {
    'the room': { kind: 'write', account: pending.account, asked: 0 },
    'the pending value': { kind: 'write', account: pending.account, nth: 2, asked: 1 },
    'the current value': { kind: 'write', account: current.account, asked: 1 },
  };
  it.each(Object.entries(losses))('%s: is noticed, and made good', async (_what, { asked, ...where }) => {
    const setup = await setUpRotation();
    const { here } = setup;
    at(setup, where, () => {
      // In order, so after the write and before it is read back.
      void here.vault.remove({ service: 'rotavox', account: where.account });
    });
    const lost = await attempt(setup);
    expect(lost).toMatchObject({ state: 'vault_unavailable', generation: 1 });
    expect(lost.message).toContain(`The entry “${where.account}” was written but missing when read back.`);
    expect(keysSent(setup)).toHaveLength(asked);
    here.vault.onCall = () => undefined;
    await attempt(setup);
    await expectWhole(setup, 2);
    expect(keysSent(setup)).toHaveLength(1);
  });
});

describe('a missing token', () => {
  it.each([
    ['was taken away', null, 'The vault no longer has a token for “crm”.'],
    [
      'is another',
      'rvx_by_somebody',
      'The vault has another token for “crm” than the one that was stored there.',
    ],
  ])('because the entry %s: is said, and nothing is sent', async (_what, other, message) => {
    const setup = await setUpRotation();
    const { here, there } = setup;
    await (other === null ? here.vault.remove(current) : here.vault.write(current, other));
    expect(await attempt(setup)).toMatchObject({
      state: 'value_missing',
      message,
      trouble: { kind: 'value_missing', next_try_at: null },
      next_rotation_at: null,
    });
    expect(keysSent(setup)).toEqual([]);

    const issued = await there.issue();
    await here.agent.requests.replaceValue(name, { value: issued.value }, 'pasted');
    expect(here.view(name)).toMatchObject({ state: 'fine', trouble: null, generation: 2 });
    expect(await here.valueOf(name)).toBe(issued.value);
  });

  it('continues once the right one is back and a rotation is requested', async () => {
    const setup = await setUpRotation();
    const { here, first } = setup;
    await here.vault.remove(current);
    await attempt(setup);
    await here.vault.write(current, first);
    await attempt(setup);
    await expectWhole(setup, 2);
  });
});

describe('a pending entry that belongs to nothing', () => {
  it.each([
    [
      'of a rotation that is over',
      '{"idempotency_key":"old","value":"rvx_old","validity_days":7,"asked_at":"x"}',
    ],
    ['that another program wrote', 'not ours'],
    ['of another shape', '{"idempotency_key":5}'],
    ['that holds nothing', 'null'],
  ])('%s: is not believed, and is gone after the rotation', async (_what, text) => {
    const setup = await setUpRotation();
    await setup.here.vault.write(pending, text);
    await attempt(setup);
    await expectWhole(setup, 2);
  });

  it('goes when a token is entered, and when the credential is removed', async () => {
    const setup = await setUpRotation();
    const { here, there } = setup;
    await here.vault.write(pending, 'left behind');
    const issued = await there.issue();
    await here.agent.requests.replaceValue(name, { value: issued.value }, 'pasted');
    expect(await here.vault.read(pending)).toBeNull();

    await here.vault.write(pending, 'left behind again');
    expect(await here.agent.requests.remove(name)).toEqual({ ok: true, value: { message: null } });
    expect(await here.vault.read(pending)).toBeNull();
    expect(await here.vault.read(current)).toBeNull();
  });
});

describe('a token that a person enters while the vault is locked', () => {
  it('is refused with the message of the vault, and nothing has changed', async () => {
    const setup = await setUpRotation();
    const { here, there, first } = setup;
    const issued = await there.issue();
    here.vault.fail('locked');
    const refusal = {
      problem: 'vault_unavailable',
      reason: { code: 'vault', problem: vaultProblems.locked },
    };
    const { requests } = here.agent;
    expect(await requests.replaceValue(name, { value: issued.value }, 'pasted')).toEqual({
      ok: false,
      refusal,
    });
    expect(
      await requests.add(credentialIdNamed('other'), {
        name: 'other',
        value: issued.value,
        base_url: there.baseUrl,
      }),
    ).toEqual({
      ok: false,
      refusal,
    });
    expect(await requests.remove(name)).toEqual({ ok: false, refusal });
    expect(await requests.valueOf(name)).toEqual({ ok: false, refusal });
    here.vault.heal();
    expect(await here.valueOf(name)).toBe(first);
    expect(here.events.map(({ kind }) => kind)).toEqual(['credential.added']);
  });
});
