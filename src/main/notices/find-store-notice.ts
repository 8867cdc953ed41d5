import { textOf } from './phrases.ts';
import type { Sight } from './sight.ts';
import type { SubjectNotice } from './subject.ts';
import type { TellMemory } from './tell-memory.ts';

/** A notice that no change can be saved, such as with a full disk: once until one could be saved again. */
export function findStoreNotice(memory: TellMemory, { glance: { store } }: Sight): SubjectNotice[] {
  if (store.status !== 'refusing' || memory.store) return [];
  return [
    {
      notice: {
        id: 'store',
        title: 'Rotavox cannot save anything',
        body: textOf('No token can be issued or rotated until it can.', store.reason),
        action: null,
        open: { kind: 'home' },
        urgency: 'critical',
      },
      about: ['store'],
    },
  ];
}
