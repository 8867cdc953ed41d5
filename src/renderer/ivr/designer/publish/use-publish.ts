import { useState } from 'react';

import type { PublishReply } from '../../../../contract/ivr-draft.ts';
import { askPortal } from '../../../kit/ask-portal.ts';
import { problemWords } from '../../../kit/problem-words.ts';
import { useDesigner } from '../use-designer.ts';

/** How publishing stands: not asked for yet, under way, answered, or why there is no answer. */
export type PublishState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'busy' }
  | { readonly kind: 'answered'; readonly reply: PublishReply }
  | { readonly kind: 'refused'; readonly reason: string };

/** Publishes what is drawn now: it is saved first, so that what is sent is what is seen. */
export function usePublish(): {
  readonly state: PublishState;
  readonly publish: (credential: string | null) => Promise<void>;
  readonly reset: () => void;
} {
  const { draftId, saveNow } = useDesigner();
  const [state, setState] = useState<PublishState>({ kind: 'idle' });

  async function publish(credential: string | null): Promise<void> {
    if (state.kind === 'busy') return;
    setState({ kind: 'busy' });
    const revision = await saveNow();
    if (revision === null) {
      const reason = 'Nothing was sent: the drawing could not be saved first. The window says why.';
      setState({ kind: 'refused', reason });
      return;
    }
    const reply = await askPortal('publishDraft', {
      params: { id: draftId },
      body: { revision, credential },
    });
    setState(
      reply.kind === 'ok'
        ? { kind: 'answered', reply: reply.value }
        : {
            kind: 'refused',
            reason: problemWords(reply, 'something was published'),
          },
    );
  }

  return { state, publish, reset: () => setState({ kind: 'idle' }) };
}
