import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CredentialName } from '../../../src/contract/credential/credential.ts';
import { readNumber } from '../../../src/renderer/kit/form.tsx';
import { credentialNameOf, hostOf } from '../../../src/renderer/credentials/credential-name.ts';
import { completeRules, readRules } from '../../../src/renderer/tokens/issue-fields.tsx';

it.each([
  ['https://api.example.com/v2', 'api.example.com'],
  [' http://127.0.0.1:7682', '127.0.0.1'],
  ['api.example.com', ''],
  ['https://', ''],
])('the name of a credential of %s begins as %j', (address, name) => {
  expect(credentialNameOf(hostOf(address))).toBe(name);
});

describe('the issue form', () => {
  it('reads rules with white space or commas between them', () => {
    expect(readRules(' 10.0.0.0/8,::1\n192.168.0.1  ')).toEqual(['10.0.0.0/8', '::1', '192.168.0.1']);
    expect(completeRules('10.0.0.0/8 ::')).toEqual(['10.0.0.0/8']);
    expect(completeRules('10.0.0.0/8\n')).toEqual(['10.0.0.0/8']);
  });

  it('reads a whole number of days, and nothing else as one', () => {
    expect(readNumber(' 45 ')).toBe(45);
    expect(readNumber('')).toBeUndefined();
    for (const typed of ['7.5', '1e1', '-1', 'seven']) expect(readNumber(typed)).toBeNaN();
  });

  it('suggests a credential name that the service takes, whatever the token is called', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.constantFrom('', 'a', '7'), (name, letter) => {
        const suggested = credentialNameOf(`${name}${letter}`);
        expect(suggested === '' || CredentialName.safeParse(suggested).success).toBe(true);
        if (letter !== '') expect(suggested).not.toBe('');
      }),
    );
  });
});
