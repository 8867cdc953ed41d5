import { describe, expect, it } from 'vitest';
import type { DeliveryTarget } from '../../../src/contract/credential/credential.ts';
import {
  addTarget,
  changeHelper,
  changePolicy,
  pauseCredential,
  removeTarget,
  resumeCredential,
} from '../../../src/core/credential/change-credential.ts';
import { isPaused } from '../../../src/core/credential/credential-state.ts';
import type { State } from '../../../src/core/state.ts';
import {
  credentialAdded,
  credentialIdNamed,
  credentialPaused,
  fileTarget,
  policy,
  targetAdded,
  targetIdNamed,
  targetsOfEveryKind,
} from '../../fixtures/credential-events.ts';
import { noon } from '../../fixtures/make-events.ts';
import { apply, credentialIn, stateAfter } from './credential-state.ts';

const added = credentialAdded('a');
const id = credentialIdNamed('a');
const newTarget = targetIdNamed('new');

describe('a change of a credential', () => {
  const changes: [string, (state: State, name: string) => ReturnType<typeof pauseCredential>][] = [
    ['a pause', (state, name) => pauseCredential(state, name, noon + 1000, noon)],
    ['a change of policy', (state, name) => changePolicy(state, name, { fraction: 0.3 })],
    ['one target more', (state, name) => addTarget(state, name, newTarget, targetsOfEveryKind[1]!)],
    ['one target less', (state, name) => removeTarget(state, name, targetIdNamed('x'))],
    ['an end of its pause', (state, name) => resumeCredential(state, name)],
  ];

  it.each(changes)('%s is one event by the owner on that credential', (_what, decide) => {
    const state = stateAfter(added, credentialAdded('b'), targetAdded('a'), credentialPaused('a'));
    const { events, value } = decide(state, 'a');
    expect(value).toEqual({ ok: true, value: id });
    expect(events).toMatchObject([{ subject: id, actor: { kind: 'owner' }, data: { credential_id: id } }]);
  });

  it.each(changes)('%s is refused where there is none of that name', (_what, decide) => {
    const state = stateAfter(added, targetAdded('a'));
    for (const name of ['b', 'A', '', '__proto__']) {
      expect(decide(state, name)).toEqual({
        events: [],
        value: {
          ok: false,
          refusal: {
            problem: 'not_found',
            reason: { code: 'no_credential', name },
          },
        },
      });
    }
  });

  it('names what was asked for in its refusal, but not at any length', () => {
    const { value } = resumeCredential(stateAfter(), 'x'.repeat(500));
    expect(value).toMatchObject({
      refusal: { reason: { code: 'no_credential', name: 'x'.repeat(63) } },
    });
  });
});

describe('a pause', () => {
  it.each([
    ['without an end', null, [true, true, true]],
    ['until an instant', noon + 1000, [true, true, false]],
  ])('%s', (_kind, untilMs, expected) => {
    const state = stateAfter(added);
    apply(state, pauseCredential(state, 'a', untilMs, noon).events);
    const instants = [noon, noon + 999, noon + 1000];
    expect(instants.map((atMs) => isPaused(credentialIn(state), atMs))).toEqual(expected);
  });

  it.each([noon, noon - 1])('until an instant that is not in the future is refused: %d', (untilMs) => {
    expect(pauseCredential(stateAfter(added), 'a', untilMs, noon)).toEqual({
      events: [],
      value: {
        ok: false,
        refusal: { problem: 'bad_request', field: 'until', reason: { code: 'not_in_future' } },
      },
    });
  });

  it('takes the place of the one before, and ends with a resume', () => {
    const state = stateAfter(added, credentialPaused('a'));
    apply(state, pauseCredential(state, 'a', noon + 5, noon).events);
    expect(credentialIn(state).pause).toEqual({ untilMs: noon + 5 });
    apply(state, resumeCredential(state, 'a').events);
    expect(credentialIn(state).pause).toBeNull();
  });

  it.each([null, noon + 5])('that is already in effect, until %s, is not recorded again', (untilMs) => {
    const state = stateAfter(added);
    apply(state, pauseCredential(state, 'a', untilMs, noon).events);
    const again = pauseCredential(state, 'a', untilMs, noon);
    expect(again).toEqual({ events: [], value: { ok: true, value: id } });
  });

  it('that is not in effect needs no resume: nothing is recorded', () => {
    expect(resumeCredential(stateAfter(added), 'a')).toEqual({ events: [], value: { ok: true, value: id } });
  });
});

