import { describe, expect, it } from 'vitest';
import { TokenConfiguration } from '../../../src/contract/token/token.ts';
import {
  differencesBetween,
  settings,
  verdictOf,
} from '../../../src/renderer/tokens/family/inheritance-card.tsx';
import { settingLabels, settingValue } from '../../../src/text/token/token-page.ts';

const issued: TokenConfiguration = {
  name: 'billing',
  category: 'jobs',
  validity_days: 7,
  scopes: ['ivr:read'],
  ip_restrictions: ['127.0.0.0/8', '::1'],
};

const others: { [K in keyof TokenConfiguration]: TokenConfiguration[K] } = {
  name: 'Billing',
  category: 'job',
  validity_days: 8,
  scopes: [],
  ip_restrictions: ['127.0.0.0/8'],
};

describe('what was issued beside what a generation has', () => {
  it('compares every setting that the contract knows, each under a name of its own', () => {
    expect([...settings].sort()).toEqual(Object.keys(TokenConfiguration.shape).sort());
    expect(new Set(settings.map((setting) => settingLabels[setting])).size).toBe(settings.length);
  });

  it.each(settings)('finds another %s', (setting) => {
    expect(differencesBetween(issued, { ...issued })).toEqual([]);
    expect(differencesBetween(issued, { ...issued, [setting]: others[setting] })).toEqual([setting]);
  });

  it('says that there is no difference, and of which generations', () => {
    const generations = [4, 5, 6].map((generation) => ({ ...issued, generation }));
    expect(verdictOf(issued, generations)).toEqual({
      isSame: true,
      sentences: ['No difference: tokens 4 to 6 have exactly what was issued.'],
    });
    expect(verdictOf(issued, generations.slice(2)).sentences).toEqual([
      'No difference: token 6 has exactly what was issued.',
    ]);
  });

  it('names each generation that differs and in what', () => {
    const verdict = verdictOf(issued, [
      { ...issued, generation: 1 },
      { ...issued, ...others, generation: 2 },
      { ...issued, validity_days: 90, generation: 3 },
    ]);
    expect(verdict).toEqual({
      isSame: false,
      sentences: [
        'Token 2 differs in Name, Category, Valid for, Scopes and Allowed addresses.',
        'Token 3 differs in Valid for.',
      ],
    });
  });

  it('is worded for people: an empty list is no restriction', () => {
    const words = (configuration: TokenConfiguration) =>
      settings.map((setting) => settingValue(setting, configuration));
    expect(words(issued)).toEqual(['billing', 'jobs', '7 days', 'ivr:read', '127.0.0.0/8, ::1']);
    expect(words({ ...issued, validity_days: 1, scopes: [], ip_restrictions: [] })).toEqual([
      'billing',
      'jobs',
      '1 day',
      'full access',
      'any',
    ]);
  });
});
