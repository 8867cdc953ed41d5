import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../../../src/contract/history/audit-event.ts';
import type { FamilyId } from '../../../src/contract/token/token.ts';
import { CachedOutlines } from '../../../src/core/credential/cached-outlines.ts';
import { nextDeliveryMs } from '../../../src/core/credential/next-action.ts';
import { viewCredential } from '../../../src/core/credential/view-credential.ts';
import { LifelineReader } from '../../../src/core/lifeline/lifeline-reader.ts';
import type { State } from '../../../src/core/state.ts';
import { credentialNamesByFamily } from '../../../src/core/token/view-token.ts';
import {
  credentialAdded,
  deliveryFailed,
  rotationBegun,
  rotationFailed,
  targetAdded,
} from '../../fixtures/credential-events.ts';
import { digest, issued, moved, noon, rotated, tokenIdNamed } from '../../fixtures/make-events.ts';
import { apply, credentialIn, describeProblem, derivedIn, stateAfter } from './credential-state.ts';

const context = {
  nowMs: noon,
  zone: () => 0,
  embeddedUrl: 'http://127.0.0.1:7682',
  describe: describeProblem,
};
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
