import type { DraftSummary } from '../../contract/menu/ivr-draft.ts';
import type { Ivr, StoredIvr } from '../../contract/menu/ivr.ts';
import type { FlowPart } from '../../contract/menu/schedule.ts';
import type { PortalStatus } from '../../contract/service/portal.ts';
import { askPortal } from '../kit/ask-portal.ts';
import type { Resource } from '../kit/live/resource.ts';
import type { PortalReply } from '../kit/read-portal.ts';

/** A publication stores opening hours and messages, too. */
const storedKinds = ['ivr.', 'draft.published'];

/** The stored phone menus. */
export const storedMenus: Resource<Menus> = { key: ['menus'], about: storedKinds, read: readMenus };

/** One of them with its versions, and the others for the names of what it leads to. */
export function oneMenu(id: string): Resource<OneMenu> {
  return { key: ['menu', id], about: storedKinds, read: (signal) => readMenu(id, signal) };
}

export interface Menus {
  /** By name. */
  readonly menus: readonly StoredIvr[];
  /** Opening hours and messages of published call flows. */
  readonly parts: readonly FlowPart[];
  readonly status: PortalStatus;
}

export interface OneMenu extends Menus {
  /** Newest first, also those of a menu that was deleted; none when there never was one of this id. */
  readonly versions: readonly Ivr[];
}

async function readMenus(signal: AbortSignal): Promise<PortalReply<Menus>> {
  const [list, status] = await Promise.all([
    askPortal('portalListIvrs', { signal }),
    askPortal('portalStatus', { signal }),
  ]);
  if (list.kind !== 'ok') return list;
  if (status.kind !== 'ok') return status;
  const menus = list.value.ivrs.toSorted((one, other) => one.name.localeCompare(other.name));
  return { kind: 'ok', value: { menus, parts: list.value.parts ?? [], status: status.value } };
}

async function readMenu(id: string, signal: AbortSignal): Promise<PortalReply<OneMenu>> {
  const [menus, versions] = await Promise.all([
    readMenus(signal),
    askPortal('portalIvrVersions', { params: { id }, signal }),
  ]);
  if (menus.kind !== 'ok') return menus;
  if (versions.kind === 'refused' && versions.code === 'not_found')
    return { kind: 'ok', value: { ...menus.value, versions: [] } };
  if (versions.kind !== 'ok') return versions;
  return { kind: 'ok', value: { ...menus.value, versions: versions.value.versions } };
}

/** The drafts of the designer, the one changed last first. What is wrong with them depends on what they refer to. */
export const allDrafts: Resource<readonly DraftSummary[]> = {
  key: ['drafts'],
  about: ['draft.', 'ivr.', 'schedule.', 'recording.', 'extensions.', 'sms_templates.', 'settings.', 'pbx.'],
  read: async (signal) => {
    const reply = await askPortal('listDrafts', { signal });
    return reply.kind === 'ok' ? { kind: 'ok', value: reply.value.drafts } : reply;
  },
};
