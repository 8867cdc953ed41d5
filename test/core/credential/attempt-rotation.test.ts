import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../../src/contract/history/audit-event.ts';
import { troubleKinds } from '../../../src/contract/credential/credential-view.ts';
import {
  type AttemptCause,
  beginRotation,
  type FailedAttempt,
  failRotation,
  isUpToPerson,
} from '../../../src/core/credential/attempt-rotation.ts';
import { dayMs } from '../../../src/core/token/token-record.ts';
import {
  credentialAdded,
  credentialIdNamed,
  credentialPaused,
  lifetime,
  rotationBegun,
  rotationFailed,
  valueTaken,
} from '../../fixtures/credential-events.ts';
import { noon } from '../../fixtures/make-events.ts';
import { apply, credentialIn, stateAfter } from './credential-state.ts';

const id = credentialIdNamed('a');
const added = credentialAdded('a');
/** It is due in the middle of its lifetime, jitter included. */
const dueMs = noon + 6 * dayMs;
const hourMs = 3_600_000;

interface Asked {
  readonly cause?: AttemptCause;
  readonly atMs?: number;
}

function begin(events: EventDraft[], { cause = 'due', atMs = dueMs }: Asked = {}) {
  const state = stateAfter(...events);
  return beginRotation(state, id, { idempotencyKey: 'fresh', cause, zone: () => 0 }, atMs);
}

describe('beginning a rotation', () => {
  it.each([
    ['due', 'system'],
    ['owner', 'owner'],
  ] as const)('that is %s writes the intent down with its key, by the %s', (cause, by) => {
    const { events, value } = begin([added], { cause });
    expect(events).toEqual([
      {
        kind: 'credential.rotation_begun',
        subject: id,
        actor: { kind: by },
        data: { credential_id: id, generation: 1, cause },
        sealed: { idempotency_key: 'fresh' },
      },
    ]);
    expect(value).toMatchObject({ idempotencyKey: 'fresh', credential: { id } });
    const state = stateAfter(added);
    apply(state, events, dueMs);
    expect(credentialIn(state).rotation).toEqual({
      idempotencyKey: 'fresh',
      begunAtMs: dueMs,
      cause,
      mayHaveActed: false,
    });
  });

  it.each<[string, EventDraft[], Asked]>([
    ['is not due', [added], { atMs: noon + 4 * dayMs }],
    ['is paused without an end', [added, credentialPaused('a')], {}],
    ['is paused until later', [added, credentialPaused('a', dueMs + 1)], {}],
    ['is gone', [credentialAdded('b')], {}],
    ['is gone, and the owner asks', [credentialAdded('b')], { cause: 'owner' }],
    [
      'was begun, failed, and is not to be tried again yet',
      [added, rotationBegun('a'), rotationFailed('a', 'unreachable', { nextTryMs: dueMs + 1 })],
      {},
    ],
    ['waits for a person', [added, rotationBegun('a'), rotationFailed('a', 'invalid')], {}],
    ['is not due, and the machine has woken', [added], { cause: 'woken', atMs: noon + 4 * dayMs }],
    [
      'failed for a reason that waking does not change, and the machine has woken',
      [added, rotationBegun('a'), rotationFailed('a', 'service_failed', { nextTryMs: dueMs + hourMs })],
      { cause: 'woken' },
    ],
    [
      'failed a moment ago, and the machine has woken',
      [added, rotationBegun('a'), rotationFailed('a', 'unreachable', { nextTryMs: noon + hourMs })],
      { cause: 'woken', atMs: noon + 29_999 },
    ],
  ])('has nothing to do where the credential %s', (_why, events, options) => {
    expect(begin(events, options)).toEqual({ events: [], value: null });
  });

  it.each<[string, EventDraft[], Asked]>([
    ['it is not due and the owner asks', [added], { cause: 'owner', atMs: noon }],
    ['it is paused and the owner asks', [added, credentialPaused('a')], { cause: 'owner', atMs: noon }],
    ['its pause is over', [added, credentialPaused('a', dueMs)], {}],
    ['it has expired already', [added], { atMs: lifetime.expiresAtMs + dayMs }],
  ])('goes ahead where %s', (_why, events, options) => {
    expect(begin(events, options)).toMatchObject({ events: [{ data: { generation: 1 } }] });
  });

  it('of one that has become due is due, also when the machine has woken', () => {
    expect(begin([added], { cause: 'woken' }).events).toMatchObject([
      { actor: { kind: 'system' }, data: { cause: 'due' } },
    ]);
  });

  it('is of the current token', () => {
    const before = [added, rotationBegun('a'), valueTaken('a', 2, 'rotated', noon)];
    expect(begin(before, { cause: 'owner' }).events).toMatchObject([{ data: { generation: 2 } }]);
  });

  it.each<[string, EventDraft[], Asked]>([
    ['at once', [], { atMs: noon }],
    ['while it is paused', [credentialPaused('a')], { atMs: noon }],
    ['when the next try is due', [rotationFailed('a', 'unreachable', { nextTryMs: dueMs })], {}],
    [
      'when the owner asks before that',
      [rotationFailed('a', 'vault', { nextTryMs: dueMs + hourMs })],
      { cause: 'owner' },
    ],
    [
      'when the machine has woken before that',
      [rotationFailed('a', 'vault', { nextTryMs: dueMs + hourMs })],
      { cause: 'woken' },
    ],
    [
      'when the owner asks although it waits for a person',
      [rotationFailed('a', 'reply_lost')],
      { cause: 'owner' },
    ],
  ])('takes an open one up again with its own key, %s', (_when, events, options) => {
    const begun = begin([added, rotationBegun('a'), ...events], options);
    expect(begun.events).toEqual([]);
    expect(begun.value).toMatchObject({ idempotencyKey: 'key-1' });
  });
});

