import { z } from 'zod';
import { FlowSpeech } from './speech.ts';
import { isUnreplaced, newName, outsideId, replacedError } from '../shapes.ts';

export const IvrId = z.string().brand<'IvrId'>();
export type IvrId = z.infer<typeof IvrId>;

/** The id that another service gives a menu: one that can stand in a destination (`ivr||<id>`) and in an address. */
export const OtherIvrId = outsideId(200);

/** The types of prompts; the spec shows `recording` only. `sound` is one of the telephone system itself, by its name. */
// see decisions/calls-through-asterisk.md
export const IvrRecordingType = z.enum(['recording', 'outbound_tts', 'sound']);
export type IvrRecordingType = z.infer<typeof IvrRecordingType>;

/**
 * The types of destinations; the spec shows `extension` only. `number` is an outside number, `+` and digits. `queue||400` is read as
 * `department||400`: they are one type.
 */
// see decisions/outside-numbers.md
export const IvrDestinationType = z.enum([
  'extension',
  'ivr',
  'department',
  'ring_group',
  'number',
  'voicemail',
  'timegroup',
  'time_condition',
  'hangup',
]);
export type IvrDestinationType = z.infer<typeof IvrDestinationType>;

/** Limits of our own: the spec (section 8) has none. */
export const ivrBounds = {
  /** More than the keys of a telephone: some may have several digits. */
  options: { min: 1, max: 24 },
  timeoutSeconds: { min: 1, max: 120 },
  count: { min: 0, max: 20 },
  name: { min: 1, max: 100 },
  description: { min: 0, max: 1000 },
  idLength: 200,
  /** Of a text that is spoken (`outbound_tts||…`). */
  spokenLength: 1000,
  /** Of numbers that callers may dial. */
  patterns: 20,
  /** How long a menu waits for the next digit of a number; `usual` where only keys have several. */
  digitTimeoutSeconds: { min: 1, max: 5, usual: 2 },
} as const;

/** A whole number, or the same written as a string (spec 2.3 has both); stored as a number. */
function wholeNumber({ min, max }: { min: number; max: number }, unit: string) {
  const error = `must be a whole number of ${unit} from ${min} to ${max}`;
  return z
    .union([z.int({ error }), z.string().regex(/^\d{1,9}$/, error)], { error })
    .transform(Number)
    .pipe(z.int().min(min, error).max(max, error));
}

function text({ min, max }: { min: number; max: number }) {
  const error = `must be a text of ${min} to ${max} characters`;
  return z.string({ error }).min(min, error).max(max, error).refine(isUnreplaced, replacedError);
}

/** Space at the ends of a reference and of its id, as it comes with what was copied, belongs to neither. */
function withoutSpaceAround(text: string): string {
  return text.trim().replace(/^([a-z_]*\|\|)\s+/, '$1');
}

/** Another word for a type: what is stored and shown has one. */
function withOneWord(text: string): string {
  return withoutSpaceAround(text).replace(/^queue\|\|/, 'department||');
}

/**
 * The name of a sound, within the sounds folder of the telephone system: no path that leads out of it, no ending of a file that is
 * left out anyway, and nothing with a meaning in a dialplan (`&` and `,` join sounds, `|` begins options).
 */
const soundName = '(?![^|]*\\.\\.)[A-Za-z0-9_](?:[A-Za-z0-9_.+-]|\\/(?=[A-Za-z0-9_])){0,199}';

/** `<type>||<id>`, the type one of those given. `hangup` needs no id. An id is opaque here: also `..` is one. */
function reference(types: readonly string[], example: string) {
  const withId = types.filter((type) => type !== 'hangup' && type !== 'outbound_tts' && type !== 'sound');
  const idOf = (longest: number): string => `\\|\\|[^|\\s\\p{Cc}\\p{Cs}][^|\\p{Cc}\\p{Cs}]{0,${longest - 1}}`;
  const spoken = types.includes('outbound_tts') ? `|outbound_tts${idOf(ivrBounds.spokenLength)}` : '';
  const sound = types.includes('sound') ? `|sound\\|\\|${soundName}` : '';
  const pattern = `(?:(?:${withId.join('|')})${idOf(ivrBounds.idLength)}${spoken}${sound})`;
  const whole = types.includes('hangup')
    ? `^(?:${pattern}|hangup(?:\\|\\|[^|\\p{Cc}\\p{Cs}]{0,200})?)$`
    : `^${pattern}$`;
  const error = `must be written <type>||<id>, such as ${example}; the type is one of ${types.join(', ')}`;
  return z
    .string({ error })
    .overwrite(types.includes('department') ? withOneWord : withoutSpaceAround)
    .regex(new RegExp(whole, 'u'), error)
    .refine(isUnreplaced, replacedError);
}

const recording = reference(IvrRecordingType.options, 'recording||42');
/** A destination in a body also leads to opening hours or a message that are stored here. */
const destination = reference([...IvrDestinationType.options, 'hours', 'message'], 'extension||101');

