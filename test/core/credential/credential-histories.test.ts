import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AuditEvent, eventKinds } from '../../../src/contract/history/audit-event.ts';
import { credentialStates, CredentialView } from '../../../src/contract/credential/credential-view.ts';
import { applyEvent } from '../../../src/core/apply-event.ts';
import type { Credential } from '../../../src/core/credential/credential-state.ts';
import { nextDeliveryMs, nextRotationMs, waitsFor } from '../../../src/core/credential/next-action.ts';
import { deriveCredential } from '../../../src/core/credential/derive-credential.ts';
import { viewCredential } from '../../../src/core/credential/view-credential.ts';
import { isoInstant } from '../../../src/core/iso-instant.ts';
import { State } from '../../../src/core/state.ts';
import { dayMs } from '../../../src/core/token/token-record.ts';
import { type CredentialStep, credentialSteps, decideStep } from '../../fixtures/credential-steps.ts';
import { noon } from '../../fixtures/make-events.ts';
import { describeProblem } from './credential-state.ts';

const zone = () => 60;
const context = { zone, embeddedUrl: 'http://127.0.0.1:1', describe: describeProblem };
const histories = fc.array(credentialSteps, { maxLength: 60, size: 'max' });

/** The result of a lifetime: the events, the state after them, and the current time. */
function live(
  steps: readonly CredentialStep[],
  look: (state: State, nowMs: number, step: CredentialStep, value: unknown) => void = () => undefined,
) {
  const state = new State();
  const events: AuditEvent[] = [];
  let nowMs = noon;
  for (const [place, step] of steps.entries()) {
    nowMs += step.waitMs;
    const decision = decideStep(state, step, { nowMs, place });
    for (const draft of decision.events) {
      const event = { ...draft, seq: events.length + 1, at: isoInstant(nowMs) } as AuditEvent;
      events.push(event);
      applyEvent(state, event);
    }
    look(state, nowMs, step, decision.value);
  }
  return { state, events, nowMs };
}

/** Troubles without an attempt: reported by a test call, or because the service cannot rotate. */
const mayStand: ReadonlySet<string> = new Set(['suspended', 'invalid', 'no_endpoint']);

function isRefusal(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'ok' in value && value.ok === false;
}

function rowsOf(state: State): Credential[] {
  return [...state.credentials.values()];
}

it('the histories of this file have every event of a credential, every state and a refusal of every decision', () => {
  const seen = { kinds: new Set<string>(), states: new Set<string>(), refused: new Set<string>() };
  for (const steps of fc.sample(histories, { numRuns: 1200, seed: 1 })) {
    const { events } = live(steps, (state, nowMs, step, value) => {
      if (isRefusal(value)) seen.refused.add(step.act);
      for (const credential of rowsOf(state)) {
        seen.states.add(viewCredential(state, credential, { ...context, nowMs }).state);
      }
    });
    for (const { kind } of events) seen.kinds.add(kind);
  }
  // Its uses are no decisions.
  const kinds = Object.keys(eventKinds).filter(
    (kind) => kind.startsWith('credential.') && kind !== 'credential.used',
  );
  expect([...seen.kinds].sort()).toEqual(kinds.sort());
  expect([...seen.states].sort()).toEqual([...credentialStates].sort());
  const canRefuse = [
    'add',
    'remind',
    'replace',
    'pause',
    'resume',
    'change policy',
    'change address',
    'change helper',
    'add target',
    'remove target',
  ];
  expect([...seen.refused].sort()).toEqual(canRefuse.sort());
});

