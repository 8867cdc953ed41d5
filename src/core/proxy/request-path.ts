import { invariant } from '../unreachable.ts';

/**
 * The path of a request as rules see it. Only a path that every server reads in the same way is accepted.
 *
 * Decoded once, segment by segment: `%2F` is part of a segment (GitLab has ids such as `group%2Fproject`).
 */
export interface RequestPath {
  /** As it was sent: exactly this goes to the service. */
  readonly raw: string;
  readonly segments: readonly string[];
  /** As it was sent, without the question mark. */
  readonly query: string;
}

/** RFC 3986, section 3.3, without `;`, at which some servers end a segment. An URL parser changes none of these characters. */
const pathCharacters = /^(?:\/(?:[A-Za-z0-9\-._~!$&'()*+,=:@]|%[0-9A-Fa-f]{2})*)+$/;
/** Visible ASCII. */
const queryCharacters = /^[!-~]*$/;
/** More levels of encoding than anything that is not an attack has. */
const mostDecodings = 5;

/** Null: refused, because servers could understand the path in different ways. */
export function readRequestPath(target: string): RequestPath | null {
  const at = target.indexOf('?');
  const raw = at < 0 ? target : target.slice(0, at);
  const query = at < 0 ? '' : target.slice(at + 1);
  if (!pathCharacters.test(raw) || !queryCharacters.test(query) || raw.includes('//')) return null;
  const encoded = raw.slice(1).split('/');
  const segments: string[] = [];
  for (const one of encoded) {
    const segment = decoded(one);
    if (segment === null || isAmbiguous(one)) return null;
    segments.push(segment);
  }
  // Servers that look for a step as text find one here.
  const whole = `/${segments.join('/')}`;
  if (whole.includes('/..') || whole.includes('../')) return null;
  return { raw, segments, query };
}

/** Null: not UTF-8. */
function decoded(text: string): string | null {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/**
 * Whether servers could read a segment as it was sent in different ways: as a step to another folder, cut off at a `;`, or with a
 * dot that was encoded, or that is one only where full-width characters are folded.
 */
function isAmbiguous(sent: string): boolean {
  if (!sent.includes('%')) return isStep(sent);
  return decodings(sent).some((one) => isStep(one) || /;|%(?:2e|3b)/i.test(one) || hasFoldedMark(one));
}

/** Whether a text has a character that becomes one that divides a path where full-width characters are folded, or a dot of host names. */
function hasFoldedMark(text: string): boolean {
  const others = text.match(/[^\u0000-\u007f]/gu) ?? [];
  return others.some((one) => /[./\\;%?#\u3002]/.test(one.normalize('NFKC')));
}

function isStep(text: string): boolean {
  return /[\0\\]/.test(text) || /(?:^|\/)\.{1,2}(?:\/|$)/.test(text);
}

/** A text, and what further decoding makes of it. */
export function decodings(text: string): readonly string[] {
  const all = [text];
  let last = text;
  while (all.length < mostDecodings && /%[0-9a-f]{2}/i.test(last)) {
    const next = decoded(last);
    if (next === null || next === last) break;
    all.push(next);
    last = next;
  }
  return all;
}

/** A path of a rule, prepared for matching. */
export type PathPattern = readonly string[];

/** Of a path that the contract accepts (`RulePath`), or of a provider's forbidden routes. */
export function pathPattern(path: string): PathPattern {
  return path
    .slice(1)
    .split('/')
    .map((segment) => {
      const text = decoded(segment);
      invariant(text !== null, 'the path of a rule can be decoded');
      return text;
    });
}

/**
 * `*` is one segment, `**` any number of them, also none. `mayCover`: whether a wildcard may stand for a segment; with it a path that
 * could be matched in several ways may be refused, and is never allowed because of a segment that may not be covered.
 */
export function matchesPath(
  pattern: PathPattern,
  segments: readonly string[],
  mayCover: (segment: string, by: '*' | '**', at: number) => boolean = () => true,
): boolean {
  let [place, at] = [0, 0];
  /** Where to go on if the last `**` has to cover one segment more. */
  let [afterMany, many] = [-1, 0];
  while (at < segments.length) {
    const wanted = pattern[place];
    const segment = segments[at] ?? '';
    if (wanted === '**') {
      afterMany = place += 1;
      many = at;
    } else if (wanted === segment || (wanted === '*' && segment !== '' && mayCover(segment, '*', at))) {
      place += 1;
      at += 1;
    } else if (afterMany >= 0 && mayCover(segments[many] ?? '', '**', many)) {
      place = afterMany;
      at = many += 1;
    } else return false;
  }
  return pattern.slice(place).every((wanted) => wanted === '**');
}

/**
 * How a service could read a path, however freely it does: without regard to case, decoded again, with `%2F` as a slash, with
 * a slash or a format (`.json`) at its end. In lower case.
 */
export function possibleReadings(segments: readonly string[]): readonly (readonly string[])[] {
  const whole = segments.map((one) => decodings(one).at(-1) ?? one);
  const isSame = whole.every((one, at) => one === segments[at] && !one.includes('/'));
  const all = isSame ? [segments] : [segments, whole, whole.join('/').split('/')];
  return all.flatMap((reading) => {
    const folded = reading.map((one) => one.toLowerCase());
    while (folded.at(-1) === '') folded.pop();
    const last = folded.at(-1);
    const short = last?.replace(/\.[a-z]{1,5}$/, '');
    return short === undefined || short === last || short === ''
      ? [folded]
      : [folded, [...folded.slice(0, -1), short]];
  });
}

/** A segment without anything that identifies somebody or something. */
const plainWord = /^[A-Za-z][A-Za-z_.-]{0,39}\d{0,2}$/;
/** More are one `**`: the number of routes that are remembered has to be small. */
const mostShown = 12;

/** The path with `*` for each segment that may be an id or a secret: what is remembered of a request. */
export function routeOf(segments: readonly string[]): string {
  const shown = segments.map((one) => (one === '' || plainWord.test(one) ? one : '*'));
  const kept = shown.length > mostShown ? [...shown.slice(0, mostShown), '**'] : shown;
  return `/${kept.join('/')}`;
}
