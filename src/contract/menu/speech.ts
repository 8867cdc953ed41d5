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

/** How the texts of one call flow are spoken, where the settings do not say it; `voice` null: the first voice of the language. */
export const FlowSpeech = z.strictObject({ language: SpeechLanguage, voice: VoiceId.nullable() });
export type FlowSpeech = z.infer<typeof FlowSpeech>;

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
  /** SHA-256 in hex of the model; where that is not readable, of what the system tells of the voice. */
  model_digest: z.string(),
  licence: z.string(),
  /** Its licence allows personal use only: it speaks where a person chose it, and never by itself. */
  personal_use_only: z.literal(true).optional(),
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
  /** Of the voice: another one than `language` where no voice speaks that. Missing: made before it was stored. */
  voice_language: z.string().optional(),
});
export type RecordingSpeech = z.infer<typeof RecordingSpeech>;

/**
 * What would be different if a recording was spoken again now: the language or the voice of the settings, or how one of its words is
 * said. A new version of an engine alone is no difference.
 */
export const SpeechChange = z.enum(['language', 'voice', 'pronunciation']);
export type SpeechChange = z.infer<typeof SpeechChange>;

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
    /** Its process ended, it took too long, its files are damaged, or it gave silence or a sound that cannot be this text. */
    reason: z.enum(['ended', 'too_late', 'damaged', 'silent', 'implausible']),
  }),
]);
export type SpeechProblem = z.infer<typeof SpeechProblem>;

const wordError = 'must be a word or a name of 1 to 100 characters, without < and > and line breaks';
const spokenWord = z
  .string({ error: wordError })
  .trim()
  .min(1, wordError)
  .max(100, wordError)
  .regex(/^[^<>|\p{Cc}\p{Cs}]*$/u, wordError);

/** How a word is said that voices read wrong: "Rotavox" as "Roh ta vox". */
export const Pronunciation = z.strictObject({
  /** In small letters it is found in any case; with a capital only as it is written. */
  word: spokenWord.regex(/[\p{L}\p{N}]/u, 'must contain a letter or a digit'),
  say: spokenWord.regex(/[\p{L}\p{N}]/u, 'must contain a letter or a digit'),
  /** BCP 47; `en` holds for `en-GB` too. Null: for every language. */
  language: SpeechLanguage.nullable().default(null),
});
export type Pronunciation = z.output<typeof Pronunciation>;

/** How many there may be: each text is searched for all of them. */
export const pronunciationLimit = 1000;

/** Of one word and language there is one. */
export const PronunciationName = Pronunciation.pick({ word: true, language: true });
export type PronunciationName = z.output<typeof PronunciationName>;

/** Pronunciations to add or change, and those to remove: all of it, or nothing. */
export const ChangePronunciations = z.strictObject({
  set: z.array(Pronunciation).max(pronunciationLimit).default([]),
  remove: z.array(PronunciationName).max(pronunciationLimit).default([]),
});

/** By word. `recordings`: how many recordings were spoken of a text with this word in its language. */
export const PronunciationList = z.object({
  pronunciations: z.array(
    z.object({
      word: z.string(),
      say: z.string(),
      language: z.string().nullable(),
      recordings: z.int(),
    }),
  ),
});
export type PronunciationList = z.infer<typeof PronunciationList>;
