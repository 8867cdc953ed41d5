import type { VoiceId } from '../../contract/menu/speech.ts';
import type { InstalledPack, VoicePackList, VoicePackProblem } from '../../contract/menu/voice-pack.ts';
import type { Result } from '../result.ts';
import type { StopSignal } from './speaker.ts';

/** As an adapter knows them. */
export type PackList = Omit<VoicePackList, 'packs' | 'adding'> & { readonly packs: readonly InstalledPack[] };

export interface AddedPack {
  /** Null: what was added is the runtime. */
  readonly pack: InstalledPack | null;
  readonly runtimeAdded: boolean;
}

type Added = Promise<Result<AddedPack, VoicePackProblem>>;

/**
 * The natural voices that are added to this machine: an adapter in the module `speech`.
 *
 * One is added at a time. What is refused or aborted leaves everything as it was.
 */
export interface VoicePacks {
  list(): Promise<PackList>;
  /** The bytes of an archive, as it was published. */
  add(archive: AsyncIterable<Uint8Array>, signal: StopSignal): Added;
  /** One of the list in the program. */
  download(voice: VoiceId, signal: StopSignal): Added;
  remove(voice: VoiceId): Promise<Result<VoiceId, VoicePackProblem>>;
  /** Called when a download begins, ends, or has come further. Returns how to stop. */
  onDownload(listener: () => void): () => void;
}
