import type { Glance } from '../../host/host-desk.ts';
import type { Notice } from './notice.ts';
import { endingReminders, failedDeliveries, isStoreRefusing, isVaultMissed, troubleOf } from './troubles.ts';

/** Something that can be wrong: `credential <id>`, `target <id>`, the vault or the store. */
export type Subject = `credential ${string}` | `target ${string}` | 'vault' | 'store';

export interface SubjectNotice {
  readonly notice: Notice;
  /** It is withdrawn when none of these is wrong any more. Empty: it tells of something that happened, and stays. */
  readonly about: readonly Subject[];
}

/** Everything that is wrong, told or not. */
export function wrongSubjects(glance: Glance): Set<Subject> {
  return new Set<Subject>([
    ...glance.credentials
      .filter((one) => troubleOf(one) !== null)
      .concat(endingReminders(glance))
      .map(({ id }) => `credential ${id}` as const),
    ...failedDeliveries(glance).map(({ target }) => `target ${target.id}` as const),
    ...(isVaultMissed(glance) ? (['vault'] as const) : []),
    ...(isStoreRefusing(glance) ? (['store'] as const) : []),
  ]);
}
