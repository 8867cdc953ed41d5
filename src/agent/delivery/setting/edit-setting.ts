/**
 * Sets one value of a settings file; every other byte stays.
 *
 * The value is found with the reader of its format, its bytes are replaced, and the result is read again: unless exactly this value differs,
 * nothing is written. The readers are loaded when such a target is written, not before.
 */
import { isDeepStrictEqual } from 'node:util';
import { maskedValue } from '../../../contract/credential/credential-checks.ts';
import { type DeliveryTargetOf, tokenMark } from '../../../contract/credential/credential.ts';
import {
  readSettingKey,
  type SettingFormat,
  settingFormatOf,
  type SettingStep,
} from '../../../contract/credential/setting-key.ts';
import { isEncrypted } from '../../../core/credential/judge-value.ts';
import type { IniReader } from './ini-setting.ts';
import {
  type FoundSetting,
  lineAt,
  type SettingPath,
  SettingRefused,
  type SettingsText,
  Shared,
} from './setting-source.ts';

type SettingTarget = Pick<
  DeliveryTargetOf<'setting'>,
  'path' | 'key' | 'format' | 'template' | 'encoding' | 'create'
>;

/** A file with the value set, and the line of it before and after, without any value. */
export interface SettingEdit {
  readonly content: Buffer;
  readonly line: number;
  /** Null for a value that was added. */
  readonly before: string | null;
  readonly after: string;
}

/** Makes the new content of a file, from its old one; null: there is no file. Throws `SettingRefused`. */
export type EditSetting = (content: Buffer | null) => SettingEdit;

type Read = (text: string) => SettingsText;

/** Loads the reader of the target's format. */
export async function settingEditor(target: SettingTarget, token: string): Promise<EditSetting> {
  const { path, key, format = settingFormatOf(path) } = target;
  const steps = format === null ? null : readSettingKey(key, format);
  // The contract refuses both; a target that another version has stored is read here again.
  if (format === null || steps === null) throw new SettingRefused('missing');
  const read = guarded(await readerOf(format, path));
  const text = textOf(target, token);
  return guarded((content) =>
    editSetting(content, { read, steps, text, target, isLatin1: format === 'ini' }),
  );
}

/** The reader of a format, which is loaded now. */
export async function readerOf(format: SettingFormat, path: string): Promise<Read> {
  switch (format) {
    case 'json':
      return (await import('./json-setting.ts')).readJson;
    case 'yaml':
      return (await import('./yaml-setting.ts')).readYaml;
    case 'toml':
      return (await import('./toml-setting.ts')).readToml;
    case 'ini': {
      const { readIni } = await import('./ini-setting.ts');
      return (text) => readIni(text, { reader: iniReaderOf(path) });
    }
  }
}

function iniReaderOf(path: string): IniReader {
  if (/npmrc$/i.test(path)) return 'npm';
  return /[\\/](?:pip\.(?:conf|ini)|\.pypirc)$/.test(path) ? 'pip' : 'other';
}

/** Whatever reading or comparing cannot cope with, such as ten thousand brackets, is a file that is not read. */
export function guarded<From, To>(work: (from: From) => To): (from: From) => To {
  return (from) => {
    try {
      return work(from);
    } catch (error) {
      if (error instanceof SettingRefused) throw error;
      throw new SettingRefused('not_parsed', null, { cause: error });
    }
  };
}

