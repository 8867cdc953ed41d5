import {
  appendLines,
  endOfLineAt,
  type FoundSetting,
  inDoubleQuotes,
  lineAt,
  SettingRefused,
  type SettingPath,
  type SettingsText,
  insertAfterLine,
} from './setting-source.ts';

/** Who reads the file, as far as its name says it. `pip`: pip and twine. */
export type IniReader = 'npm' | 'pip' | 'other';

/** A line that sets a value, with the lines that continue it. */
interface Entry {
  readonly section: string;
  readonly name: string;
  readonly indent: string;
  /** Where its name begins. */
  readonly from: number;
  /** The sign with the blanks around it; null: the line has a name only. */
  readonly sign: string | null;
  /** Where the value begins, and where the last line of it ends. */
  readonly start: number;
  readonly end: number;
}

interface Head {
  readonly section: string;
  readonly from: number;
}

/**
 * Reads an INI file: sections in brackets, lines with `=`, comments with `;` or `#` on lines of their own.
 *
 * Programs differ in quotes, in comments after a value and in backslashes. A value is therefore written so that npm, pip, git and the readers of
 * Python, Go and PHP read the same; where that is impossible it is refused. Of npm and pip it is known: quotes of npm can hold any text,
 * and pip takes every character as it is, also quotes.
 * The text has one character for each byte (latin1), so that bytes of any encoding stay.
 */
export function readIni(text: string, { reader }: { readonly reader: IniReader }): SettingsText {
  const { entries, heads } = readLines(text, reader);
  return {
    values: valuesOf(text, entries, heads, reader),
    find: ([section, name]) => findSetting(text, entries, String(section), String(name), reader),
    add: (path, value) => add(text, { entries, heads, reader }, path, value),
  };
}