describe('a change of policy', () => {
  const hours = { from: '02:00', to: '05:00' };
  it.each([
    [{ fraction: 0.3 }, { ...policy, fraction: 0.3 }],
    [{ preferred_hours: hours }, { ...policy, preferred_hours: hours }],
    [
      { fraction: 0.3, preferred_hours: hours },
      { fraction: 0.3, preferred_hours: hours },
    ],
    [{}, policy],
  ])('%j changes what it names and nothing else', (wanted, expected) => {
    const state = stateAfter(added);
    apply(state, changePolicy(state, 'a', wanted).events);
    expect(credentialIn(state).policy).toEqual(expected);
  });

  it.each([{}, { fraction: policy.fraction }, { preferred_hours: null }])(
    'to what it is already, %j, is not written down',
    (wanted) => {
      expect(changePolicy(stateAfter(added), 'a', wanted)).toEqual({
        events: [],
        value: { ok: true, value: id },
      });
    },
  );

  it('wants a validity until null takes that away, and says so where the service cannot be asked', () => {
    const state = stateAfter(added);
    apply(state, changePolicy(state, 'a', { validity_days: 90 }).events);
    expect(credentialIn(state).policy).toEqual({ ...policy, validity_days: 90 });
    apply(state, changePolicy(state, 'a', { fraction: 0.3 }).events);
    expect(credentialIn(state).policy).toMatchObject({ validity_days: 90 });
    apply(state, changePolicy(state, 'a', { validity_days: null }).events);
    expect(credentialIn(state).policy).toEqual({ ...policy, fraction: 0.3 });

    const provider = { id: 'gitlab', inputs: { kind: 'runner' } };
    const runner = stateAfter(credentialAdded('a', { provider, base_url: 'https://gitlab.com' }));
    const reason = { code: 'no_validity', service: 'https://gitlab.com' };
    expect(changePolicy(runner, 'a', { validity_days: 90, fraction: 0.3 })).toMatchObject({
      events: [],
      value: { ok: false, refusal: { problem: 'bad_request', field: 'validity_days', reason } },
    });
    expect(changePolicy(runner, 'a', { validity_days: null }).value.ok).toBe(true);
  });

  it('takes preferred hours away with null', () => {
    const state = stateAfter(credentialAdded('a', { policy: { fraction: 0.5, preferred_hours: hours } }));
    apply(state, changePolicy(state, 'a', { preferred_hours: null }).events);
    expect(credentialIn(state).policy).toEqual({ fraction: 0.5, preferred_hours: null });
  });
});

describe('a delivery target', () => {
  it.each(targetsOfEveryKind)('of kind $kind is owed the current token from the beginning', (target) => {
    const state = stateAfter(added);
    apply(state, addTarget(state, 'a', newTarget, target).events);
    expect(credentialIn(state).targets).toEqual([
      { id: newTarget, target, generation: 0, deliveredAtMs: null, note: null, failure: null },
    ]);
  });

  const hook = targetsOfEveryKind[3] as Extract<DeliveryTarget, { kind: 'hook' }>;
  it.each<[string, DeliveryTarget, DeliveryTarget]>([
    ['the same file', fileTarget, { kind: 'file', path: '/srv/app/token' }],
    ['the same variable', targetsOfEveryKind[1]!, { ...targetsOfEveryKind[1]! }],
    ['the same entry', targetsOfEveryKind[2]!, { kind: 'keychain', account: 'me', service: 'app' }],
    ['the same command', hook, { ...hook }],
  ])('is refused when it is %s', (_which, first, second) => {
    const state = stateAfter(added, targetAdded('a', first));
    expect(addTarget(state, 'a', newTarget, second)).toEqual({
      events: [],
      value: {
        ok: false,
        refusal: { problem: 'conflict', reason: { code: 'target_exists', name: 'a' } },
      },
    });
  });

  it.each<[string, DeliveryTarget, DeliveryTarget]>([
    ['another file', fileTarget, { kind: 'file', path: '/srv/app/other' }],
    [
      'another variable of the file',
      { kind: 'dotenv', path: '/e', variable: 'A' },
      { kind: 'dotenv', path: '/e', variable: 'B' },
    ],
    [
      'another value of the file',
      { kind: 'setting', path: '/e.json', key: 'a.b' },
      { kind: 'setting', path: '/e.json', key: 'a.c' },
    ],
    ['another account', targetsOfEveryKind[2]!, { kind: 'keychain', service: 'app', account: 'you' }],
    ['another argument', hook, { ...hook, command: ['notify', '-y'] }],
    [
      'an entry with names that run together',
      { kind: 'keychain', service: 'a', account: 'b c' },
      { kind: 'keychain', service: 'a b', account: 'c' },
    ],
  ])('is taken when it is %s', (_which, first, second) => {
    const state = stateAfter(added, targetAdded('a', first));
    expect(addTarget(state, 'a', newTarget, second).value).toEqual({ ok: true, value: id });
  });

  const dotenv = (variable: string): DeliveryTarget => ({ kind: 'dotenv', path: '/e', variable });
  const setting = (key: string, path = '/e.json'): DeliveryTarget => ({ kind: 'setting', path, key });
  const whole: DeliveryTarget = { kind: 'file', path: '/e' };
  it.each<[string, string, DeliveryTarget, DeliveryTarget]>([
    ['a file where there is a variable', 'a', dotenv('A'), whole],
    ['a variable where there is a whole file', 'a', whole, dotenv('A')],
    ['the file of another credential', 'b', fileTarget, fileTarget],
    ['the variable of another credential', 'b', dotenv('A'), dotenv('A')],
    ['the whole file of variables of another credential', 'b', dotenv('A'), whole],
    ['the same value of a settings file', 'b', setting('a.b'), setting('"a"."b"')],
    ['the whole of a settings file', 'b', setting('a.b'), { kind: 'file', path: '/e.json' }],
    [
      'a variable that is also a value',
      'b',
      dotenv('A'),
      { kind: 'setting', path: '/e', format: 'ini', key: 'A' },
    ],
    ['the keychain entry of another credential', 'b', targetsOfEveryKind[2]!, targetsOfEveryKind[2]!],
  ])('is refused when one token would be written over another: %s', (_which, name, first, second) => {
    const state = stateAfter(added, credentialAdded('b'), targetAdded('a', first));
    expect(addTarget(state, name, newTarget, second)).toEqual({
      events: [],
      value: {
        ok: false,
        refusal: { problem: 'conflict', reason: { code: 'target_taken', name: 'a' } },
      },
    });
  });

  it('may be beside that of another credential, and a command may run for both', () => {
    const state = stateAfter(
      added,
      credentialAdded('b'),
      targetAdded('a', dotenv('A')),
      targetAdded('a', hook, 'h'),
    );
    expect(addTarget(state, 'b', newTarget, dotenv('B')).value).toMatchObject({ ok: true });
    expect(addTarget(state, 'b', newTarget, hook).value).toMatchObject({ ok: true });
  });

  it('is refused as the fifty-first', () => {
    const fifty = Array.from({ length: 50 }, (_, place) =>
      targetAdded('a', { kind: 'file', path: `/f${place}` }, `f${place}`),
    );
    const target: DeliveryTarget = { kind: 'file', path: '/one-more' };
    expect(addTarget(stateAfter(added, ...fifty.slice(1)), 'a', newTarget, target).value.ok).toBe(true);
    expect(addTarget(stateAfter(added, ...fifty), 'a', newTarget, target)).toEqual({
      events: [],
      value: {
        ok: false,
        refusal: { problem: 'conflict', reason: { code: 'too_many_targets', name: 'a', limit: 50 } },
      },
    });
  });

  it('goes when it is removed, and the others stay', () => {
    const state = stateAfter(added, targetAdded('a'), targetAdded('a', targetsOfEveryKind[1], 'y'));
    apply(state, removeTarget(state, 'a', targetIdNamed('x')).events);
    expect(credentialIn(state).targets.map((target) => target.id)).toEqual([targetIdNamed('y')]);
  });

  it('of another credential, or of none, cannot be removed', () => {
    const state = stateAfter(added, credentialAdded('b'), targetAdded('b'));
    for (const targetId of [targetIdNamed('x'), 'tgt_none']) {
      expect(removeTarget(state, 'a', targetId)).toEqual({
        events: [],
        value: {
          ok: false,
          refusal: {
            problem: 'not_found',
            reason: { code: 'no_target', name: 'a' },
          },
        },
      });
    }
  });
});

