import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { credentialStates } from '../../../src/contract/credential/credential-view.ts';
import { listCredentials, outlineCredentials } from '../../../src/core/credential/find-credential.ts';
import { isoInstant } from '../../../src/core/iso-instant.ts';
import { dayMs } from '../../../src/core/token/token-record.ts';
import {
  credentialAdded,
  credentialPaused,
  deliveryFailed,
  rotationBegun,
  rotationFailed,
  targetAdded,
} from '../../fixtures/credential-events.ts';
import { noon, digest, issued, moved, rotated, tokenIdNamed } from '../../fixtures/make-events.ts';
import { describeProblem, stateAfter, apply, credentialIn, derivedIn } from './credential-state.ts';
import { CachedOutlines } from '../../../src/core/credential/cached-outlines.ts';
import type { State } from '../../../src/core/state.ts';
import type { EventDraft } from '../../../src/contract/history/audit-event.ts';
import type { FamilyId } from '../../../src/contract/token/token.ts';
import { nextDeliveryMs } from '../../../src/core/credential/next-action.ts';
import { viewCredential } from '../../../src/core/credential/view-credential.ts';
import { LifelineReader } from '../../../src/core/lifeline/lifeline-reader.ts';
import { credentialNamesByFamily } from '../../../src/core/token/view-token.ts';

const context = {
  nowMs: noon,
  zone: () => 0,
  embeddedUrl: 'http://127.0.0.1:7682',
  describe: describeProblem,
};

function endingAfter(name: string, days: number) {
  const expires_at = isoInstant(noon + days * dayMs);
  return credentialAdded(name, { obtained_at: isoInstant(noon - 10 * dayMs), expires_at });
}

it('lists one of every state with the most pressing first, however they came', () => {
  const failing = (name: string, kind: Parameters<typeof rotationFailed>[1]) => [
    rotationBegun(name),
    rotationFailed(name, kind, { nextTryMs: noon + 1 }),
  ];
  const state = stateAfter(
    ...['fine', 'paused', 'delivering', 'rotating', 'failing', 'vault', 'refused', 'missing', 'lost'].map(
      (name) => credentialAdded(name),
    ),
    credentialAdded('reminding', { can_rotate: false }),
    endingAfter('due', 1),
    endingAfter('expired', 0),
    credentialPaused('paused'),
    targetAdded('delivering'),
    deliveryFailed('delivering', null),
    rotationBegun('rotating'),
    ...failing('failing', 'unreachable'),
    ...failing('vault', 'vault'),
    ...failing('refused', 'refused'),
    ...failing('missing', 'value_missing'),
    ...failing('lost', 'reply_lost'),
  );
  const listed = listCredentials(state, context);
  expect(listed.map(({ name }) => name)).toEqual([
    'lost',
    'missing',
    'expired',
    'refused',
    'vault',
    'failing',
    'rotating',
    'due',
    'delivering',
    'paused',
    'reminding',
    'fine',
  ]);
  expect(listed.map((view) => view.state)).toEqual(credentialStates);
});

it('lists what is in the same state by what expires sooner, and then by name', () => {
  const state = stateAfter(
    ...[endingAfter('b', 90), endingAfter('late', 91), endingAfter('a', 90), endingAfter('soon', 89)],
    // A year of five digits comes last, though its text comes first.
    credentialAdded('last', { expires_at: isoInstant(Date.parse('+010000-01-01T00:00:00.000Z')) }),
  );
  expect(listCredentials(state, context).map(({ name }) => name)).toEqual(['soon', 'a', 'b', 'late', 'last']);
});

it('lists nothing where there is nothing', () => {
  expect(listCredentials(stateAfter(), context)).toEqual([]);
});

const summerTime = noon + 4 * dayMs;
const zone = (atMs: number): number => (atMs < summerTime ? 60 : 120);
const embeddedUrl = 'http://127.0.0.1:7682';
const evening = { fraction: 0.5, preferred_hours: { from: '20:00', to: '21:00' } };

