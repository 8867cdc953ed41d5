import { useState } from 'react';

import type { CredentialId } from '../../contract/credential.ts';
import type { RotationStep } from '../../contract/credential-checks.ts';
import { useStreamEvent } from '../kit/live/use-stream-event.ts';
import { afterStep, type RotationRun } from './rotation-run.ts';

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
