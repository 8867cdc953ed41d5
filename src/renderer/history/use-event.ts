import { useEffect, useSyncExternalStore } from 'react';

import type { EventReader, KnownEvent } from './event-reader.ts';
import type { MatchedRows } from './matched-rows.ts';

/** The event of a row that is drawn; nothing until it has been read. */
export function useRowEvent(reader: EventReader, rows: MatchedRows, row: number): KnownEvent | undefined {
  useEffect(() => reader.show(rows, row), [reader, rows, row]);
  return useKnownEvent(reader, rows.seqAt(row));
}

/** An event if it is known; nobody asks for it here. */
export function useKnownEvent(reader: EventReader, seq: number): KnownEvent | undefined {
  return useSyncExternalStore(reader.subscribe, () => reader.eventOf(seq));
}