describe('the recovery credential of another one', () => {
  const url = 'http://127.0.0.1:7682';
  const gitlab = (name: string, inputs: Record<string, string>, more: object = {}) => {
    const event = credentialAdded(name);
    const provider = { id: 'gitlab', inputs };
    return { ...event, data: { ...event.data, provider, base_url: 'https://gitlab.com', ...more } };
  };
  const personal = { kind: 'personal' };
  const state = stateAfter(
    gitlab('a', personal),
    gitlab('helper', personal),
    gitlab('elsewhere', personal, { base_url: 'https://git.example.com' }),
    gitlab('runner', { kind: 'runner' }),
    credentialAdded('other'),
  );
  const wanted = (credential: string | null, input = 'recovery') => ({ input, credential });

  it('is chosen, kept, and removed', () => {
    const chosen = changeHelper(state, 'a', wanted('helper'), url);
    expect(chosen.events).toMatchObject([{ data: { inputs: { kind: 'personal', recovery: 'helper' } } }]);
    const after = stateAfter(gitlab('a', { ...personal, recovery: 'helper' }), gitlab('helper', personal));
    expect(changeHelper(after, 'a', wanted('helper'), url).events).toEqual([]);
    expect(changeHelper(after, 'a', wanted(null), url).events).toMatchObject([
      { data: { inputs: personal } },
    ]);
  });

  it.each([
    ['elsewhere', 'no_helper'],
    ['other', 'no_helper'],
    ['nobody', 'no_helper'],
    ['a', 'own_helper'],
  ])('cannot be %s', (credential, code) => {
    expect(changeHelper(state, 'a', wanted(credential), url)).toMatchObject({
      events: [],
      value: { refusal: { problem: 'bad_request', field: 'credential', reason: { code } } },
    });
  });

  it.each([
    ['runner', 'recovery'],
    ['other', 'recovery'],
    ['a', 'kind'],
  ])('is no input of %s: %s', (name, input) => {
    expect(changeHelper(state, name, wanted('helper', input), url)).toMatchObject({
      value: { refusal: { field: 'input', reason: { code: 'no_helper_input' } } },
    });
  });
});
