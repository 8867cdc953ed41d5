import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../../src/contract/history/audit-event.ts';
import { nextDeliveryMs } from '../../../src/core/credential/next-action.ts';
import { type DeliveryResult, recordDelivery } from '../../../src/core/credential/record-delivery.ts';
import {
  credentialAdded,
  credentialIdNamed,
  delivered,
  deliveryFailed,
  targetAdded,
  targetIdNamed,
  valueTaken,
} from '../../fixtures/credential-events.ts';
import { noon } from '../../fixtures/make-events.ts';
import { apply, credentialIn, derivedIn, stateAfter } from './credential-state.ts';

const arrived: DeliveryResult = { ok: true, note: null };
const mayCome: DeliveryResult = { ok: false, message: 'why', retry: true };
const never: DeliveryResult = { ok: false, message: 'why', retry: false };
const target = [credentialAdded('a'), targetAdded('a')];

function record(
  before: EventDraft[],
  result: DeliveryResult,
  { generation = 1, targetName = 'x', atMs = noon } = {},
) {
  const state = stateAfter(...before);
  const ids = { credentialId: credentialIdNamed('a'), targetId: targetIdNamed(targetName) };
  const { events } = recordDelivery(state, { ...ids, generation, result }, atMs);
  apply(state, events, atMs);
  return { state, events };
}

describe('a delivery', () => {
  it('that arrived is a receipt: which token, and when', () => {
    const { state, events } = record([...target, deliveryFailed('a', noon)], arrived, { atMs: noon + 9 });
    expect(events).toMatchObject([{ kind: 'credential.delivered', actor: { kind: 'system' } }]);
    expect(credentialIn(state).targets).toMatchObject([
      { generation: 1, deliveredAtMs: noon + 9, failure: null },
    ]);
  });

  it('that arrived is noted with what the target said, until the next one that arrives', () => {
    const said: DeliveryResult = { ok: true, note: 'reloaded' };
    const { state, events } = record(target, said);
    expect(events).toMatchObject([{ data: { note: 'reloaded' } }]);
    const noteIn = () => credentialIn(state).targets[0]?.note;
    expect(noteIn()).toBe('reloaded');
    apply(state, [valueTaken('a', 2), deliveryFailed('a', noon, 2)]);
    expect(noteIn(), 'it belongs to the value that the target still has').toBe('reloaded');
    apply(state, [delivered('a', 2)]);
    expect(noteIn()).toBeNull();
  });

  it('that was recorded before notes were kept has none', () => {
    const { note: _lacking, ...data } = delivered('a').data;
    const state = stateAfter(...target, { ...delivered('a'), data });
    expect(credentialIn(state).targets).toMatchObject([{ generation: 1, note: null }]);
  });

  it('that failed keeps the receipt of what the target has, and says why it has not the new token', () => {
    const before = [...target, delivered('a'), valueTaken('a', 2)];
    const { state } = record(before, mayCome, { generation: 2, atMs: noon + 9 });
    expect(credentialIn(state).targets).toMatchObject([
      { generation: 1, deliveredAtMs: noon, failure: { message: 'why', attempts: 1 } },
    ]);
    expect(credentialIn(state).targets[0]?.failure?.nextTryMs).toBeGreaterThan(noon + 9);
  });

  it('that failed again is counted; a new token restarts the count', () => {
    const { state } = record([...target, deliveryFailed('a', noon)], mayCome);
    expect(credentialIn(state).targets[0]?.failure?.attempts).toBe(2);
    apply(state, [valueTaken('a', 2)]);
    expect(credentialIn(state).targets[0]?.failure).toBeNull();
  });

  it('that failed before its time leaves the plan as it was', () => {
    const plannedMs = noon + 3_600_000;
    const { state } = record([...target, deliveryFailed('a', plannedMs)], mayCome, { atMs: noon + 9 });
    expect(credentialIn(state).targets[0]?.failure).toMatchObject({
      lastTryMs: noon + 9,
      nextTryMs: plannedMs,
    });
  });

  it('that can never succeed is not tried again automatically', () => {
    const { state } = record(target, never);
    expect(credentialIn(state).targets[0]?.failure).toMatchObject({ nextTryMs: null });
  });

  it('of a token that was replaced meanwhile, and did arrive, leaves the target without the current one', () => {
    const before = [...target, valueTaken('a', 2), delivered('a', 2)];
    const { state } = record(before, arrived, { generation: 1 });
    const credential = derivedIn(state);
    expect(credential.targets[0]?.generation).toBe(1);
    expect(nextDeliveryMs(credential, credential.targets[0]!, noon)).toBe(noon);
  });

  it.each([mayCome, never])(
    'of a token that was replaced meanwhile, and failed, holds nothing up: %j',
    (result) => {
      const before = [...target, valueTaken('a', 2)];
      expect(record(before, result, { generation: 1 }).events).toEqual([]);
    },
  );

  it.each<[string, EventDraft[], string]>([
    ['to a target that is gone', [credentialAdded('a')], 'x'],
    [
      'to a target of another credential',
      [credentialAdded('a'), credentialAdded('b'), targetAdded('b')],
      'x',
    ],
    ['of a credential that is gone', [credentialAdded('b'), targetAdded('b')], 'x'],
  ])('%s needs no receipt', (_which, before, targetName) => {
    for (const result of [arrived, mayCome]) {
      expect(record(before, result, { targetName }).events).toEqual([]);
    }
  });

  it('is recorded for its own target only', () => {
    const { state } = record([...target, targetAdded('a', { kind: 'file', path: '/y' }, 'y')], arrived, {
      targetName: 'y',
    });
    expect(credentialIn(state).targets.map(({ generation }) => generation)).toEqual([0, 1]);
  });
});
