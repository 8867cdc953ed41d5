import {
  firstFailures,
  type Recording,
  type SpeakAll,
  type SpeakingJob,
  type SpeechStatus,
} from '../contract/menu/recording.ts';
import type { FlowSpeech, SpeechProblem } from '../contract/menu/speech.ts';
import { isoInstant } from '../core/iso-instant.ts';
import { type Clock, type Ledger, StoreUnavailable } from '../core/ledger.ts';
import { draftPrompts, storedPrompts } from '../core/recording/change-recording.ts';
import { storeRefusalText } from '../text/service/store-text.ts';
import type { SpokenPrompts } from './spoken-prompts.ts';
import type { WantedText } from './wanted-speech.ts';

export interface SpeakEverythingParts {
  readonly ledger: Ledger;
  readonly spoken: SpokenPrompts;
  readonly clock: Clock;
  readonly onFailure: (error: unknown) => void;
}

/** A text that has no recording, or a recording that would be spoken in another way now. */
interface Target {
  readonly id: string;
  readonly text: string;
  /** How its call flow is spoken, where that is not as the settings have it. */
  readonly speech?: FlowSpeech | undefined;
  readonly recording: Recording | null;
}

const bySystem = { subject: 'speech', actor: { kind: 'system' } } as const;

/**
 * Speaks all texts that have no recording, or also all recordings that have changed: one after the other, in the background.
 *
 * Invariants: what is left to do is always read from the state, so that nothing is made twice, whatever has ended the program; that it
 * runs is in the journal, so that the next start goes on; each target is tried once in a run.
 */
export class SpeakEverything {
  readonly #parts: SpeakEverythingParts;
  readonly #listeners = new Set<(job: SpeakingJob) => void>();
  /** With the first failures only; all of them are in `#failures`. */
  #job: SpeakingJob | null = null;
  #failures: SpeakingJob['failures'] = [];
  #running: { readonly stop: AbortController; readonly ended: Promise<void> } | null = null;
  #isClosed = false;

  constructor(parts: SpeakEverythingParts) {
    this.#parts = parts;
  }

