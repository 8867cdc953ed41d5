import { z } from 'zod';
import { bodyProblems, portalProblems, portalRoute, type Route } from '../route.ts';
import type { StoreRefusal } from '../service/store-problem.ts';
import { RecordingId } from './recording.ts';
import { VoiceId } from './speech.ts';

/** The largest archive of a voice, in bytes. Natural voices have 60 to 130 MB. */
export const voicePackLimitBytes = 200 * 1024 * 1024;

/** A recording that was spoken with a voice. */
const SpokenWith = z.object({ id: RecordingId, name: z.string() });

/** A natural voice that was added to this computer. */
const VoicePack = z.object({
  voice: VoiceId,
  /** Of the voice itself, such as thorsten-medium. */
  name: z.string(),
  /** BCP 47, such as de-DE. */
  language: z.string(),
  /** As its model card says; null: it does not say. */
  licence: z.string().nullable(),
  /** Of its files on this computer. */
  bytes: z.int(),
  /** SHA-256 of the model, in hex. */
  model_digest: z.string(),
  added_at: z.string(),
  /** `damaged`: a file of it was changed or is gone. `no_runtime`: what runs it is gone or damaged. Null: it speaks. */
  problem: z.enum(['damaged', 'no_runtime']).nullable(),
  /** Recordings that were spoken with it: without it they keep their audio and cannot be spoken again with this voice. */
  recordings: z.array(SpokenWith),
});
export type VoicePack = z.infer<typeof VoicePack>;

/** What was added, as the adapter knows it: which recordings use it is a question for the service. */
export type InstalledPack = Omit<VoicePack, 'recordings'>;

/** A voice that can be downloaded. */
const OfferedVoice = z.object({
  voice: VoiceId,
  name: z.string(),
  language: z.string(),
  licence: z.string(),
  /** Of the download. */
  bytes: z.int(),
  url: z.string(),
});
export type OfferedVoice = z.infer<typeof OfferedVoice>;

/** The program that runs added voices. It contains GPL code, so no package of Rotavox contains it. */
const VoiceRuntime = z.object({
  name: z.string(),
  version: z.string(),
  licence: z.string(),
  /** Of the download. */
  bytes: z.int(),
  url: z.string(),
  installed: z.boolean(),
});
export type VoiceRuntime = z.infer<typeof VoiceRuntime>;

/** A download under way; `voice` is null for the runtime. */
const VoiceDownload = z.object({ voice: VoiceId.nullable(), received: z.int(), bytes: z.int() });
export type VoiceDownload = z.infer<typeof VoiceDownload>;

/** The work of adding a voice, whichever window or command began it. */
export const VoiceAdding = z.object({
  /** Null: from a file. */
  voice: VoiceId.nullable(),
  /** `refused`: it could not be added, and nothing was changed. `stopped`: somebody ended it. */
  status: z.enum(['running', 'done', 'refused', 'stopped']),
  /** What was added; `name` is null where that is only the runtime. */
  added: z.object({ name: z.string().nullable() }).nullable(),
  /** Why it was refused. */
  message: z.string().nullable(),
  started_at: z.string(),
  ended_at: z.string().nullable(),
});
export type VoiceAdding = z.infer<typeof VoiceAdding>;

/** As `voices` on the event stream: `voices`, there are others now; else only how far adding one is. */
export interface VoicesNotice {
  readonly changed: 'voices' | 'progress';
}

const VoicePackList = z.object({
  packs: z.array(VoicePack),
  /** Those of the list in the program that were not added. It may be empty: then voices come from files. */
  offered: z.array(OfferedVoice),
  /** Null: no voices can be added to this host. */
  runtime: VoiceRuntime.nullable(),
  downloading: VoiceDownload.nullable(),
  /** The one that is being added, or the last one since the program started. */
  adding: VoiceAdding.nullable(),
});
export type VoicePackList = z.infer<typeof VoicePackList>;

const DownloadVoice = z.strictObject({
  voice: VoiceId,
  /** Whether it goes on when the caller goes away. */
  keep: z.boolean({ error: 'must be true or false' }).default(false),
});
const AddingStopped = z.object({ adding: VoiceAdding.nullable() });
const RemoveVoice = z.object({ voice: VoiceId });

