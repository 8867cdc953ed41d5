import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type ParsedNode,
  parseAllDocuments,
  Scalar,
  type YAMLMap,
} from 'yaml';
import {
  appendLines,
  endOfLineAt,
  type FoundSetting,
  inDoubleQuotes,
  insertAfterLine,
  lineAt,
  lineBreakOf,
  SettingRefused,
  type SettingPath,
  type SettingsText,
  Shared,
} from './setting-source.ts';

/**
 * Reads one document of YAML 1.2, or of 1.1 where it says so. Whether a key is there twice is looked at on the way to the value only: the parser
 * compares each key with each. It also counts the lines anew for each error that it makes pretty.
 */
export function readYaml(text: string): SettingsText {
  const parsed = parseAllDocuments(text, { uniqueKeys: false, prettyErrors: false });
  const [only, second]: (Document<ParsedNode> | undefined)[] = Array.isArray(parsed) ? parsed : [];
  for (const { errors } of [only, second].filter((one) => one !== undefined)) {
    const [error] = errors;
    if (error !== undefined) throw new SettingRefused('not_parsed', lineAt(text, error.pos[0]));
  }
  if (second !== undefined)
    throw new SettingRefused('several_documents', lineAt(text, second.range?.[0] ?? 0));
  const root: unknown = only?.contents;
  return {
    values: valuesOf(text, root, new Map()) ?? new Map(),
    find: (path) => findSetting(text, root, path),
    add: (path, value) => add(text, root, path, value),
  };
}

/** The parser itself would write out every alias, and aliases of aliases multiply: a short file would take minutes. */
function valuesOf(text: string, node: unknown, anchored: Map<string, unknown>): unknown {
  if (isAlias(node)) {
    const { source } = node;
    if (!anchored.has(source)) throw new SettingRefused('not_parsed', lineAt(text, positionOf(node)));
    return new Shared(source, anchored.get(source));
  }
  const values = ownValuesOf(text, node, anchored);
  if ((isScalar(node) || isCollection(node)) && node.anchor !== undefined) anchored.set(node.anchor, values);
  return values;
}

function ownValuesOf(text: string, node: unknown, anchored: Map<string, unknown>): unknown {
  const inner = (one: unknown) => valuesOf(text, one, anchored);
  if (isSeq(node)) return node.items.map(inner);
  if (!isMap(node)) return isScalar(node) ? node.value : null;
  return new Map(
    node.items.map(({ key, value }) => {
      const name = inner(key);
      return [isScalar(key) ? name : sourceOf(text, key), inner(value)];
    }),
  );
}

function sourceOf(text: string, node: unknown): string {
  const [start = 0, end = 0] = rangeOf(node) ?? [];
  return text.slice(start, end);
}

interface Found {
  readonly node: unknown;
  readonly key: Node | null;
}

function positionOf(node: unknown): number {
  return rangeOf(node)?.[0] ?? 0;
}

function rangeOf(node: unknown): readonly number[] | null {
  return (isScalar(node) || isCollection(node) || isAlias(node) ? node.range : null) ?? null;
}

/** Throws for a node that stands for others, or that others stand for: they would change with it. */
function assertOwn(text: string, node: unknown): void {
  const isShared = isAlias(node) || ((isScalar(node) || isCollection(node)) && node.anchor !== undefined);
  if (isShared) throw new SettingRefused('shared', lineAt(text, positionOf(node)));
}

function stepInto(text: string, parent: unknown, step: string | number): Found | null {
  assertOwn(text, parent);
  if (typeof step === 'number') {
    const node = isSeq(parent) ? parent.items[step] : undefined;
    return node === undefined ? null : { node, key: null };
  }
  if (!isMap(parent)) return null;
  const [pair, again] = parent.items.filter(({ key }) => isScalar(key) && String(key.value) === step);
  if (again !== undefined) throw new SettingRefused('duplicate', lineAt(text, positionOf(again.key)));
  return pair === undefined ? null : { node: pair.value, key: isScalar(pair.key) ? pair.key : null };
}

