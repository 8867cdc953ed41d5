import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../../src/contract/history/audit-event.ts';
import type { VaultStatus } from '../../../src/contract/credential/credential-view.ts';
import type { Lifeline, LifelineRow } from '../../../src/contract/window/lifeline.ts';
import { viewCredential } from '../../../src/core/credential/view-credential.ts';
import { isoInstant } from '../../../src/core/iso-instant.ts';
import { LifelineReader } from '../../../src/core/lifeline/lifeline-reader.ts';
import type { State } from '../../../src/core/state.ts';
import { dayMs } from '../../../src/core/token/token-record.ts';
import {
  credentialAdded,
  credentialPaused,
  lifetime,
  rotationBegun,
  rotationFailed,
  valueTaken,
} from '../../fixtures/credential-events.ts';
import { digest, issued, moved, noon, rotated } from '../../fixtures/make-events.ts';
import { apply, credentialIn, describeProblem, stateAfter } from '../credential/credential-state.ts';

const vault: VaultStatus = { kind: 'memory', description: 'Memory', status: 'ok', message: null };
const seconds = (ms: number) => Math.floor(ms / 1000);
const contextAt = (nowMs: number) => ({
  nowMs,
  zone: () => 0,
  embeddedUrl: 'http://127.0.0.1:7682',
  describe: describeProblem,
});

function read(state: State, atMs = noon, reader = new LifelineReader()): Lifeline {
  return reader.read(state, vault, contextAt(atMs));
}

function rowOf(events: EventDraft[], atMs = noon): LifelineRow {
  const { rows } = read(stateAfter(...events), atMs);
  expect(rows).toHaveLength(1);
  return rows[0]!;
}

describe('the row of a credential', () => {
  it('has the lifetime of its token from issue to expiry, and the dry run that its page has', () => {
    const state = stateAfter(credentialAdded('a', { base_url: 'https://api.example.com/v2/x' }));
    const [row] = read(state).rows;
    const view = viewCredential(state, credentialIn(state), contextAt(noon));
    expect(row).toEqual({
      kind: 'credential',
      id: 'cred_a',
      name: 'a',
      token_name: null,
      service: 'remote',
      origin: 'https://api.example.com',
      state: 'fine',
      trouble: null,
      needs_attention: false,
      expires_at: isoInstant(lifetime.expiresAtMs),
      paused: null,
      next_rotation_at: view.next_rotation_at,
      first_generation: 1,
      generations: [[seconds(noon), seconds(lifetime.expiresAtMs), 'present']],
      planned: view.planned.map((at) => seconds(Date.parse(at))),
    });
    expect(view.planned.length).toBeGreaterThan(10);
  });

  it('has the spans of the previous tokens, each as it ended', () => {
    const state = stateAfter(credentialAdded('a'));
    const [second, third] = [noon + 5 * dayMs, noon + 8 * dayMs];
    apply(state, [valueTaken('a', 2, 'rotated', second)], second);
    apply(state, [valueTaken('a', 3, 'pasted', third)], third);
    expect(read(state, third).rows[0]).toMatchObject({
      first_generation: 1,
      generations: [
        [seconds(noon), seconds(second), 'superseded'],
        [seconds(second), seconds(third), 'replaced'],
        [seconds(third), seconds(third + 10 * dayMs), 'present'],
      ],
    });
  });

  it('draws a token that was issued before it was entered from the time it was entered', () => {
    const state = stateAfter(credentialAdded('a'));
    const broughtMs = noon + 5 * dayMs;
    apply(state, [valueTaken('a', 2, 'pasted', noon + dayMs)], broughtMs);
    expect(read(state, broughtMs).rows[0]!.generations).toEqual([
      [seconds(noon), seconds(broughtMs), 'replaced'],
      [seconds(broughtMs), seconds(noon + 11 * dayMs), 'present'],
    ]);
  });

  it.each([
    ['expired', [credentialAdded('a')], lifetime.expiresAtMs, lifetime.expiresAtMs],
    [
      'blacklisted',
      [credentialAdded('a'), rotationBegun('a'), rotationFailed('a', 'blacklisted')],
      noon + dayMs,
      noon,
    ],
  ] as const)(
    'ends where its value was %s, and nothing is planned for a value that waits for a person',
    (end, events, atMs, endMs) => {
      expect(rowOf([...events], atMs)).toMatchObject({
        needs_attention: true,
        generations: [[seconds(noon), seconds(endMs), end]],
      });
    },
  );

  it('leaves out lives that ended more than 90 days ago, and numbers those that are left', () => {
    const state = stateAfter(credentialAdded('a'));
    const [second, third] = [noon + 5 * dayMs, noon + 9 * dayMs];
    apply(state, [valueTaken('a', 2, 'rotated', second)], second);
    apply(state, [valueTaken('a', 3, 'rotated', third)], third);
    expect(read(state, second + 90 * dayMs).rows[0]).toMatchObject({
      first_generation: 2,
      generations: [
        [seconds(second), seconds(third), 'superseded'],
        [seconds(third), expect.any(Number), 'expired'],
      ],
    });
  });

  it('has no plan while it is paused without an end', () => {
    expect(rowOf([credentialAdded('a'), credentialPaused('a')])).toMatchObject({
      state: 'paused',
      paused: { until: null },
      next_rotation_at: null,
      planned: [],
    });
  });
});

