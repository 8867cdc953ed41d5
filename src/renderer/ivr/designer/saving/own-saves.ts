import type { DraftId, IvrDraft } from '../../../../contract/menu/ivr-draft.ts';
import type { ChangeNotice } from '../../../../contract/service/portal.ts';

type SavedDraft = Pick<IvrDraft, 'revision' | 'updated_at' | 'document'>;

/**
 * The revisions of a draft that this window saved, so that the notice of such a save does not download the draft again.
 *
 * A notice may arrive before the reply to the save, so the save that is under way is waited for. Every other change of the
 * draft, such as one by another window or a publication, counts as unknown.
 */
export class OwnSaves {
  readonly #id: DraftId;
  #noticed: number | null = null;
  #underWay: Promise<unknown> = Promise.resolve();
  #saved: SavedDraft | null = null;

  constructor(id: DraftId) {
    this.#id = id;
  }

  notice({ kind, subject, revision }: ChangeNotice): void {
    if (subject !== this.#id || !kind.startsWith('draft.')) return;
    this.#noticed = Math.max(this.#noticed ?? 0, revision ?? Infinity);
  }

  /** Follows a save; it resolves with what was saved, or null. */
  async follow(save: Promise<SavedDraft | null>): Promise<void> {
    this.#underWay = save;
    this.#saved = (await save) ?? this.#saved;
  }

  /** What this window saved last, if nothing but its own saves was noticed since the last call; otherwise null. */
  async latest(): Promise<SavedDraft | null> {
    const noticed = this.#noticed;
    this.#noticed = null;
    await this.#underWay;
    const isOwn = noticed !== null && this.#saved !== null && noticed <= this.#saved.revision;
    return isOwn ? this.#saved : null;
  }
}