function findSetting(text: string, root: unknown, path: SettingPath): FoundSetting | null {
  let found: Found | null = { node: root, key: null };
  for (const step of path) {
    if (found === null) return null;
    found = stepInto(text, found.node, step);
  }
  if (found === null) return null;
  const { node, key } = found;
  assertOwn(text, node);
  const line = lineAt(text, positionOf(node) || positionOf(key));
  const isText = isScalar(node) && typeof node.value === 'string';
  const hasOtherTag = isScalar(node) && node.tag !== undefined && node.tag !== textTag;
  if (!isText || hasOtherTag || node.range === undefined || node.range === null) {
    throw new SettingRefused('not_text', line);
  }
  if (node.type === Scalar.BLOCK_LITERAL || node.type === Scalar.BLOCK_FOLDED) {
    throw new SettingRefused('several_lines', line);
  }
  const [start, end] = node.range;
  const quote = quoteOf(node);
  return {
    start,
    end,
    text: String(node.value),
    label: key === null ? '' : `${sourceOf(text, key)}: `,
    quotes: [quote, quote],
    write: (value) => inStyle(value, quote),
  };
}

const textTag = 'tag:yaml.org,2002:str';

function quoteOf({ type }: Scalar): string {
  if (type === Scalar.QUOTE_DOUBLE) return '"';
  return type === Scalar.QUOTE_SINGLE ? "'" : '';
}

/** A text that every reader of YAML 1.1 and 1.2 takes as a text without quotes. */
const plainText = /^[A-Za-z_][A-Za-z0-9_./+=-]*$/;
/** Words that YAML 1.1 reads as something else. */
const otherWords = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf|infinity)$/i;
const notPrintable = /[^\t\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u;

function inStyle(value: string, quote: string): string[] {
  const quoted = inDoubleQuotes(value);
  if (quote === '' && plainText.test(value) && !otherWords.test(value)) return [value, quoted];
  if (quote === "'" && !notPrintable.test(value)) return [`'${value.replaceAll("'", "''")}'`, quoted];
  return [quoted];
}

/** Adds a line after the last one of the innermost map that is there; before its first one where that is read otherwise. */
function add(text: string, root: unknown, path: SettingPath, value: string): string[] {
  let parent = root;
  let depth = 0;
  for (; depth < path.length - 1; depth += 1) {
    const found = stepInto(text, parent, path[depth] ?? '');
    if (found === null) break;
    parent = found.node;
  }
  assertOwn(text, parent);
  const names = path.slice(depth).filter((step) => typeof step === 'string');
  if (names.length < path.length - depth) return [];
  if (
    depth === 0 &&
    (parent === undefined || parent === null || (isScalar(parent) && parent.value === null))
  ) {
    return [appendLines(text, block(names, value, ''))];
  }
  if (!isMap(parent)) return [];
  return parent.flow === true
    ? addInFlow(text, parent, names, value)
    : addInBlock(text, parent, names, value);
}

function addInFlow(
  text: string,
  { items, range }: YAMLMap,
  names: readonly string[],
  value: string,
): string[] {
  const at = (range?.[0] ?? 0) + 1;
  const inner = names.reduceRight((text, name, place) => {
    const pair = `${keyText(name)}: ${text}`;
    return place === 0 ? pair : `{${pair}}`;
  }, inDoubleQuotes(value));
  return [`${text.slice(0, at)}${inner}${items.length === 0 ? '' : ', '}${text.slice(at)}`];
}

function addInBlock(
  text: string,
  { items, range }: YAMLMap,
  names: readonly string[],
  value: string,
): string[] {
  const first = items[0]?.key;
  const start = isScalar(first) ? first.range?.[0] : undefined;
  const end = range?.[1];
  if (start === undefined || end === undefined) return [];
  const line = text.slice(0, start);
  const lineStart = Math.max(line.lastIndexOf('\n'), line.lastIndexOf('\r')) + 1;
  // In a list the map begins after the dash.
  const indent = ' '.repeat(start - lineStart);
  const lines = block(names, value, indent);
  const lineBreak = lineBreakOf(text);
  const [top = '', ...rest] = lines;
  const before = [top.slice(indent.length), ...rest].join(lineBreak) + lineBreak + indent;
  return [
    insertAfterLine(text, lastContent(text, end), lines),
    `${text.slice(0, start)}${before}${text.slice(start)}`,
  ];
}

/** The last character before a position that is no blank: the range of a block may end after its line break. */
function lastContent(text: string, end: number): number {
  return endOfLineAt(text, text.slice(0, end).trimEnd().length);
}

/** The lines of a value with its names around it. */
function block(names: readonly string[], value: string, indent: string): string[] {
  return names.map((name, depth) => {
    const head = `${indent}${'  '.repeat(depth)}${keyText(name)}:`;
    return depth === names.length - 1 ? `${head} ${inDoubleQuotes(value)}` : head;
  });
}

function keyText(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_-]*$/.test(name) && !otherWords.test(name) ? name : inDoubleQuotes(name);
}