describe('whatever is decided about credentials', () => {
  it('fits what is there: it applies, and leads to the same state when it is read back from a journal', () => {
    fc.assert(
      fc.property(histories, (steps) => {
        const { state, events } = live(steps);
        const replayed = new State();
        for (const event of JSON.parse(JSON.stringify(events)) as AuditEvent[]) applyEvent(replayed, event);
        expect(rowsOf(replayed)).toEqual(rowsOf(state));
      }),
    );
  });

  it('is an event as the contract has it, on the credential that it names', () => {
    fc.assert(
      fc.property(histories, (steps) => {
        for (const { kind, data, sealed, subject } of live(steps).events) {
          const { data: dataShape, sealed: sealedShape } = eventKinds[kind];
          expect(dataShape.strict().parse(data)).toEqual(data);
          expect(sealedShape.parse(sealed)).toEqual(sealed);
          expect(subject).toBe((data as { credential_id: string }).credential_id);
        }
      }),
    );
  });

  it('is an event or a refusal, never both', () => {
    fc.assert(
      fc.property(histories, (steps) => {
        const state = new State();
        for (const [place, step] of steps.entries()) {
          const { events, value } = decideStep(state, step, { nowMs: noon, place });
          if (isRefusal(value)) expect(events).toEqual([]);
          for (const event of events) applyEvent(state, { ...event, seq: 1, at: isoInstant(noon) });
        }
      }),
    );
  });

  it('keeps names apart, counts tokens up one by one, and owes no target a token that there never was', () => {
    fc.assert(
      fc.property(histories, (steps) => {
        const generations = new Map<string, number>();
        live(steps, (state) => {
          const rows = rowsOf(state);
          expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
          for (const { id, generation, targets, trouble, rotation } of rows) {
            const before = generations.get(id) ?? 1;
            expect([before, before + 1]).toContain(generation);
            generations.set(id, generation);
            for (const target of targets) expect(target.generation).toBeLessThanOrEqual(generation);
            expect(new Set(targets.map((target) => target.id)).size).toBe(targets.length);
            if (trouble !== null && !mayStand.has(trouble.kind)) expect(rotation).not.toBeNull();
          }
        });
      }),
    );
  });
});

/** A command that failed, and a file that it has waited for since. */
const failedAndWaits: CredentialStep[] = [
  { name: 'a', act: 'add', chance: 1, waitMs: 1 },
  { name: 'a', act: 'add target', chance: 0, waitMs: 1 },
  { name: 'a', act: 'add target', chance: 4778, waitMs: 0 },
  { name: 'a', act: 'deliver', chance: 6489, waitMs: 1 },
];

describe('for every possible history of a credential', () => {
  it('it can be shown in the form of the contract, with a plan that begins with the next attempt', () => {
    fc.assert(
      fc.property(histories, fc.integer({ min: 0, max: 40 * dayMs }), (steps, laterMs) => {
        const { state, nowMs: lastMs } = live(steps);
        const nowMs = lastMs + laterMs;
        for (const credential of rowsOf(state)) {
          const view = viewCredential(state, credential, { ...context, nowMs });
          expect(CredentialView.strict().parse(view)).toEqual(view);
          const next = view.next_rotation_at;
          if (next === null) expect(view.planned).toEqual([]);
          else {
            expect(Date.parse(next)).toBeGreaterThanOrEqual(nowMs);
            if (Date.parse(next) <= nowMs + 90 * dayMs) expect(view.planned[0]).toBe(next);
          }
          if (view.trouble === null && view.can_rotate !== false) expect(view.warning).toBeNull();
          if (view.trouble !== null) expect(view.message).toContain(view.trouble.message);
          const isFailing = view.targets.some(({ status }) => status === 'failing');
          if (view.state === 'fine' || view.state === 'paused') expect(isFailing).toBe(false);
          if (view.state === 'delivery_failing') expect(isFailing).toBe(true);
          if (view.state === 'paused') expect(view.paused).not.toBeNull();
          expect(JSON.stringify(view)).not.toContain(credential.fingerprint);
        }
      }),
      { examples: [[failedAndWaits, 0]] },
    );
  });

  it('has something to do next, unless it is paused without an end or waits for a person', () => {
    fc.assert(
      fc.property(histories, (steps) => {
        const { state, nowMs } = live(steps);
        for (const record of rowsOf(state)) {
          const credential = deriveCredential(state, record, nowMs);
          const { pause, rotation, trouble, targets, unusable, canRotate } = credential;
          const isHeld = pause?.untilMs === null;
          const isStuck = canRotate === false || trouble?.nextTryMs === null;
          const waits = rotation === null ? isHeld || isStuck : trouble?.nextTryMs === null;
          expect(nextRotationMs(credential, nowMs, zone) === null).toBe(waits);
          for (const target of targets) {
            const hasIt = target.failure === null && target.generation === credential.generation;
            const isGivenUp = target.failure?.nextTryMs === null;
            expect(nextDeliveryMs(credential, target, nowMs) === null).toBe(
              unusable !== null || hasIt || isGivenUp || waitsFor(credential, target).length > 0,
            );
          }
        }
      }),
    );
  });
});
