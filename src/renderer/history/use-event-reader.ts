import { useState } from 'react';

import { askPortal } from '../kit/ask-portal.ts';
import { useStreamEvent } from '../kit/live/use-stream-event.ts';
import { EventReader } from './event-reader.ts';

/** Reads events from the service for as long as the view is there; again when a lost service is back. */
export function useEventReader(): EventReader {
  const [reader] = useState(
    () =>
      new EventReader(({ filters, before, limit }, signal) =>
        askPortal('readHistory', {
          query: { ...filters, before: String(before), limit: String(limit) },
          signal,
        }),
      ),
  );
  useStreamEvent('open', () => reader.readAgain());
  return reader;
}
