import { draftBounds, type DraftKey, type MenuNode } from '../../../contract/menu/ivr-draft.ts';
import type {
  ImportField,
  ImportNote,
  ImportPlace,
  ImportWarnings,
} from '../../../contract/menu/ivr-import.ts';
import { DirectDial, IvrDestinationType } from '../../../contract/menu/ivr.ts';
import type { FlowPart } from '../../../contract/menu/schedule.ts';
import { readReference } from '../../../contract/menu/ivr-reference.ts';
import { fitForName } from '../../../contract/shapes.ts';
import { type FoundMenu, isObject, type JsonObject, jsonKind } from './find-menus.ts';

/**
 * Reads a menu in all formats of the body (spec 2.3) and of the platform's `GET /v1/ivrs`, field by field.
 *
 * `number` is its place among the menus of the file, which warnings name.
 */
export function readMenu(found: FoundMenu, notes: ImportNotes, number = 1): ImportedMenu {
  const shownName = fitForName(textOf(found.fields['name']) ?? '');
  const reader = new MenuReader(found, notes, { menu: { name: shownName, number }, key: null });
  const written = reader.text('name');
  if (written === null) reader.warn('name', { code: 'missing', params: null });
  const name = fitForName(written ?? '');
  if (name !== (written ?? '')) reader.warn('name', { code: 'unfit_characters', params: null });
  const menu: ImportedMenu = {
    storedAs: reader.text('id', 'ivr_id', '_id'),
    name,
    description: reader.text('description') ?? '',
    recording: reader.recording('recording'),
    timeout: reader.count('timeout'),
    keys: readKeys(reader),
    incorrect_count: reader.count('incorrect_count', 'invalid_retries'),
    invalid_recording: reader.recording('invalid_recording', 'recording_invalid'),
    invalid_destination: reader.target('invalid_destination'),
    timeout_retry_recording: reader.recording('timeout_retry_recording'),
    timeout_recording: reader.recording('timeout_recording'),
    timeout_destination: reader.target('timeout_destination'),
    timeout_tries: reader.count('timeout_tries', 'timeout_retries'),
    ...readDirectDial(reader),
  };
  reader.leaveOutTheRest();
  return menu;
}

/** Of our own: other services do not have it. */
function readDirectDial(reader: MenuReader): Pick<ImportedMenu, 'direct_dial'> {
  const value = reader.value('direct_dial', 'direct_dial');
  if (value === null) return {};
  const parsed = DirectDial.safeParse(value);
  if (parsed.success) return { direct_dial: parsed.data };
  reader.warn('direct_dial', { code: 'not_direct_dial', params: null });
  return {};
}

/** The keys of a menu: as the three lists of the body, or as the platform's `ivr_menu`. */
function readKeys(reader: MenuReader): ImportedKey[] {
  const entries = reader.list('ivr_menu', 'keys');
  const options = reader.list('option', 'keys');
  const destinations = reader.list('destination', 'destinations') ?? [];
  const templates = reader.list('sms_template', 'sms_templates') ?? [];
  if (options === null && entries !== null)
    return keysOfEntries(reader, bounded(reader, 'ivr_menu', entries));
  if (entries !== null) reader.warn('keys', { code: 'not_read', params: { unread: 'ivr_menu' } }, 'ivr_menu');
  if (options === null) {
    reader.warn('keys', { code: 'no_option', params: null }, 'option');
    return [];
  }
  const more = destinations.length - options.length;
  if (more > 0) reader.warn('destinations', { code: 'surplus', params: { count: more } }, 'destination');
  const moreTemplates = templates.length - options.length;
  if (moreTemplates > 0)
    reader.warn('sms_templates', { code: 'surplus', params: { count: moreTemplates } }, 'sms_template');
  return bounded(reader, 'option', options).map((option, index) => {
    const ofKey = reader.ofKey(option, index);
    return {
      key: keyOf(ofKey, `option[${index}]`, option),
      to: destinationAt(ofKey, `destination[${index}]`, destinations[index]),
      sms_template: templateOf(ofKey, `sms_template[${index}]`, templates[index]),
    };
  });
}

function keysOfEntries(reader: MenuReader, entries: readonly unknown[]): ImportedKey[] {
  return entries.flatMap((fields, index) => {
    const entry = reader.entry(index, fields);
    if (entry === null) return [];
    const key = {
      key: keyOf(entry, 'option', entry.value('key', 'option', 'key', 'digit')),
      to: entry.target('destination'),
      sms_template: templateOf(
        entry,
        'sms_template_id',
        entry.value('sms_template', 'sms_template_id', 'sms_template'),
      ),
    };
    // Its own number and the id of its menu are ignored without a warning.
    entry.ignore('id', 'ivr_id');
    entry.leaveOutTheRest();
    return [key];
  });
}

