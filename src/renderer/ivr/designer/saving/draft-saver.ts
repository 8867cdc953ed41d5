import type { IvrDocument, IvrDraft } from '../../../../contract/menu/ivr-draft.ts';
import { deltaBetween } from '../../../../core/ivr/draft/document-delta.ts';
import { mergeEdits } from '../../../../core/ivr/draft/merge-edits.ts';

/** The result of a save. */
export type SaveOutcome =
  | { readonly kind: 'saved'; readonly revision: number }
  /** Another window or program has saved a later revision. */
  | { readonly kind: 'conflict' }
  /** The draft was deleted. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly reason: string };

export type SaveState =
  /** `elsewhere`: what is shown was just saved by another window or program. */
  | { readonly kind: 'saved'; readonly from: 'here' | 'elsewhere' }
  /** There are unsaved edits; a save is planned or under way. */
  | { readonly kind: 'saving' }
  | { readonly kind: 'failed'; readonly reason: string }
  /**
   * Nothing is saved until a person decides. `theirs` is the draft as the service has it, once that is known, and `base` what both
   * edited.
   */
  | { readonly kind: 'conflict'; readonly base: IvrDocument; readonly theirs: IvrDraft | null }
  | { readonly kind: 'gone' };

/**
 * What to show after a draft was compared with the one that the service has; `known`: what is shown already. `before` is what the
 * service had before that.
 */
export type Compared =
  | { readonly kind: 'known' | 'conflict' }
  /** There were no unsaved edits. */
  | { readonly kind: 'newer'; readonly before: IvrDocument; readonly document: IvrDocument }
  /** With the unsaved edits in it, which are saved next; `renamed` are new ids of what was added here. */
  | {
      readonly kind: 'merged';
      readonly before: IvrDocument;
      readonly document: IvrDocument;
      readonly renamed: ReadonlyMap<string, string>;
    };

/** The requests, timers and clock that a saver uses. */
export interface SaverPorts {
  readonly save: (revision: number, document: IvrDocument) => Promise<SaveOutcome>;
  /** Calls back after this delay; returns how to cancel. */
  readonly after: (delayMs: number, act: () => void) => () => void;
  readonly now: () => number;
}

/** How long after the last edit a save starts, and how long after the first one at the latest, in milliseconds. */
export const saveDelayMs = 700;
export const longestDelayMs = 5_000;

/**
 * Saves a draft automatically while it is edited.
 *
 * Invariants:
 * 1. One save at a time, each with the revision that the one before returned.
 * 2. Edits during a save are saved after it; a failed save is retried, less and less often, and reported.
 * 3. A later revision of another window or program is merged with the unsaved edits. If they contradict each other, it is not
 *    overwritten before a person has decided. One that is what this window sent is its own: the service had saved it, and its
 *    answer was lost.
 */
export class DraftSaver {
  readonly #ports: SaverPorts;
  readonly #listeners = new Set<() => void>();
  #state: SaveState = { kind: 'saved', from: 'here' };
  #revision: number;
  /** As the service has it. */
  #saved: IvrDocument;
  #document: IvrDocument;
  /** What was sent over this revision without an answer that it was saved. */
  readonly #unanswered = new Set<IvrDocument>();
  #underWay: Promise<void> | undefined;
  #cancel: (() => void) | undefined;
  /** When the oldest unsaved edit was made. */
  #unsavedSince: number | undefined;
  #failures = 0;

  constructor(draft: Pick<IvrDraft, 'revision' | 'document'>, ports: SaverPorts) {
    this.#ports = ports;
    this.#revision = draft.revision;
    this.#saved = draft.document;
    this.#document = draft.document;
  }

  readonly state = (): SaveState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  get revision(): number {
    return this.#revision;
  }

  get hasUnsaved(): boolean {
    return this.#document !== this.#saved;
  }

