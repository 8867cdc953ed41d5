import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { analyse } from 'scslre';
import ts from 'typescript';

/** A regular expression whose time grows faster than the text, and a text that shows it. */
export interface SlowPattern {
  /** Below the root. */
  readonly file: string;
  readonly line: number;
  readonly pattern: string;
  /** What the text begins with, what is repeated, and how it ends. */
  readonly text: readonly [string, string, string];
}

interface Pattern {
  readonly file: string;
  readonly line: number;
  readonly source: string;
  readonly flags: string;
}

/** What may be the beginning of a regular expression, and not of a comment or within a path: only those files are parsed. */
const mayBegin = /(?:^|[\s([{=,:!&|?;+%^~>-])\/(?![/*]|>(?![^\n]*\/))/m;

/** All that repeat something without a limit in the sources, each once. */
export function patternsIn(root: string): Pattern[] {
  const found = new Map<string, Pattern>();
  for (const path of globSync('src/**/*.{ts,tsx}', { cwd: root })) {
    const file = path.replaceAll('\\', '/');
    const content = readFileSync(join(root, file), 'utf8');
    if (!mayBegin.test(content)) continue;
    for (const pattern of patternsOf(file, content)) {
      found.set(`/${pattern.source}/${pattern.flags}`, pattern);
    }
  }
  return [...found.values()];
}

export function patternsOf(file: string, content: string): Pattern[] {
  const source = ts.createSourceFile(file, content, ts.ScriptTarget.Latest, true);
  const found: Pattern[] = [];
  visit(source);
  return found;

  function visit(node: ts.Node): void {
    if (ts.isRegularExpressionLiteral(node) && /[*+]|,\}/.test(node.text)) {
      const end = node.text.lastIndexOf('/');
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push({
        file,
        line: line + 1,
        source: node.text.slice(1, end),
        flags: node.text.slice(end + 1),
      });
    }
    ts.forEachChild(node, visit);
  }
}

/**
 * Whether a pattern tries the same characters again from many places, as its own form tells; no text is tried.
 *
 * It says the same each time. What it misses, such as repetitions after a word (`/<title[^>]*>/`), `findSlow` may find.
 */
export function isSlowByForm({ source, flags }: Pattern): boolean {
  return analyse({ source, flags }, { reportTypes: { Move: true } }).reports.length > 0;
}

/** In characters. */
const length = 1_500;
/** The lengths from which the growth is measured, and how many times as long the text is then. */
const sizes = [length, length, 2 * length];
const factor = 5;
/** Time that grows with the square grows 25 times. */
const steepest = 12;
/** Only what takes this many times as long as a plain search is measured again. */
const suspicious = 50;
/** So few characters take this many times as long as a plain search of the whole length only where each doubles the time. */
const fewCharacters = 25;
const explosive = 500;

/**
 * Runs a pattern on texts that begin like a text that it accepts, repeat characters of it, and end in another way.
 *
 * A search and not a proof: it finds the usual faults, such as a repetition at any place of a text that has to end somewhere
 * (`/\s*,/`, `/-+$/`), or two that can share the same characters (`/^a\s*b?\s+c/`). https://cwe.mitre.org/data/definitions/1333.html
 */
export function findSlow({ file, line, source, flags }: Pattern): SlowPattern | null {
  const pattern = new RegExp(source, flags.includes('g') || flags.includes('y') ? flags : `${flags}g`);
  for (const text of textsFor(source, flags)) {
    if (isSlow(pattern, text)) return { file, line, pattern: `/${source}/${flags}`, text };
  }
  return null;
}

/** A slow one is slow each time that it is asked; what a busy machine makes look so is not. */
function isSlow(pattern: RegExp, text: SlowPattern['text']): boolean {
  for (let time = 0; time < 3; time += 1) if (!looksSlow(pattern, text)) return false;
  return true;
}

function looksSlow(pattern: RegExp, text: SlowPattern['text']): boolean {
  return (
    explodes(pattern, text) ||
    (isSuspicious(pattern, text) && sizes.every((size) => isSteep(pattern, text, size)))
  );
}

/** First, with a few characters: time that doubles with each would not end for a long text. */
function explodes(pattern: RegExp, text: SlowPattern['text']): boolean {
  return isAlwaysSlow(pattern, textOf(text, fewCharacters), explosive * plainMs);
}

function isSuspicious(pattern: RegExp, text: SlowPattern['text']): boolean {
  return isAlwaysSlow(pattern, textOf(text, length), suspicious * plainMs);
}

/** A pattern is slow each time; other work on the machine slows one time or another. */
function isAlwaysSlow(pattern: RegExp, text: string, ms: number): boolean {
  for (let time = 0; time < 10; time += 1) if (timeOf(pattern, text) <= ms) return false;
  return true;
}

/** Of a search that takes as long as the text, at best. */
const plainMs = Math.min(...Array.from({ length: 50 }, () => timeOf(/[^ -~]/g, 'plain'.repeat(length / 5))));

/** How often at most the growth is measured, and for how long: what is fast on a free machine fits in often. */
const mostTimes = 50;
const mostMs = 500;

/** Steep however often it is measured: on a busy machine what takes longer is interrupted more. */
function isSteep(pattern: RegExp, text: SlowPattern['text'], size: number): boolean {
  const [short, long] = [textOf(text, size), textOf(text, factor * size)];
  let [shortMs, longMs] = [Infinity, Infinity];
  const untilMs = performance.now() + mostMs;
  for (let time = 0; time < 5 || (time < mostTimes && performance.now() < untilMs); time += 1) {
    // In turns, so that other work on the machine slows both.
    shortMs = Math.min(shortMs, timeOf(pattern, short));
    longMs = Math.min(longMs, timeOf(pattern, long));
    if (time >= 4 && longMs / shortMs <= steepest) return false;
  }
  return true;
}

function textOf([start, repeated, end]: SlowPattern['text'], size: number): string {
  return start + repeated.repeat(Math.ceil(size / repeated.length)) + end;
}

function timeOf(pattern: RegExp, text: string): number {
  pattern.lastIndex = 0;
  const startMs = performance.now();
  if (pattern.sticky) pattern.exec(text);
  else text.replace(pattern, '');
  return performance.now() - startMs;
}

const ends = ['', '\u0001', '\n\u0001'];

function textsFor(source: string, flags: string): SlowPattern['text'][] {
  const accepted = samplesOf(source, flags);
  const told = [...accepted.slice(0, 1), ...accepted.slice(-2)];
  const starts = new Set(['', ...told.flatMap((one) => Array.from(one, (_, at) => one.slice(0, at + 1)))]);
  const own = source.replace(/\\[pP]\{[^}]*\}|\\u\{?[0-9a-f]{4,6}\}?|\\x..|\\./gi, '');
  const escaped = source.match(/(?<=\\)[^\w]/g) ?? [];
  const characters = [...new Set([' ', '\n', 'a', 'A', '0', '-', ...Array.from(own), ...escaped])].slice(
    0,
    30,
  );
  const parts = accepted.flatMap((one) => [one.slice(0, 2), one.slice(0, 6), one.slice(-3)]);
  const words = source.match(/[a-z<>:]{3,}/gi) ?? [];
  const pairs = characters.slice(0, 20).flatMap((one) => characters.slice(0, 20).map((two) => one + two));
  return [
    ...combined([...starts].slice(0, 100), characters),
    ...combined([''], [...new Set([...parts, ...words, ...pairs])]),
  ];
}

function combined(starts: readonly string[], repeated: readonly string[]): SlowPattern['text'][] {
  return starts.flatMap((start) =>
    repeated.flatMap((part) =>
      part === '' ? [] : ends.map((end): SlowPattern['text'] => [start, part, end]),
    ),
  );
}

/** The library asks for each property (`\p{L}`) all characters that there are, which takes a second; here a few of each stand for it. */
function withFewCharacters(source: string): string {
  let isInClass = false;
  return source.replace(/\\[pP]\{[^}]*\}|\\.|[[\]]/gs, (part) => {
    if (part === '[' || part === ']') isInClass = part === '[';
    if (!/^\\p/i.test(part)) return part;
    const property = new RegExp(part, 'u');
    const few = usualCharacters
      .filter((one) => property.test(one))
      .map((one) => `\\u{${one.codePointAt(0)?.toString(16) ?? ''}}`);
    if (few.length === 0) return part;
    return isInClass ? few.join('') : `[${few.join('')}]`;
  });
}

/** Letters, marks, numbers, signs and spaces; what controls a text, is not seen or is no character. */
const usualCharacters = Array.from(
  'aZ\u00e9\u6587\u03a91\u0663\u0301-_.,+$ \u00a0\u2028\t\n\u0001\u00ad\u200e\u202e\ue000\ud800',
);

/** Texts that a pattern accepts, the shortest first; none where the library cannot read it, such as one that looks ahead. */
function samplesOf(source: string, flags: string): string[] {
  try {
    const usual = flags.replaceAll(/[giy]/g, '');
    const pattern = new RegExp(source, usual);
    return fc
      .sample(fc.stringMatching(new RegExp(withFewCharacters(source), usual)), { numRuns: 40, seed: 1 })
      .filter((one) => one.length <= 32 && pattern.test(one))
      .sort((one, other) => one.length - other.length);
  } catch {
    return [];
  }
}
