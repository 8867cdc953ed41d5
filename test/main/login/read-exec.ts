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