  /** The document was edited. */
  edited(document: IvrDocument): void {
    if (document === this.#document) return;
    this.#document = document;
    if (this.#isHalted()) return;
    this.#unsavedSince ??= this.#ports.now();
    if (!this.hasUnsaved) this.#rest();
    else if (this.#underWay === undefined && this.#state.kind !== 'failed') this.#plan(this.#waitMs());
    if (this.#state.kind === 'saved' && this.hasUnsaved) this.#show({ kind: 'saving' });
  }

  /** Saves unsaved edits at once; returns the revision afterwards, or null if they could not be saved. */
  async saveNow(): Promise<number | null> {
    await this.#underWay;
    if (this.hasUnsaved && !this.#isHalted()) await this.#start();
    // Including edits made meanwhile.
    if (this.hasUnsaved && this.#state.kind === 'saving') return this.saveNow();
    return this.hasUnsaved ? null : this.#revision;
  }

  /** Compares the draft as the service has it now. */
  async compare(draft: IvrDraft): Promise<Compared> {
    await this.#underWay; // our own save may be reported before its reply arrives
    if (draft.revision <= this.#revision) return { kind: 'known' };
    const own = [...this.#unanswered].find((sent) => deltaBetween(sent, draft.document) === null);
    if (own !== undefined) {
      this.#savedAs(draft.revision, own);
      return { kind: 'known' };
    }
    const before = this.#saved;
    if (this.hasUnsaved) {
      const merged = mergeEdits(this.#saved, this.#document, draft.document);
      if (merged === null) {
        this.#stop();
        this.#show({ kind: 'conflict', base: before, theirs: draft });
        return { kind: 'conflict' };
      }
      this.#know(draft);
      this.#document = merged.document;
      this.#unsavedSince = this.#ports.now();
      this.#plan(saveDelayMs);
      this.#show({ kind: 'saving' });
      return { kind: 'merged', before, ...merged };
    }
    this.#know(draft);
    this.#show({ kind: 'saved', from: 'elsewhere' });
    return { kind: 'newer', before, document: draft.document };
  }

  /** Continues from the other revision: a person has decided what becomes of the unsaved edits. */
  continueFrom(draft: IvrDraft): void {
    this.#stop();
    this.#know(draft);
    this.#show({ kind: 'saved', from: 'elsewhere' });
  }

  /** The draft was deleted. */
  deleted(): void {
    this.#stop();
    this.#show({ kind: 'gone' });
  }

  #know({ revision, document }: IvrDraft): void {
    this.#revision = revision;
    this.#saved = document;
    this.#document = document;
    this.#unanswered.clear();
    this.#unsavedSince = undefined;
  }

  /** The service has what was sent; what was edited since is saved next. */
  #savedAs(revision: number, document: IvrDocument): void {
    this.#failures = 0;
    this.#revision = revision;
    this.#saved = document;
    this.#unanswered.clear();
    if (!this.hasUnsaved) {
      this.#rest();
      return;
    }
    this.#unsavedSince = this.#ports.now();
    this.#plan(saveDelayMs);
    this.#show({ kind: 'saving' });
  }

  #start(): Promise<void> {
    this.#stop();
    this.#underWay = this.#save().finally(() => (this.#underWay = undefined));
    return this.#underWay;
  }

  async #save(): Promise<void> {
    const document = this.#document;
    this.#show({ kind: 'saving' });
    const outcome = await this.#ports.save(this.#revision, document);
    switch (outcome.kind) {
      case 'saved':
        this.#savedAs(outcome.revision, document);
        return;
      case 'failed':
        this.#unanswered.add(document);
        this.#failures += 1;
        this.#plan(retryDelayMs(this.#failures));
        this.#show(outcome);
        return;
      case 'conflict':
        this.#show({ kind: 'conflict', base: this.#saved, theirs: null });
        return;
      case 'gone':
        this.#show(outcome);
    }
  }

  #waitMs(): number {
    const sinceMs = this.#ports.now() - (this.#unsavedSince ?? this.#ports.now());
    return Math.max(0, Math.min(saveDelayMs, longestDelayMs - sinceMs));
  }

  #plan(delayMs: number): void {
    this.#stop();
    this.#cancel = this.#ports.after(delayMs, () => void this.#start());
  }

  #stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #rest(): void {
    this.#stop();
    this.#unsavedSince = undefined;
    this.#show({ kind: 'saved', from: 'here' });
  }

  #isHalted(): boolean {
    return this.#state.kind === 'conflict' || this.#state.kind === 'gone';
  }

  #show(state: SaveState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}

/** The delay after a number of failed saves in a row: short at first, then half a minute. */
function retryDelayMs(failures: number): number {
  return Math.min(30_000, 1_000 * 2 ** Math.min(failures - 1, 5));
}
