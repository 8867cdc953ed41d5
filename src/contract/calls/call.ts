/**
 * Calls that run through phone menus: those under way, the records of those that ended, and the traffic of menus. What a menu is
 * called here is the id of a stored menu, or a node of a draft where a draft is tried.
 */
import { z } from 'zod';

export const CallId = z.string().brand<'CallId'>();
export type CallId = z.infer<typeof CallId>;

/** Why a call ended other than by the caller or at a destination. */
export const CallFailure = z.enum([
  /** The telephone system did not accept what was asked of it. */
  'pbx_refused',
  /** The telephone system has no such place as the destination names. */
  'no_such_place',
  /** The settings do not allow calls to this outside number. */
  'outside_not_allowed',
  /** As many outside numbers were called in this hour as the settings allow, or they could not be counted. */
  'outside_limit',
  /** The connection broke and the call was not there any more afterwards. */
  'lost',
  /** No menu has the id that the dialplan names. */
  'no_such_menu',
  /** The time that the dialplan gives us was over: the fallback menu took the call. */
  'fallback',
  /** More calls at once than can be answered in time: the fallback menu took the call. */
  'too_many',
  /** A bug of this program; its log has the cause. */
  'internal',
]);
export type CallFailure = z.infer<typeof CallFailure>;

export const CallEnd = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('destination'), destination: z.string() }),
  z.object({ kind: z.literal('hung_up'), menu: z.string() }),
  z.object({ kind: z.literal('failed'), reason: CallFailure }),
]);
export type CallEnd = z.infer<typeof CallEnd>;

const call = {
  id: CallId,
  pbx: z.string(),
  /** The menu that the call reached first. */
  ivr: z.string(),
  /** The draft that was tried; null for a published menu. */
  draft: z.string().nullable(),
  /** The number, as much of it as the settings keep; null: none, or not kept. */
  caller: z.string().nullable(),
  started_at: z.string(),
  /** Pressed keys in their order; `-` is a timeout. */
  keys: z.array(z.string()),
};

/** A call in a menu now. */
export const LiveCall = z.object({
  ...call,
  menu: z.string(),
  /** Since when it is in this menu. */
  menu_since: z.string(),
  doing: z.enum(['playing', 'waiting']),
});
export type LiveCall = z.infer<typeof LiveCall>;
export const LiveCalls = z.object({ calls: z.array(LiveCall) });

/** On the event stream, several times a second at most: the calls that changed, and the records of those that ended. */
export const CallsNotice = z.object({ changed: z.array(LiveCall), ended: z.array(CallId) });
export type CallsNotice = z.infer<typeof CallsNotice>;

export const CallRecord = z.object({ ...call, ended_at: z.string(), end: CallEnd });
export type CallRecord = z.infer<typeof CallRecord>;

/** What happened in a call, `at_ms` after it began. */
export const CallMoment = z.discriminatedUnion('kind', [
  z.object({ at_ms: z.int(), kind: z.literal('entered'), menu: z.string() }),
  z.object({
    at_ms: z.int(),
    kind: z.literal('played'),
    menu: z.string(),
    recording: z.string(),
    /** Why it was not heard: it is gone, cannot be converted, or Asterisk could not fetch it; null: it was played. */
    missing: z.enum(['gone', 'not_convertible', 'not_fetched', 'not_speech']).nullable(),
  }),
  z.object({ at_ms: z.int(), kind: z.literal('waited'), menu: z.string(), seconds: z.int() }),
  z.object({ at_ms: z.int(), kind: z.literal('key'), menu: z.string(), key: z.string(), used: z.boolean() }),
  z.object({ at_ms: z.int(), kind: z.literal('timeout'), menu: z.string() }),
  /** Opening hours were asked; `by` is what decided. */
  z.object({
    at_ms: z.int(),
    kind: z.literal('hours'),
    menu: z.string(),
    state: z.enum(['open', 'closed', 'holiday']),
    by: z.enum(['weekly', 'exception', 'by_hand']),
  }),
  /** To a menu (or a message, or opening hours) or out, by which outcome. */
  z.object({
    at_ms: z.int(),
    kind: z.literal('led'),
    menu: z.string(),
    by: z.enum(['key', 'wrong_key', 'timeout', 'number', 'open', 'closed', 'holiday', 'then']),
    to: z.union([z.object({ menu: z.string() }), z.object({ destination: z.string() })]),
  }),
  /** The program was restarted, or the connection was, and the call went on in its menu. */
  z.object({ at_ms: z.int(), kind: z.literal('resumed'), menu: z.string() }),
  z.object({ at_ms: z.int(), kind: z.literal('sms'), menu: z.string(), template: z.string() }),
]);
export type CallMoment = z.infer<typeof CallMoment>;

