import { describe, expect, it } from 'vitest';
import { credentialStates, isDead, troubleKinds } from '../../../src/contract/credential-view.ts';
import { stateSign, waitsForPerson } from '../../../src/renderer/credentials/state-words.ts';
import { waysOut } from '../../../src/renderer/credentials/ways-out.ts';
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
    expect(stateSign(refused('blacklisted')).words).toBe('Blacklisted');
    expect([isDead(refused('refused')), isDead(refused('invalid'))]).toEqual([false, true]);
  });

  it('knows what waits for a person', () => {
    const waiting = credentialStates.filter((state) => waitsForPerson({ state, trouble: null }));
    expect(waiting).toEqual(['reply_lost', 'value_missing', 'expired']);
  });
});

describe('the ways out', () => {
  it('are none while all is well, also when only a delivery fails', () => {
    expect(waysOut(credentialView())).toEqual([]);
    expect(waysOut(credentialView({ state: 'delivery_failing' }))).toEqual([]);
  });

  it('are to issue it again here, or to bring one, for a token of this service', () => {
    const here = { state: 'expired' as const, family_id: 'fam_1' as never };
    expect(waysOut(credentialView(here)).map(({ kind }) => kind)).toEqual(['reissue', 'paste']);
    expect(waysOut(credentialView({ state: 'expired' })).map(({ kind }) => kind)).toEqual(['paste']);
  });

  it('name the portal of another service without the path of its API', () => {
    const there = { service: 'remote' as const, base_url: 'https://api.example.com/pbx/v3' };
    const ways = waysOut(credentialView({ ...there, state: 'reply_lost', trouble: trouble('reply_lost') }));
    expect(ways).toEqual([{ kind: 'paste' }, { kind: 'portal', origin: 'https://api.example.com' }]);
  });

  it('lead to the family of a token that is refused for now, which may be suspended', () => {
    const one = { ...refused('refused'), family_id: 'fam_1' as never };
    expect(waysOut(one).map(({ kind }) => kind)).toEqual(['family', 'retry']);
  });

  it('are there for every trouble', () => {
    for (const kind of troubleKinds)
      expect(waysOut(credentialView({ state: 'failing', trouble: trouble(kind) }))).not.toEqual([]);
  });
});
