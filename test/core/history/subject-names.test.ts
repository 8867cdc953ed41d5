import { describe, expect, it } from 'vitest';
import { subjectNames } from '../../../src/core/history/name-of-subject.ts';
import { credentialAdded, credentialIdNamed } from '../../fixtures/credential-events.ts';
import { configuration, issued, moved } from '../../fixtures/make-events.ts';
import { stateAfter } from '../credential/credential-state.ts';

const embedded = credentialAdded('a', { base_url: null });

describe('the name of what an event is about', () => {
  it('is, of a token, the name of the credential that rotates it with its own beside it', () => {
    const nameOf = subjectNames(stateAfter(issued('a'), issued('b'), embedded));
    expect(nameOf('fam_a')).toBe(`a (${configuration.name})`);
    expect(nameOf('fam_b')).toBe(configuration.name);
    expect(nameOf(credentialIdNamed('a'))).toBe('a');
    expect(nameOf('fam_none')).toBeUndefined();
  });

  it('is written once where both have the same', () => {
    const same = credentialAdded('a', { base_url: null, name: configuration.name });
    expect(subjectNames(stateAfter(issued('a'), same))('fam_a')).toBe(configuration.name);
  });

  it('is its own where the credential rotates it no more', () => {
    const nameOf = subjectNames(stateAfter(issued('a'), embedded, moved('token.blacklisted', 'a')));
    expect(nameOf('fam_a')).toBe(configuration.name);
  });
});
