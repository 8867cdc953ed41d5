import type { IvrDocument } from '../../../contract/ivr-draft.ts';
import { draftPath } from '../../kit/address.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { goTo } from '../../kit/navigation.ts';
import { problemWords } from '../../kit/problem-words.ts';

/** Keeps a drawing as a new draft and opens it in the designer; answers why not, where it was not kept. */
export async function beginDraft(document: IvrDocument): Promise<string | undefined> {
  const reply = await askPortal('createDraft', { body: { document } });
  if (reply.kind !== 'ok') return problemWords(reply, 'the draft was kept');
  goTo(draftPath(reply.value.id));
  return undefined;
}
