import type { DraftId, DraftWindow, DraftWindows, ShowDraftWindow } from '../../contract/menu/ivr-draft.ts';
import type { Clock } from '../../core/ledger.ts';

/** After this time without a word a window has left, in milliseconds: a hidden one is slowed to a word a minute. */
const silentMs = 75_000;
/** More than the event stream has readers. Beyond it the one that was silent the longest is forgotten. */
const mostWindows = 256;

interface Shown extends DraftWindow {
  readonly draft: DraftId;
  readonly atMs: number;
}

/** Which windows have which draft open, as they say themselves. In memory only: after a restart each says it again. */
export class DraftWindowList {
  readonly #clock: Clock;
  /** By window, the one that spoke last at the end. */
  readonly #shown = new Map<string, Shown>();
  readonly #listeners = new Set<(now: DraftWindows) => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  show(draft: DraftId, { window, card, is_open: isOpen }: ShowDraftWindow, owner: string | null): void {
    const before = this.#shown.get(window);
    this.#shown.delete(window);
    if (isOpen) this.#shown.set(window, { window, owner, card, draft, atMs: this.#clock() });
    const [oldest] = this.#shown.values();
    if (this.#shown.size > mostWindows && oldest !== undefined) this.#end(oldest);
    if (before !== undefined && before.draft !== draft) this.#tell(before.draft);
    const isSame = isOpen && before?.draft === draft && before.card === card && before.owner === owner;
    if (!isSame && (isOpen || before !== undefined)) this.#tell(draft);
  }

  of(id: DraftId): DraftWindows {
    const there = [...this.#shown.values()].filter(({ draft }) => draft === id);
    return { id, windows: there.map(({ window, owner, card }) => ({ window, owner, card })) };
  }

  /** Forgets the windows that have been silent for too long. */
  endOverdue(): void {
    const since = this.#clock() - silentMs;
    for (const shown of this.#shown.values()) if (shown.atMs < since) this.#end(shown);
  }

  /** Called with all windows of a draft after each change. Returns how to stop. */
  onChange(listener: (now: DraftWindows) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #end({ window, draft }: Shown): void {
    this.#shown.delete(window);
    this.#tell(draft);
  }

  #tell(id: DraftId): void {
    for (const listener of this.#listeners) listener(this.of(id));
  }
}