function fail(events: EventDraft[], differences: Partial<FailedAttempt> = {}, atMs = dueMs) {
  const state = stateAfter(...events);
  const failed = { kind: 'unreachable', message: 'why', mayHaveActed: false, retryAfterMs: null } as const;
  const { events: drafts } = failRotation(state, id, { ...failed, ...differences }, atMs);
  apply(state, drafts, atMs);
  return { drafts, state };
}

describe('an attempt that failed', () => {
  const begun = [added, rotationBegun('a')];

  const upToPerson = [
    'invalid',
    'superseded',
    'blacklisted',
    'expired',
    'reply_lost',
    'value_missing',
    'no_endpoint',
  ];
  it.each(troubleKinds)('by %s is tried again unless only a person can help', (kind) => {
    const { state, drafts } = fail(begun, { kind });
    expect(drafts).toMatchObject([
      { kind: 'credential.rotation_failed', subject: id, actor: { kind: 'system' }, data: { kind } },
    ]);
    const { trouble, rotation } = credentialIn(state);
    expect(isUpToPerson(kind)).toBe(upToPerson.includes(kind));
    if (upToPerson.includes(kind)) expect(trouble?.nextTryMs).toBeNull();
    else expect(trouble?.nextTryMs).toBeGreaterThan(dueMs);
    // The intent stays open with its key, because the service may have acted. Without an endpoint it cannot have.
    if (kind === 'no_endpoint') expect(rotation).toBeNull();
    else expect(rotation?.idempotencyKey).toBe('key-1');
  });

  it('counts on from the first of its row, and says since when', () => {
    const first = fail(begun, { message: 'one' }, dueMs).state;
    apply(first, failRotation(first, id, failure('two'), dueMs + hourMs).events, dueMs + hourMs);
    expect(credentialIn(first).trouble).toMatchObject({ message: 'two', sinceMs: dueMs, attempts: 2 });
  });

  it('is tried again later the more often it failed, and always before the token expires', () => {
    const state = stateAfter(...begun);
    const waits: number[] = [];
    let atMs = dueMs;
    for (let attempt = 1; attempt <= 8; attempt += 1) {
      apply(state, failRotation(state, id, failure('again'), atMs).events, atMs);
      const nextMs = credentialIn(state).trouble?.nextTryMs ?? 0;
      waits.push(nextMs - atMs);
      atMs = nextMs;
    }
    expect(waits[7]).toBeGreaterThan(waits[0] ?? 0);
    expect(atMs).toBeLessThan(lifetime.expiresAtMs);
  });

  it('before its time leaves the plan as it was', () => {
    const plannedMs = dueMs + hourMs;
    const planned = [...begun, rotationFailed('a', 'unreachable', { nextTryMs: plannedMs })];
    expect(credentialIn(fail(planned).state).trouble).toMatchObject({
      attempts: 2,
      lastTryMs: dueMs,
      nextTryMs: plannedMs,
    });
  });

  it('because the program stopped is no failure: the open rotation is due', () => {
    expect(fail(begun, { isStopped: true }).drafts).toEqual([]);
    const due = [...begun, rotationFailed('a', 'unreachable', { nextTryMs: dueMs })];
    expect(fail(due, { isStopped: true }).drafts).toEqual([]);
  });

  it.each([dueMs + hourMs, null])(
    'because the program stopped is due at once, although the next attempt was planned for %s',
    (nextTryMs) => {
      const planned = [...begun, rotationFailed('a', 'service_failed', { nextTryMs })];
      const { state } = fail(planned, { isStopped: true, mayHaveActed: true });
      expect(credentialIn(state)).toMatchObject({
        trouble: { nextTryMs: dueMs },
        rotation: { mayHaveActed: true },
      });
    },
  );

  it('waits as long as the service asked for', () => {
    const { state } = fail(begun, { kind: 'service_failed', retryAfterMs: 2 * hourMs });
    expect(credentialIn(state).trouble?.nextTryMs).toBeGreaterThanOrEqual(dueMs + 2 * hourMs);
  });

  it.each([
    [false, false, false],
    [true, false, true],
    [false, true, true],
  ])(
    'may have acted at first: %s, now: %s; that it may have is never forgotten: %s',
    (first, now, expected) => {
      const earlier = rotationFailed('a', 'unreachable', { mayHaveActed: first, nextTryMs: noon });
      const { state } = fail([...begun, earlier], { mayHaveActed: now });
      expect(credentialIn(state).rotation?.mayHaveActed).toBe(expected);
    },
  );

  it('on a removed credential is ignored', () => {
    expect(fail([credentialAdded('b')]).drafts).toEqual([]);
  });
});

function failure(message: string): FailedAttempt {
  return { kind: 'unreachable', message, mayHaveActed: false, retryAfterMs: null };
}
