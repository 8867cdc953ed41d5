import { type Node, type ParseError, parseTree } from 'jsonc-parser';
import {
  endOfLineAt,
  type FoundSetting,
  inDoubleQuotes,
  indentAt,
  lineAt,
  lineBreakOf,
  SettingRefused,
  type SettingPath,
  type SettingsText,
} from './setting-source.ts';

/** Reads JSON, also with comments and trailing commas, as appsettings.json and the settings of VS Code have them. */
export function readJson(text: string): SettingsText {
  const errors: ParseError[] = [];
  const isEmpty = text.trim() === '';
  const root = isEmpty ? undefined : parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined) throw new SettingRefused('not_parsed', lineAt(text, first.offset));
  return {
    values: root === undefined ? new Map() : valuesOf(root),
    find: (path) => findSetting(text, root, path),
    add: (path, value) =>
      root === undefined ? addToNothing(text, path, value) : add(text, root, path, value),
  };
}

function valuesOf({ type, children = [], value }: Node): unknown {
  if (type === 'array') return children.map(valuesOf);
  if (type !== 'object') return value;
  return new Map(partsOf(children).map(({ name, node }) => [name, valuesOf(node)]));
}

/** The names and the values of an object, in their order. */
function partsOf(properties: readonly Node[]): { name: string; key: Node; node: Node }[] {
  return properties.flatMap(({ children: [key, node] = [] }) =>
    key === undefined || node === undefined ? [] : [{ name: String(key.value), key, node }],
  );
}

interface Found {
  readonly node: Node;
  readonly key: Node | null;
}

function stepInto(text: string, parent: Node, step: string | number): Found | null {
  const { type, children = [] } = parent;
  if (typeof step === 'number') {
    const node = type === 'array' ? children[step] : undefined;
    return node === undefined ? null : { node, key: null };
  }
  if (type !== 'object') return null;
  const [found, again] = partsOf(children).filter(({ name }) => name === step);
  if (again !== undefined) throw new SettingRefused('duplicate', lineAt(text, again.key.offset));
  return found ?? null;
}

function findSetting(text: string, root: Node | undefined, path: SettingPath): FoundSetting | null {
  let found: Found | null = root === undefined ? null : { node: root, key: null };
  for (const step of path) {
    if (found === null) return null;
    found = stepInto(text, found.node, step);
  }
  if (found === null) return null;
  const { node, key } = found;
  if (node.type !== 'string') throw new SettingRefused('not_text', lineAt(text, node.offset));
  return {
    start: node.offset,
    end: node.offset + node.length,
    text: String(node.value),
    label: key === null ? '' : `${sourceOf(text, key)}: `,
    quotes: ['"', '"'],
    write: (value) => [inDoubleQuotes(value)],
  };
}

function sourceOf(text: string, { offset, length }: Node): string {
  return text.slice(offset, offset + length);
}

function addToNothing(text: string, path: SettingPath, value: string): string[] {
  const names = namesOf(path);
  if (names === null) return [];
  const lineBreak = lineBreakOf(text);
  return [
    `{${lineBreak}  ${property(names, value, { indent: '  ', unit: '  ', lineBreak })}${lineBreak}}${lineBreak}`,
  ];
}

/** Adds a property after the last one of the innermost object that is there. */
function add(text: string, root: Node, path: SettingPath, value: string): string[] {
  let parent = root;
  let depth = 0;
  for (; depth < path.length - 1; depth += 1) {
    const found = stepInto(text, parent, path[depth] ?? '');
    if (found === null) break;
    parent = found.node;
  }
  const names = namesOf(path.slice(depth));
  if (parent.type !== 'object' || names === null) return [];
  const lower = names[0]?.toLowerCase();
  const same = partsOf(parent.children ?? []).find(({ name }) => name.toLowerCase() === lower);
  // .NET fails at names that differ in upper and lower case only, and Go takes them for the same.
  if (same !== undefined) throw new SettingRefused('duplicate', lineAt(text, same.key.offset));
  const lineBreak = lineBreakOf(text);
  const unit = unitOf(text, root);
  const last = parent.children?.at(-1);
  if (last === undefined) {
    const indent = indentAt(text, parent.offset);
    const at = parent.offset + 1;
    const isOpen = /[\r\n]/.test(text.slice(at, parent.offset + parent.length));
    const line = property(names, value, { indent: indent + unit, unit, lineBreak });
    const after = isOpen ? '' : lineBreak + indent;
    return [`${text.slice(0, at)}${lineBreak}${indent}${unit}${line}${after}${text.slice(at)}`];
  }
  const end = last.offset + last.length;
  const indent = indentAt(text, last.offset);
  const onOneLine = `${text.slice(0, end)}, ${property(names, value, null)}${text.slice(end)}`;
  if (!isFirstOnLine(text, last.offset, indent)) return [onOneLine];
  const lineEnd = endOfLineAt(text, end);
  const [rest, after] = [text.slice(end, lineEnd), text.slice(lineEnd)];
  const line = lineBreak + indent + property(names, value, { indent, unit, lineBreak });
  const before = text.slice(0, end);
  // A comment stays beside its value; the second is for a comma that is there already.
  return [`${before},${rest}${line}${after}`, `${before}${rest}${line},${after}`, onOneLine];
}

function namesOf(path: SettingPath): string[] | null {
  const names = path.filter((step) => typeof step === 'string');
  return names.length === path.length ? names : null;
}

interface Layout {
  readonly indent: string;
  readonly unit: string;
  readonly lineBreak: string;
}

/** A property, with objects around its value for further names. */
function property([name = '', ...rest]: readonly string[], value: string, layout: Layout | null): string {
  const head = `${inDoubleQuotes(name)}: `;
  if (rest.length === 0) return head + inDoubleQuotes(value);
  if (layout === null) return `${head}{ ${property(rest, value, null)} }`;
  const { indent, unit, lineBreak } = layout;
  const inner = indent + unit;
  return `${head}{${lineBreak}${inner}${property(rest, value, { ...layout, indent: inner })}${lineBreak}${indent}}`;
}

/** How the file is indented. */
function unitOf(text: string, { children: [first] = [] }: Node): string {
  const indent = first === undefined ? '' : indentAt(text, first.offset);
  return indent !== '' && first !== undefined && isFirstOnLine(text, first.offset, indent) ? indent : '  ';
}

function isFirstOnLine(text: string, position: number, indent: string): boolean {
  return (
    /(?:^|[\r\n])$/.test(text.slice(0, position - indent.length)) && text.slice(0, position).endsWith(indent)
  );
}