export const CallDetail = CallRecord.extend({
  moments: z.array(CallMoment),
  /** The names of its menus when it ran. */
  menu_names: z.record(z.string(), z.string()),
});
export type CallDetail = z.infer<typeof CallDetail>;

const instantError = 'must be an instant such as 2026-01-31T09:00:00Z';
const Instant = z.iso.datetime({ error: instantError, offset: true });
const limitError = 'must be a whole number from 1 to 1000';

export const CallFilters = z.object({
  since: Instant.optional(),
  until: Instant.optional(),
  /** Calls that began in this menu. */
  ivr: z.string().optional(),
  pbx: z.string().optional(),
  end: z.enum(['destination', 'hung_up', 'failed']).optional(),
  /** A part of the caller's number, of a destination or of a name of a menu. */
  search: z.string().max(200).optional(),
});
export type CallFilters = z.infer<typeof CallFilters>;

export const CallQuery = CallFilters.extend({
  /** The `next` of the page before. */
  after: z
    .string()
    .regex(/^\d{1,15}$/, 'must be the next of the page before')
    .optional(),
  limit: z
    .string()
    .regex(/^(?:[1-9]\d{0,2}|1000)$/, limitError)
    .optional(),
});
export type CallQuery = z.infer<typeof CallQuery>;

/** Newest first. */
export const CallPage = z.object({
  calls: z.array(CallRecord),
  /** How many match in all. */
  total: z.int(),
  next: z.string().nullable(),
});
export type CallPage = z.infer<typeof CallPage>;

/** Deletes the records of one caller, of any time. The number as it was kept. */
export const ForgetCaller = z.strictObject({ caller: z.string().min(1).max(200) });
export const CallsForgotten = z.object({ deleted: z.int() });

export const TrafficQuery = z.object({
  since: Instant,
  until: Instant,
  /** Only these menus, separated by commas; default: all. */
  menus: z.string().max(20_000).optional(),
});
export type TrafficQuery = z.infer<typeof TrafficQuery>;

/** What callers did in one menu within a time. */
export const MenuTraffic = z.object({
  menu: z.string(),
  /** How often a call came into it. */
  entered: z.int(),
  /** By key that the menu uses. */
  keys: z.record(z.string(), z.int()),
  wrong_keys: z.int(),
  timeouts: z.int(),
  hung_up: z.int(),
  /** How often each outcome led on, after all its retries. */
  led: z.object({ wrong_key: z.int(), timeout: z.int() }),
});
export type MenuTraffic = z.infer<typeof MenuTraffic>;

export const Traffic = z.object({
  menus: z.array(MenuTraffic),
  /** Calls that began within the time, of the asked menus. */
  calls: z.int(),
  reached: z.int(),
  hung_up: z.int(),
  failed: z.int(),
  /** From the start to the destination, in milliseconds; null without any. */
  median_to_destination_ms: z.number().nullable(),
  /** Calls by hour (up to 3 days) or by day, without those that are 0. */
  by: z.enum(['hour', 'day']),
  times: z.array(z.object({ at: z.string(), calls: z.int() })),
});
export type Traffic = z.infer<typeof Traffic>;

/** Which part of a caller's number is kept in records. `masked`: all but the last three digits are replaced. */
export const CallerKept = z.enum(['whole', 'masked', 'none'], { error: 'must be whole, masked or none' });
export type CallerKept = z.infer<typeof CallerKept>;
