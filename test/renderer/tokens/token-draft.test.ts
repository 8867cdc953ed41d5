import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CredentialName } from '../../../src/contract/credential.ts';
import { IssueToken } from '../../../src/contract/token.ts';
import {
  credentialNameOf,
  draftErrorsOf,
  emptyDraft,
  finishedRules,
  ipRulesOf,
  readDraft,
} from '../../../src/renderer/tokens/token-draft.ts';

const named = { ...emptyDraft, name: 'billing-sync' };

describe('the issue form', () => {
  it('asks for seven days, no scopes and any address unless it says otherwise', () => {
    const { order, errors } = readDraft(named);
    expect(errors).toEqual({});
    expect(order.credentialName).toBeNull();
    expect(IssueToken.parse(order.body)).toEqual({
      name: 'billing-sync',
      category: 'general',
      validity_days: 7,
      scopes: [],
      ip_restrictions: [],
    });
  });

  it('reads rules with white space or commas between them', () => {
    expect(ipRulesOf(' 10.0.0.0/8,::1\n192.168.0.1  ')).toEqual(['10.0.0.0/8', '::1', '192.168.0.1']);
    expect(finishedRules('10.0.0.0/8 ::')).toBe('10.0.0.0/8 ');
    expect(finishedRules('10.0.0.0/8\n')).toBe('10.0.0.0/8\n');
  });

  it('says the first rule that is wrong by its own words', () => {
    const { errors } = readDraft({ ...named, ipRules: '10.0.0.0/8 here 10.0.0.0/33' });
    expect(errors).toEqual({
      ipRules: '“here” must be an address or a CIDR range, such as 10.0.0.0/8 or ::1.',
    });
  });

  for (const customDays of ['', '0', '91', '7.5', '1e1', '-1', 'seven']) {
    it(`takes no “${customDays}” for a number of days`, () => {
      const { errors } = readDraft({ ...named, validity: 'custom', customDays });
      expect(errors).toEqual({ validity: 'The validity must be a whole number of days from 1 to 90.' });
    });
  }

  it('looks at the other number of days only when that is chosen', () => {
    expect(readDraft({ ...named, customDays: 'seven' }).errors).toEqual({});
    expect(readDraft({ ...named, validity: 'custom', customDays: ' 45 ' }).order.body.validity_days).toBe(45);
  });

  it('suggests a name to keep it fresh under that the service takes, whatever the token is called', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.constantFrom('', 'a', '7'), (name, letter) => {
        const suggested = credentialNameOf({ ...emptyDraft, name: `${name}${letter}` });
        expect(suggested === '' || CredentialName.safeParse(suggested).success).toBe(true);
        if (letter !== '') expect(suggested).not.toBe('');
      }),
    );
  });

  it('needs a name to keep it fresh under, and only then', () => {
    const draft = { ...named, credentialName: '-no-' };
    expect(readDraft(draft).errors).toEqual({});
    expect(readDraft({ ...draft, isKeptFresh: true }).errors.credentialName).toMatch(/begin with a letter/);
  });

  it('puts each error of the service at its field, and leaves what has none', () => {
    const { body } = readDraft({ ...named, ipRules: '::1 here' }).order;
    const errors = draftErrorsOf(
      [
        { field: 'name', message: 'must not be this' },
        { field: 'name', message: 'must not be that' },
        { field: 'ip_restrictions[1]', message: 'must be there' },
        { field: 'colour', message: 'is not a field of this request' },
      ],
      body,
    );
    expect(errors).toEqual({ name: 'The name must not be this.', ipRules: '“here” must be there.' });
  });
});
