import type { DraftId, DraftVersion } from '../../../../contract/ivr-draft.ts';
import { askPortal } from '../../../kit/ask-portal.ts';
import type { Resource } from '../../../kit/live/resource.ts';

/** Every version of a draft that was published, newest first. */
export function versionsOf(id: DraftId): Resource<readonly DraftVersion[]> {
  return {
    key: ['draft', id, 'versions'],
    about: ['draft.published'],
    read: async (signal) => {
      const reply = await askPortal('draftVersions', { params: { id }, signal });
      return reply.kind === 'ok' ? { kind: 'ok', value: reply.value.versions } : reply;
    },
  };
}