/** Each changes with time in another way; and all of them together. */
const states: [what: string, state: State][] = [
  ['nothing', stateAfter()],
  ['one that is fine', stateAfter(credentialAdded('a'))],
  ['one that rotates in the evening', stateAfter(credentialAdded('a', { policy: evening }))],
  ['one that is paused', stateAfter(credentialAdded('a'), credentialPaused('a'))],
  [
    'one whose pause ends',
    stateAfter(credentialAdded('a'), credentialPaused('a', noon + 3 * dayMs), targetAdded('a')),
  ],
  ['one that rotates', stateAfter(credentialAdded('a'), rotationBegun('a'))],
  [
    'one that is tried again',
    stateAfter(
      credentialAdded('a'),
      rotationBegun('a'),
      rotationFailed('a', 'unreachable', { nextTryMs: noon + dayMs }),
    ),
  ],
  [
    'one that waits for a person',
    stateAfter(credentialAdded('a'), rotationBegun('a'), rotationFailed('a', 'refused')),
  ],
  [
    'one whose delivery is tried again',
    stateAfter(credentialAdded('a'), targetAdded('a'), deliveryFailed('a', noon + dayMs)),
  ],
  [
    'several',
    stateAfter(
      ...['a', 'b', 'c', 'd'].map((name) => credentialAdded(name)),
      credentialPaused('b', noon + 2 * dayMs),
      rotationBegun('c'),
      rotationFailed('c', 'unreachable', { nextTryMs: noon + dayMs }),
    ),
  ],
];

/** From before the token was obtained to long after it has expired; neighbours often within a minute of each other. */
const anyInstants = fc
  .array(
    fc.oneof(fc.integer({ min: -2 * dayMs, max: 14 * dayMs }), fc.integer({ min: -60_000, max: 60_000 })),
    {
      minLength: 2,
      maxLength: 30,
    },
  )
  .map((steps) => {
    let atMs = noon;
    return steps.map((step) => {
      atMs = Math.abs(step) <= 60_000 ? atMs + step : noon + step;
      return atMs;
    });
  });

describe('outlines that are kept', () => {
  it.each(states)(
    'of %s are what they would be if they were made anew, whatever the clock does',
    (_, state) => {
      fc.assert(
        fc.property(anyInstants, (instants) => {
          const kept = new CachedOutlines();
          for (const nowMs of instants) {
            const context = { nowMs, zone, embeddedUrl, describe: describeProblem };
            expect(kept.at(state, '1', context)).toEqual(outlineCredentials(state, context));
          }
        }),
      );
    },
  );

  it('are the same list while nothing changes, and another when something did', () => {
    const kept = new CachedOutlines();
    const state = stateAfter(credentialAdded('a'), rotationBegun('a'), rotationFailed('a', 'refused'));
    const context = { nowMs: noon, zone, embeddedUrl, describe: describeProblem };
    const first = kept.at(state, '1', context);
    expect(kept.at(state, '1', { ...context, nowMs: noon + dayMs })).toBe(first);
    expect(kept.at(state, '2', context)).not.toBe(first);
    const others = [{ nowMs: noon - 1 }, { zone: () => 0 }, { embeddedUrl: 'http://127.0.0.1:9' }];
    for (const other of others) {
      const before = kept.at(state, '2', context);
      expect(kept.at(state, '2', { ...context, ...other })).not.toBe(before);
    }
  });
});

const vault = { kind: 'memory', description: '', status: 'ok', message: null } as const;
const token = tokenIdNamed('f');

/** A credential `a` that holds the first token of the family `f`, which this service issued. */
const own = credentialAdded('a', { base_url: null });
const held: EventDraft[] = [issued('f'), { ...own, sealed: { fingerprint: digest('f') } }];

function shown(state: State) {
  return viewCredential(state, credentialIn(state), context);
}

function planned(reader: LifelineReader, state: State): unknown {
  const row = reader.read(state, vault, context).rows.find(({ kind }) => kind === 'credential');
  return row?.kind === 'credential' ? [row.state, row.trouble, row.planned.length > 0] : null;
}

