import { type AST, getStaticTOMLValue, parseTOML } from 'toml-eslint-parser';
import {
  appendLines,
  asMaps,
  type FoundSetting,
  inDoubleQuotes,
  indentAt,
  insertAfterLine,
  lineAt,
  SettingRefused,
  type SettingPath,
  type SettingsText,
} from './setting-source.ts';

/** A value of the file with the whole path to it. */
interface Entry {
  readonly path: SettingPath;
  readonly value: AST.TOMLContentNode;
  readonly pair: AST.TOMLKeyValue | null;
}

interface Table {
  readonly path: SettingPath;
  readonly node: AST.TOMLTable | null;
  readonly pairs: readonly AST.TOMLKeyValue[];
}

/** Reads TOML 1.1, which contains 1.0. */
export function readToml(text: string): SettingsText {
  const program = parse(text);
  const [{ body }] = program.body;
  const tables: Table[] = [
    { path: [], node: null, pairs: body.filter((one) => one.type === 'TOMLKeyValue') },
    ...body.flatMap((node) =>
      node.type === 'TOMLTable' ? [{ path: node.resolvedKey, node, pairs: node.body }] : [],
    ),
  ];
  const entries = tables.flatMap(({ path, pairs }) => pairs.flatMap((pair) => entriesOf(path, pair)));
  return {
    values: asMaps(getStaticTOMLValue(program)),
    find: (path) => findSetting(text, entries, path),
    add: (path, value) => add(text, tables, entries, path, value),
  };
}

function parse(text: string): AST.TOMLProgram {
  try {
    return parseTOML(text);
  } catch (error) {
    const line = error instanceof SyntaxError && 'lineNumber' in error ? Number(error.lineNumber) : null;
    throw new SettingRefused('not_parsed', line, { cause: error });
  }
}

function entriesOf(table: SettingPath, pair: AST.TOMLKeyValue): Entry[] {
  const path = [...table, ...pair.key.keys.map((key) => (key.type === 'TOMLBare' ? key.name : key.value))];
  return withInner({ path, value: pair.value, pair });
}

function withInner(entry: Entry): Entry[] {
  const { path, value } = entry;
  if (value.type === 'TOMLInlineTable')
    return [entry, ...value.body.flatMap((pair) => entriesOf(path, pair))];
  if (value.type !== 'TOMLArray') return [entry];
  return [
    entry,
    ...value.elements.flatMap((one, place) => withInner({ path: [...path, place], value: one, pair: null })),
  ];
}

function isAt(path: SettingPath): (one: { readonly path: SettingPath }) => boolean {
  return (one) => one.path.length === path.length && one.path.every((step, place) => step === path[place]);
}

function findSetting(text: string, entries: readonly Entry[], path: SettingPath): FoundSetting | null {
  const found = entries.find(isAt(path));
  if (found === undefined) return null;
  const { value, pair } = found;
  const [start, end] = value.range;
  if (value.type !== 'TOMLValue' || value.kind !== 'string') {
    throw new SettingRefused('not_text', lineAt(text, start));
  }
  const quote = /^(?:"""|'''|["'])/.exec(text.slice(start, end))?.[0] ?? '"';
  return {
    start,
    end,
    text: value.value,
    // Only blanks and the sign may be between them.
    label: pair === null ? '' : text.slice(pair.key.range[0], start),
    quotes: [quote, quote],
    write: (written) => inQuotes(written, quote),
  };
}

/** What a literal string cannot hold: its quote and control characters. */
const notLiteral = /['\x00-\x08\x0a-\x1f\x7f]/;

function inQuotes(value: string, quote: string): string[] {
  const basic = inDoubleQuotes(value);
  if (quote === '"""') return [`""${basic}""`, basic];
  if (quote === '"' || notLiteral.test(value)) return [basic];
  return [quote + value + quote];
}

function add(
  text: string,
  tables: readonly Table[],
  entries: readonly Entry[],
  path: SettingPath,
  value: string,
): string[] {
  const parent = path.slice(0, -1);
  const name = path.at(-1);
  if (typeof name !== 'string') return [];
  const line = `${keyText(name)} = ${inDoubleQuotes(value)}`;
  const inline = entries.find(isAt(parent))?.value;
  if (inline !== undefined) return inline.type === 'TOMLInlineTable' ? [addInline(text, inline, line)] : [];
  const table = tables.findLast(isAt(parent));
  const last = table?.pairs.at(-1);
  if (last !== undefined) {
    return [insertAfterLine(text, last.range[1], [indentAt(text, last.range[0]) + line])];
  }
  if (table === undefined) {
    const head = `[${parent
      .filter((step) => typeof step === 'string')
      .map(keyText)
      .join('.')}]`;
    return [appendLines(text, [...(text.trim() === '' ? [] : ['']), head, line])];
  }
  if (table.node !== null) return [insertAfterLine(text, table.node.key.range[1], [line])];
  const [, first] = tables;
  if (first?.node === undefined || first.node === null) return [appendLines(text, [line])];
  // Before the first table, because what follows its head would belong to it.
  const at = first.node.range[0] - indentAt(text, first.node.range[0]).length;
  return [appendLines(text.slice(0, at), [line, '']) + text.slice(at)];
}

function addInline(text: string, table: AST.TOMLInlineTable, line: string): string {
  const last = table.body.at(-1);
  const at = last?.range[1] ?? table.range[0] + 1;
  const added = last === undefined ? ` ${line} ` : `, ${line}`;
  return text.slice(0, at) + added + text.slice(at);
}

function keyText(name: string): string {
  return /^[A-Za-z0-9_-]+$/.test(name) ? name : inDoubleQuotes(name);
}
