import { z } from 'zod';
import { DirectDial, ivrBounds, IvrDestinationType, IvrId } from './ivr.ts';
import { CreateSchedule, ScheduleHours, ScheduleId, ScheduleSwitch } from './schedule.ts';
import { FlowSpeech } from './speech.ts';

export const DraftId = z.string().brand<'DraftId'>();
export type DraftId = z.infer<typeof DraftId>;

/** How much a draft may hold. Far above what a person draws; a limit for what a program sends. */
export const draftBounds = {
  nodes: 500,
  scenarios: 200,
  inputs: 100,
  keys: ivrBounds.options.max,
  textLength: 2000,
  nameLength: 100,
} as const;

/**
 * Names of nodes and scenarios, unique within their draft only. They start with a letter, so that the order of object
 * keys is kept.
 */
const localId = z
  .string()
  .regex(/^[a-z][a-z0-9_-]{0,39}$/, 'must be 1 to 40 of a-z, 0-9, - and _, and begin with a letter');
export const NodeId = localId.brand<'NodeId'>();
export type NodeId = z.infer<typeof NodeId>;
export const ScenarioId = localId.brand<'ScenarioId'>();
export type ScenarioId = z.infer<typeof ScenarioId>;

const coordinate = z.int().min(-1_000_000).max(1_000_000);
/** The position of the upper left corner on the canvas, in pixels at 100 %. */
export const Place = z.strictObject({ x: coordinate, y: coordinate });
export type Place = z.infer<typeof Place>;

const text = z.string().max(draftBounds.textLength);
/**
 * Written as in the body (`recording||42`); null while it is not set. Its content is checked by `core/ivr`, not here.
 */
const openReference = text.nullable();
/** Null while it is not set. */
const openCount = z.int().min(-1_000_000).max(1_000_000).nullable();
/** Where an outcome leads; null while it is not connected. */
const openEnd = NodeId.nullable();

export const DraftKey = z.strictObject({
  /** One of `0-9 * #`, or 2 to 4 digits such as `10` or `*1`, if it is valid. */
  key: text,
  to: openEnd,
  /** Id of the SMS template that goes with the key. */
  sms_template: text.nullable(),
});
export type DraftKey = z.infer<typeof DraftKey>;

/** A menu in a draft: the fields of the body under their own names, any of which may be missing. */
export const MenuNode = z.strictObject({
  kind: z.literal('menu'),
  id: NodeId,
  place: Place,
  name: text,
  description: text,
  recording: openReference,
  timeout: openCount,
  keys: z.array(DraftKey).max(draftBounds.keys),
  incorrect_count: openCount,
  invalid_recording: openReference,
  invalid_destination: openEnd,
  timeout_tries: openCount,
  timeout_retry_recording: openReference,
  timeout_recording: openReference,
  timeout_destination: openEnd,
  /** Null or absent: callers can only press the keys of the menu. */
  direct_dial: DirectDial.nullable().optional(),
});
export type MenuNode = z.infer<typeof MenuNode>;

/** Where a call leaves the call flow: an extension, a stored menu elsewhere, the end of the call … */
export const EndNode = z.strictObject({
  kind: z.literal('end'),
  id: NodeId,
  place: Place,
  type: IvrDestinationType,
  /** What follows `||`; empty while it is not set, and for `hangup`. */
  ref: text,
});
export type EndNode = z.infer<typeof EndNode>;

/** Asks a schedule when a call comes to it, and leads on at once. */
export const HoursNode = z.strictObject({
  kind: z.literal('hours'),
  id: NodeId,
  place: Place,
  /** Null while it is not chosen. */
  hours: ScheduleId.nullable(),
  open: openEnd,
  closed: openEnd,
  /** Closed on a day with an exception; not connected: as closed. */
  holiday: openEnd,
});
export type HoursNode = z.infer<typeof HoursNode>;

/** Plays a prompt and leads on. Keys that are pressed meanwhile count for nothing. */
export const MessageNode = z.strictObject({
  kind: z.literal('message'),
  id: NodeId,
  place: Place,
  name: text,
  recording: openReference,
  then: openEnd,
});
export type MessageNode = z.infer<typeof MessageNode>;

export const DraftNode = z.discriminatedUnion('kind', [MenuNode, EndNode, HoursNode, MessageNode]);
export type DraftNode = z.infer<typeof DraftNode>;
/** A node that leads on. */
export type LeadingNode = Exclude<DraftNode, EndNode>;

/**
 * What a caller does: one key, or `-` for a timeout. The digits of one number follow each other; `-` after some of them is a pause, which
 * ends the number.
 */
export const ScenarioInput = z
  .string()
  .regex(/^[0-9*#-]$/, 'must be one key of 0-9, * or #, or - for silence');
export type ScenarioInput = z.infer<typeof ScenarioInput>;

/** The expected end of a scenario: a destination as the body writes it, or waiting in a menu of the draft. */
export const ScenarioEnd = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('destination'), destination: text }),
  z.strictObject({ kind: z.literal('menu'), menu: NodeId }),
]);
export type ScenarioEnd = z.infer<typeof ScenarioEnd>;