const lines = /([^\r\n]*)(?:\r\n|\n|\r)?/g;
const headLine = /^[ \t]*\[([^\r\n]*)\][ \t]*(?:[;#][^\r\n]*)?$/;

/** Names of npm contain colons, pip takes the first one for the sign, and for others it is one before a blank or where no `=` is. */
function signOf(line: string, reader: IniReader): number {
  if (reader === 'npm') return line.indexOf('=');
  return line.search(reader === 'pip' || !line.includes('=') ? /[=:]/ : /=|:(?=[ \t]|$)/);
}

function readLines(text: string, reader: IniReader): { entries: Entry[]; heads: Head[] } {
  const entries: Entry[] = [];
  const heads: Head[] = [];
  const names = new Set<string>();
  let section = '';
  let canGoOn = false;
  for (const { 1: line = '', index } of text.matchAll(lines)) {
    if (/^[ \t\f\v]*(?:[;#]|$)/.test(line)) continue;
    const content = trimBlanks(line);
    const last = entries.at(-1);
    const indent = blanksOf(line);
    if (reader !== 'npm' && canGoOn && last !== undefined && indent.length > last.indent.length) {
      entries[entries.length - 1] = { ...last, end: index + line.length };
      continue;
    }
    const head = headLine.exec(line);
    if (head !== null) {
      section = trimBlanks(head[1] ?? '');
      // Other readers take both for one section.
      if (reader === 'pip' && names.has(section)) throw new SettingRefused('not_parsed', lineAt(text, index));
      names.add(section);
      heads.push({ section, from: index });
      canGoOn = false;
      continue;
    }
    if (content.startsWith('[') && !/[=:]/.test(content))
      throw new SettingRefused('not_parsed', lineAt(text, index));
    const sign = signOf(line, reader);
    const name = trimBlanks(sign === -1 ? content : line.slice(0, sign));
    const valueAt = sign === -1 ? line.length : sign + 1 + blanksOf(line.slice(sign + 1)).length;
    entries.push({
      section,
      name,
      indent,
      from: index + indent.length,
      sign: sign === -1 ? null : line.slice(indent.length + name.length, valueAt),
      start: index + valueAt,
      end: index + line.length,
    });
    canGoOn = true;
  }
  return { entries, heads };
}

/** Other blanks stay: programs differ in them, and the bytes of letters look like them in latin1. */
function trimBlanks(text: string): string {
  let end = text.length;
  while (/^[ \t]/.test(text.slice(end - 1, end))) end -= 1;
  return text.slice(blanksOf(text).length, end);
}

function blanksOf(text: string): string {
  return /^[ \t]*/.exec(text)?.[0] ?? '';
}

function valuesOf(
  text: string,
  entries: readonly Entry[],
  heads: readonly Head[],
  reader: IniReader,
): unknown {
  const sections = new Map<string, Map<string, unknown>>([['', new Map()]]);
  const repeated: unknown[] = [];
  for (const { section } of heads)
    if (!sections.has(section)) sections.set(section, new Map<string, unknown>());
  for (const entry of entries) {
    const names = sections.get(entry.section);
    const value = entry.sign === null ? null : readValue(text, entry, reader).text;
    if (names?.has(entry.name) !== true) names?.set(entry.name, value);
    else repeated.push([entry.section, entry.name, value]);
  }
  // For the comparison only: no section has this name.
  return new Map<string, unknown>([...sections, ['\n', repeated]]);
}

interface Value {
  readonly start: number;
  readonly end: number;
  readonly quote: string;
  readonly text: string;
}

const quoted = String.raw`^(?:"(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*')`;
/** npm takes a comment after quotes for a part of the value; pip takes quotes for a part of it. */
const quotedBy: Readonly<Record<IniReader, RegExp>> = {
  npm: new RegExp(`${quoted}(?=[ \\t]*$)`),
  pip: /(?!)/,
  other: new RegExp(`${quoted}(?=[ \\t]*(?:[ \\t][;#].*)?$)`),
};

function readValue(text: string, { start, end }: Entry, reader: IniReader): Value {
  const written = text.slice(start, end);
  const [inQuotes] = quotedBy[reader].exec(written) ?? [];
  if (inQuotes === undefined) {
    const value = trimBlanks(written);
    return { start, end: start + value.length, quote: '', text: value };
  }
  const quote = inQuotes.slice(0, 1);
  return { start, end: start + inQuotes.length, quote, text: unquote(inQuotes, reader) };
}

function unquote(inQuotes: string, reader: IniReader): string {
  if (reader !== 'npm' || !inQuotes.startsWith('"')) return inQuotes.slice(1, -1);
  try {
    return toBytes(String(JSON.parse(fromBytes(inQuotes))));
  } catch {
    return inQuotes.slice(1, -1);
  }
}

function fromBytes(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString();
}

function toBytes(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function findSetting(
  text: string,
  entries: readonly Entry[],
  section: string,
  name: string,
  reader: IniReader,
): FoundSetting | null {
  const [found, again] = entries.filter((entry) => entry.section === section && entry.name === name);
  if (found === undefined) return null;
  if (again !== undefined) throw new SettingRefused('duplicate', lineAt(text, again.from));
  const line = lineAt(text, found.from);
  if (found.sign === null) throw new SettingRefused('not_text', line);
  const { start, end, quote, text: value } = readValue(text, found, reader);
  if (/[\r\n]/.test(value) || value.endsWith('\\')) throw new SettingRefused('several_lines', line);
  if (quote === '' && reader !== 'pip' && /[;#]/.test(value)) throw new SettingRefused('comment', line);
  return {
    start,
    end,
    text: value,
    label: text.slice(found.from, found.start),
    quotes: [quote, quote],
    write: (written) => inStyle(written, quote, reader),
  };
}

/** What readers take for quotes, an escape or a reference; a percent sign is one for some readers of Python. */
const special: Readonly<Record<IniReader, RegExp>> = {
  npm: /["'\\`\x00-\x1f\x7f]|\$\{/,
  pip: /^$|[\x00-\x1f\x7f]/,
  other: /["'\\`%\x00-\x1f\x7f]|\$\{/,
};

/** Blanks that only some readers remove, and what only some take for the end of a line. */
const unclear = /^\s|[\s\x85]$|[\x85\u2028\u2029]/;

function inStyle(value: string, quote: string, reader: IniReader): string[] {
  const decoded = fromBytes(value);
  const isSpecial = special[reader].test(value) || unclear.test(decoded);
  const hasComment = reader !== 'pip' && /[;#]|^[!$]/.test(value);
  // npm replaces a variable and removes outer blanks also in quotes, reads these words as no text, and what is in single quotes as JSON.
  const isNpm = reader === 'npm';
  if (isNpm && /^(?:true|false|null|undefined)$|\$\{|^\s|\s$/.test(decoded)) return [];
  const isNumber = isNpm && quote === "'" && /^-?\d/.test(value);
  return [
    ...(quote !== '' && !isSpecial && !isNumber ? [quote + value + quote] : []),
    ...(quote === '' && !isSpecial && !hasComment ? [value] : []),
    ...(isNpm ? [toBytes(inDoubleQuotes(decoded))] : []),
  ];
}

/** Adds a line after the last one of the section, written as that one is. */
function add(
  text: string,
  { entries, heads, reader }: { entries: readonly Entry[]; heads: readonly Head[]; reader: IniReader },
  path: SettingPath,
  value: string,
): string[] {
  const [section, name] = path.map(String) as [string, string];
  const others = entries.filter((entry) => entry.section === section);
  // pip takes an underscore for a hyphen.
  const plain = (one: string) =>
    reader === 'pip' ? one.toLowerCase().replaceAll('_', '-') : one.toLowerCase();
  const lower = plain(name);
  // Most readers take names that differ in upper and lower case only for the same, and some a colon for the sign although `=` follows.
  const same = others.find((entry) => {
    const known = plain(entry.name);
    return known === lower || (reader === 'other' && known.startsWith(`${lower}:`));
  });
  if (same !== undefined) throw new SettingRefused('duplicate', lineAt(text, same.from));
  const styles = inStyle(value, '', reader);
  if (styles.length === 0) throw new SettingRefused('unwritable');
  const last = others.at(-1);
  const style = others.findLast(({ sign: one }) => one?.trim() === '=');
  const sign = style?.sign ?? (reader === 'npm' ? '=' : ' = ');
  return styles.map((written) => {
    const line = `${last?.indent ?? ''}${name}${sign}${written}`;
    if (last !== undefined) return insertAfterLine(text, last.end, [line]);
    const head = heads.findLast((one) => one.section === section);
    if (head !== undefined) return insertAfterLine(text, endOfLineAt(text, head.from), [line]);
    const [first] = heads;
    if (section === '' && first !== undefined) {
      return appendLines(text.slice(0, first.from), [line, '']) + text.slice(first.from);
    }
    const before = section === '' ? [] : [...(text.trim() === '' ? [] : ['']), `[${section}]`];
    return appendLines(text, [...before, line]);
  });
}
