import { z } from 'zod';
import { isUnreplaced, newName, outsideId, replacedError } from '../shapes.ts';

export const IvrId = z.string().brand<'IvrId'>();
export type IvrId = z.infer<typeof IvrId>;

/** The id that another service gives a menu: one that can stand in a destination (`ivr||<id>`) and in an address. */
export const OtherIvrId = outsideId(200);

/** The types of prompts; the spec shows `recording` only. */
export const IvrRecordingType = z.enum(['recording', 'outbound_tts']);
export type IvrRecordingType = z.infer<typeof IvrRecordingType>;

/** The types of destinations; the spec shows `extension` only. */
export const IvrDestinationType = z.enum([
  'extension',
  'ivr',
  'department',
  'voicemail',
  'timegroup',
  'time_condition',
  'hangup',
]);
export type IvrDestinationType = z.infer<typeof IvrDestinationType>;

/** Limits of our own: the spec (section 8) has none. */
export const ivrBounds = {
  options: { min: 1, max: 12 },
  timeoutSeconds: { min: 1, max: 120 },
  count: { min: 0, max: 20 },
  name: { min: 1, max: 100 },
  description: { min: 0, max: 1000 },
  idLength: 200,
  /** Of a text that is spoken (`outbound_tts||…`). */
  spokenLength: 1000,
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

/** `<type>||<id>`, the type one of those given. `hangup` needs no id. An id is opaque here: also `..` is one. */
function reference(types: readonly string[], example: string) {
  const withId = types.filter((type) => type !== 'hangup' && type !== 'outbound_tts');
  const idOf = (longest: number): string => `\\|\\|[^|\\s\\p{Cc}\\p{Cs}][^|\\p{Cc}\\p{Cs}]{0,${longest - 1}}`;
  const spoken = types.includes('outbound_tts') ? `|outbound_tts${idOf(ivrBounds.spokenLength)}` : '';
  const pattern = `(?:(?:${withId.join('|')})${idOf(ivrBounds.idLength)}${spoken})`;
  const whole = types.includes('hangup')
    ? `^(?:${pattern}|hangup(?:\\|\\|[^|\\p{Cc}\\p{Cs}]{0,200})?)$`
    : `^${pattern}$`;
  const error = `must be written <type>||<id>, such as ${example}; the type is one of ${types.join(', ')}`;
  return z
    .string({ error })
    .overwrite(withoutSpaceAround)
    .regex(new RegExp(whole, 'u'), error)
    .refine(isUnreplaced, replacedError);
}

const recording = reference(IvrRecordingType.options, 'recording||42');
const destination = reference(IvrDestinationType.options, 'extension||101');

const keyError = 'must be one key of 0-9, * or #';
const key = z
  .union([z.string().regex(/^[0-9*#]$/, keyError), z.int(keyError).min(0, keyError).max(9, keyError)], {
    error: keyError,
  })
  .transform(String)
  .pipe(z.string());

const optionsError = `must be a list of ${ivrBounds.options.min} to ${ivrBounds.options.max} keys`;
const destinationsError = `must be a list of ${ivrBounds.options.min} to ${ivrBounds.options.max} destinations`;
const smsError = `must be a list of at most ${ivrBounds.options.max} SMS template ids`;

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
});
export type Ivr = z.infer<typeof Ivr>;

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