/** `pack` is null where only the runtime was added. */
const VoiceAdded = z.object({ pack: VoicePack.nullable(), runtime_added: z.boolean() });
export type VoiceAdded = z.infer<typeof VoiceAdded>;

/** `recordings`: those that would need another voice to be spoken again. Their audio stays. */
const VoiceRemoved = z.object({ voice: VoiceId, recordings: z.array(SpokenWith) });
export type VoiceRemoved = z.infer<typeof VoiceRemoved>;

/** Why a voice cannot be added or removed. Nothing was changed. */
export type VoicePackProblem =
  /** Neither a .tar.bz2, a .tar.gz nor a .zip. */
  | { readonly kind: 'not_archive' }
  /** It ends too early, or a checksum in it differs. */
  | { readonly kind: 'damaged_archive' }
  /** The archive, or what it unpacks to. */
  | { readonly kind: 'too_large'; readonly most_bytes: number }
  /** It took too long to unpack, as it may when it was made for that. */
  | { readonly kind: 'too_slow'; readonly limit_ms: number }
  | {
      readonly kind: 'unsafe_entry';
      readonly entry: string;
      readonly fault: 'path' | 'link' | 'special' | 'twice';
    }
  /** No voice of Piper as sherpa-onnx publishes them; `missing`: the file that it lacks; or `model`, `name` or `one_folder`: what is not as it has to be. */
  | { readonly kind: 'not_voice'; readonly missing: string }
  /** It is there and does not speak. */
  | { readonly kind: 'model_fails' }
  /** It is not the file that was pinned. */
  | { readonly kind: 'wrong_file'; readonly name: string; readonly expected: string; readonly found: string }
  /** Another voice with this id is there. */
  | { readonly kind: 'id_taken'; readonly voice: string }
  | { readonly kind: 'not_installed'; readonly voice: string }
  | { readonly kind: 'not_offered'; readonly voice: string }
  /** No voices can be added to this host. */
  | { readonly kind: 'not_here' }
  /** Another voice is being added. */
  | { readonly kind: 'busy' }
  /** Somebody ended it. */
  | { readonly kind: 'stopped' }
  /** `name`: the file at the address. */
  | { readonly kind: 'not_downloaded'; readonly name: string; readonly url: string; readonly error: string }
  | { readonly kind: 'not_stored'; readonly refusal: StoreRefusal };

/** The natural voices of this computer. */
export const voicePackRoutes = {
  listVoicePacks: {
    ...portalRoute('GET', '/portal/voice-packs'),
    title: 'List added voices',
    summary: 'List the natural voices that were added to this computer, and those that can be downloaded.',
    reply: VoicePackList,
    problems: portalProblems,
  },
  addVoicePack: {
    ...portalRoute('POST', '/portal/voice-packs'),
    title: 'Add a voice from a file',
    summary:
      'Add a voice of Piper, packed for sherpa-onnx, from its archive; or the runtime from its npm package. A runtime that is missing is downloaded first.',
    body: z.unknown(),
    takes: 'stream',
    reply: VoiceAdded,
    problems: [...portalProblems, 'bad_request', 'conflict', 'other_service_failed'],
  },
  downloadVoicePack: {
    ...portalRoute('POST', '/portal/voice-packs/download'),
    title: 'Download a voice',
    summary:
      'Download a voice of the list and add it. Ends when it is added. A caller that goes away ends the download, unless it said `keep`. Progress is told by the event stream (`voices`).',
    body: DownloadVoice,
    reply: VoiceAdded,
    problems: [...portalProblems, ...bodyProblems, 'not_found', 'conflict', 'other_service_failed'],
  },
  stopAddingVoice: {
    ...portalRoute('DELETE', '/portal/voice-packs/adding'),
    title: 'Stop adding a voice',
    summary:
      'Stop adding a voice, whoever began it. Nothing is left of it. While none is added, this changes nothing.',
    reply: AddingStopped,
    problems: [...portalProblems, ...bodyProblems],
  },
  removeVoicePack: {
    ...portalRoute('DELETE', '/portal/voice-packs'),
    title: 'Remove a voice',
    summary: 'Remove an added voice. Recordings that were spoken with it keep their audio.',
    query: RemoveVoice,
    reply: VoiceRemoved,
    problems: [...portalProblems, ...bodyProblems, 'not_found', 'conflict'],
  },
} as const satisfies Record<string, Route>;
