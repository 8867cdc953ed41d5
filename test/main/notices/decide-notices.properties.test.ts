import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CredentialOutline, troubleKinds } from '../../../src/contract/credential/credential-view.ts';
import {
  decideNotices,
  type NoticeDecision,
  type NoticeState,
} from '../../../src/main/notices/decide-notices.ts';
import type { NoticeInput } from '../../../src/main/notices/notice-memory.ts';
import { listConcerns } from '../../../src/core/attention/list-concerns.ts';
import { readNoticeMemory } from '../../../src/main/notices/notice-memory.ts';
import {
  credential,
  dayMs,
  failing,
  fullStore,
  snapshotOf,
  hourMs,
  lockedVault,
  minuteMs,
  noonMs,
  nothing,
  target,
} from './notice-input.ts';

const names = ['a', 'b', 'c', 'd', 'e'];
const quietHours = { from: '22:00', to: '07:00' };

/** A possible state of one credential at a decision; null when it was removed. */
const outline = (name: string): fc.Arbitrary<CredentialOutline | null> => {
  const differences = fc.record({
    generation: fc.integer({ min: 1, max: 2 }),
    base_url: fc.constantFrom('https://a.example.com', 'https://b.example.com'),
  });
  return fc.oneof(
    fc.constant(null),
    differences.map((one) => credential(name, one)),
    fc
      .tuple(
        differences,
        fc.constantFrom(...troubleKinds),
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom(-dayMs, 0, hourMs, 12 * hourMs, 1.5 * dayMs, 6 * dayMs),
      )
      .map(([one, kind, attempts, leftMs]) => failing(name, kind, { ...one, attempts, leftMs })),
    fc.tuple(differences, fc.integer({ min: 1, max: 4 }), fc.boolean()).map(([one, attempts, isFinal]) =>
      credential(name, {
        ...one,
        state: 'delivery_failing',
        targets: [target(name, { attempts, next_try_at: isFinal ? null : '2026-03-10T13:00:00.000Z' })],
      }),
    ),
  );
};

const input: fc.Arbitrary<NoticeInput> = fc
  .record({
    outlines: fc.tuple(...names.map(outline)),
    minutes: fc.integer({ min: 0, max: 3 * 24 * 60 }),
    isOn: fc.integer({ min: 0, max: 9 }).map((one) => one > 0),
    hasQuietHours: fc.boolean(),
    isLocked: fc.boolean(),
    isFull: fc.integer({ min: 0, max: 4 }).map((one) => one === 0),
    failed: fc.subarray(names),
    reuses: fc.array(
      fc.record({
        family_id: fc.constantFrom('fam_a', 'fam_b'),
        address: fc.constantFrom('127.0.0.1', '::1'),
        user_agent: fc.constantFrom(null, 'curl/8'),
      }),
      { maxLength: 3 },
    ),
  })
  .map(({ outlines, minutes, isOn, hasQuietHours, isLocked, isFull, failed, reuses }) => ({
    snapshot: snapshotOf(
      outlines.filter((one) => one !== null),
      {
        settings: { notifications_enabled: isOn, quiet_hours: hasQuietHours ? quietHours : null },
        ...(isLocked ? { vault: lockedVault } : {}),
        ...(isFull ? { store: fullStore } : {}),
      },
    ),
    nowMs: noonMs + minutes * minuteMs,
    zone: () => 60,
    failedIds: new Set(failed.map((name) => `cred_${name}`)),
    reuses,
    familyName: () => null,
  }));

const history = fc.array(input, { minLength: 1, maxLength: 12 });

/** Every decision of a history, with what preceded it. */
function* run(
  inputs: readonly NoticeInput[],
): Generator<{ before: NoticeState; now: NoticeInput; after: NoticeDecision }> {
  let state: NoticeState = nothing;
  for (const now of inputs) {
    const after = decideNotices(state, now);
    yield { before: state, now, after };
    state = after;
  }
}

function isQuiet({ snapshot, nowMs }: NoticeInput): boolean {
  if (snapshot.settings.quiet_hours === null) return false;
  const hour = new Date(nowMs + hourMs).getUTCHours();
  return hour >= 22 || hour < 7;
}