function bounded(reader: MenuReader, at: string, list: readonly unknown[]): readonly unknown[] {
  if (list.length > draftBounds.keys)
    reader.warn(
      'keys',
      { code: 'too_many_keys', params: { count: list.length, read: draftBounds.keys } },
      at,
    );
  return list.slice(0, draftBounds.keys);
}

function keyOf(reader: MenuReader, at: string, value: unknown): string {
  const key = textOf(value);
  if (key !== null && key !== '' && key.length <= draftBounds.textLength) return key;
  reader.warn('key', { code: 'not_a_key', params: { found: jsonKind(value) } }, at);
  return '';
}

function destinationAt(reader: MenuReader, at: string, value: unknown): ImportedTarget | null {
  const text = textOf(value);
  const reference = text === null || text.length > draftBounds.textLength ? null : readReference(text);
  if (reference !== null) return reader.targetOf('destination', reference, at);
  reader.warn(
    'destination',
    text === null || text === ''
      ? { code: 'key_without_destination', params: null }
      : { code: 'not_a_destination', params: { of: 'key', value: text } },
    at,
  );
  return null;
}

function templateOf(reader: MenuReader, at: string, value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  const template = textOf(value);
  if (template !== null && template.length <= draftBounds.textLength) return template;
  reader.warn('sms_template', { code: 'not_a_template', params: null }, at);
  return null;
}

/** What telephone systems call these types. */
const otherWords: Readonly<Record<string, IvrDestinationType>> = {
  queue: 'department',
  ringgroup: 'ring_group',
};

/** A note without its place. */
type Finding = ImportNote extends infer N ? (N extends ImportNote ? Omit<N, 'at' | 'place'> : never) : never;

