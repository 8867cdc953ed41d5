import type { CallEnd, CallId, CallRecord } from '../contract/calls/call.ts';
import { isoInstant } from '../core/iso-instant.ts';

/** A record of a call as a row of a table. */
export interface RecordRow {
  readonly id: string;
  readonly pbx: string;
  readonly ivr: string;
  readonly draft: string | null;
  readonly caller: string | null;
  readonly started: number;
  readonly ended: number;
  readonly keys: string;
  readonly end_kind: string;
  readonly end_detail: string;
}

function endOf({ end_kind: kind, end_detail: detail }: RecordRow): CallEnd {
  if (kind === 'destination') return { kind, destination: detail };
  if (kind === 'hung_up') return { kind, menu: detail };
  return { kind: 'failed', reason: detail as Extract<CallEnd, { kind: 'failed' }>['reason'] };
}

export function recordOfRow(row: RecordRow): CallRecord {
  const { id, pbx, ivr, draft, caller, started, ended, keys } = row;
  return {
    id: id as CallId,
    pbx,
    ivr,
    draft,
    caller,
    started_at: isoInstant(started),
    ended_at: isoInstant(ended),
    keys: JSON.parse(keys) as string[],
    end: endOf(row),
  };
}
