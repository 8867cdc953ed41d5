import type { RecordingUse } from '../../contract/recording.ts';
import { readReference } from '../ivr/reference.ts';
import type { State } from '../state.ts';

/** The fields of a menu that play something, stored or drawn. */
const playingFields = [
  'recording',
  'invalid_recording',
  'timeout_retry_recording',
  'timeout_recording',
] as const;
type Playing = Readonly<Record<(typeof playingFields)[number], string | null>>;

/** Where each recording is played, in stored menus and in drafts; recordings that are nowhere played are left out. */
export function recordingUses({ ivrs, drafts }: State): ReadonlyMap<string, readonly RecordingUse[]> {
  const uses = new Map<string, RecordingUse[]>();
  const note = (menu: Playing, useOf: (field: string) => RecordingUse) => {
    for (const field of playingFields) {
      const text = menu[field];
      const reference = text === null ? null : readReference(text);
      if (reference?.type !== 'recording') continue;
      uses.set(reference.id, [...(uses.get(reference.id) ?? []), useOf(field)]);
    }
  };
  for (const ivr of ivrs.values()) {
    note(ivr, (field) => ({ kind: 'ivr', id: ivr.id, name: ivr.name, field }));
  }
  for (const { id, document } of drafts.values()) {
    for (const node of Object.values(document.nodes)) {
      if (node.kind !== 'menu') continue;
      note(node, (field) => ({
        kind: 'draft',
        id,
        name: document.name,
        field: `nodes.${node.id}.${field}`,
      }));
    }
  }
  return uses;
}
