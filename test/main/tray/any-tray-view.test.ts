import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type CredentialOutline,
  credentialStates,
  isDead,
  mayRotate,
  type VaultStatus,
} from '../../../src/contract/credential/credential-view.ts';
import type { StoreHealth } from '../../../src/contract/service/portal.ts';
import {
  dayMs,
  hourMs,
  iso,
  makeOutline,
  minuteMs,
  noonMs,
  actionsOf,
  labelsOf,
  rowsOf,
  goodStore,
  goodVault,
  type Given,
  viewOf,
} from './view-of.ts';

describe('the tray, for any status at any instant', () => {
  it('stays the same for the time that the view says: menu, title and icon', () => {
    fc.assert(
      fc.property(anyGiven, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (told, share) => {
        const { lastsMs, ...before } = viewOf(told);
        if (lastsMs === null) {
          expect(told.credentials).toEqual([]);
          return;
        }
        expect(lastsMs).toBeGreaterThan(0);
        expect(Number.isInteger(lastsMs)).toBe(true);
        for (const laterMs of [Math.floor(lastsMs * share), lastsMs - 1]) {
          const { lastsMs: _later, ...after } = viewOf(told, noonMs + laterMs);
          expect(after).toEqual(before);
        }
      }),
    );
  });

  it('has words in every label, and on one line', () => {
    fc.assert(
      fc.property(anyGiven, (told) => {
        const { menu, title } = viewOf(told);
        for (const label of [title, ...labelsOf(menu)]) {
          expect(label).toMatch(/^\S(?:.*\S)?$/u);
          expect(label).not.toMatch(/undefined|null|NaN|Invalid/);
          expect(Array.from(label).length).toBeLessThanOrEqual(120);
        }
      }),
    );
  });

  it('leaves every way open: each wanted for each credential that is shown, every window, and the end', () => {
    fc.assert(
      fc.property(anyGiven, (told) => {
        const actions = actionsOf(viewOf(told).menu);
        const requests = actions.flatMap((action) => {
          if ('name' in action) return [action];
          // Rotating is a question of the window.
          const path = action.kind === 'show' ? action.place.path : '';
          const name = /^\/credentials\/(.*)\?rotate=1$/.exec(path)?.[1];
          return name === undefined ? [] : [{ kind: 'rotate', name: decodeURIComponent(name) }];
        });
        for (const one of shownOf(told)) {
          const { name, state, paused } = one;
          const kinds = new Set(requests.filter((wanted) => wanted.name === name).map(({ kind }) => kind));
          const rotation = [
            paused === null ? 'pause' : 'resume',
            ...(state === 'rotating' ? [] : ['rotate']),
          ];
          // Nothing is offered that is known to fail.
          const expected = [...(isDead(one) ? [] : ['copy']), ...(mayRotate(one) ? rotation : [])];
          expect([...kinds].sort()).toEqual(expected.sort());
        }
        for (const kind of ['show', 'quit'] as const) {
          expect(actions.some((action) => action.kind === kind)).toBe(true);
        }
      }),
    );
  });

  it('shows an empty ring only for what has ended', () => {
    fc.assert(
      fc.property(anyGiven, (told) => {
        const { icon, title } = viewOf(told);
        if (told.credentials?.length === 0) return;
        expect(icon.fullness === 0).toBe(title.includes('Expired'));
      }),
    );
  });

  it('contains nothing that could be a secret: only the fields that it was meant to read', () => {
    const secret = 'rvx_9secret';
    fc.assert(
      fc.property(anyGiven, (told) => {
        const tainted = (told.credentials ?? []).map((one) => ({
          ...one,
          base_url: `https://${secret}.example.com`,
          trouble: {
            kind: 'invalid' as const,
            message: secret,
            since: iso(noonMs),
            attempts: 1,
            next_try_at: null,
          },
          still_used: null,
          value: secret,
        }));
        expect(JSON.stringify(viewOf({ ...told, credentials: tainted }))).not.toContain(secret);
      }),
    );
  });
});

function shownOf({ credentials = [] }: Given): CredentialOutline[] {
  const rows = rowsOf(viewOf({ credentials })).map((label) => label.split(' · ')[0]);
  return credentials.filter(({ name }) => rows.includes(name));
}

const anySentence = fc.oneof(
  fc.string({ minLength: 1, maxLength: 200, unit: 'grapheme' }).map((text) => `It says: ${text}`),
  fc.constant('It says:\none\ttwo\n'),
);

/** Lifetimes of seconds to months, as often in their last minute as in the middle. */
const anyOutline = fc
  .record({
    lifeMs: fc.oneof(fc.integer({ min: 1, max: 3 * minuteMs }), fc.integer({ min: 1, max: 90 * dayMs })),
    leftMs: fc.oneof(
      fc.integer({ min: -minuteMs, max: 2 * minuteMs }),
      fc.integer({ min: -dayMs, max: 3 * dayMs }),
      fc.integer({ min: 0, max: 90 * dayMs }),
    ),
    /** Close to the point at which a pause becomes urgent. */
    isNearCalm: fc.boolean(),
    state: fc.constantFrom(...credentialStates),
    message: fc.option(anySentence),
    next_rotation_at: fc.option(fc.constant(iso(noonMs + hourMs))),
    paused: fc.option(
      fc.record({
        until: fc.option(fc.integer({ min: 1, max: 2 * minuteMs }).map((ms) => iso(noonMs + ms))),
      }),
    ),
  })
  .map(({ isNearCalm, lifeMs, leftMs, ...rest }) =>
    makeOutline({
      ...rest,
      lifeMs,
      leftMs: isNearCalm ? Math.floor(lifeMs / 5) + Math.floor(leftMs / 1_000) : leftMs,
    }),
  );

const anyGiven: fc.Arbitrary<Given> = fc.record({
  credentials: fc
    .array(anyOutline, { maxLength: 13 })
    .map((all) => all.map((one, place) => ({ ...one, name: `token-${place}` }))),
  vault: fc.constantFrom<VaultStatus>(goodVault, { ...goodVault, status: 'locked', message: 'Unlock it.' }),
  store: fc.oneof(
    fc.constant<StoreHealth>(goodStore),
    anySentence.map((reason): StoreHealth => ({
      status: 'refusing',
      last_seq: 1,
      code: 'EIO',
      reason,
      since: iso(noonMs),
    })),
  ),
  opensAtLogin: fc.constantFrom(true, false, null),
});
