/**
 * What people paste by mistake where a token is wanted. A mistake is named, and nothing is taken away without the person's
 * consent: what looks like a mistake could be a token after all.
 */

export const pasteMistakes = [
  /** A NUL beside each character, as in a file that PowerShell wrote. */
  'utf16',
  /** Characters without width, or blanks that are not spaces. */
  'invisible',
  /** Colours or keys of a terminal. */
  'control',
  'quotes',
  /** `Bearer …`. */
  'scheme',
  /** `Authorization: …`. */
  'header',
  /** `NAME=value`, `export NAME=value`, `name: value`. */
  'assignment',
  'json',
  'lines',
  /** Stars or dots that a page shows instead of it. */
  'masked',
] as const;
export type PasteMistake = (typeof pasteMistakes)[number];

export interface PastedToken {
  /** In the order in which they were found, the outermost first; empty: it is a token as it is. */
  readonly mistakes: readonly PasteMistake[];
  /** The token alone; null where it cannot be told. */
  readonly token: string | null;
}

/** A mistake, and what is left without it; `rest` null: nothing can be told. */
interface Found {
  readonly mistake: PasteMistake;
  readonly rest: string | null;
}

/** As deep as mistakes are found within each other: a quoted line of a script with a header in it has five. */
const mostLayers = 10;

/** Finds the token in what was pasted. White space around it is never a mistake. */
export function readPasted(pasted: string): PastedToken {
  const mistakes: PasteMistake[] = [];
  let text = pasted.trim();
  for (let layer = 0; layer < mostLayers; layer += 1) {
    const found = firstFound(text);
    // No token that was among other text has blanks in it: a part of that is left, such as a comment.
    if (found === null) return { mistakes, token: mistakes.length > 0 && /\s/.test(text) ? null : text };
    if (!mistakes.includes(found.mistake)) mistakes.push(found.mistake);
    const rest = found.rest?.trim() ?? '';
    if (rest === '') return { mistakes, token: null };
    text = rest;
  }
  return { mistakes, token: null };
}

function firstFound(text: string): Found | null {
  for (const find of finders) {
    const found = find(text);
    if (found !== null) return found;
  }
  return null;
}

function findUtf16(text: string): Found | null {
  if (!text.includes('\0')) return null;
  // The mark at the beginning of such a file, as it is read by a program that expects something else.
  return { mistake: 'utf16', rest: text.replace(/^(?:ÿþ|þÿ|[\ufeff\ufffd])+/, '').replaceAll('\0', '') };
}