describe('the row of a family', () => {
  it('has a bar for each token, as it ended', () => {
    expect(
      rowOf(
        [issued('f'), rotated('f', 1), rotated('f', 2), moved('token.blacklisted', 'f', 3)],
        noon + dayMs,
      ),
    ).toEqual({
      kind: 'family',
      id: 'fam_f',
      name: 'billing',
      status: 'Blacklisted',
      needs_attention: false,
      expires_at: isoInstant(noon + 7 * dayMs),
      first_generation: 1,
      generations: [
        [seconds(noon), seconds(noon), 'superseded'],
        [seconds(noon), seconds(noon), 'superseded'],
        [seconds(noon), seconds(noon), 'blacklisted'],
      ],
    });
  });

  it.each([
    ['Suspended', 'present', [issued('f'), moved('token.suspended', 'f')], noon],
    ['Expired', 'expired', [issued('f')], noon + 8 * dayMs],
  ] as const)('that is %s says so, and its last bar reaches to its end', (status, end, events, atMs) => {
    expect(rowOf([...events], atMs)).toMatchObject({
      status,
      generations: [[seconds(noon), seconds(noon + 7 * dayMs), end]],
    });
  });

  it('is not there when a credential keeps it, or when it ended more than 90 days ago', () => {
    const kept = { ...credentialAdded('keeper', { base_url: null }), sealed: { fingerprint: digest('f') } };
    expect(rowOf([issued('f'), kept])).toMatchObject({ kind: 'credential', service: 'embedded' });
    expect(read(stateAfter(issued('f')), noon + 97 * dayMs - 1).rows).toHaveLength(1);
    expect(read(stateAfter(issued('f')), noon + 97 * dayMs).rows).toEqual([]);
  });

  it('shows the newest 200 tokens at most', () => {
    const events = Array.from({ length: 300 }, (_, place) => rotated('f', place + 1));
    const { first_generation, generations } = rowOf([issued('f'), ...events]);
    expect([first_generation, generations.length]).toEqual([102, 200]);
  });
});

describe('the rows', () => {
  it('come with what needs attention first, then what ends sooner, then what is over, the latest first', () => {
    const events = [
      issued('over-long', noon + dayMs),
      issued('over', noon + 2 * dayMs),
      issued('ends', noon + 4.5 * dayMs),
      issued('later', noon + 60 * dayMs),
      credentialAdded('late', { expires_at: isoInstant(noon + 70 * dayMs) }),
      credentialAdded('early', { expires_at: isoInstant(noon + 20 * dayMs) }),
      credentialAdded('stuck', { expires_at: isoInstant(noon + 80 * dayMs) }),
      rotationBegun('stuck'),
      rotationFailed('stuck', 'reply_lost'),
    ];
    expect(read(stateAfter(...events), noon + 4 * dayMs).rows.map(({ id }) => id)).toEqual([
      'fam_ends',
      'cred_stuck',
      'cred_early',
      'fam_later',
      'cred_late',
      'fam_over',
      'fam_over-long',
    ]);
  });

  it('are 1,000 at most: the first in that order, and how many more there would be', () => {
    const events = Array.from({ length: 1200 }, (_, place) =>
      issued(`f${place}`, noon + (1200 - place) * 60_000),
    );
    const { rows, left_out } = read(stateAfter(...events));
    expect([rows.length, left_out, rows[0]?.id, rows.at(-1)?.id]).toEqual([
      1000,
      200,
      'fam_f1199',
      'fam_f200',
    ]);
  });
});

describe('reading again', () => {
  it('shows what has changed since, and what time has changed', () => {
    const reader = new LifelineReader();
    const state = stateAfter(credentialAdded('a'), issued('f', noon + dayMs));
    expect(read(state, noon, reader)).toEqual(read(state, noon));
    for (const atMs of [
      noon + 30_000,
      noon + dayMs,
      noon + 6 * dayMs,
      noon + 11 * dayMs,
      noon + 12 * dayMs,
    ]) {
      expect(read(state, atMs, reader)).toMatchObject(read(state, atMs));
    }
    apply(state, [valueTaken('a', 2, 'pasted', noon + 12 * dayMs)], noon + 12 * dayMs);
    expect(read(state, noon + 12 * dayMs, reader)).toEqual(read(state, noon + 12 * dayMs));
  });

  it('keeps what it has drawn: 500 rows are not drawn again for one that changed', () => {
    const reader = new LifelineReader();
    const names = Array.from({ length: 500 }, (_, place) => `c${place}`);
    const state = stateAfter(...names.map((name) => credentialAdded(name)));
    const before = read(state, noon, reader).rows;
    apply(state, [valueTaken('c7', 2)], noon + 1);
    const after = read(state, noon + 1, reader).rows;
    const redrawn = after.filter((row) => !before.some(({ generations }) => generations === row.generations));
    expect(redrawn.map(({ name }) => name)).toEqual(['c7']);
  });
});
