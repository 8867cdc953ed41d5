import { z } from 'zod';
import { isUnreplaced, newName, outsideId, replacedError } from '../shapes.ts';

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

/** Where a field of an entry is: the heading of its column, or the columns by their number; several are joined by a space. */
const wantedColumn = z.union([z.string().trim().min(1).max(200), z.array(z.int().min(1)).min(1).max(3)], {
  error: 'must be the heading of a column, or a list of the numbers of columns',
});

/**
 * A CSV text with a heading line. `columns` says which of them are read; default: those that the headings tell. `dry_run` says what it
 * would change and changes nothing.
 */
export const ImportDirectory = z.strictObject({
  csv: z.string().max(2_000_000),
  columns: z
    .strictObject({
      id: wantedColumn.optional(),
      name: wantedColumn.optional(),
      text: wantedColumn.optional(),
    })
    .default({}),
  dry_run: z.boolean().default(false),
});
export type ImportDirectory = z.input<typeof ImportDirectory>;
export type WantedColumns = z.output<typeof ImportDirectory>['columns'];

export const DirectoryImported = z.object({
  added: z.array(z.string()),
  changed: z.array(z.string()),
  unchanged: z.int(),
  /** Rows that were there before, the same. They count once. */
  repeated: z.int(),
  /** Entries without a name in the file: known ones keep theirs, new ones have their id for one. An older service does not say it. */
  unnamed: z.int().default(0),
  /** The headings of the columns that each field was read from. */
  columns: z.record(z.string(), z.array(z.string())),
  /** The columns with content that were not read. */
  left_out: z.array(z.object({ column: z.int(), heading: z.string() })),
  /**
   * Ids that were added although one with zeros before it is known: a spreadsheet may have taken them away. They are imported. An older service
   * does not say it.
   */
  zeros_lost: z.array(z.object({ id: z.string(), known: z.string() })).default([]),
  /** Ids that no call can reach, and what is probably meant. They are imported: a menu of another service may name them. */
  unreachable: z.array(z.object({ id: z.string(), suggested: z.string().nullable() })),
});
export type DirectoryImported = z.infer<typeof DirectoryImported>;
