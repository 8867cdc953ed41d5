import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { autostartEntry, isAutostartOn } from '../../../src/main/autostart-entry.ts';

const program = '/opt/Rotavox/rotavox';
const plain = [program, '--hidden'];

describe('the entry that starts the app at login', () => {
  it('is a desktop entry of an application', () => {
    expect(autostartEntry(plain, program).split('\n')).toEqual([
      '[Desktop Entry]',
      'Type=Application',
      'Name=Rotavox',
      'Comment=Rotates API tokens and designs phone menus',
      'TryExec=/opt/Rotavox/rotavox',
      'Exec="/opt/Rotavox/rotavox" "--hidden"',
      'Icon=rotavox',
      'Terminal=false',
      'X-GNOME-Autostart-enabled=true',
      '',
    ]);
  });

  it('starts nothing once its program is gone, whatever its path has', () => {
    expect(autostartEntry(plain, '/home/a\\b\nExec=evil/Rotavox')).toContain(
      'TryExec=/home/a\\\\b\\nExec=evil/Rotavox\n',
    );
  });

  it.each([
    ['spaces', ['/home/a b/Rotavox 1.0.AppImage', '--hidden']],
    ['quotes of both kinds', [`/home/"a"/it's`]],
    ['backslashes, one and two, and at the end', ['a\\b', 'a\\\\b', 'end\\', '\\']],
    ['a percent sign and what looks like a field code', ['100%', '%u', '%%', '%']],
    ['what a shell would expand', ['$HOME', '`id`', '$(id)', '~', '*', 'a;b|c&d<e>f', '#']],
    ['escapes of the file format', ['\\s\\n\\t', 'a\\"b']],
    ['an argument that is empty', ['', 'x', '']],
    ['spaces at both ends', ['  x  ']],
    ['letters of other alphabets', ['/home/юзер/📁']],
    ['line breaks and tabs', ['a\nExec=evil', 'b\r\n', '\tc']],
  ])('gives the command back with %s', (_name, command) => {
    expect(readExec(autostartEntry(command, program))).toEqual(command);
  });

  it('gives any command back, and stays the one entry that it is', () => {
    const hostile = fc.constantFrom(
      '"',
      '\\',
      '%',
      '$',
      '`',
      "'",
      ' ',
      '\n',
      '\r',
      '\t',
      'n',
      's',
      'u',
      '[x]',
      '=',
      '#',
    );
    const anyArgument = fc.oneof(
      fc.string(),
      fc.string({ unit: 'grapheme' }),
      fc.array(hostile, { maxLength: 8 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(fc.array(anyArgument, { minLength: 1, maxLength: 5 }), (command) => {
        const entry = autostartEntry(command, program);
        expect(readExec(entry)).toEqual(command);
        expect(entry.split(/\r|\n/)).toHaveLength(10);
        expect(isAutostartOn(entry)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('whether an entry starts anything', () => {
  const entry = autostartEntry(plain, program);

  it.each([
    ['as we wrote it', entry, true],
    ['explicitly not hidden', `${entry}Hidden=false\n`, true],
    ['hidden, as the XDG way to switch off is', `${entry}Hidden=true\n`, false],
    ['hidden, with spaces', `${entry}Hidden = true \n`, false],
    [
      'hidden, in a file with line ends of Windows',
      entry.replaceAll('\n', '\r\n').concat('Hidden=true\r\n'),
      false,
    ],
    ['switched off by GNOME', entry.replace('enabled=true', 'enabled=false'), false],
    ['with a comment about hiding', `${entry}#Hidden=true\n`, true],
    ['with a name that says so', entry.replace('Name=Rotavox', 'Name=Hidden=true'), true],
    ['that was emptied, or written half', '', false],
    ['that ends before its command', entry.slice(0, entry.indexOf('Exec')), false],
  ])('one %s: %s', (_name, text, isOn) => {
    expect(isAutostartOn(text)).toBe(isOn);
  });
});

/**
 * The command of a desktop entry, read strictly by the Desktop Entry Specification 1.5.
 *
 * First the string (“Possible value types”): `\s \n \t \r \\`. Then the command (“The Exec key”): arguments are separated by
 * spaces; in double quotes a backslash precedes `"`, `` ` ``, `$` and `\`, and no other reserved character may be
 * outside of them; `%%` is a percent sign, and any other `%` a field code. Throws where the specification leaves it open.
 */
export function readExec(entry: string): string[] {
  const lines = entry.split('\n').filter((line) => /^Exec\s*=/.test(line));
  if (lines.length !== 1) throw new Error(`There are ${lines.length} commands in the entry.`);
  const line = lines[0] ?? '';
  return split(unescape(line.slice(line.indexOf('=') + 1).trim())).map(expand);
}

const escapes: Record<string, string> = { s: ' ', n: '\n', t: '\t', r: '\r', '\\': '\\' };

function unescape(value: string): string {
  return value.replace(/\\([^]?)/g, (_whole, letter: string) => {
    const meant = escapes[letter];
    if (meant === undefined) throw new Error(`The string has an unknown escape, \\${letter}.`);
    return meant;
  });
}

function split(command: string): string[] {
  const found: string[] = [];
  let rest = command;
  while (rest !== '') {
    const [whole, inQuotes, bare] =
      /^(?:"((?:[^"\\`$]|\\["\\`$])*)"|([^\s"'\\><~|&;$*?#()`]+))(?: +|$)/.exec(rest) ?? [];
    if (whole === undefined) throw new Error(`The command cannot be read from here: ${rest}`);
    found.push(inQuotes?.replace(/\\(["\\`$])/g, '$1') ?? bare ?? '');
    rest = rest.slice(whole.length);
  }
  return found;
}

function expand(argument: string): string {
  const codes = argument.replaceAll('%%', '');
  if (codes.includes('%')) throw new Error(`The argument has a field code: ${argument}`);
  return argument.replaceAll('%%', '%');
}
