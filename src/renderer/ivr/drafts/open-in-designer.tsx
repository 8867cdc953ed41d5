import type { DraftId, DraftSummary, IvrDocument, NodeId } from '../../../contract/ivr-draft.ts';
import type { Ivr, IvrId } from '../../../contract/ivr.ts';
import { drawStoredMenus } from '../../../core/ivr/import/draw-menus.ts';
import { draftPath } from '../../kit/address.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { ActionButton } from '../../kit/button.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { useLive } from '../../kit/live/use-live.ts';
import { goTo } from '../../kit/navigation.ts';
import type { PortalReply } from '../../kit/portal-reply.ts';
import { useAct } from '../../kit/use-act.ts';
import styles from './open-in-designer.module.css';
import { allDrafts } from '../read-menus.ts';

/**
 * Opens the draft of a stored menu, or makes one of the version that is looked at. The menu itself stays as it is until
 * the draft is published.
 */
export function OpenInDesigner({ menu, isStored }: { menu: Ivr; isStored: boolean }) {
  const { begin, isBusy, refusal } = useBegin();
  const drafts = useLive(allDrafts).known?.value ?? [];
  const draft = isStored ? draftOfMenu(drafts, menu.id) : undefined;
  return (
    <div className={styles['way']}>
      <ActionButton isBusy={isBusy} onPress={() => begin(() => findOrKeepDraft(menu, isStored))}>
        {isBusy ? 'Opening …' : 'Open in the designer'}
      </ActionButton>
      {draft === undefined ? null : (
        <p className={styles['known']}>
          Its draft “{draft.name}” is opened as it was left; publishing it here replaces this menu.
        </p>
      )}
      <FormRefusal reason={refusal} />
    </div>
  );
}

/** Keeps a drawing as a new draft; `stored` says which of its menus this service has already, and under which id. */
export async function keepDraft(
  document: IvrDocument,
  stored?: Readonly<Record<NodeId, IvrId>>,
): Promise<PortalReply<DraftId>> {
  const body = stored === undefined ? { document } : { document, stored };
  const reply = await askPortal('createDraft', { body });
  return reply.kind === 'ok' ? { kind: 'ok', value: reply.value.id } : reply;
}

/** The draft that is published to this stored menu, the one changed last of several. */
export function draftOfMenu(drafts: readonly DraftSummary[], menuId: string): DraftSummary | undefined {
  return drafts.find(({ publications }) =>
    publications.some(
      ({ credential, menus }) => credential === null && Object.values(menus).includes(menuId),
    ),
  );
}

/**
 * Finds the draft of a menu, or makes one of it: two would replace it by turns.
 *
 * A deleted menu has none to be replaced, so its draft is one of a new menu.
 */
async function findOrKeepDraft(menu: Ivr, isStored: boolean): Promise<PortalReply<DraftId>> {
  if (!isStored) return keepDraft(drawStoredMenus([menu]));
  const drafts = await allDrafts.read(new AbortController().signal);
  if (drafts.kind !== 'ok') return drafts;
  const known = draftOfMenu(drafts.value, menu.id);
  if (known !== undefined) return { kind: 'ok', value: known.id };
  const document = drawStoredMenus([menu]);
  const { to } = document.caller;
  return keepDraft(document, to === null ? undefined : { [to]: menu.id });
}

/** Finds or makes a draft, once however often it is asked for, and opens it in the designer; says why not where it does not work. */
export function useBegin(): {
  readonly begin: (draft: () => Promise<PortalReply<DraftId>>) => void;
  readonly isBusy: boolean;
  readonly refusal: string | undefined;
} {
  const { run, state } = useAct();

  async function begin(draft: () => Promise<PortalReply<DraftId>>): Promise<void> {
    const kept = await run('begin', draft, 'the draft was kept');
    if (kept !== null) goTo(draftPath(kept.value));
  }
  return {
    begin: (draft) => void begin(draft),
    isBusy: state.kind === 'busy',
    refusal: state.kind === 'refused' ? state.reason : undefined,
  };
}
