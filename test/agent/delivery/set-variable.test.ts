import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareVariable, isOtherFormat, setVariable } from '../../../src/agent/delivery/dotenv-file.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { anyDotenv, anyDotenvWithout, anyValue, readValues, setInDotenv } from './dotenv-files.ts';
import { MaskedTail } from '../../../src/agent/delivery/deliver-to-hook.ts';

function set(content: string, value = 'new'): string {
  return setVariable(Buffer.from(content, 'latin1'), 'T', value).toString('latin1');
}

/** What sops adds to a file with `mac_only_encrypted: true`. */
const macOnly = 'sops_mac=ENC[AES256_GCM,data:PaiBFnAKt=,type:str]\nsops_mac_only_encrypted=true\n';

describe('setting a variable of a dotenv file', () => {
  it('is refused when the file sets more variables than are read', () => {
    const lines = (count: number) => Buffer.from('A=1\n'.repeat(count));
    expect(setVariable(lines(10_000), 'A', 'b').toString()).toBe('A=b\n'.repeat(10_000));
    expect(() => setVariable(lines(10_001), 'A', 'b')).toThrow('TOO_MANY');
    expect(() => setVariable(lines(10_000), 'B', 'b')).toThrow('TOO_MANY');
  });

  it.each([
    ['bare', 'T=old\n', 'T=new\n'],
    ['single quotes', "T='o l d'\n", "T='new'\n"],
    ['double quotes', 'T="o l d"\n', 'T="new"\n'],
    ['backticks', 'T=`o l d`\n', 'T=`new`\n'],
    ['nothing', 'T=\n', 'T=new\n'],
    ['nothing but blanks', 'T=  \nA=1\n', 'T=new  \nA=1\n'],
    ['several words', 'T=o l d\n', 'T=new\n'],
    ['two quoted parts', `T='o'"l d"\n`, 'T=new\n'],
    ['a quote that is never closed', "T='old\nA=1\n", 'T=new\nA=1\n'],
    ['escaped quotes', String.raw`T="o \"l\" d" # c`, 'T="new" # c'],
    ['an escaped quote before a #', String.raw`T="o \" # l" # c`, 'T="new" # c'],
    ['a last backslash in single quotes', "T='C:\\'\nA='x y'\n", "T='new'\nA='x y'\n"],
    ['several lines', 'T="-----\nA=1\n-----" # key\nB=2\n', 'T="new" # key\nB=2\n'],
    ['several lines with CRLF', "T='-----\r\nA=1\r\n-----'\r\nB=2\r\n", "T='new'\r\nB=2\r\n"],
    ['bytes of another encoding', 'T=ol\xE9\nA=\xFF\n', 'T=new\nA=\xFF\n'],
    ['a last byte that some take for a blank', 'T=voil\xC3\xA0\n', 'T=new\n'],
  ])('replaces a previous value: %s', (_, before, after) => {
    expect(set(before)).toBe(after);
  });

  it.each([
    ['export', 'export T=old\n', 'export T=new\n'],
    ['blanks around the sign', '  T \t=  old\n', '  T \t=  new\n'],
    ['a colon', 'T: old\n', 'T: new\n'],
    ['a comment after blanks', 'T=old \t# mine\n', 'T=new \t# mine\n'],
    ['a comment after an empty value', 'T= # mine\n', 'T=new # mine\n'],
    ['a comment with quotes', `T=old # it's "mine"\n`, `T=new # it's "mine"\n`],
    ['no line break at the end', 'A=1\nT=old', 'A=1\nT=new'],
    ['lone carriage returns', 'A=1\rT=old\rB=2', 'A=1\rT=new\rB=2'],
    ['a byte order mark', '\xEF\xBB\xBFT=old\n', '\xEF\xBB\xBFT=new\n'],
    ['names that contain it', 'AT=1\nT_=2\nTT=3\nT=old\nT.A=4\n', 'AT=1\nT_=2\nTT=3\nT=new\nT.A=4\n'],
    ['it in a comment', '# T=old\n  #T=old\nT=old\n', '# T=old\n  #T=old\nT=new\n'],
    ['it within a value', 'A="\nT=1\n"\nT=old\nB=`\nT=2`\n', 'A="\nT=1\n"\nT=new\nB=`\nT=2`\n'],
    ['it after an apostrophe', "A=it's\nT=old\nB=it's\n", "A=it's\nT=new\nB=it's\n"],
    ['lines that say nothing', 'hello\n=\n\n"\nT=old\n', 'hello\n=\n\n"\nT=new\n'],
  ])('leaves everything around it: %s', (_, before, after) => {
    expect(set(before)).toBe(after);
  });

  it('keeps a comment that touched the previous value away from the new one', () => {
    expect(set("T='old'#mine\n")).toBe("T='new' #mine\n");
    expect(set('T=#mine\n')).toBe('T=new #mine\n');
  });

  it('replaces a bare value whole, also what follows a # in it', () => {
    expect(set('T=o#d # mine\n')).toBe('T=new # mine\n');
  });

  it('changes every assignment', () => {
    expect(set("T=1\nA=2\nexport T='3'\nT=\n")).toBe("T=new\nA=2\nexport T='new'\nT=new\n");
  });

  it.each([
    ['', 'T=new\n'],
    ['A=1\n', 'A=1\nT=new\n'],
    ['A=1', 'A=1\nT=new\n'],
    ['A=1\r\nB=2', 'A=1\r\nB=2\r\nT=new\r\n'],
    ['# T=old\n', '# T=old\nT=new\n'],
    ['export T\n', 'export T\nT=new\n'],
    ['\xEF\xBB\xBF', '\xEF\xBB\xBFT=new\n'],
    ["A='open\n", "A='open\nT=new\n"],
  ])('adds a line where there is none: %j', (before, after) => {
    expect(set(before)).toBe(after);
  });

  it.each([
    ['T=old', 'a b', "T='a b'"],
    ['T=old', "it's", `T="it's"`],
    ['T="old"', '$HOME', "T='$HOME'"],
    ['T="old"', 'a\\nb', "T='a\\nb'"],
    ["T='old'", "it's", `T="it's"`],
    ['T=`old`', `'"$`, `T=\`'"$\``],
    ['T=`old`', 'a`b', "T='a`b'"],
    ['T=old', '=x', "T='=x'"],
    ['T=old', '', 'T='],
    ['T=old', '~', "T='~'"],
    ['T=old', 'a#b', "T='a#b'"],
  ])('leaves the quote style only where it cannot carry the value: %s, %s', (before, value, after) => {
    expect(set(before, value)).toBe(after);
  });

  it('writes a value as UTF-8 whatever the rest is', () => {
    expect(setVariable(Buffer.from('A=\xFF\nT=old\n', 'latin1'), 'T', 'é')).toEqual(
      Buffer.from("A=\xFF\nT='\xC3\xA9'\n", 'latin1'),
    );
  });

  it.each(["T='old'", 'T="old"', 'T=old', 'export T=old', 'A=1'])(
    'writes what a shell and Node read alike: after %s',
    (before) => {
      const folder = makeFolder();
      const values = [
        'rvx_AbC-09.~',
        'a b',
        ' a ',
        "it's",
        'say "hi"',
        '$HOME`id`',
        '\\n\\t',
        'a\\b',
        '#a',
        'é€',
      ];
      values.push('!x', '*', '~root', 'a:~root', 'a;b&c|d', '(x)', '{a,b}', '%PATH%', 'a=b==', '\t', "''");
      const paths = values.map((value, place) => {
        const content = setVariable(Buffer.from(`${before}\n`), 'T', value);
        expect(parseEnv(content.toString())['T'], `Node: ${value}`).toBe(value);
        const path = join(folder, String(place));
        writeFileSync(path, content);
        return path;
      });
      // One shell reads each file by itself: starting one for each takes longer than all the rest.
      const code = 'for path; do (. "$path"; printf "%s\\n" "$T") || exit; done';
      const shell = spawnSync('sh', ['-c', code, 'sh', ...paths], { encoding: 'utf8' });
      expect(shell).toMatchObject({ stderr: '', status: 0 });
      expect(shell.stdout.split('\n').slice(0, -1)).toEqual(values);
    },
  );

  it.each([
    ['JSON', '{\n  "api_token": "old"\n}\n', 1],
    ['one line of JSON', '{"T":"old"}', 1],
    ['an ini file', '[client]\napi_token = old\nretries = 3\n', 1],
    ['an ini file with a section further down', 'A = 1\n\n[client]\nb = 2\n', 3],
    ['YAML', 'a: 1\nb: 2\n', 1],
    ['YAML with a list', 'A: 1\nb:\n  - c\n', 2],
    ['TOML', 'A = 1\n[[servers]]\nb = 2\n', 2],
    ['a script', 'if true; then\n  A=1\nfi\n', 1],
    ['a script of PowerShell', '$env:A = "1"\n', 1],
    ['a batch file', 'set A=1\r\n', 1],
    ['a file of npm', '//registry.example/:_authToken=x\n', 1],
    ['a page', '<config>\n</config>\n', 1],
    ['a netrc', 'machine a login b password c\n', 1],
  ])('adds no line to %s', (_what, content, line) => {
    expect(() => set(content)).toThrow(expect.objectContaining({ code: 'NOT_DOTENV', line }));
  });

  it.each([
    ['the key of an ini file', '[client]\nT = old\n'],
    ['a nested key of YAML', 'a:\n  T: old\n'],
  ])('does not change %s', (_what, content) => {
    expect(() => set(content)).toThrow(expect.objectContaining({ code: 'NOT_DOTENV' }));
  });

  it.each([
    'T=old; export T',
    'T="old"; export T',
    'T=old && run',
    'T=old || exit 1',
    'T=old &',
    'export T=old OTHER=1',
    'T=old OTHER=1',
    'T=old;',
    'T=old;export T',
    'T="old";export T',
    "T='old';export T",
    'T=old&&export T',
    'T=old;readonly T',
  ])('refuses a line that has more than the value: %s', (line) => {
    expect(() => set(`A=1\n${line}\n`)).toThrow(expect.objectContaining({ code: 'MORE_ON_LINE', line: 2 }));
  });

  it.each(['T=ol\\\nd', 'export T=ol\\\r\nd', 'T=ol\\\nOTHER=x'])(
    'refuses a value that goes on in the next line: %s',
    (line) => {
      expect(() => set(`A=1\n${line}\n`)).toThrow(expect.objectContaining({ code: 'GOES_ON', line: 2 }));
    },
  );

  it.each([
    ['a value of dotenvx', 'A=1\nT="encrypted:BDqDBibm4wsYqMpCjTQ6"\n'],
    ['a value of sops', 'A=1\nT=ENC[AES256_GCM,data:Tr7o=,iv:1=,tag:k=,type:str]\n'],
    // getsops/sops#517: the checksum of such a file is over all values.
    ['a file of sops', 'T=old\nsops_mac=ENC[AES256_GCM,data:PaiBFnAKt=,type:str]\n'],
    ['a file of sops without the variable', 'A=1\nsops_mac=ENC[AES256_GCM,data:PaiBFnAKt=,type:str]\n'],
    ['a new variable where sops may have to encrypt it', `A=1\n${macOnly}`],
    ['an empty value, which sops leaves empty', `T=\n${macOnly}`],
    ['a value of sops whose checksum is over such values only', `T=ENC[AES256_GCM,data:Tr7o=]\n${macOnly}`],
  ])('refuses %s, where the token would be in plain text', (_what, before) => {
    expect(() => set(before)).toThrow(expect.objectContaining({ code: 'ENCRYPTED' }));
  });

  it.each([
    [
      'a plain value of a file whose checksum is over encrypted ones',
      `T=old\n${macOnly}`,
      `T=new\n${macOnly}`,
    ],
    ['an old token with signs of a shell in it', 'T=sv=2024&sig=a;b|c\n', 'T=new\n'],
    ['a script that exports it on another line', 'T=old\nexport T\n', 'T=new\nexport T\n'],
    ['a script with other commands', 'set -e\nexport T=old\n. other\n', 'set -e\nexport T=new\n. other\n'],
    ['a file with comments of systemd', '; a\n# b\n\nA=1\n', '; a\n# b\n\nA=1\nT=new\n'],
    ['lines that end as in Windows', 'A=1\r\nT=old\r\n', 'A=1\r\nT=new\r\n'],
    ['a mark of the byte order', '\xEF\xBB\xBFA=1\n', '\xEF\xBB\xBFA=1\nT=new\n'],
    ['names and values with a colon', 'T: old\nB=2\n', 'T: new\nB=2\n'],
  ])('writes to %s', (_what, before, after) => {
    expect(set(before)).toBe(after);
  });

  it.each(['app.json', 'c.yml', 'c.YAML', 'c.toml', 'c.ini', 'c.ps1'])(
    'is not for a file called %s',
    (name) => {
      expect(isOtherFormat(`/srv/${name}`)).toBe(true);
    },
  );

  it.each(['.env', 'app.env', '.env.local', 'app.conf', 'profile.sh', 'environment'])(
    'is for a file called %s',
    (name) => {
      expect(isOtherFormat(`/srv/${name}`)).toBe(false);
    },
  );

  it('gives any file any value, and changes nothing else', () => {
    fc.assert(
      fc.property(anyDotenv, anyValue, ({ pieces, old }, value) => {
        const content = Buffer.from(
          pieces.reduce((text, piece, index) => text + (old[index - 1] ?? '') + piece),
          'latin1',
        );
        const result = setInDotenv(content, 'T', value);
        const bytes = Buffer.from(value).toString('latin1');
        expect(readValues(result, 'T')).toEqual(old.map(() => bytes));

        let rest = result.toString('latin1');
        for (const [index, piece] of pieces.entries()) {
          expect(rest.startsWith(piece)).toBe(true);
          rest = rest.slice(piece.length);
          if (index === pieces.length - 1) continue;
          const written = [`'${bytes}'`, `"${bytes}"`, `\`${bytes}\``, bytes];
          const next = pieces[index + 1] ?? '';
          const mine = written.find((one) => rest.startsWith(one + next));
          expect(mine).toBeDefined();
          rest = rest.slice(mine?.length);
        }
        expect(rest).toBe('');
        expect(setVariable(result, 'T', value)).toEqual(result);
      }),
      { numRuns: 1000 },
    );
  });

  it('adds to any file that lacks it, and leaves what was there', () => {
    fc.assert(
      fc.property(anyDotenvWithout, anyValue, (text, value) => {
        const content = Buffer.from(text, 'latin1');
        const result = setInDotenv(content, 'T', value);
        expect(result.subarray(0, content.length)).toEqual(content);
        expect(readValues(result, 'T')).toEqual([Buffer.from(value).toString('latin1')]);
        expect(setVariable(result, 'T', value)).toEqual(result);
      }),
      { numRuns: 300 },
    );
  });
});

