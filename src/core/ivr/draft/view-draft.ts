import type { DraftSummary, IvrDraft, Publication } from '../../../contract/ivr-draft.ts';
import { isoInstant, isoInstantOrNull } from '../../iso-instant.ts';
import type { State } from '../../state.ts';
import type { Draft, DraftPublication } from './draft.ts';
import type { DraftTally } from './draft-tally.ts';

/** A draft as the owner reads it. */
export function viewDraft(draft: Draft): IvrDraft {
  return { ...headOf(draft), document: draft.document };
}

/** All drafts, the one changed last first. */
export function listDrafts(state: State, tally: DraftTally): DraftSummary[] {
  const latestFirst = [...state.drafts.values()].sort((one, other) => other.updatedAtMs - one.updatedAtMs);
  return latestFirst.map((draft) => {
    const { name, nodes, scenarios } = draft.document;
    return {
      ...headOf(draft),
      name,
      menus: Object.values(nodes).filter(({ kind }) => kind === 'menu').length,
      scenarios: Object.keys(scenarios).length,
      ...tally.of(state, draft.document),
    };
  });
}

function headOf({ id, revision, createdAtMs, updatedAtMs, publications }: Draft) {
  return {
    id,
    revision,
    created_at: isoInstant(createdAtMs),
    updated_at: isoInstant(updatedAtMs),
    publications: publications.map(viewPublication),
  };
}

function viewPublication({ credential, baseUrl, menus, published }: DraftPublication): Publication {
  return {
    credential,
    base_url: baseUrl,
    menus,
    version: published?.version ?? null,
    published_at: isoInstantOrNull(published?.atMs ?? null),
  };
}
