import { z } from 'zod';
import { eventKindNames } from './audit-event.ts';

/**
 * How an event ended for the person who reads it, decided by its kind alone (`core/history/choose-events.ts`).
 *
 * `failed`: something was tried and did not work. `attention`: nothing failed, but a token stopped working or may stop, or
 * a person should check it. `ok`: everything else.
 */
export const historyResults = ['ok', 'failed', 'attention'] as const;
export const HistoryResult = z.enum(historyResults, { error: `must be one of ${historyResults.join(', ')}` });
export type HistoryResult = z.infer<typeof HistoryResult>;

/** The beginnings of the kinds, such as `token.`: each selects all kinds with that beginning. */
export const eventGroups: readonly string[] = [
  ...new Set(eventKindNames.map((kind) => kind.slice(0, kind.indexOf('.') + 1))),
];

const kindNames: ReadonlySet<string> = new Set([...eventKindNames, ...eventGroups]);
const kindsError =
  'must be kinds of event (token.rotated) or whole groups of them (token.), separated by commas';
const KindList = z
  .string({ error: kindsError })
  .max(2000, kindsError)
  .refine((list) => list.split(',').every((kind) => kindNames.has(kind)), kindsError);

const seqError = 'must be a whole number, 0 or more';
export const SeqParameter = z.string({ error: seqError }).regex(/^\d{1,15}$/, seqError);

/** As many events as can be asked for by their places at once. */
export const maxSeqs = 200;
const seqsError = `must be up to ${maxSeqs} whole numbers, separated by commas`;
/** The places of some events; `core/history/choose-events.ts` reads it. */
export const SeqList = z
  .string({ error: seqsError })
  .regex(new RegExp(`^\\d{1,15}(?:,\\d{1,15}){0,${maxSeqs - 1}}$`), seqsError);

const instantError = 'must be an instant such as 2026-11-21T00:00:00.000Z';
const instantParameter = z.iso.datetime({ error: instantError });

const subjectError = 'must be an id of 100 characters at most';
const textError = 'must be a text of 1 to 200 characters';

/** What may be asked of events. All that is given must hold. */
export const HistoryFilters = z.strictObject({
  /** The family, the credential, the IVR or the room that an event belongs to. */
  subject: z.string({ error: subjectError }).max(100, subjectError).optional(),
  /** Kinds or groups of them; one of them must fit. */
  kind: KindList.optional(),
  result: HistoryResult.optional(),
  /**
   * Somewhere in what a person sees of an event, whatever the case: its kind, subject, ids, the texts of `data`, who did
   * it and from where; or in the present name of the family, credential or IVR that it belongs to.
   */
  text: z.string({ error: textError }).min(1, textError).max(200, textError).optional(),
  /** Kinds that have `text` in the reader's own words for them: their events match it too. Says nothing without `text`. */
  text_kind: KindList.optional(),
  /** Only events at this instant or later (ISO, UTC). */
  from: instantParameter.optional(),
  /** Only events before this instant. */
  until: instantParameter.optional(),
  /** Only events with a greater `seq`. */
  after: SeqParameter.optional(),
});
export type HistoryFilters = z.infer<typeof HistoryFilters>;

/** Saves of one draft: the newest of them, and how many there are. */
export const SaveGroup = z.object({ seq: z.int(), count: z.int(), subject: z.string() });
export type SaveGroup = z.infer<typeof SaveGroup>;

/**
 * Which events match, small on the wire: 100,000 of 100,000 are two numbers.
 *
 * `runs` counts down from `last_seq`, by turns how many events do not match and how many do: with `last_seq` 10,
 * `[0, 3, 2, 1]` are the events 10, 9, 8 and 5. `core/history/seq-runs.ts` writes and reads it.
 */
export const HistoryMatches = z.object({
  /** The newest event of all when this was asked. */
  last_seq: z.int(),
  /** How many match. */
  count: z.int(),
  runs: z.array(z.int()),
  /** Saves of drafts that follow each other among the matches without anything between them, newest first. */
  saves: z.array(SaveGroup).default([]),
});
export type HistoryMatches = z.infer<typeof HistoryMatches>;

export const exportFormats = ['csv', 'json'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const HistoryExportQuery = HistoryFilters.extend({
  format: z.enum(exportFormats, { error: `must be one of ${exportFormats.join(', ')}` }),
});
export type HistoryExportQuery = z.infer<typeof HistoryExportQuery>;
