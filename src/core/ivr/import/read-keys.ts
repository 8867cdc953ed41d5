import { draftBounds } from '../../../contract/ivr-draft.ts';
import { readReference } from '../reference.ts';
import { kindOf } from './find-menus.ts';
import type { ImportedKey, ImportedTarget } from './imported-menu.ts';
import { brief, type MenuReader, textOf } from './menu-reader.ts';

/** The keys of a menu: as the three lists of the body, or as the platform's `ivr_menu`. */
export function readKeys(reader: MenuReader): ImportedKey[] {
  const entries = reader.list('ivr_menu');
  const options = reader.list('option');
  const destinations = reader.list('destination') ?? [];
  const templates = reader.list('sms_template') ?? [];
  if (options === null && entries !== null)
    return keysOfEntries(reader, bounded(reader, 'ivr_menu', entries));
  if (entries !== null) reader.warn('ivr_menu', 'was left out, for there is option as well.');
  if (options === null) {
    reader.warn('option', 'is missing, so the menu has no keys.');
    return [];
  }
  if (destinations.length > options.length)
    reader.warn(
      'destination',
      `has ${destinations.length - options.length} more than option; they were left out.`,
    );
  if (templates.length > options.length)
    reader.warn(
      'sms_template',
      `has ${templates.length - options.length} more than option; they were left out.`,
    );
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
    // Its own number and its menu's are no news.
    entry.value('id');
    entry.value('ivr_id');
    entry.leaveOutTheRest();
    return [key];
  });
}

function bounded(reader: MenuReader, field: string, list: readonly unknown[]): readonly unknown[] {
  if (list.length > draftBounds.keys)
    reader.warn(field, `has ${list.length} keys, of which ${draftBounds.keys} were read.`);
  return list.slice(0, draftBounds.keys);
}

function keyOf(reader: MenuReader, field: string, value: unknown): string {
  const key = textOf(value);
  if (key !== null && key !== '' && key.length <= draftBounds.textLength) return key;
  reader.warn(
    field,
    key === null ? `must be a key, not ${kindOf(value)}, so it stays open.` : 'is no key, so it stays open.',
  );
  return '';
}

function destinationAt(reader: MenuReader, field: string, value: unknown): ImportedTarget | null {
  const text = textOf(value);
  const reference = text === null || text.length > draftBounds.textLength ? null : readReference(text);
  if (reference !== null) return reader.targetOf(field, reference);
  reader.warn(
    field,
    text === null || text === ''
      ? 'is missing, so the key leads nowhere yet.'
      : `must be written <type>||<id>, not ${brief(text)}, so the key leads nowhere yet.`,
  );
  return null;
}

function templateOf(reader: MenuReader, field: string, value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  const template = textOf(value);
  if (template !== null && template.length <= draftBounds.textLength) return template;
  reader.warn(field, 'must be the id of an SMS template; it was left out.');
  return null;
}