const keyError = 'must be one key of 0-9, * or #, or 2 to 4 digits such as 10, of which the first may be *';
const key = z
  .union(
    [
      z.string().regex(/^(?:[0-9*#]|[0-9*][0-9]{1,3})$/, keyError),
      z.int(keyError).min(0, keyError).max(9999, keyError),
    ],
    { error: keyError },
  )
  .transform(String)
  .pipe(z.string());

const optionsError = `must be a list of ${ivrBounds.options.min} to ${ivrBounds.options.max} keys`;
const destinationsError = `must be a list of ${ivrBounds.options.min} to ${ivrBounds.options.max} destinations`;
const smsError = `must be a list of at most ${ivrBounds.options.max} SMS template ids`;

const digitTimeoutError = `must be a whole number of seconds from ${ivrBounds.digitTimeoutSeconds.min} to ${ivrBounds.digitTimeoutSeconds.max}`;
const numbersError = `must be directory, or a list of 1 to ${ivrBounds.patterns} numbers of at most 6 digits such as 101 or 1XX: X is 0-9, Z is 1-9, N is 2-9, and the first is none of 0, * and X`;

/** Numbers that a caller may dial in a menu: the extensions of the directory, or those of patterns such as `1XX`. */
export const DirectDial = z.strictObject({
  /** In a draft anything may be written; `core/ivr/call/dialable.ts` says what is allowed. */
  numbers: z.union([
    z.literal('directory'),
    z.array(z.string().max(ivrBounds.idLength)).max(ivrBounds.patterns),
  ]),
  /** How long it waits for the next digit, in seconds. */
  digit_timeout: z
    .int(digitTimeoutError)
    .min(ivrBounds.digitTimeoutSeconds.min, digitTimeoutError)
    .max(ivrBounds.digitTimeoutSeconds.max, digitTimeoutError),
});
export type DirectDial = z.infer<typeof DirectDial>;

const bodyDirectDial = DirectDial.extend({
  numbers: z.union(
    [
      z.literal('directory'),
      z
        .array(z.string().regex(/^[1-9ZN][0-9XZN]{0,5}$/, numbersError))
        .min(1, numbersError)
        .max(ivrBounds.patterns, numbersError),
    ],
    { error: numbersError },
  ),
});

/**
 * The body of an IVR (spec section 2.3): input in all its forms, output as it is stored.
 *
 * The rules that join two fields (no key twice, as many destinations as options) and the two aliases are in
 * `core/ivr/body/parse-ivr-body.ts`, which is what the service, the CLI and the windows call.
 */
export const IvrBody = z.object({
  name: newName(text(ivrBounds.name)),
  description: text(ivrBounds.description),
  recording,
  timeout: wholeNumber(ivrBounds.timeoutSeconds, 'seconds'),
  option: z
    .array(key, { error: optionsError })
    .min(ivrBounds.options.min, optionsError)
    .max(ivrBounds.options.max, optionsError),
  destination: z
    .array(destination, { error: destinationsError })
    .min(ivrBounds.options.min, destinationsError)
    .max(ivrBounds.options.max, destinationsError),
  incorrect_count: wholeNumber(ivrBounds.count, 'retries'),
  invalid_recording: recording,
  invalid_destination: destination,
  timeout_retry_recording: recording,
  timeout_recording: recording,
  timeout_destination: destination,
  timeout_tries: wholeNumber(ivrBounds.count, 'tries'),
  sms_template: z
    .array(
      z
        .union([z.string().max(ivrBounds.idLength, smsError), z.int(smsError)], { error: smsError })
        .refine((id) => isUnreplaced(String(id)), replacedError)
        .transform(String),
      {
        error: smsError,
      },
    )
    .max(ivrBounds.options.max, smsError)
    .optional(),
  /** Of our own: not in the spec. */
  direct_dial: bodyDirectDial.optional(),
});
export type IvrBody = z.output<typeof IvrBody>;
export type IvrBodyInput = z.input<typeof IvrBody>;

/** Other names for a field that the spec's sample uses; the field itself wins when both are there. */
export const ivrAliases = {
  timeout_retries: 'timeout_tries',
  recording_invalid: 'invalid_recording',
} as const;

/** A stored IVR: spec field names and what the service adds. */
export const Ivr = z.object({
  id: IvrId,
  version: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
  name: z.string(),
  description: z.string(),
  recording: z.string(),
  timeout: z.int(),
  option: z.array(z.string()),
  destination: z.array(z.string()),
  incorrect_count: z.int(),
  invalid_recording: z.string(),
  invalid_destination: z.string(),
  timeout_retry_recording: z.string(),
  timeout_recording: z.string(),
  timeout_destination: z.string(),
  timeout_tries: z.int(),
  sms_template: z.array(z.string()).optional(),
  direct_dial: DirectDial.optional(),
});
export type Ivr = z.infer<typeof Ivr>;

/** As this service keeps it: with what `/v1` does not have. */
export const StoredIvr = Ivr.extend({
  /** How the texts of its call flow are spoken. Absent: as the settings have it. */
  speech: FlowSpeech.optional(),
});
export type StoredIvr = z.infer<typeof StoredIvr>;

export const IvrWarning = z.object({ field: z.string(), message: z.string() });
export type IvrWarning = z.infer<typeof IvrWarning>;

/** Spec section 2.4, with the identifier that the spec leaves open. */
export const IvrCreated = z.object({
  Success: z.literal(true),
  Message: z.string(),
  id: IvrId,
  warnings: z.array(IvrWarning),
});
export type IvrCreated = z.infer<typeof IvrCreated>;

export const IvrUpdated = Ivr.extend({
  Success: z.literal(true),
  Message: z.string(),
  warnings: z.array(IvrWarning),
});
export type IvrUpdated = z.infer<typeof IvrUpdated>;

export const IvrDeleted = z.object({ Success: z.literal(true), Message: z.string(), id: IvrId });
export type IvrDeleted = z.infer<typeof IvrDeleted>;

/** What `/v1/ivr` answers, to the letter (spec section 2.4). */
export const ivrMessages = {
  created: 'IVR created successfully.',
  updated: 'IVR updated successfully.',
  deleted: 'IVR deleted successfully.',
  noSuchIvr: 'There is no IVR with this id.',
} as const;
