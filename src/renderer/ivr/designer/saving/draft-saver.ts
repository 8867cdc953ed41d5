import type { IvrDocument, IvrDraft } from '../../../../contract/ivr-draft.ts';

/** What became of a save. */
export type SaveOutcome =
  | { readonly kind: 'saved'; readonly revision: number }
  /** Somebody else has saved another document over the revision that we know. */
  | { readonly kind: 'conflict' }
  /** The draft is not there any more. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly words: string };

export type SaveState =
  /** `elsewhere`: what is shown was saved by somebody else just now. */
  | { readonly kind: 'saved'; readonly from: 'here' | 'elsewhere' }
  /** There are edits that are not saved; a save is about to begin, or under way. */
  | { readonly kind: 'saving' }
  | { readonly kind: 'failed'; readonly words: string }
  /** Nothing is saved until somebody decides; `theirs` is the draft as it lies in the service, once that is known. */
  | { readonly kind: 'conflict'; readonly theirs: IvrDraft | null }
  | { readonly kind: 'gone' };

/** What a saver needs of the world. */
export interface SaverPorts {
  readonly save: (revision: number, document: IvrDocument) => Promise<SaveOutcome>;
  /** Calls back after so many milliseconds; answers how not to. */
  readonly after: (delayMs: number, act: () => void) => () => void;
  readonly now: () => number;
}

/** How long after the last edit a save begins, and how long after the first one at the latest, in milliseconds. */
export const calmMs = 700;
export const patienceMs = 5_000;

/**
 * Saves a draft by itself while it is edited.
 *
 * Invariants:
 * 1. One save at a time, each with the revision that the one before answered.
 * 2. What was edited during a save is saved after it; a save that fails is tried again, less and less often, and says so.
 * 3. Over what somebody else has saved nothing is saved before a person has decided.
 */
export class DraftSaver {
  readonly #ports: SaverPorts;
  readonly #listeners = new Set<() => void>();
  #state: SaveState = { kind: 'saved', from: 'here' };
  #revision: number;
  /** As the service has it. */
  #saved: IvrDocument;
  #document: IvrDocument;
  #underWay: Promise<void> | undefined;
  #cancel: (() => void) | undefined;
  /** When the oldest edit that is not saved was made. */
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

  /** Takes note of the document as it is now. */
  edited(document: IvrDocument): void {
    if (document === this.#document) return;
    this.#document = document;
    if (this.#isHalted()) return;
    this.#unsavedSince ??= this.#ports.now();
    if (!this.hasUnsaved) this.#rest();
    else if (this.#underWay === undefined && this.#state.kind !== 'failed') this.#plan(this.#waitMs());
    if (this.#state.kind === 'saved' && this.hasUnsaved) this.#show({ kind: 'saving' });
  }

  /** Saves what is not saved, without waiting; answers the revision that then is, or null when it could not be saved. */
  async saveNow(): Promise<number | null> {
    await this.#underWay;
    if (this.hasUnsaved && !this.#isHalted()) await this.#start();
    // What was edited meanwhile belongs to it.
    if (this.hasUnsaved && this.#state.kind === 'saving') return this.saveNow();
    return this.hasUnsaved ? null : this.#revision;
  }

  /**
   * Hears of the draft as the service has it.
   *
   * `mine`: it is what we know. `taken`: somebody else's, and nothing of ours is in its way, so that it is the known one
   * from now on and has to be shown. `conflict`: there are edits of ours.
   */
  async heard(draft: IvrDraft): Promise<'mine' | 'taken' | 'conflict'> {
    await this.#underWay; // the notice of our own save may come before its answer
    if (draft.revision <= this.#revision) return 'mine';
    if (this.hasUnsaved || this.#state.kind === 'conflict') {
      this.#stop();
      this.#show({ kind: 'conflict', theirs: draft });
      return 'conflict';
    }
    this.#know(draft);
    this.#show({ kind: 'saved', from: 'elsewhere' });
    return 'taken';
  }

  /** Goes on from what somebody else has saved: what was ours is edited away, or was kept elsewhere. */
  goOnFrom(draft: IvrDraft): void {
    this.#stop();
    this.#know(draft);
    this.#show({ kind: 'saved', from: 'elsewhere' });
  }

  /** Hears that the draft was deleted. */
  lost(): void {
    this.#stop();
    this.#show({ kind: 'gone' });
  }

  #know({ revision, document }: IvrDraft): void {
    this.#revision = revision;
    this.#saved = document;
    this.#document = document;
    this.#unsavedSince = undefined;
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
        this.#failures = 0;
        this.#revision = outcome.revision;
        this.#saved = document;
        if (this.hasUnsaved) {
          this.#unsavedSince = this.#ports.now();
          this.#plan(calmMs);
        } else this.#rest();
        return;
      case 'failed':
        this.#failures += 1;
        this.#plan(retryDelayMs(this.#failures));
        this.#show(outcome);
        return;
      case 'conflict':
        this.#show({ kind: 'conflict', theirs: null });
        return;
      case 'gone':
        this.#show(outcome);
    }
  }

  #waitMs(): number {
    const sinceMs = this.#ports.now() - (this.#unsavedSince ?? this.#ports.now());
    return Math.max(0, Math.min(calmMs, patienceMs - sinceMs));
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

/** How long after so many failed saves in a row the next one is tried: soon at first, then every half minute. */
function retryDelayMs(failures: number): number {
  return Math.min(30_000, 1_000 * 2 ** Math.min(failures - 1, 5));
}
