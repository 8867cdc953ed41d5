import type { DraftId, IvrDocument } from '../../../../contract/ivr-draft.ts';
import { askPortal } from '../../../kit/ask-portal.ts';
import { problemWords } from '../../../kit/problem-words.ts';
import type { SaveOutcome } from './draft-saver.ts';

/** Asks the portal to save a draft over a revision. */
export async function saveDraft(id: DraftId, revision: number, document: IvrDocument): Promise<SaveOutcome> {
  const reply = await askPortal('saveDraft', { params: { id }, body: { revision, document } });
  if (reply.kind === 'ok') return { kind: 'saved', revision: reply.value.revision };
  if (reply.kind === 'refused' && reply.code === 'conflict') return { kind: 'conflict' };
  if (reply.kind === 'refused' && reply.code === 'not_found') return { kind: 'gone' };
  return { kind: 'failed', words: problemWords(reply) };
}
