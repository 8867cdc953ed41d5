import { draftBounds } from '../../../contract/ivr-draft.ts';
import { IvrDestinationType } from '../../../contract/ivr.ts';
import { readReference } from '../reference.ts';
import { type FoundMenu, isObject, type JsonObject, kindOf } from './find-menus.ts';
import type { ImportedTarget } from './imported-menu.ts';
import type { ImportNotes } from './import-notes.ts';

/**
 * Reads the fields of one object, kindly: numbers may be texts and texts numbers, a reference may be in two parts.
 *
 * What is missing or cannot be read becomes null with a warning. It remembers which fields were asked for; the others are
 * left out, and said to be.
 */
export class MenuReader {
  readonly #fields: JsonObject;
  readonly #path: string;
  readonly #notes: ImportNotes;
  readonly #asked = new Set<string>();

  constructor({ path, fields }: FoundMenu, notes: ImportNotes) {
    this.#path = path;
    this.#fields = fields;
    this.#notes = notes;
  }

  warn(field: string, message: string): void {
    this.#notes.warn(this.#path === '' ? field : `${this.#path}.${field}`, message);
  }

  /** The value of the first of these names that there is; the others were the same under another name. */
  value(name: string, ...aliases: readonly string[]): unknown {
    const names = [name, ...aliases];
    for (const one of names) this.#asked.add(one);
    const [first, ...others] = names.filter((one) => !isBlank(this.#own(one)));
    if (first === undefined) return null;
    const value = this.#own(first);
    for (const other of others)
      if (textOf(this.#own(other)) !== textOf(value))
        this.warn(other, `says something else than ${first} and was left out.`);
    return value;
  }

  /** The text of a field, or null when there is none. */
  text(name: string, ...aliases: readonly string[]): string | null {
    const value = this.value(name, ...aliases);
    if (value === null) return null;
    const text = textOf(value);
    if (text === null) this.warn(name, `must be a text, not ${kindOf(value)}; it was left out.`);
    else if (text.length > draftBounds.textLength)
      this.warn(name, `is longer than ${draftBounds.textLength} characters and was left out.`);
    else return text;
    return null;
  }

  count(name: string, ...aliases: readonly string[]): number | null {
    const value = this.value(name, ...aliases);
    if (value === null) return this.#open(name);
    const text = textOf(value) ?? kindOf(value);
    if (/^\s*\d{1,6}(?:\.0*)?\s*$/.test(text)) return Number(text);
    this.warn(name, `must be a whole number, not ${brief(text)}, so it stays open.`);
    return null;
  }

  /** `recording||42`; also the id alone, or with its type in a field of its own. */
  recording(name: string, ...aliases: readonly string[]): string | null {
    const type = this.#typeOf(name) ?? 'recording';
    const text = this.text(name, ...aliases, `${name}_id`);
    if (text === null) return this.#open(name);
    return readReference(text) === null ? `${type}||${text}` : text;
  }

  /** `extension||101`, `hangup`; also the id with its type in a field of its own. */
  target(name: string): ImportedTarget | null {
    const type = this.#typeOf(name);
    const text = this.text(name, `${name}_id`);
    if (text === null && type === null) return this.#open(name);
    const reference = text === null ? null : readReference(text);
    if (reference === null && type === null) {
      this.warn(name, `must be written <type>||<id>, not ${brief(text ?? '')}, so it stays open.`);
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
      this.warn(name, `leads to the type ${brief(type)}, which a menu does not know, so it stays open.`);
      return null;
    }
    if (id === '' && known.data !== 'hangup')
      this.warn(name, `does not say which ${known.data}, so that stays open.`);
    return { type: known.data, id };
  }

  list(name: string): readonly unknown[] | null {
    const value = this.value(name);
    if (value === null) return null;
    if (Array.isArray(value)) return value as unknown[];
    this.warn(name, `must be a list, not ${kindOf(value)}; it was left out.`);
    return null;
  }

  /** A reader of the object at this place of a list of this one, or null when it is none. */
  entry(name: string, place: number, fields: unknown): MenuReader | null {
    if (isObject(fields)) {
      const path = this.#path === '' ? name : `${this.#path}.${name}`;
      return new MenuReader({ path: `${path}[${place}]`, fields }, this.#notes);
    }
    this.warn(`${name}[${place}]`, `must be an object, not ${kindOf(fields)}; it was left out.`);
    return null;
  }

  /** Says which fields nobody asked for. */
  leaveOutTheRest(): void {
    for (const field of Object.keys(this.#fields)) if (!this.#asked.has(field)) this.#notes.leaveOut(field);
  }

  /** Fields of its own only: a name such as `constructor` is on every object. */
  #own(name: string): unknown {
    return Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined;
  }

  #typeOf(name: string): string | null {
    return this.text(`${name}_type`);
  }

  #open(name: string): null {
    this.warn(name, 'is missing, so it stays open.');
    return null;
  }
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** A text, or a number as one; null when it is neither. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : null;
}

/** What somebody wrote, in a message. */
export function brief(text: string): string {
  return `“${text.length > 40 ? `${text.slice(0, 40)}…` : text}”`;
}