export const Scenario = z.strictObject({
  id: ScenarioId,
  name: z.string().min(1).max(draftBounds.nameLength),
  inputs: z.array(ScenarioInput).max(draftBounds.inputs),
  expected: ScenarioEnd,
  /** When the call comes, an instant; null or absent: when the scenario is run. */
  at: z.iso
    .datetime({ offset: true, error: 'must be an instant such as 2026-01-31T09:00:00Z' })
    .nullable()
    .optional(),
  /** What is set by hand when the call comes, by schedule. Those that are not named count as not set. */
  switches: z.record(ScheduleId, ScheduleSwitch).optional(),
});
export type Scenario = z.infer<typeof Scenario>;

/** The prompts of every menu that has none of its own. */
export const FlowPrompts = z.strictObject({
  wrong_key: openReference,
  /** Before a retry, and after the last timeout. */
  timeout: openReference,
});
export type FlowPrompts = z.infer<typeof FlowPrompts>;

type Entries = Readonly<Record<string, { readonly id: string }>>;
const eachUnderItsId = (entries: Entries) => Object.entries(entries).every(([id, entry]) => entry.id === id);
const underItsId = 'must have every entry under its own id';
const atMost = (most: number) => (entries: Entries) => Object.keys(entries).length <= most;

/**
 * The document of the designer: a call flow that may be incomplete.
 *
 * It is a plain value: two windows, the service, the CLI and an exported file have the same. `core/ivr` finds its
 * errors; this schema only limits its shape and size.
 */
export const IvrDocument = z.strictObject({
  name: z.string().min(1).max(draftBounds.nameLength),
  /** The position of the caller, and the node that a call reaches first. */
  caller: z.strictObject({ place: Place, to: openEnd }),
  /** Drafts from before there were such prompts lack them. */
  prompts: FlowPrompts.optional(),
  /** Absent: as the settings have it. */
  speech: FlowSpeech.optional(),
  nodes: z
    .record(NodeId, DraftNode)
    .refine(atMost(draftBounds.nodes), `must have at most ${draftBounds.nodes} nodes`)
    .refine(eachUnderItsId, underItsId),
  scenarios: z
    .record(ScenarioId, Scenario)
    .refine(atMost(draftBounds.scenarios), `must have at most ${draftBounds.scenarios} scenarios`)
    .refine(eachUnderItsId, underItsId),
});
export type IvrDocument = z.infer<typeof IvrDocument>;

/** What was stored where when a menu of a draft was published. */
export const Publication = z.object({
  /** The credential that it was published with; null for this service. */
  credential: z.string().nullable(),
  base_url: z.string(),
  /** Which id each menu has there. */
  menus: z.record(z.string(), z.string()),
  /** The last version that was published there completely; null if none was. */
  version: z.int().nullable(),
  published_at: z.string().nullable(),
  /** Equal to that of a draft while callers would meet the same. Unknown for what was published before it was kept. */
  fingerprint: z.string().nullable().optional(),
  /**
   * Names of the menus that this service no longer stores as that version did, because something else deleted or replaced them.
   * Absent if there are none, and for other services, which are not asked.
   */
  altered: z
    .object({
      deleted: z.array(z.string()),
      replaced: z.array(z.string()),
      /** Whether none of the menus is stored any more. */
      is_gone: z.boolean(),
    })
    .optional(),
});
export type Publication = z.infer<typeof Publication>;

export const IvrDraft = z.object({
  id: DraftId,
  /** Counts the saves, from 1. */
  revision: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
  document: IvrDocument,
  publications: z.array(Publication),
  /** Of what callers meet in the draft as it is saved; see `Publication`. */
  fingerprint: z.string().optional(),
});
export type IvrDraft = z.infer<typeof IvrDraft>;

/** A draft in a list. */
export const DraftSummary = IvrDraft.omit({ document: true }).extend({
  name: z.string(),
  menus: z.int(),
  scenarios: z.int(),
  /** The number of findings with the current recordings, extensions and menus. */
  errors: z.int(),
  /** How many of the errors are merely not done yet: fields and destinations that are still empty. */
  todos: z.int().optional(),
  warnings: z.int(),
});
export type DraftSummary = z.infer<typeof DraftSummary>;

export const DraftList = z.object({ drafts: z.array(DraftSummary) });
export type DraftList = z.infer<typeof DraftList>;

export const CreateDraft = z.strictObject({
  document: IvrDocument,
  /** Its menus that this service already stores, with their ids: publishing here then replaces them. */
  stored: z.record(NodeId, IvrId).optional(),
  /** Opening hours that are created with it: the document asks them under these ids, and under new ones once it is stored. */
  schedules: z
    .array(CreateSchedule.extend({ id: ScheduleId }))
    .max(10)
    .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'must have different ids')
    .optional(),
});
export type CreateDraft = z.infer<typeof CreateDraft>;