  /** Called after each step, with the first failures. Returns how to stop. */
  onProgress(listener: (job: SpeakingJob) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  status(failures: 'all' | 'first' = 'all'): SpeechStatus {
    const { state } = this.#parts.ledger;
    return {
      missing: this.#missing().length,
      changed: [...state.recordings.values()].filter((one) => this.#parts.spoken.changesOf(one).length > 0)
        .length,
      job:
        this.#job === null || failures === 'first' ? this.#job : { ...this.#job, failures: this.#failures },
    };
  }

  /** Goes on where the program has ended before. */
  resume(): void {
    const [before] = this.#parts.ledger.state.speaking.values();
    if (before !== undefined) this.#run(before);
  }

  async begin(what: SpeakAll['what']): Promise<void> {
    if (this.#running !== null) return;
    const total = this.#targets(what).length;
    const started_at = isoInstant(this.#parts.clock());
    if (total === 0) {
      this.#failures = [];
      this.#tell({ ...newJob({ what, total, started_at }), status: 'done', ended_at: started_at });
      return;
    }
    await this.#parts.ledger.transact(({ speaking }) => ({
      // One whose end could not be written is continued.
      events: speaking.size > 0 ? [] : [{ kind: 'speech.begun', ...byOwner, data: { what, total } }],
      value: null,
    }));
    this.#run({ what, total, started_at });
  }

  /** Resolves when nothing is spoken any more; what was being spoken is not stored. */
  async stop(): Promise<void> {
    this.#running?.stop.abort();
    await this.#running?.ended;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.stop();
  }

  /** Does nothing where another call began it meanwhile, or it was closed: the next start goes on. */
  #run(begun: Pick<SpeakingJob, 'what' | 'total' | 'started_at'>): void {
    if (this.#running !== null || this.#isClosed) return;
    const stop = new AbortController();
    this.#failures = [];
    this.#tell(newJob(begun));
    const ended = this.#speak(begun.what, stop.signal)
      .catch((error: unknown) => {
        this.#parts.onFailure(error);
        const interrupted =
          error instanceof StoreUnavailable ? storeRefusalText(error.refusal) : String(error);
        this.#change({ status: 'stopped', interrupted });
      })
      .finally(() => {
        this.#running = null;
        this.#change({ current: null, ended_at: isoInstant(this.#parts.clock()) });
      });
    this.#running = { stop, ended };
  }

  async #speak(what: SpeakAll['what'], signal: AbortSignal): Promise<void> {
    const tried = new Set<string>();
    for (;;) {
      const left = this.#targets(what);
      const next = left.find(({ id }) => !tried.has(id));
      const total = this.#job?.total ?? 0;
      this.#change({ done: Math.max(0, total - left.length), current: next?.text ?? null });
      if (next === undefined || signal.aborted) break;
      tried.add(next.id);
      const problem = await this.#speakOne(next, signal);
      if (problem === null) continue;
      this.#failures.push({
        text: next.text,
        recording: next.recording?.id ?? null,
        problem,
        ...(next.speech === undefined ? {} : { speech: next.speech }),
      });
      this.#change({ failed: this.#failures.length, failures: this.#failures.slice(0, firstFailures) });
    }
    // The next start goes on.
    if (this.#isClosed) return;
    const status = signal.aborted ? 'stopped' : 'done';
    const failed = this.#failures.length;
    await this.#parts.ledger.transact(() => ({
      events: [{ kind: 'speech.ended', ...bySystem, data: { status, failed } }],
      value: null,
    }));
    this.#change({ status });
  }

  /** Why it could not be spoken; null also where it was ended. */
  async #speakOne({ text, speech, recording }: Target, signal: AbortSignal): Promise<SpeechProblem | null> {
    const { spoken } = this.#parts;
    try {
      if (recording === null) {
        const [prompt] = await spoken.speakTexts([{ text, speech }], { isCheck: false, signal });
        return prompt?.problem ?? null;
      }
      const made = await spoken.speakAgain(recording.id, {}, signal);
      if (made.ok) return null;
      const { found } = made.refusal;
      if (found.kind === 'not_stored') throw new StoreUnavailable(found.refusal);
      // Somebody has removed it meanwhile, or replaced its audio.
      return found.kind === 'not_spoken' ? found.problem : null;
    } catch (error) {
      if (signal.aborted) return null;
      throw error;
    }
  }

  #targets(what: SpeakAll['what']): Target[] {
    const missing = this.#missing().map((wanted) => ({
      ...wanted,
      id: `text ${JSON.stringify(wanted)}`,
      recording: null,
    }));
    if (what === 'missing') return missing;
    const changed = [...this.#parts.ledger.state.recordings.values()].filter(
      (recording) => this.#parts.spoken.changesOf(recording).length > 0,
    );
    return [
      ...missing,
      ...changed.map((recording) => ({ id: recording.id, text: recording.speech?.text ?? '', recording })),
    ];
  }

  #missing(): readonly WantedText[] {
    const { state } = this.#parts.ledger;
    return this.#parts.spoken.missingOf([...storedPrompts(state), ...draftPrompts(state)]);
  }

  #change(changed: Partial<SpeakingJob>): void {
    if (this.#job !== null) this.#tell({ ...this.#job, ...changed });
  }

  #tell(job: SpeakingJob): void {
    this.#job = job;
    for (const listener of this.#listeners) listener(job);
  }
}

const byOwner = { subject: 'speech', actor: { kind: 'owner' } } as const;

function newJob(begun: Pick<SpeakingJob, 'what' | 'total' | 'started_at'>): SpeakingJob {
  const { what, total, started_at } = begun;
  return {
    what,
    total,
    started_at,
    status: 'running',
    done: 0,
    current: null,
    failed: 0,
    failures: [],
    interrupted: null,
    ended_at: null,
  };
}
