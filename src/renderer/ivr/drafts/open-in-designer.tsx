import { Text } from '../../kit/text.tsx';
import type { CreateDraft, DraftId, DraftSummary, IvrDocument } from '../../../contract/menu/ivr-draft.ts';
import type { StoredIvr } from '../../../contract/menu/ivr.ts';
import { drawStoredMenus } from '../../../core/ivr/import/draw-menus.ts';
import { draftPath } from '../../kit/window-paths.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import { ActionButton } from '../../kit/button.tsx';
import { FormRefusal } from '../../kit/form-refusal.tsx';
import { useLive } from '../../kit/live/use-live.ts';
import { goTo } from '../../kit/navigation.ts';
import type { PortalReply } from '../../kit/read-portal.ts';
import { useAct } from '../../kit/use-act.ts';
import { Row } from '../../kit/layout.tsx';
import { allDrafts } from '../read-menus.ts';
import { openDraftText } from '../../../text/menu/stored-menus.ts';

/**
 * Opens the draft of a stored menu, or creates one from the version that is shown. The menu itself stays unchanged until
 * the draft is published.
 */
export function OpenInDesigner({ menu, isStored }: { menu: StoredIvr; isStored: boolean }) {
  const { open, isBusy, refusal } = useOpenDraft();
  const drafts = useLive(allDrafts).known?.value ?? [];
  const draft = isStored ? draftOfMenu(drafts, menu.id) : undefined;
  return (
    <Row gap={3} wraps align="center">
      <ActionButton isBusy={isBusy} onPress={() => open(() => findOrCreateDraft(menu, isStored))}>
        {isBusy ? openDraftText.opening : openDraftText.open}
      </ActionButton>
      {draft === undefined ? null : (
        <Text tone="soft" size="small">
          {openDraftText.hasDraft(draft.name)}
        </Text>
      )}
      <FormRefusal reason={refusal} />
    </Row>
  );
}

/**
 * Creates a draft; `stored` says which of its menus this service has already, and under which id, `schedules` which opening hours are created
 * with it.
 */
export async function createDraft(
  document: IvrDocument,
  beside: Omit<CreateDraft, 'document'> = {},
): Promise<PortalReply<DraftId>> {
  const reply = await askPortal('createDraft', { body: { document, ...beside } });
  return reply.kind === 'ok' ? { kind: 'ok', value: reply.value.id } : reply;
}

/** The draft that is published to this stored menu; of several, the one changed last. */
export function draftOfMenu(drafts: readonly DraftSummary[], menuId: string): DraftSummary | undefined {
  return drafts.find(({ publications }) =>
    publications.some(
      ({ credential, menus }) => credential === null && Object.values(menus).includes(menuId),
    ),
  );
}

/**
 * Finds the draft of a menu, or creates one: two drafts would replace each other's version of the menu.
 *
 * There is nothing to replace for a deleted menu, so its draft is that of a new menu.
 */
async function findOrCreateDraft(menu: StoredIvr, isStored: boolean): Promise<PortalReply<DraftId>> {
  if (!isStored) return createDraft(drawStoredMenus([menu]));
  const drafts = await allDrafts.read(new AbortController().signal);
  if (drafts.kind !== 'ok') return drafts;
  const known = draftOfMenu(drafts.value, menu.id);
  if (known !== undefined) return { kind: 'ok', value: known.id };
  const document = drawStoredMenus([menu]);
  const { to } = document.caller;
  return createDraft(document, to === null ? {} : { stored: { [to]: menu.id } });
}

/** Finds or creates a draft, once however often it is asked for, and opens it in the designer. */
export function useOpenDraft(): {
  readonly open: (draft: () => Promise<PortalReply<DraftId>>) => void;
  readonly isBusy: boolean;
  readonly refusal: string | undefined;
} {
  const { run, state } = useAct();

  async function open(draft: () => Promise<PortalReply<DraftId>>): Promise<void> {
    const created = await run('open', draft, 'draft_created');
    if (created !== null) goTo(draftPath(created.value));
  }
  return {
    open: (draft) => void open(draft),
    isBusy: state.kind === 'busy',
    refusal: state.kind === 'refused' ? state.reason : undefined,
  };
}
