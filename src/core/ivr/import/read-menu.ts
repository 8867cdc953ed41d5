import { draftBounds, type DraftKey, type MenuNode } from '../../../contract/menu/ivr-draft.ts';
import type { ImportNote } from '../../../contract/menu/ivr-import.ts';
import { IvrDestinationType } from '../../../contract/menu/ivr.ts';
import { readReference } from '../../../contract/menu/ivr-reference.ts';
import { fitForName } from '../../../contract/shapes.ts';
import { type FoundMenu, isObject, type JsonObject, jsonKind } from './find-menus.ts';
import type { ImportNotes } from './import-notes.ts';

/** Reads a menu in all formats of the body (spec 2.3) and of the platform's `GET /v1/ivrs`, field by field. */
export function readMenu(found: FoundMenu, notes: ImportNotes): ImportedMenu {
  const reader = new MenuReader(found, notes);
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
  };
  reader.leaveOutTheRest();
  return menu;
}

/** The keys of a menu: as the three lists of the body, or as the platform's `ivr_menu`. */
function readKeys(reader: MenuReader): ImportedKey[] {
  const entries = reader.list('ivr_menu');
  const options = reader.list('option');
  const destinations = reader.list('destination') ?? [];
  const templates = reader.list('sms_template') ?? [];
  if (options === null && entries !== null)
    return keysOfEntries(reader, bounded(reader, 'ivr_menu', entries));
  if (entries !== null) reader.warn('ivr_menu', { code: 'not_read', params: { instead: 'option' } });
  if (options === null) {
    reader.warn('option', { code: 'no_option', params: null });
    return [];
  }
  if (destinations.length > options.length)
    reader.warn('destination', {
      code: 'surplus',
      params: { count: destinations.length - options.length },
    });
  if (templates.length > options.length)
    reader.warn('sms_template', {
      code: 'surplus',
      params: { count: templates.length - options.length },
    });
  return bounded(reader, 'option', options).map((option, place) => ({
    key: keyOf(reader, `option[${place}]`, option),
    to: destinationAt(reader, `destination[${place}]`, destinations[place]),
    sms_template: templateOf(reader, `sms_template[${place}]`, templates[place]),
  }));
}

function keysOfEntries(reader: MenuReader, entries: readonly unknown[]): ImportedKey[] {
  return entries.flatMap((fields, place) => {
    const entry = reader.entry('ivr_menu', place, fields);
    if (entry === null) return [];
    const key = {
      key: keyOf(entry, 'option', entry.value('option', 'key', 'digit')),
      to: entry.target('destination'),
      sms_template: templateOf(entry, 'sms_template_id', entry.value('sms_template_id', 'sms_template')),
    };
    // Its own number and the id of its menu are ignored without a warning.
    entry.value('id');
    entry.value('ivr_id');
    entry.leaveOutTheRest();
    return [key];
  });
}

function bounded(reader: MenuReader, field: string, list: readonly unknown[]): readonly unknown[] {
  if (list.length > draftBounds.keys)
    reader.warn(field, {
      code: 'too_many_keys',
      params: { count: list.length, read: draftBounds.keys },
    });
  return list.slice(0, draftBounds.keys);
}

function keyOf(reader: MenuReader, field: string, value: unknown): string {
  const key = textOf(value);
  if (key !== null && key !== '' && key.length <= draftBounds.textLength) return key;
  reader.warn(field, { code: 'not_a_key', params: { found: jsonKind(value) } });
  return '';
}

function destinationAt(reader: MenuReader, field: string, value: unknown): ImportedTarget | null {
  const text = textOf(value);
  const reference = text === null || text.length > draftBounds.textLength ? null : readReference(text);
  if (reference !== null) return reader.targetOf(field, reference);
  reader.warn(
    field,
    text === null || text === ''
      ? { code: 'key_without_destination', params: null }
      : { code: 'not_a_destination', params: { of: 'key', value: text } },
  );
  return null;
}

function templateOf(reader: MenuReader, field: string, value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  const template = textOf(value);
  if (template !== null && template.length <= draftBounds.textLength) return template;
  reader.warn(field, { code: 'not_a_template', params: null });
  return null;
}

