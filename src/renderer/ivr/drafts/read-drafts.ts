import type { DraftSummary } from '../../../contract/ivr-draft.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import type { Resource } from '../../kit/live/resource.ts';

/** The drafts of the designer, the one changed last first. What is wrong with them depends on what they refer to. */
export const allDrafts: Resource<readonly DraftSummary[]> = {
  key: ['drafts'],
  about: ['draft.', 'ivr.', 'recording.', 'extensions.', 'sms_templates.', 'settings.'],
  read: async (signal) => {
    const reply = await askPortal('listDrafts', { signal });
    return reply.kind === 'ok' ? { kind: 'ok', value: reply.value.drafts } : reply;
  },
};
