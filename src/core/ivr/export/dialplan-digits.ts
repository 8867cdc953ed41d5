/** Keys of several digits and direct dial in the dialplan: which extension a menu has for what callers enter. */
import {
  dialPatterns,
  isDialable,
  isHouseNumber,
  longerEntry,
  servicePatterns,
  takesDigits,
} from '../call/dialable.ts';
import type { Flow, FlowMenu } from '../flow.ts';

/**
 * What happens once Asterisk has collected what an extension matches.
 *
 * `lead`: a key of the menu. `dial`: a number that callers may dial. `wrong`: the beginning of an entry, and nothing came after it.
 * `too_far`: nothing that is an entry or begins one; the rest of it is still to come.
 */
export type DialledAction = 'lead' | 'dial' | 'wrong' | 'too_far';

/**
 * The extensions of a menu that takes several digits, with their actions: exact ones, and patterns with their `_`.
 *
 * Asterisk collects digits for as long as a longer extension may match, and then takes the most specific one that does (main/pbx.c). So
 * every beginning of an entry is an extension, too: what matches none is too far at once. `#` ends a number, but is a digit to
 * Asterisk: what may go on has an extension with `#` at its end.
 */
export function dialledExtensions(
  menu: FlowMenu,
  extensions: Flow['extensions'],
): ReadonlyMap<string, DialledAction> {
  const actions = new Map<string, DialledAction>();
  if (!takesDigits(menu)) return new Map(Array.from(menu.keys.keys(), (key) => [key, 'lead']));
  const add = (extension: string, action: DialledAction, goesOn: boolean): void => {
    actions.set(extension, action);
    if (goesOn && !menu.keys.has('#')) actions.set(`${extension}#`, action === 'too_far' ? 'wrong' : action);
  };
  for (const entry of exactEntries(menu, extensions)) {
    for (let length = 1; length <= entry.length; length += 1) {
      const digits = entry.slice(0, length);
      if (!actions.has(digits)) add(digits, actionOf(digits), longerEntry(menu, extensions, digits) !== null);
    }
  }
  for (const { places, action, goesOn } of patternRegions(dialPatterns(menu))) {
    const isExact = places.every(({ length }) => length === 1);
    const text = places.map(letterOf).join('');
    if (!isExact || !actions.has(text)) add(isExact ? text : `_${text}`, action, goesOn);
  }
  return actions;

  function actionOf(digits: string): DialledAction {
    if (menu.keys.has(digits)) return 'lead';
    return isDialable(menu, extensions, digits) ? 'dial' : 'wrong';
  }
}

/** Keys of the menu, and the numbers of the directory that callers may dial in it. */
function exactEntries({ keys, directDial }: FlowMenu, extensions: Flow['extensions']): string[] {
  const numbers = directDial?.numbers === 'directory' ? [...extensions].filter(isHouseNumber) : [];
  return [...keys.keys(), ...numbers];
}

/** Numbers with the same length: at each place the digits that may stand there, ascending. */
type Places = readonly string[];

interface Region {
  readonly places: Places;
  readonly action: DialledAction;
  readonly goesOn: boolean;
}

/**
 * Patterns with one action each, so that of all that match a number the most specific one is right.
 *
 * With every two patterns there is the one of the numbers that both match. Of those that match a number, one is therefore within all
 * others; at the first place where it differs from another it has fewer digits, which is what Asterisk looks at (`ext_cmp_pattern`).
 */
function patternRegions(patterns: readonly string[]): Region[] {
  const whole = patterns.map(placesOf);
  const beginnings = whole.flatMap((places) =>
    places.slice(1).map((_, length) => places.slice(0, length + 1)),
  );
  const services = servicePatterns
    .map(placesOf)
    .filter((places) => whole.some((one) => common(one, places) !== null));
  const regions = new Map<string, Places>();
  const open = [...whole, ...beginnings];
  // Grows while it is read.
  for (const places of open) {
    if (regions.has(places.join())) continue;
    regions.set(places.join(), places);
    for (const other of [...regions.values(), ...services]) {
      const both = common(places, other);
      if (both !== null && !regions.has(both.join())) open.push(both);
    }
  }
  return Array.from(regions.values(), (places): Region => {
    const isIn = (others: readonly Places[]): boolean => others.some((other) => isWithin(places, other));
    const goesOn = isIn(beginnings);
    if (isIn(whole) && !isIn(services)) return { places, action: 'dial', goesOn };
    return { places, action: goesOn ? 'wrong' : 'too_far', goesOn };
  });
}

const digitsOf: Readonly<Record<string, string>> = { X: '0123456789', Z: '123456789', N: '23456789' };

function placesOf(pattern: string): Places {
  return Array.from(pattern, (one) => digitsOf[one] ?? one);
}

/** A digit, a letter of patterns, or a set of digits. */
function letterOf(digits: string): string {
  if (digits.length === 1) return digits;
  return Object.keys(digitsOf).find((letter) => digitsOf[letter] === digits) ?? `[${digits}]`;
}

function common(one: Places, other: Places): Places | null {
  if (one.length !== other.length) return null;
  const both = one.map((digits, place) =>
    Array.from(digits)
      .filter((digit) => (other[place] ?? '').includes(digit))
      .join(''),
  );
  return both.every((digits) => digits !== '') ? both : null;
}

function isWithin(one: Places, other: Places): boolean {
  return (
    one.length === other.length &&
    one.every((digits, place) => Array.from(digits).every((digit) => other[place]?.includes(digit)))
  );
}