/** `revision` is the one that the change was made from; if it is no longer current, nothing is saved. */
export const SaveDraft = z.strictObject({ revision: z.int(), document: IvrDocument });
export type SaveDraft = z.infer<typeof SaveDraft>;

export const DraftSaved = z.object({ id: DraftId, revision: z.int(), updated_at: z.string() });
export type DraftSaved = z.infer<typeof DraftSaved>;

export const DraftDeleted = z.object({ id: DraftId });
export type DraftDeleted = z.infer<typeof DraftDeleted>;

/** A window that has a draft open in the designer. */
export const DraftWindow = z.object({
  window: z.string(),
  /** The name of its owner; null for the owner of the machine, who has none. */
  owner: z.string().nullable(),
  /** The card that is selected there: a node, or `caller`. */
  card: z.string().nullable(),
});
export type DraftWindow = z.infer<typeof DraftWindow>;

/** A window tells where in a draft it is: when that changes, every 25 s, and once with `is_open` false when it leaves. */
export const ShowDraftWindow = z.strictObject({
  window: z.string().regex(/^[\w-]{8,40}$/, 'must be 8 to 40 of A-Z, a-z, 0-9, _ and -'),
  card: z.string().max(40).nullable(),
  is_open: z.boolean(),
});
export type ShowDraftWindow = z.infer<typeof ShowDraftWindow>;

/** All windows that have the draft open. Also on the event stream, as `windows` events. */
export const DraftWindows = z.object({ id: DraftId, windows: z.array(DraftWindow) });
export type DraftWindows = z.infer<typeof DraftWindows>;

/** A published version of a draft; it is kept whatever happens to the draft. */
export const DraftVersion = z.object({
  version: z.int(),
  revision: z.int(),
  published_at: z.string(),
  credential: z.string().nullable(),
  base_url: z.string(),
  menus: z.record(z.string(), z.string()),
  document: IvrDocument,
  /** The schedules that it asks, as they were. Absent if it asks none. */
  schedules: z.array(ScheduleHours).optional(),
});
export type DraftVersion = z.infer<typeof DraftVersion>;

/** Newest first. */
export const DraftVersions = z.object({ versions: z.array(DraftVersion) });
export type DraftVersions = z.infer<typeof DraftVersions>;

/** Why an action on a draft was refused; `text/menu/flow-findings.ts` makes the sentence. */
export type DraftRefusalReason =
  | { readonly code: 'draft_unknown' }
  | { readonly code: 'draft_never_existed' }
  | {
      readonly code: 'saved_since';
      readonly revision: number;
      readonly current: number;
      readonly saved_at: string;
    }
  | { readonly code: 'revision_unknown'; readonly revision: number; readonly current: number }
  /** Another draft published one of the menus after this draft was made from `made_from`; 0: from a version not known. */
  | {
      readonly code: 'published_since';
      readonly menu: string;
      readonly made_from: number;
      readonly version: number;
      readonly published_at: string;
      readonly draft: { readonly id: DraftId; readonly name: string };
    }
  | { readonly code: 'publishing_already' };

/** `credential`: the name of the one whose service is meant; null for this service itself. */
export const PublishDraft = z.strictObject({ revision: z.int(), credential: z.string().nullable() });
export type PublishDraft = z.infer<typeof PublishDraft>;

/** One menu while it is published: what was sent, and the reply. Its headers contain no token. */
export const PublishExchange = z.object({
  menu: z.string(),
  name: z.string(),
  method: z.enum(['GET', 'POST', 'PUT']),
  url: z.string(),
  body: z.record(z.string(), z.unknown()).nullable(),
  /** Null without a reply. */
  status: z.int().nullable(),
  /** As it came: JSON, or the beginning of a text. */
  reply: z.unknown(),
  /** What the reply means, for a person. */
  message: z.string(),
});
export type PublishExchange = z.infer<typeof PublishExchange>;

export const PublishReply = z.object({
  /** `blocked`: the draft has errors or a scenario that fails, nothing was sent. `failed`: some of it may be stored. */
  outcome: z.enum(['published', 'blocked', 'failed']),
  message: z.string(),
  /** The version that was created; null if none was. */
  version: z.int().nullable(),
  exchanges: z.array(PublishExchange),
});
export type PublishReply = z.infer<typeof PublishReply>;

/** The `format` of an exported call flow. */
export const documentFormat = 'rotavox-ivr';
export const documentVersion = 1;

/** A call flow in a file of ours, which the windows export and import, and the CLI checks. */
export const DocumentFile = z.strictObject({
  format: z.literal(documentFormat),
  version: z.literal(documentVersion, 'must be 1: this file is from another version of Rotavox'),
  document: IvrDocument,
  /** The schedules that it asks. Absent if it asks none. */
  schedules: z.array(ScheduleHours).optional(),
});
export type DocumentFile = z.infer<typeof DocumentFile>;
