import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareVariable, setVariable } from '../../../src/agent/delivery/dotenv-file.ts';
import { anyDotenv, anyDotenvWithout, setInDotenv } from './dotenv-files.ts';

const secret = 'rvx_TheNewValue0';

function compare(content: string, value = secret) {
  const before = Buffer.from(content, 'latin1');
  return compareVariable(before, setVariable(before, 'T', value), 'T');
}

describe('the lines of a variable before and after', () => {
  it.each([
    ['T=old\n', 1, 'T=••••••', 'T=••••••'],
    [
      'A=1\n  export T = "old" # old token: rvx_x\n',
      2,
      '  export T = "••••••" # …',
      '  export T = "••••••" # …',
    ],
    ['A="\n\n"\r\nT=\'o l d\'', 4, "T='••••••'", "T='••••••'"],
    ['\xEF\xBB\xBFT: old\n', 1, 'T: ••••••', 'T: ••••••'],
    ['T= # mine\n', 1, 'T= # …', 'T=•••••• # …'],
    ['T=""\n', 1, 'T=""', 'T="••••••"'],
    ["T='never closed\nA=1\n", 1, 'T=••••••', 'T=••••••'],
    ['A=1\rT=`old`#c\rB=2', 2, 'T=`••••••` # …', 'T=`••••••` # …'],
  ])('of %j', (content, number, before, after) => {
    expect(compare(content)).toMatchObject([{ number, before, after, isChanged: true }]);
  });

  it.each([
    ['', 1],
    ['A=1', 2],
    ['A=1\r\nB="\r\n"\r\n', 4],
    ['\xEF\xBB\xBF', 1],
    ['# T=1\n', 2],
  ])('of %j are one that is new, line %i', (content, number) => {
    expect(compare(content)).toEqual([
      {
        number,
        before: null,
        after: 'T=••••••',
        quotes: null,
        isExported: false,
        hasComment: false,
        lineCount: 1,
        isChanged: true,
      },
    ]);
  });

  it('show which quotes stay and which change', () => {
    expect(compare('export T="a\nb\nc"\n', 'a~b')).toMatchObject([
      { quotes: { before: '"', after: '"' }, isExported: true, hasComment: false, lineCount: 3 },
    ]);
    expect(compare('T=old # c\n', 'a~b')).toMatchObject([
      {
        before: 'T=•••••• # …',
        after: "T='••••••' # …",
        quotes: { before: '', after: "'" },
        hasComment: true,
      },
    ]);
  });

  it('distinguish those that already have the value from those that change', () => {
    const lines = compare(`T=old\nA=1\nexport T="${secret}"\nT=\n`);
    expect(lines.map(({ number, isChanged }) => [number, isChanged])).toEqual([
      [1, true],
      [3, false],
      [4, true],
    ]);
  });

  it('are the only ones that differ, in any file', () => {
    fc.assert(
      fc.property(fc.oneof(anyDotenv.map(textOf), anyDotenvWithout), (text) => {
        const before = Buffer.from(text, 'latin1');
        const after = setInDotenv(before, 'T', secret);
        const lines = compareVariable(before, after, 'T');
        // Line by line, except for the lines of an old value of several lines, which became one.
        const rest = after.toString('latin1').split(/\r\n|\n/);
        const old = text.split(/\r\n|\n/);
        const mine = new Map(lines.map((line) => [line.number, line]));
        for (let number = 1; number <= old.length; number += 1) {
          const line = mine.get(number);
          const [now = ''] = rest.splice(0, 1);
          if (line === undefined) {
            expect(now).toBe(old[number - 1]);
            continue;
          }
          if (line.before === null) continue;
          expect(now).toContain(secret);
          number += line.lineCount - 1;
        }
      }),
      { numRuns: 500 },
    );
  });

  it('show nothing of any value and nothing of any comment', () => {
    fc.assert(
      fc.property(anyDotenv, ({ pieces, old }) => {
        const content = Buffer.from(textOf({ pieces, old }), 'latin1');
        const lines = compareVariable(content, setInDotenv(content, 'T', secret), 'T');
        expect(lines).toHaveLength(old.length);
        for (const { before, after } of lines) {
          for (const shown of [before ?? '', after])
            expect(shown).toMatch(/^[ \t]*(?:export[ \t]+)?T[ \t]*=[ \t]*["'`]?(?:••••••)?["'`]?(?: # …)?$/);
        }
      }),
      { numRuns: 300 },
    );
  });
});

function textOf({
  pieces,
  old,
}: {
  readonly pieces: readonly string[];
  readonly old: readonly string[];
}): string {
  return pieces.reduce((text, piece, index) => text + (old[index - 1] ?? '') + piece);
}