describe('whatever happens', () => {
  it('nothing is shown while notices are off or it is quiet', () => {
    fc.assert(
      fc.property(history, (inputs) => {
        for (const { now, after } of run(inputs)) {
          if (now.snapshot.settings.notifications_enabled && !isQuiet(now)) continue;
          expect(after.show).toEqual([]);
        }
      }),
    );
  });

  it('no notice is about anything that works', () => {
    fc.assert(
      fc.property(history, (inputs) => {
        for (const { now, after } of run(inputs)) {
          const wrong = new Set(listConcerns(now.snapshot, now.nowMs).map(({ subject }) => subject));
          for (const { id } of after.show) {
            if (id.startsWith('reuse')) continue;
            expect(
              after.shown.get(id)?.every((subject) => wrong.has(subject)),
              id,
            ).toBe(true);
          }
        }
      }),
    );
  });

  it('a credential is reported at most once per stage of each of its tokens', () => {
    fc.assert(
      fc.property(history, (inputs) => {
        for (const { before, now, after } of run(inputs)) {
          for (const { id } of after.show) {
            if (!/^[a-z_]+ https|^expired$|^value_missing$|^many reasons$/.test(id)) continue;
            const members = now.snapshot.credentials.filter((one) =>
              after.shown.get(id)?.includes(`credential ${one.id}`),
            );
            const rose = members.some((one) => {
              const was = before.memory.concerns[`credential ${one.id}`];
              const told = was?.generation === one.generation ? was.told : 0;
              return (after.memory.concerns[`credential ${one.id}`]?.told ?? 0) > told;
            });
            expect(rose, id).toBe(true);
          }
        }
      }),
    );
  });

  it('a second decision about the same state shows nothing and withdraws nothing', () => {
    fc.assert(
      fc.property(history, (inputs) => {
        for (const { now, after } of run(inputs)) {
          const again = decideNotices(after, { ...now, reuses: [] });
          expect([again.show, again.withdraw]).toEqual([[], []]);
          expect(again.memory).toEqual(after.memory);
        }
      }),
    );
  });

  it('what quiet hours delayed is reported once they are over, if it is still true', () => {
    fc.assert(
      fc.property(history, (inputs) => {
        for (const { before, now, after } of run(inputs)) {
          if (!now.snapshot.settings.notifications_enabled || !isQuiet(now)) continue;
          const { snapshot } = now;
          const loud = {
            ...now,
            snapshot: { ...snapshot, settings: { ...snapshot.settings, quiet_hours: null } },
          };
          const wouldHaveTold = decideNotices(before, loud).show;
          const later = { ...loud, failedIds: new Set<string>(), reuses: [] };
          expect(decideNotices(after, later).show).toEqual(wouldHaveTold);
          expect(wouldHaveTold.length === 0 || after.nextMs !== null).toBe(true);
        }
      }),
    );
  });

  it('a restart does not change what is reported', () => {
    fc.assert(
      fc.property(history, input, (inputs, next) => {
        for (const { after } of run(inputs)) {
          const memory = readNoticeMemory(JSON.parse(JSON.stringify(after.memory)));
          const restarted = decideNotices({ memory, shown: new Map() }, next);
          expect(restarted.show).toEqual(decideNotices(after, next).show);
        }
      }),
    );
  });

  it('words fit a screen, no two notices share an id, and everything shown is withdrawn in the end', () => {
    fc.assert(
      fc.property(history, (inputs) => {
        let last: NoticeState = nothing;
        for (const { now, after } of run(inputs)) {
          last = after;
          expect(new Set(after.show.map(({ id }) => id)).size).toBe(after.show.length);
          for (const { title, body, action, open } of after.show) {
            expect(title.length).toBeLessThanOrEqual(50);
            expect(body.length).toBeLessThanOrEqual(240);
            expect(body).toMatch(/[.…]$/);
            const known = now.snapshot.credentials.map(({ name }) => name);
            if (action?.kind === 'rotate') expect(known).toContain(action.name);
            if (open.kind === 'credential') expect(known).toContain(open.name);
          }
        }
        const calm = decideNotices(last, { ...inputs[0]!, snapshot: snapshotOf([]), reuses: [] });
        expect(calm.withdraw).toEqual([...last.shown.keys()]);
        expect(calm.memory.concerns).toEqual({});
      }),
    );
  });
});

describe('while nothing fails', () => {
  it('no day of the calendar causes a notice', () => {
    const well = fc.record({
      state: fc.constantFrom('fine', 'due', 'rotating', 'paused'),
      expires_at: fc
        .integer({ min: 1, max: 90 * 24 })
        .map((hours) => new Date(noonMs + hours * hourMs).toISOString()),
      generation: fc.integer({ min: 1, max: 9 }),
    }) satisfies fc.Arbitrary<Partial<CredentialOutline>>;
    fc.assert(
      fc.property(fc.array(fc.array(well, { maxLength: 5 }), { maxLength: 20 }), (weeks) => {
        const inputs = weeks.map((outlines, week) => ({
          snapshot: snapshotOf(outlines.map((one, place) => credential(names[place]!, one))),
          nowMs: noonMs + week * 7 * dayMs,
          zone: () => 0,
          failedIds: new Set<string>(),
          reuses: [],
          familyName: () => null,
        }));
        for (const { after } of run(inputs))
          expect(after).toMatchObject({ show: [], memory: nothing.memory });
      }),
    );
  });
});
