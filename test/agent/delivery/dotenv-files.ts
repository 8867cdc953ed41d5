import fc from 'fast-check';
import { VariableRefused } from '../../../src/agent/delivery/delivery-outcome.ts';
import { setVariable } from '../../../src/agent/delivery/dotenv-file.ts';

/** A file around the values of the variable T: `old[i]` is between `pieces[i]` and `pieces[i + 1]`. */
export interface DotenvFile {
  readonly pieces: readonly string[];
  readonly old: readonly string[];
}

const anyLineBreak = fc.constantFrom('\n', '\r\n');

const blanks = fc.stringMatching(/^[ \t]{0,2}$/);
/** One character for each byte; no quotes, breaks, `#` or blanks. */
const bareText = fc.stringMatching(/^[A-Za-z0-9$\\:;=\xA0\xC3\xE9\xFF-]{1,8}$/);
const decoys = fc.constantFrom('T=decoy', 'export T=decoy', ' T = "', '# T', 'it\\"s', 'a b', '');
const comment = fc.constantFrom('', ' # T=comment', "\t# it's", ' #"', '  ');
const name = fc.constantFrom('A', 'T_', 'AT', 'TT', 'a.b', 'export');

function quotedText(quote: string, lineBreak: string): fc.Arbitrary<string> {
  return fc
    .array(fc.oneof(bareText, decoys), { maxLength: 3 })
    .map((lines) => lines.join(lineBreak).replaceAll(quote, '').replaceAll('\\', ''))
    .map((text) => `${quote}${text}${quote}`);
}

function valueText(lineBreak: string): fc.Arbitrary<string> {
  return fc.oneof(fc.constant(''), bareText, ...["'", '"', '`'].map((quote) => quotedText(quote, lineBreak)));
}

function otherLine(lineBreak: string): fc.Arbitrary<string> {
  const assignment = fc
    .tuple(
      fc.constantFrom('', 'export ', '  '),
      name,
      fc.constantFrom('=', ' = ', '= '),
      valueText(lineBreak),
      comment,
    )
    .map((parts) => parts.join(''));
  const noise = fc.constantFrom('', '# T=old', "  # it's", '#T="', 'nothing', '\xFF\xFE', 'export T', '\t');
  return fc.oneof(assignment, noise);
}

interface Line {
  readonly before: string;
  readonly old: string | null;
  readonly after: string;
}

function mineLine(lineBreak: string): fc.Arbitrary<Line> {
  return fc.record({
    before: fc.tuple(blanks, fc.constantFrom('', 'export '), blanks).map(([a, b, c]) => `${a}${b}T${c}=`),
    old: valueText(lineBreak),
    after: comment,
  });
}

const mark = fc.constantFrom<string[]>('', '\xEF\xBB\xBF');

/** Files of valid lines that contain T at least once. */
export const anyDotenv: fc.Arbitrary<DotenvFile> = anyLineBreak.chain((lineBreak) => {
  const other = otherLine(lineBreak).map((text): Line => ({ before: text, old: null, after: '' }));
  const lines = fc.array(fc.oneof(other, mineLine(lineBreak)), { maxLength: 5 });
  return fc
    .tuple(mark, lines, mineLine(lineBreak), lines, fc.constantFrom('', lineBreak))
    .map(([start, above, mine, below, end]) => {
      const pieces = [start];
      const old: string[] = [];
      const append = (text: string): void => void pieces.push(`${pieces.pop() ?? ''}${text}`);
      for (const [index, line] of [...above, mine, ...below].entries()) {
        append(`${index === 0 ? '' : lineBreak}${line.before}`);
        if (line.old === null) continue;
        old.push(line.old);
        pieces.push(line.after);
      }
      append(end);
      return { pieces, old };
    });
});

/** Files of valid lines without T. */
export const anyDotenvWithout: fc.Arbitrary<string> = anyLineBreak.chain((lineBreak) =>
  fc
    .tuple(mark, fc.array(otherLine(lineBreak), { maxLength: 8 }), fc.constantFrom('', lineBreak))
    .map(([start, lines, end]) => `${start}${lines.join(lineBreak)}${end}`),
);

/** Values that some quotes can contain, whatever the old value was. */
export const anyValue = fc
  .oneof(
    fc.stringMatching(/^rvx_[A-Za-z0-9]{4,12}$/),
    fc.string({ unit: fc.constantFrom('a', '=', '#', '$', ' ', '\\', '~', "'", '"', '`', 'é') }),
    fc.string({ unit: 'binary' }),
  )
  .filter((value) => !/[\r\n\0]|\\$/.test(value) && !(value.includes("'") && /["$`\\]/.test(value)));

/**
 * Reads every value of a variable, as written: an independent reader, line by line, for files of valid lines.
 *
 * A `#` after a blank begins a comment; a quote after a backslash closes nothing.
 */
export function readValues(content: Buffer, variable: string): string[] {
  const found: string[] = [];
  let open: { quote: string; text: string; isMine: boolean } | null = null;
  for (const [line = '', lineBreak = ''] of linesOf(
    content.toString('latin1').replace(/^\xEF\xBB\xBF/, ''),
  )) {
    let rest = line;
    if (open === null) {
      const [, assigned, value] = /^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.]*)[ \t]*=(.*)$/s.exec(line) ?? [];
      if (value === undefined) continue;
      const isMine = assigned === variable;
      const trimmed = value.replace(/^[ \t]+/, '');
      if (!/^['"`]/.test(trimmed)) {
        if (isMine) found.push(value.replace(/(^|[ \t])#.*$/s, '').replace(/^[ \t]+|[ \t]+$/g, ''));
        continue;
      }
      open = { quote: trimmed.charAt(0), text: '', isMine };
      rest = trimmed.slice(1);
    }
    const close = rest.indexOf(open.quote);
    open.text += close === -1 ? rest + lineBreak : rest.slice(0, close);
    if (close === -1) continue;
    if (open.isMine) found.push(open.text);
    open = null;
  }
  return found;
}

function linesOf(text: string): [string, string][] {
  const parts = text.split(/(\r\n|\n)/);
  return Array.from({ length: Math.ceil(parts.length / 2) }, (_, index) => [
    parts[2 * index] ?? '',
    parts[2 * index + 1] ?? '',
  ]);
}

/** As `setVariable` does it; a file of another kind is refused, which the property is not about. */
export function setInDotenv(content: Buffer, variable: string, value: string): Buffer {
  try {
    return setVariable(content, variable, value);
  } catch (error) {
    const isOther =
      error instanceof VariableRefused &&
      ['NOT_DOTENV', 'MORE_ON_LINE', 'GOES_ON', 'ENCRYPTED'].includes(error.code);
    fc.pre(!isOther);
    throw error;
  }
}