describe('a credential whose token of this service', () => {
  it('works is fine, and is planned', () => {
    expect(shown(stateAfter(...held))).toMatchObject({ state: 'fine', trouble: null, token_id: token });
  });

  it.each([
    ['token.suspended', 'suspended'],
    ['token.blacklisted', 'blacklisted'],
  ] as const)('meets %s is refused at once, says why, and plans nothing', (kind, trouble) => {
    const state = stateAfter(...held, moved(kind, 'f'));
    expect(shown(state)).toMatchObject({
      state: 'refused',
      trouble: { kind: trouble, next_try_at: null },
      next_rotation_at: null,
      planned: [],
    });
    expect(shown(state).message).toBe(trouble);
    expect(derivedIn(state).unusable).toEqual({ code: trouble });
  });

  it('is resumed has its earlier state, without another action', () => {
    const before = shown(stateAfter(...held));
    const after = stateAfter(...held, moved('token.suspended', 'f'), moved('token.resumed', 'f'));
    expect(shown(after)).toEqual(before);
    expect(derivedIn(after).unusable).toBeNull();
  });

  it('was suspended while a rotation was open continues with that rotation once it is resumed, and not before', () => {
    const open = [rotationBegun('a'), rotationFailed('a', 'suspended', { nextTryMs: noon + 99 })];
    const state = stateAfter(...held, ...open, moved('token.suspended', 'f'));
    expect(shown(state)).toMatchObject({ state: 'refused', next_rotation_at: null });
    apply(state, [moved('token.resumed', 'f')]);
    expect(shown(state)).toMatchObject({
      state: 'rotating',
      trouble: null,
      next_rotation_at: new Date(noon).toISOString(),
    });
  });

  it('was rotated by another program has a trouble, and does not count as rotating that family', () => {
    const state = stateAfter(...held, rotated('f', 1));
    expect(shown(state)).toMatchObject({ state: 'refused', trouble: { kind: 'superseded' }, planned: [] });
    expect(derivedIn(state).unusable).toEqual({ code: 'superseded', tokenId: token });
    expect(credentialNamesByFamily(state).has('fam_f' as FamilyId)).toBe(false);
  });

  it('is being rotated has no trouble, but the replaced token is not returned', () => {
    const state = stateAfter(...held, rotationBegun('a'), rotated('f', 1));
    expect(shown(state)).toMatchObject({ state: 'rotating', trouble: null });
    expect(derivedIn(state).unusable).toEqual({ code: 'not_stored', after: null });
    expect(credentialNamesByFamily(state).get('fam_f' as FamilyId)).toBe('a');
  });

  it('does not work is not delivered until it works again', () => {
    const state = stateAfter(
      ...held,
      targetAdded('a'),
      deliveryFailed('a', noon + 99),
      moved('token.suspended', 'f'),
    );
    const [target] = derivedIn(state).targets;
    expect(nextDeliveryMs(derivedIn(state), target!, noon)).toBeNull();
    apply(state, [moved('token.resumed', 'f')]);
    expect(nextDeliveryMs(derivedIn(state), target!, noon)).toBe(noon + 99);
  });
});

it('the cached outlines for the tray follow the token, whose events change no record of a credential', () => {
  const outlines = new CachedOutlines();
  const state = stateAfter(...held);
  expect(outlines.at(state, 'ok 2', context)).toMatchObject([{ state: 'fine' }]);
  apply(state, [moved('token.suspended', 'f')]);
  expect(outlines.at(state, 'ok 3', context)).toMatchObject([{ state: 'refused', next_rotation_at: null }]);
});

it('the lifeline draws a row again when its token has changed and its record has not', () => {
  const reader = new LifelineReader();
  const state = stateAfter(...held);
  expect(planned(reader, state)).toEqual(['fine', null, true]);
  apply(state, [moved('token.suspended', 'f')]);
  expect(planned(reader, state)).toEqual(['refused', 'suspended', false]);
  apply(state, [moved('token.resumed', 'f')]);
  expect(planned(reader, state)).toEqual(['fine', null, true]);
});
