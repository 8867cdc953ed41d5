import type { AuditEvent, HistoryEvent } from '../contract/audit-event.ts';

/** An event as history may show it: without what is sealed. */
export function presentEvent(event: AuditEvent): HistoryEvent {
  const { seq, at, kind, subject, actor, data } = event;
  return { seq, at, kind, subject, actor, data };
}
