import type { AuditEvent } from '../../contract/audit-event.ts';
import type { State } from '../state.ts';
import { invariant, unreachable } from '../unreachable.ts';

export type RecordingEvent = Extract<AuditEvent, { kind: `recording.${string}` }>;

/** Makes what happened to a recording true in memory. Its audio is a file, and not of the state. */
export function applyRecordingEvent({ recordings }: State, event: RecordingEvent): void {
  switch (event.kind) {
    case 'recording.added':
    case 'recording.replaced':
      recordings.set(event.data.recording.id, event.data.recording);
      return;
    case 'recording.renamed': {
      const { recording_id: id, name } = event.data;
      const recording = recordings.get(id);
      invariant(recording !== undefined, `recording ${id} is known`);
      recordings.set(id, { ...recording, name, updated_at: event.at });
      return;
    }
    case 'recording.removed':
      recordings.delete(event.data.recording_id);
      return;
    default:
      unreachable(event);
  }
}
