import { describe, expect, it } from 'vitest';
import { root } from '../tools/root.ts';
import { findSlow, isSlowByForm, patternsIn, patternsOf } from './find-slow-patterns.ts';

/** What a file with only this pattern has. */
function planted(pattern: string) {
  const [found] = patternsOf('src/planted.ts', `export const planted = ${pattern};`);
  return found!;
}

const slowByForm = [
  ['a list of names, divided with white space around the comma (npm:fresh:20170908)', String.raw`/\s*,\s*/`],
  ['an end that is cut off (CVE-2020-28469 is of this kind)', String.raw`/\/+$/`],
  ['links whose address may have the sign that begins it (CVE-2021-23490)', String.raw`/<([^>]*)>/g`],
  ['a value with blanks on both sides (CVE-2017-16098)', String.raw`/charset\s*=\s*"? *([\w-]+)/`],
  ['two repetitions that can share blanks', String.raw`/^(\d{4})\s*(Z)?(?:\s+[A-Z]{3})?$/i`],
  ['a repetition in a repetition', String.raw`/^(?:a|b+)*c/`],
] as const;

const fast = [
  ['a repetition that is all of it', String.raw`/[\s,]+/g`],
  ['an end that is cut off from where it begins', String.raw`/(?<!\/)\/+$/`],
  ['links whose address cannot have the sign that begins it', String.raw`/<([^<>]*)>/g`],
  ['a text that is read once from its beginning', String.raw`/^[\w.-]+:\s*"[^"]*"$/`],
] as const;

describe('the regular expressions of the sources', () => {
  it('take time that grows with the length of a text, not with its square, as far as their form tells', () => {
    expect(patternsIn(root).filter(isSlowByForm)).toEqual([]);
  });

  it('do so for each text that is tried', { tags: ['long'] }, () => {
    expect(patternsIn(root).flatMap((pattern) => findSlow(pattern) ?? [])).toEqual([]);
  });
});

describe('the search for slow regular expressions', () => {
  it.each(slowByForm)('finds %s by its form', (_what, pattern) => {
    expect(isSlowByForm(planted(pattern))).toBe(true);
  });

  it.each(fast)('passes over %s by its form', (_what, pattern) => {
    expect(isSlowByForm(planted(pattern))).toBe(false);
  });

  it.each([
    ...slowByForm,
    ['a tag that begins again and again', String.raw`/<title[^>]*>([^<]{1,1000})/i`] as const,
  ])('finds %s by texts', { tags: ['long'] }, (_what, pattern) => {
    expect(findSlow(planted(pattern))).toMatchObject({ line: 1, pattern });
  });

  it.each(fast)('passes over %s by texts', { tags: ['long'] }, (_what, pattern) => {
    expect(findSlow(planted(pattern))).toBeNull();
  });
});
