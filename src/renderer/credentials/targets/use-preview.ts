import { useEffect, useState } from 'react';

import type { DeliveryPreview } from '../../../contract/credential-checks.ts';
import type { DeliveryTarget } from '../../../contract/credential.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { problemWords } from '../../kit/problem-words.ts';

/** What bringing the value to a place would change there, as far as it is known. */
export type Previewing =
  | { readonly kind: 'none' }
  | { readonly kind: 'asking' }
  | { readonly kind: 'told'; readonly preview: DeliveryPreview }
  | { readonly kind: 'refused'; readonly reason: string };

/** How long a person has stopped typing before a place is looked at, in milliseconds. */
const settledMs = 300;

/** Asks what would change at a place, each time that another one stands in the editor. Nothing is written. */
export function usePreview(name: string, target: DeliveryTarget | null): Previewing {
  const [told, setTold] = useState<{ readonly wanted: string; readonly previewing: Previewing }>();
  const wanted = target === null ? null : JSON.stringify(target);

  useEffect(() => {
    if (wanted === null) return;
    const withdrawn = new AbortController();
    const { signal } = withdrawn;
    const timer = setTimeout(() => {
      const body = JSON.parse(wanted) as DeliveryTarget;
      askPortal('previewTarget', { params: { name }, body, signal }).then(
        (reply) => {
          if (signal.aborted) return;
          const previewing: Previewing =
            reply.kind === 'ok'
              ? { kind: 'told', preview: reply.value }
              : { kind: 'refused', reason: problemWords(reply) };
          setTold({ wanted, previewing });
        },
        (error: unknown) => {
          if (!signal.aborted) throw error; // else nobody waits for it any more
        },
      );
    }, settledMs);
    return () => {
      clearTimeout(timer);
      withdrawn.abort();
    };
  }, [name, wanted]);

  if (wanted === null) return { kind: 'none' };
  return told?.wanted === wanted ? told.previewing : { kind: 'asking' };
}
