import type { VoiceId } from '../contract/menu/speech.ts';
import type { VoiceAdding, VoicePackProblem, VoicesNotice } from '../contract/menu/voice-pack.ts';
import { isoInstant } from '../core/iso-instant.ts';
import type { Clock } from '../core/ledger.ts';
import { refused, type Result } from '../core/result.ts';
import type { AddedPack, VoicePacks } from '../core/speech/voice-packs.ts';
import { voicePackProblemText, voiceText } from '../text/menu/voice-pack-text.ts';

type Outcome = Result<AddedPack, VoicePackProblem>;

/** So often at most it is told how far a download is, in milliseconds. */
const tellEveryMs = 500;

/**
 * The work of adding a voice, which belongs to the service: every window sees it and can stop it, whichever began it.
 *
 * Invariants: one at a time; when it has ended, whoever waits for it and every listener is told how.
 */
export class AddingVoice {
  readonly #packs: VoicePacks;
  readonly #clock: Clock;
  readonly #listeners = new Set<(notice: VoicesNotice) => void>();
  readonly #unsubscribe: () => void;
  #job: VoiceAdding | null = null;
  #running: { readonly stopping: AbortController; readonly ended: Promise<unknown> } | null = null;
  #telling: NodeJS.Timeout | undefined;
  #hasMoreToTell = false;

  constructor(packs: VoicePacks, clock: Clock) {
    this.#packs = packs;
    this.#clock = clock;
    this.#unsubscribe = packs.onDownload(() => this.#noteProgress());
  }

  get job(): VoiceAdding | null {
    return this.#job;
  }

  /** Returns how to stop. */
  onChange(listener: (notice: VoicesNotice) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The bytes of an archive. `waiting`: aborted when the caller goes away, and with it the archive. */
  add(archive: AsyncIterable<Uint8Array>, waiting: AbortSignal): Promise<Outcome> {
    return this.#run(null, waiting, (signal) => this.#packs.add(archive, signal));
  }

  /** `waiting`: null where it goes on without its caller. */
  download(voice: VoiceId, waiting: AbortSignal | null): Promise<Outcome> {
    return this.#run(voice, waiting, (signal) => this.#packs.download(voice, signal));
  }

  async remove(voice: VoiceId): Promise<Result<VoiceId, VoicePackProblem>> {
    const removed = await this.#packs.remove(voice);
    if (removed.ok) this.#tell('voices');
    return removed;
  }

  /** Resolves when nothing is added any more. */
  async stop(): Promise<void> {
    this.#running?.stopping.abort();
    await this.#running?.ended;
  }

  async close(): Promise<void> {
    this.#unsubscribe();
    await this.stop();
    clearTimeout(this.#telling);
  }

  async #run(
    voice: VoiceId | null,
    waiting: AbortSignal | null,
    act: (signal: AbortSignal) => Promise<Outcome>,
  ): Promise<Outcome> {
    if (this.#running !== null) return refused({ kind: 'busy' });
    const stopping = new AbortController();
    const signal = waiting === null ? stopping.signal : AbortSignal.any([stopping.signal, waiting]);
    const { promise: ended, resolve: end } = Promise.withResolvers<null>();
    this.#running = { stopping, ended };
    const started_at = isoInstant(this.#clock());
    this.#job = { voice, status: 'running', added: null, message: null, started_at, ended_at: null };
    this.#tell('progress');
    try {
      const outcome = await act(signal);
      this.#end(endOf(outcome));
      return outcome;
    } catch (error) {
      if (signal.aborted) {
        this.#end({ status: 'stopped' });
        return refused({ kind: 'stopped' });
      }
      this.#end({ status: 'refused', message: voiceText.failed });
      throw error;
    } finally {
      end(null);
    }
  }

  #end(end: Partial<VoiceAdding>): void {
    this.#running = null;
    // The end is told last.
    this.#hasMoreToTell = false;
    if (this.#job !== null) this.#job = { ...this.#job, ...end, ended_at: isoInstant(this.#clock()) };
    this.#tell(end.status === 'done' ? 'voices' : 'progress');
  }

  #noteProgress(): void {
    if (this.#telling !== undefined) {
      this.#hasMoreToTell = true;
      return;
    }
    this.#tell('progress');
    this.#telling = setTimeout(() => {
      this.#telling = undefined;
      if (!this.#hasMoreToTell) return;
      this.#hasMoreToTell = false;
      this.#noteProgress();
    }, tellEveryMs).unref();
  }

  #tell(changed: VoicesNotice['changed']): void {
    for (const listener of this.#listeners) listener({ changed });
  }
}

function endOf(outcome: Outcome): Partial<VoiceAdding> {
  if (outcome.ok) return { status: 'done', added: { name: outcome.value.pack?.name ?? null } };
  return { status: 'refused', message: voicePackProblemText(outcome.refusal) };
}
