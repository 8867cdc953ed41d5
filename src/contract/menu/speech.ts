import { z } from 'zod';

/** Names engine and model, such as `flite/slt`. A key of speech contains it, so that another voice is another sound. */
export const VoiceId = z.string().min(1).max(100).brand<'VoiceId'>();
export type VoiceId = z.infer<typeof VoiceId>;

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

/** Why no speech can be made of a text. */
export const SpeechProblem = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('no_voice'), language: z.string() }),
  /** What was found in the text at this place, counted in characters from 0. */
  z.object({ kind: z.literal('unreadable'), at: z.int(), found: z.string() }),
  z.object({ kind: z.literal('too_long'), most: z.int() }),
  z.object({ kind: z.literal('nothing_to_say') }),
  z.object({
    kind: z.literal('engine_failed'),
    engine: z.string(),
    /** Its process ended, it took too long, or it gave silence or a sound that cannot be this text. */
    reason: z.enum(['ended', 'too_late', 'silent', 'implausible']),
  }),
]);
export type SpeechProblem = z.infer<typeof SpeechProblem>;
