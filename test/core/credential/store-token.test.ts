import { describe, expect, it } from 'vitest';
import {
  addCredential,
  completeRotation,
  type StoredToken,
  removeCredential,
  replaceValue,
} from '../../../src/core/credential/store-token.ts';
import { dayMs } from '../../../src/core/token/token-record.ts';
import {
  credentialAdded,
  credentialIdNamed,
  credentialPaused,
  deliveryFailed,
  policy,
  remoteUrl,
  rotationBegun,
  rotationFailed,
  targetAdded,
  valueTaken,
} from '../../fixtures/credential-events.ts';
import { digest, noon } from '../../fixtures/make-events.ts';
import { apply, credentialIn, stateAfter } from './credential-state.ts';

const stored: StoredToken = {
  fingerprint: digest('new'),
  lifetime: { obtainedAtMs: noon + dayMs, expiresAtMs: noon + 8 * dayMs },
  validityDays: 7,
};

describe('adding a credential', () => {
  const command = { id: credentialIdNamed('a'), name: 'a', baseUrl: remoteUrl, policy, stored };

  it('starts it with its first token and no trouble', () => {
    const state = stateAfter();
    const { events, value } = addCredential(state, command);
    expect(value).toEqual({ ok: true, value: credentialIdNamed('a') });
    apply(state, events);
    expect(credentialIn(state)).toEqual({
      id: credentialIdNamed('a'),
      name: 'a',
      provider: { id: 'rotavox', inputs: {} },
      standby: null,
      heldSinceMs: null,
      expiryAssumed: null,
      upstreamId: null,
      retiring: [],
      baseUrl: remoteUrl,
      policy,
      generation: 1,
      canRotate: null,
      fingerprint: stored.fingerprint,
      validityDays: 7,
      lifetime: stored.lifetime,
      pastTokens: [],
      pause: null,
      rotation: null,
      trouble: null,
      lastRotatedAtMs: null,
      targets: [],
    });
  });

  it('is refused if the name exists with other capitals, because some keychains ignore case', () => {
    const state = stateAfter(credentialAdded('nightly'));
    expect(addCredential(state, { ...command, name: 'Nightly' })).toMatchObject({
      events: [],
      value: { ok: false, refusal: { problem: 'conflict' } },
    });
  });

  it('is refused for a token that another one keeps: the first rotation of one would end the other', () => {
    const state = stateAfter();
    apply(state, addCredential(state, command).events);
    const again = { ...command, id: credentialIdNamed('b'), name: 'b', baseUrl: null };
    expect(addCredential(state, again)).toMatchObject({
      events: [],
      value: {
        ok: false,
        refusal: {
          problem: 'conflict',
          reason: { code: 'token_taken', name: 'a' },
        },
      },
    });
  });

  it('is the owner’s doing, and its history has no fingerprint to read', () => {
    const [event] = addCredential(stateAfter(), command).events;
    expect(event).toMatchObject({ subject: credentialIdNamed('a'), actor: { kind: 'owner' } });
    expect(JSON.stringify(event?.data)).not.toContain(stored.fingerprint);
  });

  it('refuses a name that is taken, whatever else differs', () => {
    const state = stateAfter(credentialAdded('a'));
    expect(addCredential(state, { ...command, id: credentialIdNamed('other'), baseUrl: null })).toEqual({
      events: [],
      value: {
        ok: false,
        refusal: {
          problem: 'conflict',
          reason: { code: 'name_taken', name: 'a' },
        },
      },
    });
  });

  it('takes a name that was given up', () => {
    const state = stateAfter(credentialAdded('a'));
    apply(state, removeCredential(state, credentialIdNamed('a')).events);
    expect(addCredential(state, command).value).toMatchObject({ ok: true });
  });
});

