import { z } from 'zod';
import { isUnreplaced, newName, outsideId, replacedError } from './shapes.ts';

const id = outsideId(200);
const nameError = 'must be a text of 1 to 100 characters';
const name = newName(z.string().trim().min(1, nameError).max(100, nameError));

/** A person who can be called, as the telephone system knows them: the id after `extension||`. */
export const Extension = z.strictObject({ id, name });
export type Extension = z.infer<typeof Extension>;

/** A text that is sent to who pressed a key. */
export const SmsTemplate = z.strictObject({
  id,
  name,
  text: z.string().max(1600, 'must be a text of at most 1600 characters').refine(isUnreplaced, replacedError),
});
export type SmsTemplate = z.infer<typeof SmsTemplate>;

/** How many entries a directory may have. */
export const directoryLimit = 10_000;

/** Ids and names from before there were rules for them are read, too. */
const stored = { id: z.string(), name: z.string() };
export const ExtensionList = z.object({ extensions: z.array(Extension.extend(stored)) });
export type ExtensionList = z.infer<typeof ExtensionList>;
export const SmsTemplateList = z.object({ sms_templates: z.array(SmsTemplate.extend(stored)) });
export type SmsTemplateList = z.infer<typeof SmsTemplateList>;

/** Entries to add or change, and ids to take away: all of it or, when something is wrong, nothing. */
export const ChangeExtensions = z.strictObject({
  set: z.array(Extension).max(directoryLimit).default([]),
  remove: z.array(z.string()).max(directoryLimit).default([]),
});
export type ChangeExtensions = z.input<typeof ChangeExtensions>;
export const ChangeSmsTemplates = z.strictObject({
  set: z.array(SmsTemplate).max(directoryLimit).default([]),
  remove: z.array(z.string()).max(directoryLimit).default([]),
});
export type ChangeSmsTemplates = z.input<typeof ChangeSmsTemplates>;

/** A CSV text with a heading line; `dry_run` says what it would change and changes nothing. */
export const ImportDirectory = z.strictObject({
  csv: z.string().max(2_000_000),
  dry_run: z.boolean().default(false),
});
export type ImportDirectory = z.input<typeof ImportDirectory>;

export const DirectoryImported = z.object({
  added: z.array(z.string()),
  changed: z.array(z.string()),
  unchanged: z.int(),
});
export type DirectoryImported = z.infer<typeof DirectoryImported>;
