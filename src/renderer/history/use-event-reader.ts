import { useState } from 'react';

import { askPortal } from '../kit/ask-portal.ts';
import { useStreamEvent } from '../kit/live/use-stream-event.ts';
import { EventReader } from './event-reader.ts';

/** Reads events from the service for as long as the view is there; again when a lost service is back. */
export function useEventReader(): EventReader {
  const [reader] = useState(
    () =>
      new EventReader((seqs, signal) =>
        askPortal('readHistory', {
          query: { seq: seqs.join(','), limit: String(seqs.length) },
          signal,
        }),
      ),
  );
  useStreamEvent('open', () => reader.readSoon());
  return reader;
}
