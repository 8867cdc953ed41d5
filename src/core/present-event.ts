import type { AuditEvent, HistoryEvent } from '../contract/history/audit-event.ts';

/** An event for the history: without the sealed part. */
export function presentEvent(event: AuditEvent): HistoryEvent {
  const { seq, at, kind, subject, actor, data } = event;
  return { seq, at, kind, subject, actor, data };
}
