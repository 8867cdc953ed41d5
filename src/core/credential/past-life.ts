import type { LifeEnd } from '../../contract/lifeline.ts';
import type { ValueLife } from '../rotation/value-life.ts';

/** A value that a credential had before its present one. */
export interface PastLife extends ValueLife {
  readonly endedAtMs: number;
  readonly end: Exclude<LifeEnd, 'present'>;
}
