import { z } from 'zod';

/** A number of days, from 1 on. */
export function wholeDays(most: number) {
  const error = wholeDaysError(most);
  return z.int({ error }).min(1, error).max(most, error);
}

export function wholeDaysError(most: number): string {
  return `must be a whole number of days from 1 to ${most}`;
}

/**
 * How each family of routes words an answer that is a refusal.
 *
 * The spec shows `success`/`message` for rotation and `Success`/`Message` for IVRs; the portal adds the problem's code
 * so that a window can offer the right button.
 */
const FieldErrorShape = z.object({ field: z.string(), message: z.string() });

export const AuthRefusal = z.object({
  success: z.literal(false),
  message: z.string(),
  request_id: z.string().optional(),
});
export type AuthRefusal = z.infer<typeof AuthRefusal>;

export const IvrRefusal = z.object({
  Success: z.literal(false),
  Message: z.string(),
  errors: z.array(FieldErrorShape).optional(),
  request_id: z.string().optional(),
});
export type IvrRefusal = z.infer<typeof IvrRefusal>;

export const PortalRefusal = z.object({
  success: z.literal(false),
  code: z.string(),
  message: z.string(),
  errors: z.array(FieldErrorShape).optional(),
  request_id: z.string().optional(),
  /** For a caller who is not signed in, on the machine itself: the command that makes a sign-in link. */
  sign_in_command: z.string().optional(),
  /** For a caller who is not signed in: there are owners, whose keys sign in. */
  takes_owner_key: z.literal(true).optional(),
});
export type PortalRefusal = z.infer<typeof PortalRefusal>;

/** A problem (RFC 9457) of the proxy itself. */
const ProxyProblem = z.object({
  type: z.literal('about:blank'),
  title: z.string(),
  detail: z.string(),
  status: z.int(),
  code: z.string(),
  request_id: z.string().optional(),
});

export const refusalShapes = {
  auth: AuthRefusal,
  ivr: IvrRefusal,
  portal: PortalRefusal,
  proxy: ProxyProblem,
} as const;
export type RouteFamily = keyof typeof refusalShapes;

/**
 * The one rule for an id that comes from outside: of a recording, an extension, an SMS template, a menu of another service.
 *
 * It is checked where an id arrives: in an upload, an import, a reply of another service. An id is used in references
 * (`ivr||<id>`) and in addresses, where `.` and `..` are steps and half a pair of surrogates cannot be written. Ids that
 * were stored before the rule are read unchanged, so replies and events have an id as a plain text.
 */
export function outsideId(longest: number, { hasSlash = true }: { readonly hasSlash?: boolean } = {}) {
  const not = `|\\p{Cc}\\p{Cs}\\p{Bidi_Control}${hasSlash ? '' : '/\\\\'}`;
  const without = hasSlash ? '| and control characters' : '|, / and control characters';
  return z
    .string()
    .regex(
      new RegExp(`^(?!\\.{1,2}$)[^\\s${not}][^${not}]{0,${longest - 1}}$`, 'u'),
      `must be 1 to ${longest} characters without ${without}, begin with no space, and not be . or ..`,
    )
    .refine(isUnreplaced, replacedError);
}

const pattern =
  /^(?:https:\/\/[^\s/?#@\\]+|http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?)(?:\/[^\s?#\\]*)?$/i;
/**
 * Invisible characters, and characters that change the direction of a text: a person reads an address before trusting
 * it.
 */
export const unseenCharacters = /[\p{Cc}\p{Cf}\p{Cs}]/u;

/**
 * What a name may not have: control characters, line separators, halves of a pair, and characters that nobody sees or that turn the
 * direction of a text, so that two names look alike or one looks like another sentence (Unicode TR 36). Joiners and variation
 * selectors stay: Persian, the scripts of India and emoji are written with them.
 */
const unfitForName =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\ufff9-\ufffb\ufffd]|(?![\u200c\u200d]|\p{Variation_Selector})\p{Default_Ignorable_Code_Point}/u;
const unfitInNames = new RegExp(unfitForName.source, 'gu');
export const unfitNameError =
  'must have no line breaks, other control characters, invisible characters, or marks that turn the direction of a text';

/** What stands where another program has lost a character. It is never stored: what was there cannot be found again. */
const replacement = '\ufffd';
export const replacedError = 'must have no �: another program has lost a letter there. Type it again';

/** Whether a text has lost no character on its way here. */
export function isUnreplaced(text: string): boolean {
  return !text.includes(replacement);
}

/** Whether a text can be a name that people see. It may be blank. */
export function isFitForName(text: string): boolean {
  return !unfitForName.test(text);
}

/** Why a text cannot be a name that people see; null where it can. */
export function nameFault(text: string): string | null {
  if (isFitForName(text)) return null;
  return isUnreplaced(text) ? unfitNameError : replacedError;
}

/** A text without what no name may have. */
export function fitForName(text: string): string {
  return text.replace(unfitInNames, '');
}

/**
 * A new name or label that people see. Only for what arrives: names that were stored before there was this rule are read unchanged.
 */
// see decisions/replies-and-bodies.md
export function newName<S extends z.ZodType<string>>(name: S) {
  return name.refine(isFitForName, { error: ({ input }) => nameFault(String(input)) ?? unfitNameError });
}

/** An address below which we fetch what must not be read or changed on its way: https, or http to loopback. */
function safeBase(what: string) {
  const error = `must be the address of ${what}: https (http on this machine only), no user, ? or #`;
  return z
    .url({ error, abort: true })
    .max(500, { error, abort: true })
    .regex(pattern, { error, abort: true })
    .refine((text) => !unseenCharacters.test(text), error);
}

/** The service that issued a token. Bearer tokens are sent there. */
export const BaseUrl = safeBase('a service, such as https://api.example.com').transform((text) =>
  text.replace(/(?<!\/)\/+$/, ''),
);

/** Where new versions of this program are downloaded from. */
export const UpdateFeed = safeBase('an update feed, such as https://downloads.example.com/rotavox');

const clockError = 'must be a time of day, such as 02:30';
const ClockTime = z.string({ error: clockError }).regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, clockError);

/** Some hours of every day on this machine's clock; `to` may lie after midnight. */
export const HoursOfDay = z.strictObject(
  { from: ClockTime, to: ClockTime },
  { error: 'must be null or a JSON object with two times of day: from and to' },
);
export type HoursOfDay = z.infer<typeof HoursOfDay>;
