import { z } from 'zod';

const voiceError = 'must be the id of a voice, such as flite/slt';
/** Names engine and model, such as `flite/slt`. A key of speech contains it, so that another voice is another sound. */
export const VoiceId = z
  .string()
  .regex(/^[\w.+-]+(?:\/[\w.+-]+){1,3}$/, voiceError)
  .max(100, voiceError)
  .brand<'VoiceId'>();
export type VoiceId = z.infer<typeof VoiceId>;

/** BCP 47, such as en-US. */
export const SpeechLanguage = z
  .string()
  .regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/, 'must be a language such as en-US');

/** A voice that an engine of this machine has now. */
export const Voice = z.object({
  id: VoiceId,
  /** Of the voice itself, such as slt. */
  name: z.string(),
  /** BCP 47, such as en-US. */
  language: z.string(),
  quality: z.enum(['basic', 'natural']),
  /** Such as `flite`. */
  engine: z.string(),
  /** Of the engine. A new one alone makes no speech out of date. */
  engine_version: z.string(),
  /** SHA-256 of the model, in hex. */
  model_digest: z.string(),
  licence: z.string(),
});
export type Voice = z.infer<typeof Voice>;

/** The voices of this machine, and what the texts of menus are spoken with; null: the first voice of the language. */
export const VoiceList = z.object({
  voices: z.array(Voice),
  language: SpeechLanguage,
  voice: VoiceId.nullable(),
});
export type VoiceList = z.infer<typeof VoiceList>;

/** What the audio of a recording was made of. Null in a recording of a person. */
export const RecordingSpeech = z.object({
  /** As menus have it after `outbound_tts||`. */
  text: z.string(),
  /** BCP 47. */
  language: z.string(),
  voice: VoiceId,
  /** 1 is the usual speed of the voice. */
  rate: z.number(),
  /** SHA-256 in hex of what was asked for (`core/speech/speech-request.ts`): the same request has the same, whatever the version. */
  key: z.string(),
  /** Of the engine, and SHA-256 of its model, when this was made. Others alone make no speech out of date. */
  engine_version: z.string(),
  model_digest: z.string(),
  made_at: z.string(),
  /** Made because a menu has the text, and not because a person asked for this recording. */
  automatic: z.boolean(),
});
export type RecordingSpeech = z.infer<typeof RecordingSpeech>;

/** What is wrong with a tag of a spoken text. */
export const TagFault = z.enum([
  /** None of those that a text can have. */
  'unknown',
  /** It begins like a tag and has no “>”. */
  'unfinished',
  /** Its closing tag is missing, or another tag comes before it. */
  'not_closed',
  /** A closing tag without the tag that it closes. */
  'not_opened',
  /** A pause without a length such as 500ms or 2s. */
  'pause_length',
  /** A pause of more than 5 seconds. */
  'pause_too_long',
  /** `say-as` that spells neither digits nor characters. */
  'spelling',
  /** `sub` without the words that are said instead. */
  'no_alias',
]);
export type TagFault = z.infer<typeof TagFault>;

/** Why no speech can be made of a text. */
export const SpeechProblem = z.discriminatedUnion('kind', [
  /** `voice`: the one that was asked for and is not there. */
  z.object({ kind: z.literal('no_voice'), language: z.string(), voice: z.string().optional() }),
  /** What was found in the text at this place, counted in characters from 0. */
  z.object({ kind: z.literal('unreadable'), at: z.int(), found: z.string(), fault: TagFault }),
  z.object({ kind: z.literal('too_long'), most: z.int() }),
  /** All pauses of the text together. */
  z.object({ kind: z.literal('pauses_too_long'), ms: z.int(), most_ms: z.int() }),
  /** `letters`: those in it that no voice of the language can read. */
  z.object({ kind: z.literal('nothing_to_say'), letters: z.array(z.string()).optional() }),
  z.object({
    kind: z.literal('engine_failed'),
    engine: z.string(),
    /** Its process ended, it took too long, or it gave silence or a sound that cannot be this text. */
    reason: z.enum(['ended', 'too_late', 'silent', 'implausible']),
  }),
]);
export type SpeechProblem = z.infer<typeof SpeechProblem>;
