import type { DraftId, DraftSummary } from '../../../contract/ivr-draft.ts';
import type { Ivr } from '../../../contract/ivr.ts';
import { drawStoredMenus } from '../../../core/ivr/import/draw-stored-menus.ts';
import type { PortalReply } from '../../kit/portal-reply.ts';
import { keepDraft } from './keep-draft.ts';
import { allDrafts } from './read-drafts.ts';

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
export async function findOrKeepDraft(menu: Ivr, isStored: boolean): Promise<PortalReply<DraftId>> {
  if (!isStored) return keepDraft(drawStoredMenus([menu]));
  const drafts = await allDrafts.read(new AbortController().signal);
  if (drafts.kind !== 'ok') return drafts;
  const known = draftOfMenu(drafts.value, menu.id);
  if (known !== undefined) return { kind: 'ok', value: known.id };
  const document = drawStoredMenus([menu]);
  const { to } = document.caller;
  return keepDraft(document, to === null ? undefined : { [to]: menu.id });
}
