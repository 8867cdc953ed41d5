/**
 * Where one value is in a settings file: the format of the file, and the key of the value.
 *
 * JSON, YAML and TOML: names with dots between them, `auths."ghcr.io".auth`; a name with a dot, bracket, quote or blank is in quotes.
 * An entry of a list by its number, `users[0]`, or by a field of it, `users[name=ci].user.token`. INI and .npmrc: the name as it is in
 * the file, after its section in brackets if it is in one, `[global]index-url`.
 */

export const settingFormats = ['json', 'yaml', 'toml', 'ini'] as const;
export type SettingFormat = (typeof settingFormats)[number];

/** A name, the number of a list's entry, or the entry that has a field with this text. */
export type SettingStep = string | number | { readonly field: string; readonly text: string };

export const longestSettingKey = 500;

/** Files whose name or folder says what they are, where their ending does not. */
const knownNames: readonly (readonly [RegExp, SettingFormat])[] = [
  [/\.(?:jsonc?|code-workspace)$/i, 'json'],
  [/\.ya?ml$/i, 'yaml'],
  [/\.toml$/i, 'toml'],
  [/\.(?:ini|cfg|conf)$/i, 'ini'],
  [/[\\/]\.?npmrc$/i, 'ini'],
  [/[\\/]\.pypirc$/, 'ini'],
  [/[\\/]\.aws[\\/](?:credentials|config)$/, 'ini'],
  [/[\\/]\.kube[\\/]config$/, 'yaml'],
  [/[\\/]\.cargo[\\/](?:credentials|config)$/, 'toml'],
];

/** The format of a file by its name; null: the name does not say it. */
export function settingFormatOf(path: string): SettingFormat | null {
  return knownNames.find(([name]) => name.test(path))?.[1] ?? null;
}

/** The steps to a value, the section first in an INI file ('' before the first section); null: the key cannot be read. */
export function readSettingKey(key: string, format: SettingFormat): SettingStep[] | null {
  return format === 'ini' ? readIniKey(key) : readDottedKey(key);
}

function readIniKey(key: string): SettingStep[] | null {
  const [, section = '', name] = /^(?:\[([^[\]]+)\])?([^=[\]#;\s](?:[^=]*[^=\s])?)$/.exec(key) ?? [];
  return name === undefined ? null : [section.trim(), name];
}

const bareName = /[^.[\]"'\s=]+/y;
const quotedName = /"(?:[^"\\]|\\.)*"|'[^']*'/y;
const listNumber = /\[(0|[1-9]\d{0,5})\]/y;
const listField = /\[([^.[\]"'\s=]+|"(?:[^"\\]|\\.)*")=([^[\]"'\s]+|"(?:[^"\\]|\\.)*")\]/y;

function readDottedKey(key: string): SettingStep[] | null {
  const steps: SettingStep[] = [];
  let at = 0;
  while (at < key.length) {
    const found = readListStep(key, at) ?? readName(key, steps.length === 0 ? at : afterDot(key, at));
    if (found === null) return null;
    steps.push(found.step);
    at = found.end;
  }
  return steps.length === 0 ? null : steps;
}

interface FoundStep {
  readonly step: SettingStep;
  readonly end: number;
}

function readListStep(key: string, at: number): FoundStep | null {
  const number = matchAt(listNumber, key, at);
  if (number !== null) return { step: Number(number[1]), end: listNumber.lastIndex };
  const [, field, text] = matchAt(listField, key, at) ?? [];
  if (field === undefined || text === undefined) return null;
  const [fieldName, wanted] = [unquote(field), unquote(text)];
  return fieldName === null || wanted === null
    ? null
    : { step: { field: fieldName, text: wanted }, end: listField.lastIndex };
}

function readName(key: string, at: number | null): FoundStep | null {
  if (at === null) return null;
  const pattern = key[at] === '"' || key[at] === "'" ? quotedName : bareName;
  const written = matchAt(pattern, key, at)?.[0];
  const step = written === undefined ? null : unquote(written);
  return step === null ? null : { step, end: pattern.lastIndex };
}

function afterDot(key: string, at: number): number | null {
  return key[at] === '.' ? at + 1 : null;
}

function unquote(written: string): string | null {
  if (written.startsWith("'")) return written.slice(1, -1);
  if (!written.startsWith('"')) return written;
  try {
    return JSON.parse(written) as string;
  } catch {
    return null;
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
