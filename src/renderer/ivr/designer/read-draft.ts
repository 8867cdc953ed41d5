import type { IvrDraft } from '../../../contract/ivr-draft.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import type { Resource } from '../../kit/live/resource.ts';

/** A draft as the service has it; null when there is none of this id, or not any more. */
export function oneDraft(id: string): Resource<IvrDraft | null> {
  return {
    key: ['draft', id],
    about: ['draft.'],
    read: async (signal) => {
      const reply = await askPortal('readDraft', { params: { id }, signal });
      if (reply.kind === 'refused' && reply.code === 'not_found') return { kind: 'ok', value: null };
      return reply;
    },
  };
}
