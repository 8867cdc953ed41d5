/**
 * Telephone systems (PBX): an Asterisk that hands calls over to Rotavox through its REST interface (ARI). Schemas of connections,
 * destination rules and the findings of a connection test. Calls themselves are in `call.ts`.
 */
import { z } from 'zod';
import { IvrDestinationType } from '../menu/ivr.ts';
import { FlowSpeech, SpeechProblem } from '../menu/speech.ts';
import { newName, unseenCharacters } from '../shapes.ts';

export const PbxId = z.string().brand<'PbxId'>();
export type PbxId = z.infer<typeof PbxId>;

/** The name of our application in ARI, as in `Stasis(rotavox,<ivr id>)`. */
export const ariApplication = 'rotavox';

const nameError =
  'must be a name of 1 to 60 characters: letters, digits and . _ -, and begin with a letter or digit';
const PbxName = z.string({ error: nameError }).regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/, nameError);

const urlError =
  'must be the address of the HTTP server of Asterisk, such as http://127.0.0.1:8088, without user, ? or #';
/** Scheme, host, port and, where the HTTP server has a prefix, a path; `/ari` is added to it. */
const PbxUrl = z
  .url({ error: urlError, abort: true })
  .max(500, { error: urlError, abort: true })
  .regex(/^https?:\/\/[^\s/?#@\\]+(?:\/[^\s?#\\]*)?$/i, { error: urlError, abort: true })
  .refine((text) => !unseenCharacters.test(text), urlError)
  .transform((text) => text.replace(/(?<!\/)\/+(?:ari\/*)?$/, ''));

const userError = 'must be the name of a user in ari.conf, of 1 to 100 characters without spaces and :';
const PbxUser = newName(z.string({ error: userError }).regex(/^[^\s:\p{Cc}\p{Cs}]{1,100}$/u, userError));

const passwordError = 'must be the password of the user in ari.conf, on one line of 1 to 500 characters';
const PbxPassword = z.string({ error: passwordError }).regex(/^[^\p{Cc}\p{Cs}]{1,500}$/u, passwordError);

/** The types of destinations that are places of the telephone system. `ivr` and `hangup` are not. */
export const RoutedType = IvrDestinationType.exclude(['ivr', 'hangup']);
export type RoutedType = z.infer<typeof RoutedType>;

const contextError = 'must be a context of extensions.conf, of 1 to 79 letters, digits and - _';
const extensionError =
  'must be an extension of 1 to 80 letters, digits and * # + - _, with {id} where the id goes';
/** Where calls for one type of destination continue in the dialplan. `{id}` in the extension: the id of the destination. */
export const DestinationRule = z.strictObject({
  context: z.string({ error: contextError }).regex(/^[A-Za-z0-9_-]{1,79}$/, contextError),
  extension: z.string({ error: extensionError }).regex(/^(?:[A-Za-z0-9*#+_-]|\{id\}){1,80}$/, extensionError),
});
export type DestinationRule = z.infer<typeof DestinationRule>;

const numberError =
  'must be an extension of 1 to 80 letters, digits and * # + - _, with {id} where the number goes (+4930…), or {digits} where it goes without +';
/** The same for outside numbers. `{digits}` in the extension: the number without `+`, for trunks with a prefix such as `00{digits}`. */
const NumberRule = DestinationRule.extend({
  extension: z
    .string({ error: numberError })
    .regex(/^(?:[A-Za-z0-9*#+_-]|\{(?:id|digits)\}){1,80}$/, numberError)
    .refine((text) => /\{(?:id|digits)\}/.test(text), numberError),
});

const shapeError = 'must be a JSON object with a context and an extension for each type';
/** A type without a rule is not reached: its calls go to the fallback. */
export const DestinationRules = z
  .strictObject(
    {
      extension: DestinationRule,
      department: DestinationRule,
      ring_group: DestinationRule,
      number: NumberRule,
      voicemail: DestinationRule,
      timegroup: DestinationRule,
      time_condition: DestinationRule,
    } satisfies Record<RoutedType, typeof DestinationRule>,
    { error: shapeError },
  )
  .partial();
export type DestinationRules = z.infer<typeof DestinationRules>;

/** In this context FreePBX has time conditions, which are numbered on their own: 4 is not time group 4. */
export const timeConditionsContext = 'timeconditions';

/** Whose dialplan a telephone system has, for the rules to begin with. */
export const DialplanKind = z.enum(['freepbx', 'asterisk'], { error: 'must be freepbx or asterisk' });
export type DialplanKind = z.infer<typeof DialplanKind>;

/**
 * As FreePBX has them: extensions and queues are dialled, `*` before an extension is its voicemail, ring groups have a context of their own
 * (the modules `queues` and `ringgroups`: `ext-queues` and `ext-group`, both included in `from-internal`), and an outside number
 * is dialled, so that the outbound routes choose the trunk. A time group is no place of a dialplan there, but the hours of
 * a time condition, so there is no default for it.
 */
export const defaultDestinationRules: DestinationRules = {
  extension: { context: 'from-internal', extension: '{id}' },
  department: { context: 'from-internal', extension: '{id}' },
  ring_group: { context: 'ext-group', extension: '{id}' },
  number: { context: 'from-internal', extension: '{id}' },
  voicemail: { context: 'from-internal', extension: '*{id}' },
  time_condition: { context: timeConditionsContext, extension: '{id}' },
};

/**
 * An Asterisk without FreePBX has only what its owner wrote. These contexts are those of the example in `resources/asterisk/README.md`:
 * one for each type, so that no number of one type can be one of another.
 */
export const plainDestinationRules: DestinationRules = {
  extension: { context: 'extensions', extension: '{id}' },
  department: { context: 'queues', extension: '{id}' },
  ring_group: { context: 'ring-groups', extension: '{id}' },
  number: { context: 'outside', extension: '{id}' },
  voicemail: { context: 'voicemail', extension: '{id}' },
};

export const rulesOf: Readonly<Record<DialplanKind, DestinationRules>> = {
  freepbx: defaultDestinationRules,
  asterisk: plainDestinationRules,
};

const timegroupError =
  'must not be timeconditions: the numbers there are those of time conditions, which are destinations of the type time_condition';
/** Rules to set; null: calls for this type are no longer led anywhere. */
export const ChangedRules = z
  .strictObject(
    {
      extension: DestinationRule.nullable(),
      department: DestinationRule.nullable(),
      ring_group: DestinationRule.nullable(),
      number: NumberRule.nullable(),
      voicemail: DestinationRule.nullable(),
      timegroup: DestinationRule.refine(({ context }) => context !== timeConditionsContext, {
        path: ['context'],
        error: timegroupError,
      }).nullable(),
      time_condition: DestinationRule.nullable(),
    } satisfies Record<RoutedType, unknown>,
    { error: shapeError },
  )
  .partial();
export type ChangedRules = z.infer<typeof ChangedRules>;

const jsonObject = { error: 'must be a JSON object' };
export const AddPbx = z.strictObject(
  {
    name: PbxName,
    url: PbxUrl,
    user: PbxUser,
    /** Goes into the vault, and nowhere else. */
    password: PbxPassword,
    /** Whether the password may be sent unencrypted to another machine. Never needed for https and for this machine. */
    insecure_http: z.boolean().default(false),
    /** Whose rules it begins with. */
    dialplan: DialplanKind.default('freepbx'),
    /** What differs from these. */
    destinations: ChangedRules.default({}),
  },
  jsonObject,
);
export type AddPbx = z.infer<typeof AddPbx>;

export const ChangePbx = z
  .strictObject(
    {
      url: PbxUrl,
      user: PbxUser,
      password: PbxPassword,
      insecure_http: z.boolean(),
      /** Replaces all rules by those of such a dialplan, before `destinations`. */
      dialplan: DialplanKind,
      /** Those that are named are replaced. */
      destinations: ChangedRules,
    },
    jsonObject,
  )
  .partial();
export type ChangePbx = z.infer<typeof ChangePbx>;

/** A telephone system as it is stored, without its password. */
export const Pbx = z.object({
  id: PbxId,
  name: z.string(),
  url: z.string(),
  user: z.string(),
  insecure_http: z.boolean(),
  destinations: DestinationRules,
  created_at: z.string(),
});
export type Pbx = z.infer<typeof Pbx>;

/**
 * Why a telephone system cannot be used. `detail` is the system's own code or status, such as ECONNREFUSED or 503.
 */
export const PbxTroubleCode = z.enum([
  /** Nothing listens there, the name is unknown, no answer in time, or the connection broke. */
  'not_reached',
  /** Its certificate is not trusted. */
  'not_trusted',
  /** Something answers, but not ARI: a page, a redirect, 404. */
  'not_ari',
  /** 401: user or password. */
  'signed_out',
  /** The user is `read_only`. */
  'read_only',
  /** Older than Asterisk 18. */
  'too_old',
  /** A module is missing; `detail` names it. */
  'module_missing',
  /** Another program connected as the same application; Asterisk then closes ours. */
  'taken_over',
  /** The password is not in the vault, or the vault cannot be read. */
  'no_password',
  /** Asterisk could not fetch a prompt from this program. */
  'prompts_not_fetched',
  /** Any other answer of Asterisk. */
  'failed',
]);
export type PbxTroubleCode = z.infer<typeof PbxTroubleCode>;
export const PbxTrouble = z.object({ code: PbxTroubleCode, detail: z.string() });
export type PbxTrouble = z.infer<typeof PbxTrouble>;

export const PbxState = z.discriminatedUnion('status', [
  z.object({ status: z.literal('connecting') }),
  z.object({ status: z.literal('connected'), since: z.string(), version: z.string() }),
  z.object({
    status: z.literal('unreachable'),
    since: z.string(),
    trouble: PbxTrouble,
    /** Null: it is not tried again until something is changed here. */
    next_try_at: z.string().nullable(),
  }),
]);
export type PbxState = z.infer<typeof PbxState>;

export const PbxView = Pbx.extend({ state: PbxState, /** Calls in menus now. */ calls: z.int() });
export type PbxView = z.infer<typeof PbxView>;
export const PbxList = z.object({ pbxs: z.array(PbxView) });

/** What a connection test looks at, in this order. After one that failed, those that need it are left out. */
export const PbxCheckName = z.enum([
  'reach',
  'sign_in',
  'version',
  'modules',
  'rights',
  'application',
  'prompts',
]);
export type PbxCheckName = z.infer<typeof PbxCheckName>;

/** Lines to add to a file of Asterisk, exactly. */
export const ConfigLines = z.object({
  file: z.enum(['ari.conf', 'http.conf', 'extensions.conf', 'modules.conf', 'Asterisk CLI']),
  lines: z.array(z.string()),
});
export type ConfigLines = z.infer<typeof ConfigLines>;

/** Why callers do not hear a prompt, or may not. */
export const SilentReason = z.enum([
  /** A text of which no speech was made. */
  'not_speech',
  /** A recording that is not here, and no sound of a telephone system can have its name. */
  'gone',
  'not_convertible',
  /** The telephone system has no sound of this name. */
  'no_sound',
  /** Whether it has one is not known: none is connected, or it cannot tell. */
  'unknown_sound',
]);
export type SilentReason = z.infer<typeof SilentReason>;

/** A prompt as a menu writes it, that callers do not hear. `pbx`: on which telephone system; null: on every one. */
export const SilentPrompt = z.object({
  prompt: z.string(),
  reason: SilentReason,
  pbx: z.string().nullable(),
  /** Why no speech can be made of a text. */
  speech: SpeechProblem.optional(),
});
export type SilentPrompt = z.infer<typeof SilentPrompt>;

const promptsError = 'must be a list of at most 2000 prompts, such as recording||42';
/** Prompts as menus write them. */
export const CheckPrompts = z.strictObject(
  {
    prompts: z.array(z.string().max(2000, promptsError), { error: promptsError }).max(2000, promptsError),
    /** How the texts of their call flow are spoken. Default: as the settings have it. */
    speech: FlowSpeech.optional(),
  },
  jsonObject,
);
export const SilentPrompts = z.object({ silent: z.array(SilentPrompt) });

/** A sound that a telephone system has, by the name that menus play it under (`sound||custom/welcome`). */
export const PbxSound = z.object({
  name: z.string(),
  /** What is said in it, where the telephone system knows. */ text: z.string(),
});
export type PbxSound = z.infer<typeof PbxSound>;
export const PbxSounds = z.object({
  pbxs: z.array(
    z.object({
      name: z.string(),
      /** Null: it is not connected, or cannot tell. */
      sounds: z.array(PbxSound).nullable(),
    }),
  ),
});
export type PbxSounds = z.infer<typeof PbxSounds>;

export const PbxTest = z.object({
  /** Null: it did not answer. */
  version: z.string().nullable(),
  checks: z.array(z.object({ check: PbxCheckName, trouble: PbxTrouble.nullable() })),
  /** What to add where so that the failed checks pass; empty when all passed. */
  add: z.array(ConfigLines),
  /** Prompts of stored menus, with the name of the menu. Not asked for where a check failed, or by an earlier version. */
  silent: z.array(SilentPrompt.extend({ menu: z.string() })).default([]),
});
export type PbxTest = z.infer<typeof PbxTest>;

const endpointError = 'must be a phone as Asterisk names it, such as PJSIP/101';
/** A channel technology and what it dials. Only these characters, so that nothing else can be asked of the telephone system. */
export const PbxEndpoint = z
  .string({ error: endpointError })
  .regex(/^[A-Za-z0-9]{2,20}\/[A-Za-z0-9._@+*#:-]{1,120}(?:\/[A-Za-z0-9._@+*#-]{1,80})?$/, endpointError);

/** Rings a phone and runs a menu on it: a stored one, or a draft as it is now. */
export const RingPhone = z.strictObject(
  {
    endpoint: PbxEndpoint,
    menu: z.union([z.strictObject({ ivr: z.string() }), z.strictObject({ draft: z.string() })], {
      error: 'must name a menu, as {"ivr": id}, or a draft, as {"draft": id}',
    }),
  },
  jsonObject,
);
export type RingPhone = z.infer<typeof RingPhone>;

export const PhoneRings = z.object({ call: z.string() });
export const PbxRemoved = z.object({ name: z.string() });

/** Why something cannot be done with a telephone system. */
export type PbxProblem =
  | { readonly kind: 'not_found'; readonly name: string }
  | { readonly kind: 'name_taken'; readonly name: string }
  /** The same Asterisk, already connected as `name`: one application cannot have two connections. */
  | { readonly kind: 'address_taken'; readonly name: string }
  | { readonly kind: 'insecure_http'; readonly url: string }
  | { readonly kind: 'password_needed' }
  | { readonly kind: 'vault' }
  | { readonly kind: 'unreachable'; readonly name: string; readonly trouble: PbxTrouble }
  | { readonly kind: 'menu_not_found'; readonly id: string }
  | { readonly kind: 'draft_has_errors'; readonly count: number }
  | { readonly kind: 'endpoint_refused'; readonly endpoint: string; readonly detail: string };
