import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextUpdateState } from '../../../src/main/updates/update-state.ts';
import type { UpdateEvent } from '../../../src/main/updates/update-state.ts';
import type { UpdateObstacle, UpdateProblem, UpdateState } from '../../../src/contract/service/update.ts';

const why: UpdateObstacle = { code: 'unpacked' };
const problem: UpdateProblem = { code: 'disk_full' };

const at = '2026-01-01T12:30:00.000Z';
const states: Record<UpdateState['kind'], UpdateState> = {
  off: { kind: 'off' },
  cannot: { kind: 'cannot', why },
  idle: { kind: 'idle' },
  checking: { kind: 'checking', asked: false },
  current: { kind: 'current', checkedAt: at, asked: true },
  available: { kind: 'available', version: '2.0.0', asked: false },
  downloading: { kind: 'downloading', version: '2.0.0', percent: 40 },
  ready: { kind: 'ready', version: '2.0.0' },
  installing: { kind: 'installing', version: '2.0.0' },
  failed: { kind: 'failed', step: 'check', problem, asked: false },
};
const kinds = Object.keys(states) as UpdateState['kind'][];
const events: UpdateEvent[] = [
  { kind: 'feed_changed', isSet: false, obstacle: null },
  { kind: 'feed_changed', isSet: true, obstacle: null },
  { kind: 'feed_changed', isSet: true, obstacle: why },
  { kind: 'check_began', asked: true },
  { kind: 'check_began', asked: false },
  { kind: 'nothing_newer', at },
  { kind: 'newer_found', version: '3.0.0' },
  { kind: 'download_began' },
  { kind: 'progressed', percent: 41 },
  { kind: 'progressed', percent: 40 },
  { kind: 'downloaded' },
  { kind: 'install_began' },
  { kind: 'step_failed', problem },
];

describe('the state of updates', () => {
  const moves: [UpdateState['kind'], UpdateEvent, UpdateState][] = [
    ['idle', { kind: 'check_began', asked: true }, { kind: 'checking', asked: true }],
    ['current', { kind: 'check_began', asked: false }, { kind: 'checking', asked: false }],
    ['failed', { kind: 'check_began', asked: true }, { kind: 'checking', asked: true }],
    ['available', { kind: 'check_began', asked: true }, { kind: 'checking', asked: true }],
    ['checking', { kind: 'check_began', asked: true }, { kind: 'checking', asked: true }],
    ['checking', { kind: 'nothing_newer', at }, { kind: 'current', checkedAt: at, asked: false }],
    [
      'checking',
      { kind: 'newer_found', version: '3.0.0' },
      { kind: 'available', version: '3.0.0', asked: false },
    ],
    ['checking', { kind: 'step_failed', problem }, { kind: 'failed', step: 'check', problem, asked: false }],
    ['available', { kind: 'download_began' }, { kind: 'downloading', version: '2.0.0', percent: null }],
    [
      'downloading',
      { kind: 'progressed', percent: 41 },
      { kind: 'downloading', version: '2.0.0', percent: 41 },
    ],
    ['downloading', { kind: 'downloaded' }, { kind: 'ready', version: '2.0.0' }],
    [
      'downloading',
      { kind: 'step_failed', problem },
      { kind: 'failed', step: 'download', problem, asked: true },
    ],
    ['ready', { kind: 'install_began' }, { kind: 'installing', version: '2.0.0' }],
    [
      'installing',
      { kind: 'step_failed', problem },
      { kind: 'failed', step: 'install', problem, asked: true },
    ],
  ];
  it.each(moves)('continues from %s at %j', (from, event, to) => {
    expect(nextUpdateState(states[from], event)).toEqual(to);
  });

  it.each(kinds)('of %s starts over with the feed', (from) => {
    expect(nextUpdateState(states[from], { kind: 'feed_changed', isSet: false, obstacle: null })).toEqual({
      kind: 'off',
    });
    expect(nextUpdateState(states[from], { kind: 'feed_changed', isSet: true, obstacle: null })).toEqual({
      kind: 'idle',
    });
    expect(nextUpdateState(states[from], { kind: 'feed_changed', isSet: true, obstacle: why })).toEqual({
      kind: 'cannot',
      why,
    });
  });

  it('stays the same object at every event that has no place in it', () => {
    for (const from of kinds) {
      for (const event of events) {
        const isCovered =
          event.kind === 'feed_changed' ||
          moves.some(([state, { kind }]) => state === from && kind === event.kind);
        if (isCovered) continue;
        expect(nextUpdateState(states[from], event), `${from} at ${event.kind}`).toBe(states[from]);
      }
    }
  });

  it('is not taken away from what can be downloaded by the daily check', () => {
    expect(nextUpdateState(states.available, { kind: 'check_began', asked: false })).toBe(states.available);
  });

  it('is not brought back by the daily check without a request', () => {
    const asked: UpdateState = { kind: 'checking', asked: true };
    expect(nextUpdateState(asked, { kind: 'check_began', asked: false })).toBe(asked);
  });

  it('reports no percentage of a download twice and none backwards', () => {
    expect(nextUpdateState(states.downloading, { kind: 'progressed', percent: 40 })).toBe(states.downloading);
    expect(nextUpdateState(states.downloading, { kind: 'progressed', percent: 3 })).toBe(states.downloading);
  });

  it('leads, whatever happens, to an installation only by a click after a download that was clicked', () => {
    const before: Partial<Record<UpdateState['kind'], UpdateEvent['kind']>> = {
      downloading: 'download_began',
      ready: 'downloaded',
      installing: 'install_began',
    };
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...events), { maxLength: 30 }), (happenings) => {
        let state: UpdateState = { kind: 'off' };
        for (const event of happenings) {
          const next = nextUpdateState(state, event);
          const needed = before[next.kind];
          if (next.kind !== state.kind && needed !== undefined) expect(event.kind).toBe(needed);
          if (next.kind === 'ready') expect(['downloading', 'ready']).toContain(state.kind);
          if ('version' in next && 'version' in state) expect(next.version).toBe(state.version);
          state = next;
        }
      }),
    );
  });
});
