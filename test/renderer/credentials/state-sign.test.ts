import { describe, expect, it } from 'vitest';
import {
  credentialStates,
  isDead,
  waitsForPerson,
} from '../../../src/contract/credential/credential-view.ts';
import { stateSign } from '../../../src/renderer/credentials/state-sign.tsx';
import { credentialView, trouble } from './credential-view.ts';

const refused = (kind: 'refused' | 'invalid' | 'blacklisted') =>
  credentialView({ state: 'refused', trouble: trouble(kind) });

describe('the sign of a state', () => {
  it('has words for every state, and a shape that no calm and no failing state share', () => {
    const signs = credentialStates.map((state) => stateSign({ state, trouble: null }));
    expect(signs.every(({ words }) => words !== '')).toBe(true);
    const calm = signs.filter(({ tone }) => tone === 'good' || tone === 'accent' || tone === 'pause');
    const failing = signs.filter(({ tone }) => tone === 'bad' || tone === 'warn');
    expect(calm.filter(({ shape }) => failing.some((other) => other.shape === shape))).toEqual([]);
    expect(new Set(calm.map(({ shape }) => shape)).size).toBe(calm.length);
  });

  it('tells a refusal that passes from one that does not', () => {
    expect(stateSign(refused('refused')).words).toBe('Refused');
    expect(stateSign(refused('invalid')).words).toBe('Needs a new token');
    expect(stateSign({ ...refused('invalid'), provider: { id: 'oauth2' } }).words).toBe('Sign in again');
    expect(stateSign(refused('blacklisted')).words).toBe('Blacklisted');
    expect([isDead(refused('refused')), isDead(refused('invalid'))]).toEqual([false, true]);
  });

  it('knows what waits for a person', () => {
    const waiting = credentialStates.filter((state) => waitsForPerson({ state, trouble: null }));
    expect(waiting).toEqual(['reply_lost', 'value_missing', 'expired']);
  });
});
