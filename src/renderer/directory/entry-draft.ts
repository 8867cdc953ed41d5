import { Extension, SmsTemplate } from '../../contract/directory.ts';
import type { Entry } from './directory.ts';

export type EntryErrors = Readonly<Partial<Record<'id' | 'name' | 'text', string>>>;

/** What is wrong with an entry as it is typed, by the contract's own rules; nothing when it can be sent. */
export function entryErrors(entry: Entry): EntryErrors {
  const { id, name, text } = entry;
  const checked =
    text === null ? Extension.safeParse({ id, name }) : SmsTemplate.safeParse({ id, name, text });
  if (checked.success) return {};
  const errors: Record<string, string> = {};
  for (const { path, message } of checked.error.issues) errors[String(path[0])] ??= `This ${message}.`;
  return errors;
}