/** What stands before the token in an address; `jdbc:sqlserver://host;password=` is none. */
const inAddress = /(?<![\w:])[a-z][a-z\d+.-]{0,40}:\/\/([^\s"']*)$/i;

/**
 * A token as a part of an address (RFC 3986, 2.1): its readers decode it, and a `/` would end its host. What may stand there stays as it
 * is: not all of them decode everywhere.
 */
function asPart(token: string, template: string): string {
  const [, before] = inAddress.exec(template.slice(0, template.indexOf(tokenMark))) ?? [];
  if (before === undefined || !token.isWellFormed()) return token;
  const encoded = encodeURIComponent(token);
  if (/[?#]/.test(before)) return encoded;
  // Of a user, a colon would end the name.
  const allowed = /[:/]/.test(before) ? /%(?:24|26|2B|2C|3A|3B|3D)/g : /%(?:24|26|2B|2C|3B|3D)/g;
  return encoded.replace(allowed, decodeURIComponent);
}

/** The whole text of the value. */
function textOf({ template = tokenMark, encoding }: SettingTarget, token: string): string {
  const text = template.split(tokenMark).join(asPart(token, template));
  return encoding === 'base64' ? Buffer.from(text).toString('base64') : text;
}

interface Edit {
  readonly read: Read;
  readonly steps: readonly SettingStep[];
  readonly text: string;
  readonly target: SettingTarget;
  readonly isLatin1: boolean;
}

/** Reading it thrice takes about a second; files of settings are far smaller. */
const maxBytes = 256 * 1024;

function editSetting(old: Buffer | null, { read, steps, text, target, isLatin1 }: Edit): SettingEdit {
  if (/[\r\n\0]/.test(text) || !text.isWellFormed()) throw new SettingRefused('unwritable');
  const bytes = old ?? Buffer.alloc(0);
  if (bytes.length > maxBytes) throw new SettingRefused('too_large');
  const coding = isLatin1 ? 'latin1' : 'utf8';
  const inFile = (one: string) => Buffer.from(one).toString(coding);
  const whole = bytes.toString(coding);
  if (bytes.includes(0) || !Buffer.from(whole, coding).equals(bytes)) throw new SettingRefused('not_utf8');
  const mark = whole.startsWith(inFile('\ufeff')) ? inFile('\ufeff') : '';
  const before = whole.slice(mark.length);

  const settings = read(before);
  const value = inFile(text);
  const path = pathOf(settings.values, steps, inFile);
  const found = path === null ? null : settings.find(path);
  if (path === null || (found === null && target.create !== true)) throw new SettingRefused('missing');
  if (found !== null && isEncrypted(found.text))
    throw new SettingRefused('encrypted', lineAt(before, found.start));
  if (isCheckedBySops(settings.values, found?.text)) throw new SettingRefused('encrypted_file');
  if (found !== null && isReference(found.text)) {
    throw new SettingRefused('reference', lineAt(before, found.start));
  }
  const [after, now] = isThere(found, value)
    ? [before, found]
    : chooseText(read, candidatesOf(before, settings, path, found, value), path, {
        values: withValue(settings.values, path, value),
        value,
        refusal: new SettingRefused(...refusalOf(before, found)),
      });
  const shown = (one: FoundSetting, inside: string) =>
    Buffer.from(`${one.label}${one.quotes[0]}${inside}${one.quotes[1]}`, coding).toString();
  const masked = inFile(maskedValue);
  const { template = tokenMark, encoding } = target;
  return {
    content: Buffer.from(mark + after, coding),
    line: lineAt(after, now.start),
    before: found === null ? null : shown(found, found.text === '' ? '' : masked),
    after: shown(now, encoding === undefined ? inFile(template).replace(tokenMark, () => masked) : masked),
  };
}

function isThere(found: FoundSetting | null, value: string): found is FoundSetting {
  return found?.text === value;
}

/**
 * Whether sops reads the file no longer once this value has changed: its checksum is over all values, or with `mac_only_encrypted` over those
 * that it has encrypted. An empty one may be one of those, because sops leaves it empty, and so may a new one.
 */
function isCheckedBySops(values: unknown, text: string | undefined): boolean {
  const sops = partOf(values, 'sops');
  const mac = partOf(sops, 'mac');
  if (typeof mac !== 'string' || !isEncrypted(mac)) return false;
  const isPlain = text !== undefined && text !== '';
  return !(isPlain && String(partOf(sops, 'mac_only_encrypted')) === 'true');
}

/** `${NAME}`, also after a word such as `Bearer`: the token belongs into that variable. */
function isReference(text: string): boolean {
  return /^(?:\S+ )?\$\{[^}]*\}$/.test(text);
}

/** Where the value is: entries of lists by their numbers. Null: there is no such entry. */
function pathOf(
  values: unknown,
  steps: readonly SettingStep[],
  inFile: (text: string) => string,
): SettingPath | null {
  const path: (string | number)[] = [];
  let at = values;
  for (const step of steps) {
    const next = typeof step === 'object' ? entryOf(at, step) : step;
    if (next === null) return null;
    path.push(typeof next === 'string' ? inFile(next) : next);
    at = partOf(at, next);
  }
  return path;
}

function entryOf(from: unknown, { field, text }: Extract<SettingStep, object>): number | null {
  const list = Shared.resolve(from);
  if (!Array.isArray(list)) return null;
  const places = list.flatMap((one, place) => (Shared.resolve(partOf(one, field)) === text ? [place] : []));
  if (places.length > 1) throw new SettingRefused('duplicate');
  return places[0] ?? null;
}

function partOf(from: unknown, step: string | number): unknown {
  const values = Shared.resolve(from);
  if (typeof step === 'number') return Array.isArray(values) ? (values as unknown[])[step] : undefined;
  if (!(values instanceof Map)) return undefined;
  return (values as Map<unknown, unknown>).get(nameIn(values, step));
}

/** A name as the map has it: those of YAML may be numbers. */
function nameIn(values: Map<unknown, unknown>, name: string): unknown {
  if (values.has(name)) return name;
  return [...values.keys()].find((key) => String(key) === name) ?? name;
}

/** The values as they have to be read afterwards. */
function withValue(values: unknown, [step, ...rest]: SettingPath, value: string): unknown {
  if (step === undefined) return value;
  const inner = withValue(partOf(values, step), rest, value);
  if (Array.isArray(values)) return typeof step === 'number' ? values.with(step, inner) : values;
  const map = new Map<unknown, unknown>(values instanceof Map ? values : []);
  return map.set(nameIn(map, String(step)), inner);
}

function candidatesOf(
  text: string,
  settings: SettingsText,
  path: SettingPath,
  found: FoundSetting | null,
  value: string,
): string[] {
  if (found === null) return settings.add(path, value);
  const { start, end } = found;
  return found.write(value).map((written) => text.slice(0, start) + written + text.slice(end));
}

function refusalOf(
  text: string,
  found: FoundSetting | null,
): [reason: 'no_room' | 'unwritable', line: number | null] {
  return found === null ? ['no_room', null] : ['unwritable', lineAt(text, found.start)];
}

/** The first text in which exactly the one value differs. */
function chooseText(
  read: Read,
  candidates: readonly string[],
  path: SettingPath,
  expected: { readonly values: unknown; readonly value: string; readonly refusal: SettingRefused },
): [string, FoundSetting] {
  for (const candidate of candidates) {
    const found = readBack(read, candidate, path, expected.values);
    if (found?.text === expected.value) return [candidate, found];
  }
  throw expected.refusal;
}

function readBack(read: Read, text: string, path: SettingPath, values: unknown): FoundSetting | null {
  try {
    const settings = read(text);
    return isDeepStrictEqual(settings.values, values) ? settings.find(path) : null;
  } catch (error) {
    if (error instanceof SettingRefused) return null;
    throw error;
  }
}
