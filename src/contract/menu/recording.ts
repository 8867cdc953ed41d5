import { z } from 'zod';
import { newName, outsideId } from '../shapes.ts';
import { ivrBounds } from './ivr.ts';
import {
  FlowSpeech,
  RecordingSpeech,
  SpeechChange,
  SpeechLanguage,
  SpeechProblem,
  VoiceId,
} from './speech.ts';
import type { StoreRefusal } from '../service/store-problem.ts';

/** The id after `recording||`: the recording's own name for machines. */
export const RecordingId = z.string().brand<'RecordingId'>();
export type RecordingId = z.infer<typeof RecordingId>;

export const AudioFormat = z.enum(['wav', 'mp3', 'ogg']);
export type AudioFormat = z.infer<typeof AudioFormat>;

/** Formats that are told from others but not read here. The windows convert those that their browser can decode. */
export type OtherAudio = 'm4a' | 'flac' | 'webm' | 'aiff' | 'aac' | 'wma' | 'amr' | 'au' | 'caf' | 'wave64';

/** Why an upload is refused as a recording. */
export type AudioRefusal =
  | {
      readonly code:
        | 'empty'
        /** Neither audio that is read here nor any other that is known. */
        | 'unknown'
        | 'wav_damaged'
        | 'wav_empty'
        | 'mp3_damaged'
        | 'ogg_damaged'
        | 'ogg_codec';
    }
  | { readonly code: 'other_format'; readonly format: OtherAudio }
  /** By its format tag (RFC 2361). */
  | { readonly code: 'wav_codec'; readonly codec: number }
  /** Converted it would have so many bytes, which is more than the limit. */
  | { readonly code: 'too_long'; readonly bytes: number };

/** The largest recording, in bytes: 20 MiB, two minutes of 16-bit stereo at 44.1 kHz. */
export const recordingLimitBytes = 20 * 1024 * 1024;

