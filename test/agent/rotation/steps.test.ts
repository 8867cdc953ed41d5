import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { RotationStep } from '../../../src/contract/credential/credential-checks.ts';
import type { DeliveryTarget, TargetId } from '../../../src/contract/credential/credential.ts';
import { addTarget } from '../../../src/core/credential/change-credential.ts';
import { isoInstant } from '../../../src/core/iso-instant.ts';
import { noon } from '../../fixtures/make-events.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import type { AgentSetup } from '../agent-setup.ts';
import { setUpLoop } from '../loop/loop-setup.ts';
import { attempt, expectWhole, setUpRotation, name, restart } from './rotation-setup.ts';
import { RefusingLedger } from '../full-disk-setup.ts';

const whole = ['intent', 'vault_room', 'rotate', 'vault', 'verify', 'record', 'done'];

/** All steps that an agent reports from now on. */
function listen({ agent }: Pick<AgentSetup, 'agent'>): RotationStep[] {
  const told: RotationStep[] = [];
  agent.requests.onStep((step) => told.push(RotationStep.strict().parse(step)));
  return told;
}

const stepsOf = (told: readonly RotationStep[]) => told.map(({ step }) => step);

async function addTargets({ store }: AgentSetup, targets: readonly DeliveryTarget[]): Promise<void> {
  for (const [place, target] of targets.entries()) {
    await store.transact((state) => addTarget(state, name, `tgt_${place}` as TargetId, target));
  }
}

describe('the steps of a rotation', () => {
  it('are reported in order while they happen, with their credential and time', async () => {
    const setup = await setUpRotation();
    const told = listen(setup.here);
    await attempt(setup);
    expect(stepsOf(told)).toEqual(whole);
    const { id } = setup.here.view(name);
    for (const { step, ...rest } of told) {
      expect(rest, step).toEqual({
        credential_id: id,
        name,
        target_id: null,
        message: null,
        at: isoInstant(noon),
      });
    }
  });

  it('are reported before they are done', async () => {
    const setup = await setUpRotation();
    const { here, proxy } = setup;
    const happened: string[] = [];
    here.agent.requests.onStep(({ step }) => happened.push(step));
    here.store.subscribe(({ kind }) => happened.push(kind));
    here.vault.onCall = ({ kind, entry }) => {
      if (kind === 'write') happened.push(`write ${entry.account}`);
    };
    proxy.onAnswered = (path) => happened.push(path);
    await attempt(setup);
    expect(happened).toEqual([
      'credential.rotation_begun',
      'intent',
      'vault_room',
      'write crm (pending)',
      'rotate',
      '/v1/auth/rotate',
      'vault',
      'write crm (pending)',
      'write crm',
      'verify',
      '/v1/auth/token',
      'record',
      'credential.rotated',
      'done',
    ]);
  });

  it('end with why it failed; the next attempt starts over', async () => {
    const setup = await setUpRotation();
    const told = listen(setup.here);
    setup.proxy.faults.push('drop_reply');
    const { message } = await attempt(setup);
    expect(stepsOf(told)).toEqual(['intent', 'vault_room', 'rotate', 'failed']);
    expect(told.at(-1)).toMatchObject({ message, target_id: null });
    await attempt(setup);
    expect(stepsOf(told.slice(4))).toEqual(whole);
  });

  it('leave out what an earlier process has done', async () => {
    const setup = await setUpRotation();
    const { here } = setup;
    here.vault.onCall = ({ kind, entry }) => {
      if (kind === 'write' && entry.account === name) here.vault.fail('locked');
    };
    await attempt(setup);
    here.vault.onCall = () => undefined;
    here.vault.heal();
    const agent = await restart(setup);
    const told = listen({ agent });
    await agent.requests.rotateNow(name);
    expect(stepsOf(told)).toEqual(['intent', 'vault', 'verify', 'record', 'done']);
  });

  it('end even when the failure cannot be recorded', async () => {
    const ledgers: RefusingLedger[] = [];
    const setup = await setUpRotation({
      ledgerFor(store) {
        const ledger = new RefusingLedger(store, () => noon);
        ledgers.push(ledger);
        return ledger;
      },
    });
    const [ledger] = ledgers;
    if (ledger === undefined) throw new Error('There is no ledger');
    const told = listen(setup.here);
    ledger.refuses = 'credential.rotated';
    await expect(setup.here.agent.requests.rotateNow(name)).rejects.toThrow('ENOSPC');
    expect(stepsOf(told)).toEqual([...whole.slice(0, -1), 'failed']);
    expect(told.at(-1)?.message).toBe('ENOSPC: /data');
  });

  it('never have a token in them', async () => {
    const setup = await setUpRotation();
    const told = listen(setup.here);
    setup.proxy.faults.push({ status: 500, body: JSON.stringify({ message: `no ${setup.first}` }) });
    await attempt(setup);
    await attempt(setup);
    expect(stepsOf(told)).toContain('done');
    expect(JSON.stringify(told)).not.toMatch(/rvx_/);
  });

  it('are sent to every listener until it unsubscribes', async () => {
    const setup = await setUpRotation();
    const [first, second] = [listen(setup.here), listen(setup.here)];
    const none: RotationStep[] = [];
    setup.here.agent.requests.onStep((step) => none.push(step))();
    await attempt(setup);
    expect(second).toEqual(first);
    expect(stepsOf(first)).toEqual(whole);
    expect(none).toEqual([]);
  });

  it('are not disturbed when a listener throws: that is reported, and the others receive all of them', async () => {
    const setup = await setUpRotation();
    const { here } = setup;
    here.agent.requests.onStep(({ step }) => {
      throw new Error(`cannot hear ${step}`);
    });
    const told = listen(here);
    await attempt(setup);
    expect(stepsOf(told)).toEqual(whole);
    expect(here.failures.splice(0).map(String)).toEqual(whole.map((step) => `Error: cannot hear ${step}`));
    await expectWhole(setup, 2);
  });
});

describe('the steps of deliveries', () => {
  it('follow the rotation, one beginning and one end for each target', async () => {
    const setup = await setUpLoop();
    const { value } = await setup.issue();
    await setup.keep({ name, value });
    const folder = makeFolder();
    const good = join(folder, 'good');
    const bad = join(folder, 'missing', 'bad');
    await addTargets(setup, [
      { kind: 'file', path: good },
      { kind: 'file', path: bad },
    ]);
    setup.agent.start();
    await setup.pass(0);
    const told = listen(setup);
    await setup.agent.requests.rotateNow(name);
    await setup.pass(0);
    expect(stepsOf(told.slice(0, 7))).toEqual(whole);
    const deliveries = told.slice(7);
    const of = (id: string) => deliveries.filter(({ target_id: target }) => target === id);
    expect(stepsOf(of('tgt_0'))).toEqual(['deliver', 'done']);
    expect(of('tgt_1').map(({ step, message }) => [step, message])).toEqual([
      ['deliver', null],
      ['failed', `The folder of ${bad} does not exist. Create it, or change the path of the target.`],
    ]);
    expect(deliveries).toHaveLength(4);

    mkdirSync(join(folder, 'missing'));
    told.length = 0;
    await setup.agent.requests.deliverNow(name, 'tgt_1' as TargetId);
    expect(told.map(({ step, target_id: target }) => [step, target])).toEqual([
      ['deliver', 'tgt_1'],
      ['done', 'tgt_1'],
    ]);
  });
});
