import type { Glance } from '../../host/host-desk.ts';
import type { ZoneOffset } from '../../host/system-zone.ts';
import type { Reuse } from './tell-memory.ts';

/** All that a decision is made of: how everything is now, and what was heard since the last one. */
export interface Sight {
  readonly glance: Glance;
  readonly nowMs: number;
  readonly zone: ZoneOffset;
  /** Credentials of which an attempt to rotate has failed since. */
  readonly failedIds: ReadonlySet<string>;
  readonly reuses: readonly Reuse[];
  /** What the owner calls a family of the embedded service; null for one that is not known. */
  readonly familyName: (id: string) => string | null;
}