const value = 'rvx_secret-value';

function tailOf(pieces: readonly string[], limitBytes = 2048, secret = value): string {
  const tail = new MaskedTail([secret], limitBytes);
  for (const piece of pieces) tail.add('stdout', Buffer.from(piece));
  return tail.end();
}

describe('the tail of an output', () => {
  it('has a mask wherever the value stood', () => {
    expect(tailOf([`a ${value} b\n${value}${value}\n`])).toBe('a •••• b\n••••••••');
  });

  it('masks a value that arrives in any pieces, and changes nothing else', () => {
    const text = fc
      .array(fc.constantFrom('ab', 'a', 'b', 'abcab', 'abcabd', 'x', 'é'), { maxLength: 12 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.array(fc.nat(40), { maxLength: 6 }), (printed, cuts) => {
        const bytes = Buffer.from(printed);
        const tail = new MaskedTail(['abcabd'], 2048);
        const places = [
          0,
          ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b),
          bytes.length,
        ];
        for (const [index, place] of places.entries()) {
          tail.add('stdout', bytes.subarray(place, places[index + 1] ?? place));
        }
        expect(tail.end()).toBe(printed.replaceAll('abcabd', '••••'));
      }),
    );
  });

  it('masks a value in each of two streams that come in turns', () => {
    const tail = new MaskedTail([value], 2048);
    const [first, second] = [Buffer.from(value.slice(0, 7)), Buffer.from(value.slice(7))];
    for (const piece of [first, second]) {
      tail.add('stdout', piece);
      tail.add('stderr', piece);
    }
    expect(tail.end()).toBe('••••••••');
  });

  it('keeps the last bytes only, and never a part of a value that was cut through', () => {
    for (let before = 0; before < 40; before += 1) {
      const kept = tailOf([`${'x'.repeat(50)}${value}${'y'.repeat(before)}`], 30);
      expect(kept).toMatch(/^x*•*y*$/);
      expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(30);
    }
  });

  it('masks what looks like an incompletely printed value', () => {
    expect(tailOf([`now ${value.slice(0, -1)}`])).toBe('now ••••');
  });

  it('keeps a beginning that is too short to be recognised', () => {
    expect(tailOf(['what is rvx_'])).toBe('what is rvx_');
  });

  it('leaves everything when there is no value', () => {
    expect(tailOf(['as it is'], 2048, '')).toBe('as it is');
  });
});

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
