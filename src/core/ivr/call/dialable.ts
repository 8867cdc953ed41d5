import { type DirectDial, ivrBounds } from '../../../contract/menu/ivr.ts';
import type { PatternFault } from '../../../contract/menu/ivr-problem.ts';
import type { FlowMenu } from '../flow.ts';

/*
 * Which numbers a caller may dial in a menu: one rule for calls, checks and exports.
 *
 * Menus that dial for callers are attacked to make expensive calls (toll fraud): with feature codes such as `*72`, with the digit for
 * an outside line, with numbers that are long enough to leave the telephone system. So a number has 1 to 6 digits and none of them
 * first is 0, whatever the directory or a pattern says; and a pattern never matches an emergency or service number.
 */
// see decisions/call-flows-and-checks.md

/** The most digits that a dialled number has. */
const longestNumber = 6;
const houseNumber = /^[1-9][0-9]{0,5}$/;

/** Whether a number of the directory can be dialled at all. */
export function isHouseNumber(number: string): boolean {
  return houseNumber.test(number);
}

/**
 * What a telephone network answers in some country, as patterns: emergency calls, N11 (North America), 116xxx (Europe). Also after a 9 for a
 * line.
 */
const serviceNumbers = [
  ...'110 111 112 113 114 115 117 118 119 122 123 144 191 192 193 194 197 198 199 988 991 995 997 998 999'.split(
    ' ',
  ),
  'N11',
  '116XXX',
  // Directory enquiries at premium rates (Germany; France, Great Britain).
  '118XX',
  '118XXX',
];
/** No pattern of a menu matches these. */
export const servicePatterns: readonly string[] = [
  ...serviceNumbers,
  ...serviceNumbers.map((number) => `9${number}`).filter(({ length }) => length <= longestNumber),
];

const digitsOf: Readonly<Record<string, string>> = { X: '0-9', Z: '1-9', N: '2-9' };

export function patternFault(pattern: string): PatternFault | null {
  if (pattern === '') return 'empty';
  if (/^[0*#X]/.test(pattern)) return 'first';
  if (!/^[0-9XZN]+$/.test(pattern)) return 'character';
  if (pattern.length > longestNumber) return 'too_long';
  return isServiceNumber(pattern) ? 'service' : null;
}

/** How many numbers a pattern matches. */
export function numbersOfPattern(pattern: string): number {
  const choices: Readonly<Record<string, number>> = { X: 10, Z: 9, N: 8 };
  return Array.from(pattern).reduce((count, one) => count * (choices[one] ?? 1), 1);
}

function patternOf(pattern: string, length: number): RegExp {
  const places = Array.from(pattern.slice(0, length), (one) => `[${digitsOf[one] ?? one}]`);
  return new RegExp(`^${places.join('')}$`);
}

const anyService = servicePatterns.map((pattern) => patternOf(pattern, pattern.length));

function isServiceNumber(number: string): boolean {
  return anyService.some((pattern) => pattern.test(number));
}

/** The patterns of direct dial in a menu; empty where it dials the directory. */
export function dialPatterns({ directDial }: Pick<FlowMenu, 'directDial'>): readonly string[] {
  return directDial === null ? [] : allowedPatterns(directDial.numbers);
}

function allowedPatterns(numbers: DirectDial['numbers']): readonly string[] {
  return numbers === 'directory' ? [] : numbers.filter((pattern) => patternFault(pattern) === null);
}

/** Whether a caller may dial a number in a menu. `extensions`: those of the flow. */
export function isDialable(
  { directDial }: Pick<FlowMenu, 'directDial'>,
  extensions: ReadonlySet<string>,
  number: string,
): boolean {
  if (directDial === null || !isHouseNumber(number)) return false;
  if (directDial.numbers === 'directory') return extensions.has(number);
  const isMatched = allowedPatterns(directDial.numbers).some((pattern) =>
    patternOf(pattern, pattern.length).test(number),
  );
  return isMatched && !isServiceNumber(number);
}

/** A longer number, or a pattern of such, that begins with these digits and that a caller may dial; null: none. */
function longerNumber(
  { directDial }: Pick<FlowMenu, 'directDial'>,
  extensions: ReadonlySet<string>,
  digits: string,
): string | null {
  if (directDial === null) return null;
  if (directDial.numbers === 'directory') return beginningsOf(extensions).get(digits) ?? null;
  const longer = allowedPatterns(directDial.numbers).find(
    (pattern) => pattern.length > digits.length && patternOf(pattern, digits.length).test(digits),
  );
  return longer ?? null;
}

const beginnings = new WeakMap<ReadonlySet<string>, ReadonlyMap<string, string>>();

/** All proper beginnings of numbers that can be dialled, each with one of them; made once for each set of numbers. */
function beginningsOf(extensions: ReadonlySet<string>): ReadonlyMap<string, string> {
  const known = beginnings.get(extensions);
  if (known !== undefined) return known;
  const made = new Map<string, string>();
  for (const number of extensions) {
    if (!isHouseNumber(number)) continue;
    for (let length = 1; length < number.length; length += 1) made.set(number.slice(0, length), number);
  }
  beginnings.set(extensions, made);
  return made;
}

/** Whether a menu waits for more digits at all. */
export function takesDigits({ keys, directDial }: FlowMenu): boolean {
  return directDial !== null || [...keys.keys()].some(({ length }) => length > 1);
}

/** How long a menu waits for the next digit, in seconds. */
export function digitSeconds({ directDial }: FlowMenu): number {
  return directDial?.digit_timeout ?? ivrBounds.digitTimeoutSeconds.usual;
}

/** Whether digits are a key of a menu, or a number that can be dialled there. */
export function isEntry(menu: FlowMenu, extensions: ReadonlySet<string>, digits: string): boolean {
  return menu.keys.has(digits) || isDialable(menu, extensions, digits);
}

/** A longer entry of a menu that begins with these digits: a key, or a number that can be dialled; null: none. */
export function longerEntry(menu: FlowMenu, extensions: ReadonlySet<string>, digits: string): string | null {
  const key = [...menu.keys.keys()].find((one) => one.length > digits.length && one.startsWith(digits));
  return key ?? longerNumber(menu, extensions, digits);
}