/** A key that is short and visible can be named in a sentence. */
const shownKey = /^[\p{L}\p{N}*#]{1,4}$/u;

/**
 * Reads the fields of one object leniently: numbers may be texts and texts numbers, a reference may be in two parts.
 *
 * A missing or invalid field becomes null with a warning. It records which fields were read; the others are reported as
 * left out.
 */
class MenuReader {
  readonly #fields: JsonObject;
  readonly #path: string;
  readonly #notes: ImportNotes;
  readonly #of: Omit<ImportPlace, 'field'>;
  readonly #asked = new Set<string>();

  constructor({ path, fields }: FoundMenu, notes: ImportNotes, of: Omit<ImportPlace, 'field'>) {
    this.#path = path;
    this.#fields = fields;
    this.#notes = notes;
    this.#of = of;
  }

  /** `at` is the path within this object, where it is not the name of the field. */
  warn(field: ImportField, finding: Finding, at: string = field): void {
    this.#notes.warn({ ...finding, at: this.#pathOf(at), place: { ...this.#of, field } });
  }

  /** The value of the first of these names that exists; the others are aliases. */
  value(field: ImportField, ...names: readonly string[]): unknown {
    this.ignore(...names);
    const [first, ...others] = names.filter((one) => !isBlank(this.#own(one)));
    if (first === undefined) return null;
    const value = this.#own(first);
    for (const other of others)
      if (textOf(this.#own(other)) !== textOf(value))
        this.warn(field, { code: 'contradicts', params: { other: first } }, other);
    return value;
  }

  /** The text of a field, or null if there is none. */
  text(field: ImportField, ...aliases: readonly string[]): string | null {
    return this.#textAt(field, field, ...aliases);
  }

  count(field: ImportField, ...aliases: readonly string[]): number | null {
    const value = this.value(field, field, ...aliases);
    if (value === null) return this.#open(field);
    const text = textOf(value);
    if (text !== null && /^\s*\d{1,6}(?:\.0*)?\s*$/.test(text)) return Number(text);
    this.warn(field, { code: 'not_a_number', params: { value: text, found: jsonKind(value) } });
    return null;
  }

  /** `recording||42`; also the id alone, or with its type in a separate field. */
  recording(field: ImportField, ...aliases: readonly string[]): string | null {
    const type = this.#textAt(field, `${field}_type`) ?? 'recording';
    const text = this.text(field, ...aliases, `${field}_id`);
    if (text === null) return this.#open(field);
    return readReference(text) === null ? `${type}||${text}` : text;
  }

  /** `extension||101`, `hangup`; also the id with its type in a separate field. */
  target(field: ImportField): ImportedTarget | null {
    const type = this.#textAt(field, `${field}_type`);
    const text = this.text(field, `${field}_id`);
    if (text === null && type === null) return this.#open(field);
    const reference = text === null ? null : readReference(text);
    if (reference === null && type === null) {
      const of = field === 'destination' ? 'key' : 'menu';
      this.warn(field, { code: 'not_a_destination', params: { of, value: text ?? '' } });
      return null;
    }
    return this.targetOf(field, reference ?? { type: type ?? '', id: text ?? '' });
  }

  targetOf(
    field: ImportField,
    { type, id }: { readonly type: string; readonly id: string },
    at: string = field,
  ): ImportedTarget | null {
    if ((type === 'hours' || type === 'message') && this.#notes.parts.has(`${type}||${id}`))
      return { type, id };
    const written = type
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, '_');
    const known = IvrDestinationType.safeParse(otherWords[written] ?? written);
    if (!known.success) {
      this.warn(field, { code: 'unknown_type', params: { type } }, at);
      return null;
    }
    if (id === '' && known.data !== 'hangup')
      this.warn(field, { code: 'no_id', params: { type: known.data } }, at);
    return { type: known.data, id };
  }

  list(name: string, field: ImportField): readonly unknown[] | null {
    const value = this.value(field, name);
    if (value === null) return null;
    if (Array.isArray(value)) return value as unknown[];
    this.warn(field, { code: 'not_a_list', params: { found: jsonKind(value) } }, name);
    return null;
  }

  /** A reader of the same object whose warnings are about one of its keys. */
  ofKey(key: unknown, index: number): MenuReader {
    return new MenuReader({ path: this.#path, fields: this.#fields }, this.#notes, this.#placeOf(key, index));
  }

  /** A reader of an entry of `ivr_menu`, or null if it is not an object. */
  entry(index: number, fields: unknown): MenuReader | null {
    const path = this.#pathOf(`ivr_menu[${index}]`);
    if (isObject(fields)) {
      const key = [fields['option'], fields['key'], fields['digit']].find((one) => !isBlank(one));
      return new MenuReader({ path, fields }, this.#notes, this.#placeOf(key, index));
    }
    const params = { found: jsonKind(fields) };
    const place = { ...this.#placeOf(null, index), field: 'key' } as const;
    this.#notes.warn({ code: 'not_an_object', at: path, place, params });
    return null;
  }

  /** Fields that are not reported as left out. */
  ignore(...names: readonly string[]): void {
    for (const name of names) this.#asked.add(name);
  }

  /** Reports the fields that were not read. */
  leaveOutTheRest(): void {
    for (const field of Object.keys(this.#fields)) if (!this.#asked.has(field)) this.#notes.leaveOut(field);
  }

  /** Own properties only: every object has a `constructor`. */
  #own(name: string): unknown {
    return Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined;
  }

  #textAt(field: ImportField, name: string, ...aliases: readonly string[]): string | null {
    const value = this.value(field, name, ...aliases);
    if (value === null) return null;
    const text = textOf(value);
    if (text === null) this.warn(field, { code: 'not_a_text', params: { found: jsonKind(value) } }, name);
    else if (text.length > draftBounds.textLength)
      this.warn(field, { code: 'too_long', params: { longest: draftBounds.textLength } }, name);
    else return text;
    return null;
  }

  #open(field: ImportField): null {
    this.warn(field, { code: 'missing', params: null });
    return null;
  }

  #pathOf(at: string): string {
    return this.#path === '' ? at : `${this.#path}.${at}`;
  }

  #placeOf(key: unknown, index: number): Omit<ImportPlace, 'field'> {
    const text = textOf(key) ?? '';
    return { ...this.#of, key: { label: shownKey.test(text) ? text : null, number: index + 1 } };
  }
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** A text, or a number as text; null for anything else. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : null;
}

/** Where an outcome of an imported menu leads; the id is blank while it is not set. */
export interface ImportedTarget {
  readonly type: IvrDestinationType | FlowPart['kind'];
  readonly id: string;
}

interface ImportedKey extends Omit<DraftKey, 'to'> {
  readonly to: ImportedTarget | null;
}

/** An imported menu; its destinations are not connected yet. */
export interface ImportedMenu extends Omit<
  MenuNode,
  'kind' | 'id' | 'place' | 'keys' | 'invalid_destination' | 'timeout_destination'
> {
  /** The id of the menu at its origin; null if none is given. */
  readonly storedAs: string | null;
  readonly keys: readonly ImportedKey[];
  readonly invalid_destination: ImportedTarget | null;
  readonly timeout_destination: ImportedTarget | null;
}

/** The warnings of an import: what is incomplete, and what was left out. */
export class ImportNotes {
  readonly #notes: ImportNote[] = [];
  readonly #leftOut = new Map<string, number>();
  /** Opening hours and messages that menus may lead to, as their destinations write them. */
  readonly parts: ReadonlySet<string>;

  constructor(parts: ReadonlySet<string> = new Set()) {
    this.parts = parts;
  }

  warn(note: ImportNote): void {
    this.#notes.push(note);
  }

  /** A field that a menu does not have. Counted over all menus, because a long list would hide what matters. */
  leaveOut(field: string): void {
    this.#leftOut.set(field, (this.#leftOut.get(field) ?? 0) + 1);
  }

  warnings(): ImportWarnings {
    return {
      notes: this.#notes.slice(0, mostNotes),
      more: Math.max(0, this.#notes.length - mostNotes),
      leftOut: Array.from(this.#leftOut, ([field, times]) => ({ field, times })),
    };
  }
}

const mostNotes = 100;
