import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CredentialId } from '../../../src/contract/credential/credential.ts';
import type { AppTokenId } from '../../../src/contract/credential/proxy.ts';
import type { Handout } from '../../../src/contract/credential/use.ts';
import { type RequestUse, UseRecord } from '../../../src/core/use/use-record.ts';

const id = 'cred_a' as CredentialId;

function use({
  at = '2026-11-21T12:00:01.000Z',
  ...more
}: Partial<RequestUse & { at: string }> = {}): RequestUse {
  return {
    token_id: 'app_a' as AppTokenId,
    app: 'agent',
    generation: 3,
    method: 'GET',
    route: '/api',
    status: 200,
    refusal: null,
    atMs: Date.parse(at),
    bytes_in: 10,
    bytes_out: 100,
    duration_ms: 5,
    ...more,
  };
}

describe('the record of requests', () => {
  it('sums what is equal within a minute, and loses none', () => {
    const record = new UseRecord();
    for (let at = 0; at < 5; at += 1) record.addRequest(id, use({ at: `2026-11-21T12:00:0${at}.000Z` }));
    record.addRequest(id, use({ status: 500 }));
    record.addRequest(id, use({ at: '2026-11-21T12:01:00.000Z' }));
    const events = record.take();
    expect(events.map(({ data }) => [data.minute, data.uses.map(({ count }) => count)] as const)).toEqual([
      ['2026-11-21T12:00:00.000Z', [5, 1]],
      ['2026-11-21T12:01:00.000Z', [1]],
    ]);
    expect(events[0]?.data.uses[0]).toMatchObject({
      bytes_in: 50,
      bytes_out: 500,
      last_at: '2026-11-21T12:00:04.000Z',
    });
    expect(record.take()).toEqual([]);
  });

  it('has what the disk refused in the next events, with what came meanwhile', () => {
    const record = new UseRecord();
    record.addRequest(id, use());
    const refused = record.take();
    record.addRequest(id, use());
    record.putBack(refused);
    expect(record.take().flatMap(({ data }) => data.uses.map(({ count }) => count))).toEqual([2]);
  });

  it('does not grow with the number of routes: beyond 200 in a minute they are one', () => {
    const record = new UseRecord();
    for (let at = 0; at < 1000; at += 1) record.addRequest(id, use({ route: `/r${at}` }));
    const [event] = record.take();
    expect(event?.data.uses.length).toBeLessThanOrEqual(202);
    expect(event?.data.uses.reduce((sum, { count }) => sum + count, 0)).toBe(1000);
  });

  it('remembers the newest requests of each credential, and not all of them', () => {
    const record = new UseRecord();
    record.addRequest('cred_b' as CredentialId, use({ route: '/other' }));
    for (let at = 0; at < 10_000; at += 1) record.addRequest(id, use({ route: `/r${at}` }));
    expect(record.recentRequests(id, 2).map(({ route }) => route)).toEqual(['/r9999', '/r9998']);
    expect(record.recentRequests(id, 1e9).length).toBe(2_000);
  });
});

function handout(more: Partial<Handout> = {}): Handout {
  return { way: 'get', program: 'backup.sh', generation: 3, at: '2026-11-21T12:00:01.000Z', ...more };
}

describe('the record of tokens that were handed out', () => {
  it('has an event of its own for each minute, beside that of the proxy', () => {
    const record = new UseRecord();
    record.addRequest(id, use());
    record.addHandout(id, handout());
    record.addHandout(id, handout({ at: '2026-11-21T12:00:40.000Z' }));
    record.addHandout(id, handout({ way: 'exec', generation: 4 }));
    expect(record.take().map(({ kind, subject, data }) => [kind, subject, data.uses.length])).toEqual([
      ['proxy.used', id, 1],
      ['credential.used', id, 2],
    ]);
  });

  it('counts every one exactly once, however many programs there are and however often the disk refuses', () => {
    const anyHandout = fc.record({
      way: fc.constantFrom('get', 'exec', 'copy'),
      program: fc.option(fc.nat(600).map((n) => `p${n}`)),
      generation: fc.integer({ min: 1, max: 3 }),
      at: fc.integer({ min: 0, max: 200_000 }).map((ms) => new Date(ms).toISOString()),
    });
    fc.assert(
      fc.property(fc.array(anyHandout, { maxLength: 800 }), fc.nat(4), (handouts, refusedEvery) => {
        const record = new UseRecord();
        for (const [place, one] of handouts.entries()) {
          record.addHandout(id, one);
          if (refusedEvery > 0 && place % (refusedEvery * 50) === 0) record.putBack(record.take());
        }
        const pending = record.pending(id).handouts;
        const events = record.take();
        const written = events.flatMap(({ kind, data }) => (kind === 'credential.used' ? data.uses : []));
        expect(pending).toEqual(written);
        expect(written.reduce((sum, { count }) => sum + count, 0)).toBe(handouts.length);
        // 200 sums, and one for each way and token beyond.
        for (const { data } of events) expect(data.uses.length).toBeLessThanOrEqual(209);
        expect(record.pending(id)).toEqual({ requests: [], handouts: [] });
      }),
      { numRuns: 50 },
    );
  });
});
