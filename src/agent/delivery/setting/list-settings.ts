import { readSettingKey, type SettingFormat } from '../../../contract/credential/setting-key.ts';
import { guarded, readerOf } from './edit-setting.ts';
import { lineAt, type SettingPath, SettingRefused } from './setting-source.ts';

/** A text of a settings file. */
export interface SettingEntry {
  readonly path: SettingPath;
  /** As a target names it. */
  readonly key: string;
  readonly text: string;
  /** Where it is; null: it cannot be replaced, and nothing shows where it is. */
  readonly line: () => number | null;
}

interface SettingsList {
  readonly entries: readonly SettingEntry[];
  /** Maps are `Map`, lists are arrays. */
  readonly values: unknown;
}

/**
 * The texts of a settings file, in its order, read as a target reads it. What an alias of YAML stands for is there once, where it is
 * written. Throws `SettingRefused`.
 */
export async function listSettings(
  path: string,
  format: SettingFormat,
  content: Buffer,
): Promise<SettingsList> {
  const isIni = format === 'ini';
  const fromFile = (one: string): string => (isIni ? Buffer.from(one, 'latin1').toString() : one);
  const whole = content.toString(isIni ? 'latin1' : 'utf8');
  const text = whole.replace(isIni ? /^\xef\xbb\xbf/ : /^\ufeff/, '');
  const read = guarded(await readerOf(format, path))(text);
  const found: { path: SettingPath; key: string; text: string }[] = [];
  guarded(() => walk(read.values, { path: [], key: '' }, isIni ? iniKey : dottedKey, found))(null);
  const entries = found
    .map(({ path: at, key, text: value }) => ({
      path: at,
      key: fromFile(key),
      text: fromFile(value),
      line: () => lineOf(text, () => read.find(at)),
    }))
    .filter(({ key }) => readSettingKey(key, format) !== null);
  return { entries, values: read.values };
}

function lineOf(text: string, find: () => { readonly start: number } | null): number | null {
  try {
    const found = find();
    return found === null ? null : lineAt(text, found.start);
  } catch (error) {
    if (error instanceof SettingRefused) return error.line;
    throw error;
  }
}

interface Step {
  readonly path: SettingPath;
  readonly key: string;
}

/** How the key of a value in a map follows from the key of the map. */
type KeyOf = (map: Step, name: string) => string;

function walk(values: unknown, at: Step, keyOf: KeyOf, found: (Step & { text: string })[]): void {
  const { path, key } = at;
  if (typeof values === 'string') found.push({ ...at, text: values });
  else if (Array.isArray(values)) {
    const names = namesOf(values);
    for (const [place, one] of values.entries())
      walk(one, { path: [...path, place], key: `${key}[${names[place] ?? place}]` }, keyOf, found);
  } else if (values instanceof Map)
    for (const [name, one] of values as Map<unknown, unknown>)
      walk(one, { path: [...path, String(name)], key: keyOf(at, String(name)) }, keyOf, found);
}

/** A section has its name in brackets, and what is before the first one has none. */
function iniKey({ path, key }: Step, name: string): string {
  if (path.length > 0) return key + name;
  return name === '' ? '' : `[${name}]`;
}

function dottedKey({ key }: Step, name: string): string {
  return `${key === '' ? '' : `${key}.`}${/^[^.[\]"'\s=]+$/.test(name) ? name : JSON.stringify(name)}`;
}

/** `name=ci` for each entry of a list that has a name as no other one, so that it is found when others come; undefined for the rest. */
function namesOf(list: readonly unknown[]): (string | undefined)[] {
  const names = list.map((one) => (one instanceof Map ? (one.get('name') as unknown) : undefined));
  const counts = new Map<unknown, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return names.map((name) => {
    if (typeof name !== 'string' || counts.get(name) !== 1) return undefined;
    return `name=${/^[^[\]"'\s]+$/.test(name) ? name : JSON.stringify(name)}`;
  });
}
