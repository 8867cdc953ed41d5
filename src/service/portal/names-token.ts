import type { HistoryEvent } from '../../contract/audit-event.ts';

/** Whether an event of a family is about one of its tokens; a rotation is about both. */
export function namesToken({ data }: HistoryEvent, tokenId: string): boolean {
  return data.token_id === tokenId || data.source_id === tokenId || data.successor_id === tokenId;
}
