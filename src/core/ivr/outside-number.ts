/**
 * Whether menus may call an outside number: the one judgement of the checks, of live calls and of the exports.
 *
 * A number that is not certainly in an allowed country, and not certainly at the usual rates, is not called.
 */
// see decisions/outside-numbers.md
import type { OutsideRules } from '../../contract/calls/outside-calls.ts';
import type { IvrProblemParams } from '../../contract/menu/ivr-problem.ts';
import type { Settings } from '../../contract/service/settings.ts';
import { numberingPlans } from './numbering-plans.ts';

/** Why a number is not called; `country` is an ISO 3166 code, null where no country has the number. */
export type NotCalled = Extract<
  IvrProblemParams['destination_unreachable']['why'],
  { code: 'not_international' | 'no_countries' | 'other_country' | 'costly_number' | 'no_such_number' }
>;

/** ASCII digits only, whatever other digits look like; E.164 has 15 at most. */
const international = /^\+[1-9][0-9]{5,14}$/;

/** Null: it may be called. `rules` is null where they are not known: then only the number is judged. */
export function whyNotCalled(number: string, rules: OutsideRules | null): NotCalled | null {
  if (!international.test(number)) {
    return { code: 'not_international', suggested: internationalNumber(number) };
  }
  if (rules?.countries.length === 0) return { code: 'no_countries' };
  const place = placeOf(number.slice(1));
  if (place === null) return { code: 'other_country', country: null };
  const { plan, country, national } = place;
  if (rules !== null && !rules.countries.includes(country)) return { code: 'other_country', country };
  // Digits after a whole number are no way round: networks ignore them.
  if (plan.costly?.test(national)) return { code: 'costly_number', country };
  return national.length < plan.shortest || national.length > plan.longest
    ? { code: 'no_such_number', country }
    : null;
}

export function outsideRules({
  outside_countries: countries,
  outside_calls_per_hour: perHour,
}: Pick<Settings, 'outside_countries' | 'outside_calls_per_hour'>): OutsideRules {
  return { countries, perHour };
}

/** An outside number as people write it, in the form that is called; null when it has no country, or is none. */
export function internationalNumber(number: string): string | null {
  const plain = number
    .replace(/^tel:/i, '')
    .replace(/\(0\)/g, '')
    .replace(/[\s()./-]+/g, '')
    .replace(/^00(?=[1-9])/, '+');
  return international.test(plain) ? plain : null;
}

/** Whether the id of another place is written as an outside number is dialled: with `+`, or with a prefix for other countries. */
export function looksOutside(id: string): boolean {
  return /^(?:\+|9?(?:00|011))[0-9]{7,}$/.test(id);
}

interface Plan {
  readonly country: string;
  readonly shortest: number;
  readonly longest: number;
  /** The beginnings of numbers at other rates. */
  readonly costly: RegExp | null;
  readonly others: readonly { readonly country: string; readonly begins: RegExp }[];
}

let plans: ReadonlyMap<string, Plan> | null = null;

function placeOf(
  digits: string,
): { readonly plan: Plan; readonly country: string; readonly national: string } | null {
  plans ??= readPlans();
  for (const length of [1, 2, 3]) {
    const plan = plans.get(digits.slice(0, length));
    if (plan === undefined) continue;
    const national = digits.slice(length);
    const other = plan.others.find(({ begins }) => begins.test(national));
    return { plan, country: other?.country ?? plan.country, national };
  }
  return null;
}

function readPlans(): ReadonlyMap<string, Plan> {
  return new Map(
    numberingPlans
      .trim()
      .split('\n')
      .map((line) => {
        const [code = '', country = '', lengths = '', costly = '-', ...others] = line.split(' ');
        const [shortest = '', longest = ''] = lengths.split('-');
        const plan: Plan = {
          country,
          shortest: Number(shortest),
          longest: Number(longest),
          costly: costly === '-' ? null : beginning(costly),
          others: others.map((other) => ({ country: other.slice(0, 2), begins: beginning(other.slice(3)) })),
        };
        return [code, plan];
      }),
  );
}

function beginning(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})`);
}