const wideBlanks = /[\t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;
const widthless =
  /\u034f|\p{Variation_Selector}|[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffc]/gu;

function findInvisible(text: string): Found | null {
  const rest = text.replace(widthless, '').replace(wideBlanks, ' ');
  return rest === text ? null : { mistake: 'invisible', rest };
}

/** Sequences of a terminal, among them the marks around what is pasted into one; then any other control character. */

const terminalSequence = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
const otherControl = /(?![\t\r\n])[\p{Cc}]/gu;

function findControl(text: string): Found | null {
  const rest = text.replace(terminalSequence, '').replace(otherControl, '');
  return rest === text ? null : { mistake: 'control', rest };
}

function findMasked(text: string): Found | null {
  const isMasked = /[•●∙⬤·]{4}/.test(text) || /\*{6}/.test(text) || /^[*.…]{4,}$/.test(text);
  return isMasked ? { mistake: 'masked', rest: null } : null;
}

function findLines(text: string): Found | null {
  if (!/[\r\n\u0085\u2028\u2029]/.test(text)) return null;
  const lines = text
    .split(/[\r\n\u0085\u2028\u2029]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:#|\/\/|```|\[.*\]$)/.test(line));
  const [only, ...more] = lines;
  if (more.length === 0) return { mistake: 'lines', rest: only ?? null };
  const named = lines.filter((line) => secretIn(line) !== null);
  if (named.length === 1) return { mistake: 'lines', rest: named[0] ?? null };
  // One long token that a window has broken into lines: all but the last have the same length.
  const isBroken =
    named.length === 0 &&
    lines.every((line) => /^[\x21-\x7e]+$/.test(line)) &&
    lines.every((line, at) => at === lines.length - 1 || line.length === only?.length) &&
    (lines.at(-1)?.length ?? 0) <= (only?.length ?? 0);
  return { mistake: 'lines', rest: isBroken && (only?.length ?? 0) >= 20 ? lines.join('') : null };
}

const quotePairs = [
  '""',
  "''",
  '``',
  '“”',
  '‘’',
  '„“',
  '‚‘',
  '«»',
  '‹›',
  '””',
  '’’',
  '″″',
  '＂＂',
  '<>',
] as const;

function findQuotes(text: string): Found | null {
  // As in a line of a list: "…",
  const inner = /["'`“”’]\s*[,;]$/.test(text) ? text.slice(0, -1).trimEnd() : text;
  const [first = '', last = ''] = [inner.at(0), inner.at(-1)];
  const isPair = inner.length > 1 && quotePairs.some((pair) => pair === first + last);
  if (isPair) return { mistake: 'quotes', rest: inner.slice(1, -1) };
  // A quote at one end only belongs to the token, because services give tokens with any characters.
  return null;
}

/** How the name of a secret ends, in its last word. */
const secretWords: ReadonlySet<string> = new Set(
  'token secret password passwd passphrase pwd apikey key pat auth authorization credential credentials dsn'.split(
    ' ',
  ),
);
const keyword =
  /^(?:export\s+|set\s+|setx\s+|(?:declare|typeset)\s+-x\s+|env\s+|ARG\s+|(?:const|let|var)\s+|\$env:|\$)/i;

function isSecretName(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_.-]+/);
  return secretWords.has(words.at(-1) ?? '') || /(?:token|secret|password|apikey)$/i.test(name);
}

/** The value in `NAME=value` and the like; null where it is something else. */
function secretIn(text: string): string | null {
  const begun = keyword.exec(text)?.[0] ?? '';
  const rest = text.slice(begun.length);
  const [, name = '', sign = '', value = ''] =
    /^["']?([A-Za-z_][A-Za-z0-9_.-]{0,63})["']?(\s*(?::=|=>|==?|:)\s*|\s+(?=["']))(.+)/s.exec(rest) ?? [];
  if (name === '' || /^=*$/.test(value)) return null;
  const isColon = sign.trim() === ':';
  // `user:password` is a token for HTTP Basic; in a file a blank follows the colon.
  if (isColon && !/\s$/.test(sign) && !/^["']/.test(value)) return null;
  if (begun !== '' && sign.trim() !== '') return value;
  if (isSecretName(name)) return sign.trim() === '' && begun === '' ? null : value;
  // With blanks around the sign, or a name as variables of the environment have it.
  const isVariable = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(name);
  return isVariable || (!isColon && /\s/.test(sign)) ? value : null;
}

/** Of a value as files have it: in quotes, or up to the first blank. */
function withoutComment(value: string): string {
  const [, quoted] = /^((?<quote>["'`]).*?\k<quote>)\s+#.*$/s.exec(value) ?? [];
  const [, bare] = /^([^\s"'`]\S*)\s+#.*$/s.exec(value) ?? [];
  return quoted ?? bare ?? value;
}

function findAssignment(text: string): Found | null {
  // `//registry.npmjs.org/:_authToken=…`, a line of .npmrc.
  const rest = secretIn(text.replace(/^\/\/[^\s=]*:(?=_)/, ''));
  return rest === null
    ? null
    : { mistake: 'assignment', rest: withoutComment(rest.replace(/(?<!\s)\s*;(?:\s*export\s+\w+)?$/, '')) };
}

const headerName =
  /^(?:(?:-H|--header)(?:\s*=)?\s*["']?)?(?:(?:proxy-)?authorization|(?:private|job)-token|x-[a-z-]+|api-?key(?=:\s))\s*:\s*(?=\S)/i;
const headerInCommand =
  /["']((?:(?:proxy-)?authorization|(?:private|job)-token|x-[a-z-]*(?:key|token)|api-?key)\s*:[^"']+)["']/i;

function findHeader(text: string): Found | null {
  if (/^curl(?:\.exe)?\s/i.test(text)) {
    return { mistake: 'header', rest: headerInCommand.exec(text)?.[1] ?? null };
  }
  const begun = headerName.exec(text)?.[0];
  if (begun === undefined) return null;
  const rest = text.slice(begun.length);
  // The quote before the header ends behind it.
  const [quote] = /["']/.exec(begun) ?? [];
  return { mistake: 'header', rest: quote !== undefined && rest.endsWith(quote) ? rest.slice(0, -1) : rest };
}

function findScheme(text: string): Found | null {
  const [, rest] =
    /^(?:bearer|token|basic|bot|jwt|oauth|api-?key|splunk|geniekey|sso-key)(?:\s*:\s*|\s+)(\S.*)$/is.exec(
      text,
    ) ?? [];
  return rest === undefined ? null : { mistake: 'scheme', rest };
}

/** How deep a token is looked for in a reply. */
const deepest = 3;

function findJson(text: string): Found | null {
  const pair = /^["']([\w.-]+)["']\s*:\s*(["'].*["'])\s*,?$/s.exec(text);
  if (pair !== null) return { mistake: 'json', rest: pair[2] ?? null };
  if (!/^[[{]/.test(text)) return null;
  try {
    const tokens = [...new Set(secretsIn(JSON.parse(text), deepest))];
    if (tokens.length === 0) return null;
    return { mistake: 'json', rest: tokens.length === 1 ? (tokens[0] ?? null) : null };
  } catch {
    return null; // braces, but no JSON
  }
}

/** The tokens of an object. An access token goes before others. */
function secretsIn(tree: unknown, depth: number): string[] {
  if (typeof tree !== 'object' || tree === null || depth === 0) return [];
  const entries = Object.entries(tree as Record<string, unknown>);
  const access = entries.find(([key, one]) => /^access_?token$/i.test(key) && typeof one === 'string');
  if (access !== undefined) return [access[1] as string];
  return entries.flatMap(([key, one]) => {
    if (typeof one !== 'string') return secretsIn(one, depth - 1);
    return isSecretName(key) && one !== '' ? [one] : [];
  });
}

/** The outermost first: quotes may be around a whole line, and a line may have a header in it. */
const finders: readonly ((text: string) => Found | null)[] = [
  findUtf16,
  findControl,
  findInvisible,
  findJson,
  findLines,
  findMasked,
  findHeader,
  findAssignment,
  findQuotes,
  findScheme,
];
