import { useState } from 'react';
import type { RotationStep } from '../../contract/credential/credential-checks.ts';
import type { CredentialId } from '../../contract/credential/credential.ts';
import { useStreamEvent } from '../kit/live/change-stream.ts';

/** The rotation's own steps, in their order. */
export const ownSteps = ['intent', 'vault_room', 'rotate', 'vault', 'verify', 'record'] as const;
/** With `reconcile`, which only a rotation whose reply was lost has. */
export type OwnStep = (typeof ownSteps)[number] | 'reconcile';

/** How one step, or the whole, stands. */
export type StepState = 'running' | 'done' | 'failed';

/** Something that began at an instant and may be over. */
interface Stretch {
  readonly state: StepState;
  readonly beganAt: string;
  readonly endedAt: string | null;
  /** Why it failed. */
  readonly message: string | null;
}

export interface StepLine extends Stretch {
  readonly step: OwnStep;
}

export interface DeliveryLine extends Stretch {
  readonly targetId: string;
}

/** One attempt to rotate a credential, as far as this window has heard of it. */
export interface RotationRun extends Stretch {
  readonly steps: readonly StepLine[];
  readonly deliveries: readonly DeliveryLine[];
}

/**
 * What is known of a rotation after one more step; null while none was heard of.
 *
 * A step is told when it begins, so it ends the one before. A window that was opened half way knows the later steps only,
 * and deliveries that come by themselves (a new target, a retry) belong to no rotation: they are in the receipts.
 */
export function afterStep(run: RotationRun | null, told: RotationStep): RotationRun | null {
  if (told.target_id !== null) return run === null ? null : afterDelivery(run, told.target_id, told);
  if (told.step === 'deliver') return run;
  if (told.step === 'done' || told.step === 'failed')
    return run === null ? null : ended(run, told.step, told);
  const line = { step: told.step, state: 'running', beganAt: told.at, endedAt: null, message: null } as const;
  const goesOn = run?.state === 'running' && told.step !== 'intent';
  if (!goesOn)
    return {
      state: 'running',
      beganAt: told.at,
      endedAt: null,
      message: null,
      steps: [line],
      deliveries: [],
    };
  return { ...run, steps: [...run.steps.map((one) => over(one, 'done', told)), line] };
}

function afterDelivery(run: RotationRun, targetId: string, told: RotationStep): RotationRun {
  const others = run.deliveries.filter((one) => one.targetId !== targetId);
  const known = run.deliveries.find((one) => one.targetId === targetId);
  if (told.step === 'deliver') {
    const line = { targetId, state: 'running', beganAt: told.at, endedAt: null, message: null } as const;
    return { ...run, deliveries: [...others, line] };
  }
  if (known === undefined || (told.step !== 'done' && told.step !== 'failed')) return run;
  return {
    ...run,
    deliveries: run.deliveries.map((one) => (one === known ? over(one, told.step as StepState, told) : one)),
  };
}

function ended(run: RotationRun, state: 'done' | 'failed', told: RotationStep): RotationRun {
  if (run.state !== 'running') return run;
  return { ...over(run, state, told), steps: run.steps.map((one) => over(one, state, told)) };
}

function over<T extends Stretch>(one: T, state: StepState, { at, message }: RotationStep): T {
  return one.state === 'running' ? { ...one, state, endedAt: at, message } : one;
}

/** The latest rotation of a credential that this window has heard of, step by step, whoever asked for it. */
export function useRotationRun(id: CredentialId): RotationRun | null {
  const [run, setRun] = useState<RotationRun | null>(null);
  useStreamEvent('step', ({ data }) => {
    const told = JSON.parse(String(data)) as RotationStep; // by the service's own promise
    if (told.credential_id === id) setRun((known) => afterStep(known, told));
  });
  // After a gap nobody knows what was missed: steps are told once.
  useStreamEvent('open', () => setRun((known) => (known?.state === 'running' ? null : known)));
  return run;
}