/** A note without its path. */
type Finding = ImportNote extends infer N ? (N extends ImportNote ? Omit<N, 'at'> : never) : never;

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
  readonly #asked = new Set<string>();

  constructor({ path, fields }: FoundMenu, notes: ImportNotes) {
    this.#path = path;
    this.#fields = fields;
    this.#notes = notes;
  }

  warn(field: string, finding: Finding): void {
    this.#notes.warn({ ...finding, at: this.#path === '' ? field : `${this.#path}.${field}` });
  }

  /** The value of the first of these names that exists; the others are aliases. */
  value(name: string, ...aliases: readonly string[]): unknown {
    const names = [name, ...aliases];
    for (const one of names) this.#asked.add(one);
    const [first, ...others] = names.filter((one) => !isBlank(this.#own(one)));
    if (first === undefined) return null;
    const value = this.#own(first);
    for (const other of others)
      if (textOf(this.#own(other)) !== textOf(value))
        this.warn(other, { code: 'contradicts', params: { other: first } });
    return value;
  }

  /** The text of a field, or null if there is none. */
  text(name: string, ...aliases: readonly string[]): string | null {
    const value = this.value(name, ...aliases);
    if (value === null) return null;
    const text = textOf(value);
    if (text === null) this.warn(name, { code: 'not_a_text', params: { found: jsonKind(value) } });
    else if (text.length > draftBounds.textLength)
      this.warn(name, { code: 'too_long', params: { longest: draftBounds.textLength } });
    else return text;
    return null;
  }

  count(name: string, ...aliases: readonly string[]): number | null {
    const value = this.value(name, ...aliases);
    if (value === null) return this.#open(name);
    const text = textOf(value);
    if (text !== null && /^\s*\d{1,6}(?:\.0*)?\s*$/.test(text)) return Number(text);
    this.warn(name, { code: 'not_a_number', params: { value: text, found: jsonKind(value) } });
    return null;
  }

  /** `recording||42`; also the id alone, or with its type in a separate field. */
  recording(name: string, ...aliases: readonly string[]): string | null {
    const type = this.#typeOf(name) ?? 'recording';
    const text = this.text(name, ...aliases, `${name}_id`);
    if (text === null) return this.#open(name);
    return readReference(text) === null ? `${type}||${text}` : text;
  }

  /** `extension||101`, `hangup`; also the id with its type in a separate field. */
  target(name: string): ImportedTarget | null {
    const type = this.#typeOf(name);
    const text = this.text(name, `${name}_id`);
    if (text === null && type === null) return this.#open(name);
    const reference = text === null ? null : readReference(text);
    if (reference === null && type === null) {
      this.warn(name, { code: 'not_a_destination', params: { of: 'menu', value: text ?? '' } });
      return null;
    }
    return this.targetOf(name, reference ?? { type: type ?? '', id: text ?? '' });
  }

  targetOf(
    name: string,
    { type, id }: { readonly type: string; readonly id: string },
  ): ImportedTarget | null {
    const known = IvrDestinationType.safeParse(
      type
        .trim()
        .toLowerCase()
        .replace(/[\s-]+/g, '_'),
    );
    if (!known.success) {
      this.warn(name, { code: 'unknown_type', params: { type } });
      return null;
    }
    if (id === '' && known.data !== 'hangup')
      this.warn(name, { code: 'no_id', params: { type: known.data } });
    return { type: known.data, id };
  }

  list(name: string): readonly unknown[] | null {
    const value = this.value(name);
    if (value === null) return null;
    if (Array.isArray(value)) return value as unknown[];
    this.warn(name, { code: 'not_a_list', params: { found: jsonKind(value) } });
    return null;
  }

  /** A reader of the object at this index of a list of this object, or null if it is not an object. */
  entry(name: string, place: number, fields: unknown): MenuReader | null {
    if (isObject(fields)) {
      const path = this.#path === '' ? name : `${this.#path}.${name}`;
      return new MenuReader({ path: `${path}[${place}]`, fields }, this.#notes);
    }
    this.warn(`${name}[${place}]`, { code: 'not_an_object', params: { found: jsonKind(fields) } });
    return null;
  }

  /** Reports the fields that were not read. */
  leaveOutTheRest(): void {
    for (const field of Object.keys(this.#fields)) if (!this.#asked.has(field)) this.#notes.leaveOut(field);
  }

  /** Own properties only: every object has a `constructor`. */
  #own(name: string): unknown {
    return Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined;
  }

  #typeOf(name: string): string | null {
    return this.text(`${name}_type`);
  }

  #open(name: string): null {
    this.warn(name, { code: 'missing', params: null });
    return null;
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
  readonly type: IvrDestinationType;
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
