import { describe, expect, it } from 'vitest';
import { root } from '../tools/root.ts';
import { findSlow, patternsIn, patternsOf } from './find-slow-patterns.ts';

/** What a file with only this pattern has. */
function slowIn(pattern: string) {
  return patternsOf('src/planted.ts', `export const planted = ${pattern};`).map((found) => findSlow(found));
}

describe('the regular expressions of the sources', () => {
  const slowAmong = (every: number) => patternsIn(root).flatMap((pattern) => findSlow(pattern, every) ?? []);

  it('take time that grows with the length of a text, not with its square', () => {
    expect(slowAmong(7)).toEqual([]);
  });

  it(
    'take time that grows with the length of a text, for each text that is tried',
    { tags: ['long'] },
    () => {
      expect(slowAmong(1)).toEqual([]);
    },
  );
});

describe('the search for slow regular expressions', () => {
  it.each([
    [
      'a list of names, divided with white space around the comma (npm:fresh:20170908)',
      String.raw`/\s*,\s*/`,
    ],
    ['an end that is cut off (CVE-2020-28469 is of this kind)', String.raw`/\/+$/`],
    ['links whose address may have the sign that begins it (CVE-2021-23490)', String.raw`/<([^>]*)>/g`],
    ['a value with blanks on both sides (CVE-2017-16098)', String.raw`/charset\s*=\s*"? *([\w-]+)/`],
    ['two repetitions that can share blanks', String.raw`/^(\d{4})\s*(Z)?(?:\s+[A-Z]{3})?$/i`],
    ['a tag that begins again and again', String.raw`/<title[^>]*>([^<]{1,1000})/i`],
    ['a repetition in a repetition', String.raw`/^(?:a|b+)*c/`],
  ])('finds %s', (_what, pattern) => {
    expect(slowIn(pattern)).toEqual([expect.objectContaining({ line: 1, pattern })]);
  });

  it.each([
    ['a repetition that is all of it', String.raw`/[\s,]+/g`],
    ['an end that is cut off from where it begins', String.raw`/(?<!\/)\/+$/`],
    ['links whose address cannot have the sign that begins it', String.raw`/<([^<>]*)>/g`],
    ['a text that is read once from its beginning', String.raw`/^[\w.-]+:\s*"[^"]*"$/`],
  ])('passes over %s', (_what, pattern) => {
    expect(slowIn(pattern)).toEqual([null]);
  });
});
