import type { CallDetail, CallEnd, CallId, CallMoment } from '../../src/contract/call.ts';
import { isoInstant } from '../../src/core/iso-instant.ts';

/** 2026-03-02, 12:00 UTC. */
export const noonMs = Date.UTC(2026, 2, 2, 12);

/** A record of a call; what is not named is as in a call that presses 1 after five seconds and reaches extension 101. */
export function callRecord({
  startedMs = noonMs,
  tookMs = 5_000,
  ...differences
}: Partial<Omit<CallDetail, 'started_at' | 'ended_at'>> & {
  readonly startedMs?: number;
  readonly tookMs?: number;
} = {}): CallDetail {
  const end: CallEnd = { kind: 'destination', destination: 'extension||101' };
  const moments: CallMoment[] = [
    { at_ms: 0, kind: 'entered', menu: 'ivr_a' },
    { at_ms: 5_000, kind: 'key', menu: 'ivr_a', key: '1', used: true },
    { at_ms: 5_000, kind: 'led', menu: 'ivr_a', by: 'key', to: { destination: 'extension||101' } },
  ];
  nextId += 1;
  return {
    id: `call_${nextId}` as CallId,
    pbx: 'office',
    ivr: 'ivr_a',
    draft: null,
    caller: '+4930123456',
    started_at: isoInstant(startedMs),
    ended_at: isoInstant(startedMs + tookMs),
    keys: ['1'],
    end,
    moments,
    menu_names: { ivr_a: 'Reception' },
    ...differences,
  };
}
let nextId = 0;
