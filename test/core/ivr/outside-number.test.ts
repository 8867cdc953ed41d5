import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countryCodes, OutsideCountries } from '../../../src/contract/calls/outside-calls.ts';
import { defaultDestinationRules, rulesOf } from '../../../src/contract/calls/pbx.ts';
import { freeswitchPath, routeOf, whyUnreachable } from '../../../src/core/ivr/destination-route.ts';
import { numberingPlans } from '../../../src/core/ivr/numbering-plans.ts';
import { whyNotCalled } from '../../../src/core/ivr/outside-number.ts';
import { attackNumbers } from '../../fixtures/attack-numbers.ts';

const of = (...countries: string[]) => ({ countries, perHour: 30 });
const usual = of('DE', 'GB', 'US');

// Real numbers of the regulators and of large companies, which their own pages publish.
test.each([
  ['+12024561111', 'US'],
  ['+18005551212', 'US'],
  ['+16135550123', 'CA'],
  ['+18765550123', 'JM'],
  ['+16585550123', 'JM'],
  ['+12425550123', 'BS'],
  ['+18095550123', 'DO'],
  ['+442079460958', 'GB'],
  ['+447700900123', 'JE'],
  ['+441481960194', 'GG'],
  ['+441624696300', 'IM'],
  ['+4930227350', 'DE'],
  ['+4915123456789', 'DE'],
  ['+390669812345', 'VA'],
  ['+390612345678', 'IT'],
  ['+77172123456', 'KZ'],
  ['+74951234567', 'RU'],
  ['+4779021234', 'SJ'],
  ['+262639123456', 'YT'],
])('%s is a number of %s', (number, country) => {
  for (const one of countryCodes) {
    const why = whyNotCalled(number, of(one));
    if (one === country) expect(why, one).toBeNull();
    else expect(why, one).not.toBeNull();
  }
});

describe('an outside number is not called', () => {
  test.each<[string, object]>([
    ['+19005551212', { code: 'costly_number', country: 'US' }],
    ['+12129765555', { code: 'costly_number', country: 'US' }],
    ['+4911833', { code: 'costly_number', country: 'DE' }],
    ['+4911880', { code: 'costly_number', country: 'DE' }],
    ['+49900112345678', { code: 'costly_number', country: 'DE' }],
    ['+499001123456', { code: 'costly_number', country: 'DE' }],
    ['+449098790000', { code: 'costly_number', country: 'GB' }],
    ['+447012345678', { code: 'costly_number', country: 'GB' }],
    ['+18765550123', { code: 'other_country', country: 'JM' }],
    ['+14415550123', { code: 'other_country', country: 'BM' }],
    ['+447797712345', { code: 'other_country', country: 'JE' }],
    ['+881612345678', { code: 'other_country', country: null }],
    ['+1202456111', { code: 'no_such_number', country: 'US' }],
    ['+120245611110', { code: 'no_such_number', country: 'US' }],
    ['0049 30 227350', { code: 'not_international', suggested: '+4930227350' }],
    ['+49 (0)30 227-350', { code: 'not_international', suggested: '+4930227350' }],
    ['030227350', { code: 'not_international', suggested: null }],
  ])('%s: %j', (number, why) => {
    expect(whyNotCalled(number, usual)).toEqual(why);
  });

  test('while no country is allowed, whatever it is', () => {
    expect(whyNotCalled('+4930227350', of())).toEqual({ code: 'no_countries' });
    expect(whyNotCalled('+4930227350', null)).toBeNull();
  });

  test.each(attackNumbers)('%j, which somebody tries who wants to be called at our cost', (id) => {
    for (const rules of Object.values(rulesOf)) {
      expect(routeOf(`number||${id}`, rules, usual).kind).toBe('none');
    }
    expect(freeswitchPath(`number||${id}`, usual)).toEqual([]);
    expect(whyUnreachable(`number||${id}`, usual)).not.toBeNull();
  });

  test('if it is not in a country that is allowed, for any text', () => {
    const digits = fc.stringMatching(/^\+?[0-9*#]{1,20}$/);
    fc.assert(
      fc.property(fc.oneof(fc.string({ maxLength: 30 }), digits), (id) => {
        const to = routeOf(`number||${id}`, defaultDestinationRules, of('DE'));
        if (to.kind !== 'none') expect(id).toMatch(/^\+49[0-9]{4,13}$/);
      }),
      { numRuns: 2000 },
    );
  });
});

test('each country of a numbering plan can be allowed, and no other', () => {
  const planned = numberingPlans.matchAll(/(?<= )[A-Z]{2}(?=[ =])/g);
  expect(new Set(Array.from(planned, ([code]) => code))).toEqual(new Set(countryCodes));
  expect(OutsideCountries.parse([' us', 'DE', 'US'])).toEqual(['DE', 'US']);
  expect(OutsideCountries.safeParse(['UK']).success).toBe(false);
  expect(OutsideCountries.safeParse(['+49']).success).toBe(false);
});

test.each([
  ['{id}', '+4930227350'],
  ['00{digits}', '004930227350'],
  ['9011{digits}', '90114930227350'],
])('the rule %s dials %s', (extension, dialled) => {
  const rules = { number: { context: 'trunk', extension } };
  expect(routeOf('number||+4930227350', rules, usual)).toEqual({
    kind: 'outside',
    context: 'trunk',
    extension: dialled,
  });
});
