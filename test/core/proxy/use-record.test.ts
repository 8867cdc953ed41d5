import { describe, expect, it } from 'vitest';
import type { CredentialId } from '../../../src/contract/credential.ts';
import type { AppTokenId, ProxyUse } from '../../../src/contract/proxy.ts';
import { UseRecord } from '../../../src/core/proxy/use-record.ts';

const id = 'cred_a' as CredentialId;

function use(more: Partial<ProxyUse> = {}): ProxyUse {
  return {
    token_id: 'app_a' as AppTokenId,
    app: 'agent',
    generation: 3,
    method: 'GET',
    route: '/api',
    status: 200,
    refusal: null,
    at: '2026-11-21T12:00:01.000Z',
    bytes_in: 10,
    bytes_out: 100,
    duration_ms: 5,
    ...more,
  };
}

describe('the record of requests', () => {
  it('sums what is equal within a minute, and loses none', () => {
    const record = new UseRecord();
    for (let at = 0; at < 5; at += 1) record.add(id, use({ at: `2026-11-21T12:00:0${at}.000Z` }));
    record.add(id, use({ status: 500 }));
    record.add(id, use({ at: '2026-11-21T12:01:00.000Z' }));
    const events = record.take();
    expect(events.map(({ data }) => [data.minute, data.uses.map(({ count }) => count)])).toEqual([
      ['2026-11-21T12:00:00.000Z', [5, 1]],
      ['2026-11-21T12:01:00.000Z', [1]],
    ]);
    expect(events[0]?.data.uses[0]).toMatchObject({
      bytes_in: 50,
      bytes_out: 500,
      last_at: '2026-11-21T12:00:04.000Z',
    });
    expect(record.isEmpty).toBe(true);
  });

  it('has what the disk refused in the next events, with what came meanwhile', () => {
    const record = new UseRecord();
    record.add(id, use());
    const refused = record.take();
    record.add(id, use());
    record.putBack(refused);
    expect(record.take().flatMap(({ data }) => data.uses.map(({ count }) => count))).toEqual([2]);
  });

  it('does not grow with the number of routes: beyond 200 in a minute they are one', () => {
    const record = new UseRecord();
    for (let at = 0; at < 1000; at += 1) record.add(id, use({ route: `/r${at}` }));
    const [event] = record.take();
    expect(event?.data.uses.length).toBeLessThanOrEqual(202);
    expect(event?.data.uses.reduce((sum, { count }) => sum + count, 0)).toBe(1000);
  });

  it('remembers the newest requests of each credential, and not all of them', () => {
    const record = new UseRecord();
    record.add('cred_b' as CredentialId, use({ route: '/other' }));
    for (let at = 0; at < 10_000; at += 1) record.add(id, use({ route: `/r${at}` }));
    expect(record.recent(id, 2).map(({ route }) => route)).toEqual(['/r9999', '/r9998']);
    expect(record.recent(id, 1e9).length).toBeLessThanOrEqual(4_000);
  });
});