describe('giving a credential a new token', () => {
  it('is refused for a token that another one has, and not for its own', () => {
    const state = stateAfter(credentialAdded('a'), credentialAdded('b'));
    const give = (name: string) =>
      replaceValue(state, 'b', { stored: { ...stored, fingerprint: digest(name) }, cause: 'pasted' });
    expect(give('a')).toMatchObject({ events: [], value: { ok: false, refusal: { problem: 'conflict' } } });
    expect(give('b').value.ok).toBe(true);
  });

  const inTrouble = [
    credentialAdded('a'),
    targetAdded('a'),
    credentialPaused('a'),
    rotationBegun('a'),
    rotationFailed('a', 'reply_lost', { mayHaveActed: true }),
    deliveryFailed('a', null),
  ];

  it.each(['pasted', 'reissued'] as const)('%s: ends the open rotation and every trouble', (cause) => {
    const state = stateAfter(...inTrouble);
    const before = credentialIn(state);
    const { events, value } = replaceValue(state, 'a', { stored, cause });
    expect(value).toEqual({ ok: true, value: before.id });
    expect(events).toMatchObject([{ actor: { kind: 'owner' }, data: { cause, generation: 2 } }]);
    apply(state, events);
    expect(credentialIn(state)).toEqual({
      ...before,
      generation: 2,
      fingerprint: stored.fingerprint,
      validityDays: 7,
      lifetime: stored.lifetime,
      pastTokens: [{ ...before.lifetime, endedAtMs: noon, end: 'replaced' }],
      rotation: null,
      trouble: null,
      // A failure was about the previous token.
      targets: [{ ...before.targets[0], failure: null }],
    });
  });

  it('leaves out of the account when it was last rotated', () => {
    const state = stateAfter(credentialAdded('a'), rotationBegun('a'), valueTaken('a', 2));
    apply(state, replaceValue(state, 'a', { stored, cause: 'pasted' }).events, noon + dayMs);
    expect(credentialIn(state).lastRotatedAtMs).toBe(noon);
  });

  it('is refused for a token that another record has in the form of an older version', () => {
    const state = stateAfter(credentialAdded('a'), credentialAdded('b'));
    const keyed = { ...stored, fingerprint: 'h1.key', alike: [digest('a'), 'h1.key'] };
    const refusal = { problem: 'conflict', reason: { code: 'token_taken', name: 'a' } };
    expect(replaceValue(state, 'b', { stored: keyed, cause: 'pasted' }).value).toMatchObject({ refusal });
    expect(
      addCredential(state, { id: credentialIdNamed('c'), name: 'c', baseUrl: null, stored: keyed }).value,
    ).toMatchObject({ refusal });
  });

  it('that is its own records the newer form, and revokes nothing', () => {
    const state = stateAfter(credentialAdded('a'));
    const keyed = { ...stored, fingerprint: 'h1.key', alike: [digest('a'), 'h1.key'] };
    const retireByMs = noon + dayMs;
    apply(state, replaceValue(state, 'a', { stored: keyed, cause: 'pasted', retireByMs }).events);
    expect(credentialIn(state)).toMatchObject({ fingerprint: 'h1.key', retiring: [] });
  });

  it('is refused where there is none of that name', () => {
    expect(replaceValue(stateAfter(credentialAdded('a')), 'b', { stored, cause: 'pasted' })).toEqual({
      events: [],
      value: {
        ok: false,
        refusal: {
          problem: 'not_found',
          reason: { code: 'no_credential', name: 'b' },
        },
      },
    });
  });
});

describe('removing a credential', () => {
  it('takes its record away', () => {
    const state = stateAfter(credentialAdded('a'), credentialAdded('b'));
    const { events, value } = removeCredential(state, credentialIdNamed('a'));
    expect([value, events.length]).toEqual([{ ok: true, value: null }, 1]);
    apply(state, events);
    expect([...state.credentials.keys()]).toEqual([credentialIdNamed('b')]);
  });

  it('that is gone already changes nothing', () => {
    expect(removeCredential(stateAfter(), credentialIdNamed('a'))).toEqual({
      events: [],
      value: { ok: true, value: null },
    });
  });
});

describe('finishing a rotation', () => {
  const begun = [credentialAdded('a'), rotationBegun('a')];

  it('puts the new token in the place of the old one and closes the intent', () => {
    const state = stateAfter(...begun, rotationFailed('a', 'unreachable', { nextTryMs: noon + 1 }));
    const { events, value } = completeRotation(state, credentialIdNamed('a'), {
      idempotencyKey: 'key-1',
      stored,
    });
    expect(value).toBe(true);
    expect(events).toMatchObject([{ kind: 'credential.rotated', actor: { kind: 'system' } }]);
    apply(state, events, noon + 5);
    expect(credentialIn(state)).toMatchObject({
      generation: 2,
      fingerprint: stored.fingerprint,
      lifetime: stored.lifetime,
      rotation: null,
      trouble: null,
      lastRotatedAtMs: noon + 5,
    });
  });

  it.each([
    ['another key is open', [...begun], 'key-2'],
    ['none is open', [credentialAdded('a')], 'key-1'],
    ['somebody brought a value meanwhile', [...begun, valueTaken('a', 2, 'pasted')], 'key-1'],
    ['it was removed meanwhile', [credentialAdded('b')], 'key-1'],
  ])('changes nothing when %s: theirs is the last word', (_when, events, idempotencyKey) => {
    const state = stateAfter(...events);
    expect(completeRotation(state, credentialIdNamed('a'), { idempotencyKey, stored })).toEqual({
      events: [],
      value: false,
    });
  });

  it('of a token that is not the next one is a broken history', () => {
    const state = stateAfter(credentialAdded('a'));
    expect(() => {
      apply(state, [valueTaken('a', 3)]);
    }).toThrow('gets its next value');
  });

  it.each([
    ['that nobody added', [], credentialPaused('a')],
    ['that was removed', removed(), rotationBegun('a')],
  ])('of a credential %s is a broken history, as any event of it is', (_which, before, event) => {
    expect(() => {
      stateAfter(...before, event);
    }).toThrow('credential cred_a is known');
  });
});

function removed() {
  const state = stateAfter(credentialAdded('a'));
  return [credentialAdded('a'), ...removeCredential(state, credentialIdNamed('a')).events];
}
