import type { DraftId, DraftVersion, Publication } from '../../../../contract/menu/ivr-draft.ts';
import { askPortal } from '../../../kit/ask-portal.ts';
import type { Resource } from '../../../kit/live/resource.ts';

/** Where a draft was published, which ids its menus have there, and whether this service still stores them. */
export function publicationsOf(id: DraftId): Resource<readonly Publication[]> {
  return {
    key: ['draft', id, 'publications'],
    about: ['draft.published', 'draft.menu_', 'ivr.'],
    read: async (signal) => {
      const reply = await askPortal('readDraft', { params: { id }, signal });
      return reply.kind === 'ok' ? { kind: 'ok', value: reply.value.publications } : reply;
    },
  };
}

/** Every published version of a draft, newest first. */
export function versionsOf(id: DraftId): Resource<readonly DraftVersion[]> {
  return {
    key: ['draft', id, 'versions'],
    about: ['draft.published'],
    read: async (signal) => {
      const reply = await askPortal('draftVersions', { params: { id }, signal });
      return reply.kind === 'ok' ? { kind: 'ok', value: reply.value.versions } : reply;
    },
  };
}

/** Which ids the menus have at a target: those that a publication by the same credential (null: this service) has left. */
export function knownIds(
  publications: readonly Publication[],
  credential: string | null,
): Readonly<Record<string, string>> {
  return publications.find((publication) => publication.credential === credential)?.menus ?? {};
}
