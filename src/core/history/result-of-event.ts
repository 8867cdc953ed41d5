import type { EventKind } from '../../contract/audit-event.ts';
import type { HistoryResult } from '../../contract/history.ts';

/** Every kind that is not simply `ok`. */
const results: Readonly<Partial<Record<EventKind, HistoryResult>>> = {
  'credential.rotation_failed': 'failed',
  'credential.delivery_failed': 'failed',
  // Apps that use the token are refused from here on.
  'token.suspended': 'attention',
  'token.blacklisted': 'attention',
  'token.expired': 'attention',
  // Somebody has not got the new value, or has got hold of an old one.
  'token.reused': 'attention',
  // Its value lapses when nobody resumes it in time.
  'credential.paused': 'attention',
  // What was cut off is kept beside the journal, for somebody to look at.
  'journal.repaired': 'attention',
};

const resultByKind: ReadonlyMap<string, HistoryResult> = new Map(Object.entries(results));

/** How events of a kind ended. A kind that is not known is `ok`. */
export function resultOfEvent(kind: string): HistoryResult {
  return resultByKind.get(kind) ?? 'ok';
}
