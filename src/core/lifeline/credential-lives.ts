import type { LifelineGeneration } from '../../contract/lifeline.ts';
import type { Credential } from '../credential/credential.ts';
import { endOfPresent } from '../credential/end-life.ts';
import { secondsOf } from './seconds-of.ts';

/** The bars of a row, oldest first, and the number of the first. */
export interface Lives {
  readonly firstGeneration: number;
  readonly lives: LifelineGeneration[];
}

/**
 * The lives of a credential's values that overlap what comes after `fromMs`, oldest first; the last is the present one.
 *
 * A value that a person brought may have been issued while the one before still served: it is drawn from its arrival.
 */
export function credentialLives(
  { generation, life, trouble, pastLives }: Credential,
  { fromMs, nowMs }: { readonly fromMs: number; readonly nowMs: number },
): Lives {
  const lives: LifelineGeneration[] = [];
  let servedUntilMs = -Infinity;
  for (const { obtainedAtMs, endedAtMs, end } of pastLives) {
    if (endedAtMs > fromMs)
      lives.push([secondsOf(Math.max(obtainedAtMs, servedUntilMs)), secondsOf(endedAtMs), end]);
    servedUntilMs = endedAtMs;
  }
  const ended = endOfPresent({ life, trouble }, nowMs);
  const untilMs = ended?.endedAtMs ?? life.expiresAtMs;
  lives.push([
    secondsOf(Math.max(life.obtainedAtMs, servedUntilMs)),
    secondsOf(untilMs),
    ended?.end ?? 'present',
  ]);
  return { firstGeneration: generation - lives.length + 1, lives };
}
