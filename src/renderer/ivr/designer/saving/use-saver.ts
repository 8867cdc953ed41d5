import { useEffect, useState, useSyncExternalStore } from 'react';
import { problemText } from '../../../../text/window/connection.ts';
import type { IvrDocument, IvrDraft, DraftId } from '../../../../contract/menu/ivr-draft.ts';
import type { MergedEdits } from '../../../../core/ivr/draft/merge-edits.ts';
import { askPortal } from '../../../kit/ask-portal.ts';
import type { DesignerStore } from '../designer-store.ts';
import { DraftSaver, type SaveOutcome, type SaveState } from './draft-saver.ts';
import { savableDocument } from './savable-document.ts';
import type { ChangeNotice } from '../../../../contract/service/portal.ts';

/**
 * Saves the draft of a window, also when the window is hidden, left or closed.
 *
 * `known` is the draft as the service has it.
 */
export function useSaver(store: DesignerStore, known: IvrDraft, own: OwnSaves): DraftSaver {
  const [saver] = useState(() => new DraftSaver(known, browserPorts(known, own)));

  useEffect(() => {
    const update = (): void => saver.edited(savableDocument(store.state().document));
    update();
    return store.subscribe(update);
  }, [saver, store]);

  useEffect(() => {
    void saver.compare(known).then((result) => {
      if (result.kind === 'newer') followTheirs(store, { ...result, renamed: new Map() }, known.document);
      if (result.kind === 'merged') followTheirs(store, result, known.document);
    });
  }, [saver, store, known]);

  useEffect(() => {
    const save = (): void => void saver.saveNow();
    const hide = (): void => {
      if (document.visibilityState === 'hidden') save();
    };
    const warn = (event: BeforeUnloadEvent): void => {
      if (!saver.hasUnsaved) return;
      save();
      event.preventDefault();
    };
    document.addEventListener('visibilitychange', hide);
    addEventListener('pagehide', save);
    addEventListener('beforeunload', warn);
    return () => {
      document.removeEventListener('visibilitychange', hide);
      removeEventListener('pagehide', save);
      removeEventListener('beforeunload', warn);
      save();
    };
  }, [saver]);
  return saver;
}

/** Shows a document with what somebody else has edited; what had to get another id stays selected. */
export function followTheirs(
  store: DesignerStore,
  { before, document, renamed }: MergedEdits & { readonly before: IvrDocument },
  theirs: IvrDocument,
): void {
  const selection = [...store.state().selection].map((id) => renamed.get(id) ?? id);
  store.follow(before, theirs, document, new Set(selection));
}

export function useSaveState(saver: DraftSaver): SaveState {
  return useSyncExternalStore(saver.subscribe, saver.state);
}

function browserPorts({ id }: IvrDraft, own: OwnSaves): ConstructorParameters<typeof DraftSaver>[1] {
  return {
    save: (revision, document) => saveDraft({ id, revision, document }, own),
    after: (delayMs, act) => {
      const timer = setTimeout(act, delayMs);
      return () => clearTimeout(timer);
    },
    now: () => performance.now(),
  };
}

/** Asks the portal to save a draft over a revision. */
async function saveDraft(
  { id, revision, document }: Pick<IvrDraft, 'id' | 'revision' | 'document'>,
  own: OwnSaves,
): Promise<SaveOutcome> {
  const asked = askPortal('saveDraft', { params: { id }, body: { revision, document } });
  void own.follow(asked.then((reply) => (reply.kind === 'ok' ? { ...reply.value, document } : null)));
  const reply = await asked;
  if (reply.kind === 'ok') return { kind: 'saved', revision: reply.value.revision };
  if (reply.kind === 'refused' && reply.code === 'conflict') return { kind: 'conflict' };
  if (reply.kind === 'refused' && reply.code === 'not_found') return { kind: 'gone' };
  return { kind: 'failed', reason: problemText(reply) };
}

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