/** A prompt that callers hear. The audio itself is at `/portal/recordings/:id/audio`. */
export const Recording = z.object({
  id: RecordingId,
  name: z.string(),
  format: AudioFormat,
  /** Of the audio file. */
  bytes: z.int(),
  /** In milliseconds, as far as the file tells; null when it does not. */
  duration_ms: z.int().nullable(),
  /** SHA-256 of the audio, in hex: the same audio has the same. */
  digest: z.string(),
  /** What it was made of; null: it was uploaded or recorded. */
  speech: RecordingSpeech.nullable(),
  /** Since when no menu and no draft plays it, where the program made it for one: it removes it 30 days later. Null: it stays. */
  unused_since: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Recording = z.infer<typeof Recording>;

/** As events and state files have it: before format 12 nothing was spoken, and before format 13 all of it stayed. */
export const StoredRecording = Recording.extend({
  speech: Recording.shape.speech.exactOptional(),
  unused_since: Recording.shape.unused_since.exactOptional(),
});
export type StoredRecording = z.infer<typeof StoredRecording>;

/** Where a recording is played: in which draft or stored menu, as which field. */
export const RecordingUse = z.object({
  kind: z.enum(['draft', 'ivr']),
  id: z.string(),
  name: z.string(),
  field: z.string(),
});
export type RecordingUse = z.infer<typeof RecordingUse>;

export const RecordingView = Recording.extend({
  used_by: z.array(RecordingUse),
  /** Empty: it is as it would be spoken now, or it was uploaded or recorded. */
  changed: z.array(SpeechChange),
  /** When the program removes it, because nothing plays it. */
  removed_at: z.string().nullable(),
});
export type RecordingView = z.infer<typeof RecordingView>;

export const RecordingList = z.object({ recordings: z.array(RecordingView) });
export type RecordingList = z.infer<typeof RecordingList>;

const nameError = 'must be a text of 1 to 100 characters';
const name = newName(z.string().trim().min(1, nameError).max(100, nameError));

/** The body of an upload is the audio itself; everything else is in the query. */
export const UploadRecording = z.object({
  name,
  id: outsideId(100, { hasSlash: false }).brand<'RecordingId'>().optional(),
});
export type UploadRecording = z.infer<typeof UploadRecording>;

const textError = `must be a text of 1 to ${ivrBounds.spokenLength} characters without “|” and without line breaks`;
/** What can stand after `outbound_tts||` in a menu. */
const spokenText = z
  .string({ error: textError })
  .trim()
  .min(1, textError)
  .max(ivrBounds.spokenLength, textError)
  .regex(/^[^|\p{Cc}\p{Cs}]*$/u, textError);

/** A text and how it is spoken. Default: as the settings have it. */
/** `voice` null: the first one of the language. Default: as the settings have it. */
export const SpeakText = z.strictObject({
  text: spokenText,
  language: SpeechLanguage.optional(),
  voice: VoiceId.nullable().optional(),
  /** Also what hardly can be the text (clipped, too short, too long): whoever asks for it listens to it. */
  as_it_is: z.literal(true).optional(),
});
export type SpeakText = z.infer<typeof SpeakText>;

/** `name`: of the new recording. Default: its text. */
export const SpeakRecording = SpeakText.extend({ name: name.optional() });
export type SpeakRecording = z.infer<typeof SpeakRecording>;

/** Default: as the settings have it; a recording that a person asked for in another language keeps its language. */
export const SpeakAgain = z.strictObject({ language: SpeechLanguage.optional(), voice: VoiceId.optional() });
export type SpeakAgain = z.infer<typeof SpeakAgain>;

/** `check`: nothing is made. */
export const SpeakIvr = z.strictObject({
  check: z.boolean({ error: 'must be true or false' }).default(false),
});

/** A text of a menu, and what callers hear of it. */
export const SpokenPrompt = z.object({
  text: z.string(),
  /** `changed`: what they hear is not as it would be spoken now. */
  state: z.enum(['spoken', 'changed', 'missing']),
  /** Why the state is `changed`. */
  changed: z.array(SpeechChange),
  /** It was made by this call. */
  made: z.boolean(),
  recording: RecordingId.nullable(),
  /** Its voice; where there is no recording, the one that would speak the text. Null: there is none. */
  voice: VoiceId.nullable(),
  /** Of that voice: another one than the language of the text where no voice speaks that. */
  voice_language: z.string().nullable(),
  /** Letters in the text that no voice of its language can read, each once. Callers do not hear them. */
  unreadable: z.array(z.string()),
  /** Why it was not made, or cannot be. */
  problem: SpeechProblem.nullable(),
});
export type SpokenPrompt = z.infer<typeof SpokenPrompt>;

export const SpokenPrompts = z.object({ prompts: z.array(SpokenPrompt) });
export type SpokenPrompts = z.infer<typeof SpokenPrompts>;

/** Texts that need not be stored anywhere. */
export const CheckTexts = z.strictObject({
  texts: z.array(spokenText).max(500),
  language: SpeechLanguage.optional(),
  voice: VoiceId.nullable().optional(),
});
export type CheckTexts = z.infer<typeof CheckTexts>;

/** `missing`: the texts of menus and drafts that have no recording. `changed`: also the recordings that would be spoken in another way now. */
export const SpeakAll = z.strictObject({
  what: z.enum(['missing', 'changed'], { error: 'must be missing or changed' }).default('missing'),
});
export type SpeakAll = z.infer<typeof SpeakAll>;

/** The work of speaking all texts, one after the other. It goes on after a restart. */
export const SpeakingJob = z.object({
  what: SpeakAll.shape.what,
  status: z.enum(['running', 'done', 'stopped']),
  /** Texts and recordings. `done` and `failed` together are as many when all of it is tried. */
  total: z.int(),
  done: z.int(),
  /** What is spoken at the moment. */
  current: z.string().nullable(),
  /** How many could not be spoken. */
  failed: z.int(),
  /** All of these; or the first of them, in notices and where that was asked for. */
  failures: z.array(
    z.object({
      text: z.string(),
      recording: RecordingId.nullable(),
      problem: SpeechProblem,
      /** Of its call flow, where that has its own. */
      speech: FlowSpeech.optional(),
    }),
  ),
  /** Why it stopped by itself: the disk is full, for example. To begin again goes on. */
  interrupted: z.string().nullable(),
  started_at: z.string(),
  ended_at: z.string().nullable(),
});
export type SpeakingJob = z.infer<typeof SpeakingJob>;

/** How many failures a notice has: it is sent after each text. */
export const firstFailures = 20;

/** `first`: of what could not be spoken the first 20, for whoever asks again and again. */
export const ReadSpeech = z.object({
  failures: z.enum(['all', 'first'], { error: 'must be all or first' }).default('all'),
});

export const SpeechStatus = z.object({
  /** Texts of stored menus and of drafts that have no recording. */
  missing: z.int(),
  /** Recordings that would be spoken in another way now. */
  changed: z.int(),
  /** The one that runs, or the last one since the program started. */
  job: SpeakingJob.nullable(),
});
export type SpeechStatus = z.infer<typeof SpeechStatus>;

export const RenameRecording = z.strictObject({ name });
export type RenameRecording = z.infer<typeof RenameRecording>;

export const RecordingRemoved = z.object({ id: RecordingId });
export type RecordingRemoved = z.infer<typeof RecordingRemoved>;

/** Why a recording cannot be added, changed or removed. */
export type RecordingProblem =
  | { readonly kind: 'not_found' }
  | { readonly kind: 'id_taken'; readonly id: string }
  | { readonly kind: 'not_audio'; readonly refusal: AudioRefusal }
  | { readonly kind: 'not_stored'; readonly refusal: StoreRefusal }
  /** No speech can be made of the text. */
  | { readonly kind: 'not_spoken'; readonly problem: SpeechProblem }
  /** It cannot be spoken again: it was uploaded or recorded. */
  | { readonly kind: 'no_text'; readonly name: string }
  | { readonly kind: 'played'; readonly name: string; readonly uses: readonly RecordingUse[] };
