import type { EventKind } from '../../contract/audit-event.ts';
import { type Data, joined, text, type Wording } from './wording.ts';

type DesignerKind = Extract<
  EventKind,
  `draft.${string}` | `recording.${string}` | `extensions.${string}` | `sms_templates.${string}`
>;

/** What happens in the designer, and to what its menus refer to. */
export const designerWordings: Record<DesignerKind, Wording> = {
  'draft.created': {
    icon: 'menu',
    tone: 'good',
    what: 'Menu draft created',
    detail: (data) => text(data, 'document', 'name'),
  },
  'draft.saved': {
    icon: 'menu',
    tone: 'calm',
    what: 'Menu draft saved',
    detail: (data) => joined(text(data, 'name'), numbered('revision', data)),
  },
  'draft.deleted': {
    icon: 'menu',
    tone: 'warn',
    what: 'Menu draft deleted',
    detail: (data) => text(data, 'name'),
  },
  'draft.menu_sent': { icon: 'menu', tone: 'calm', what: 'Menu of a draft sent', detail: menuAndPlace },
  'draft.menu_refused': {
    icon: 'menu',
    tone: 'warn',
    what: 'Menu of a draft not taken',
    detail: menuAndPlace,
  },
  'draft.menu_stored': {
    icon: 'menu',
    tone: 'calm',
    what: 'Menu of a draft stored',
    detail: (data) => joined(menuAndPlace(data), text(data, 'ivr_id')),
  },
  'draft.published': {
    icon: 'menu',
    tone: 'accent',
    what: 'Menu draft published',
    detail: (data) =>
      joined(text(data, 'document', 'name'), numbered('version', data), text(data, 'base_url')),
  },
  'recording.added': { icon: 'other', tone: 'good', what: 'Recording added', detail: recording },
  'recording.renamed': {
    icon: 'other',
    tone: 'calm',
    what: 'Recording renamed',
    detail: namedRecording,
  },
  'recording.replaced': { icon: 'other', tone: 'accent', what: 'Recording replaced', detail: recording },
  'recording.removed': {
    icon: 'other',
    tone: 'warn',
    what: 'Recording removed',
    detail: namedRecording,
  },
  'extensions.changed': { icon: 'other', tone: 'calm', what: 'Extensions changed', detail: entries },
  'sms_templates.changed': { icon: 'other', tone: 'calm', what: 'SMS templates changed', detail: entries },
};

function menuAndPlace(data: Data): string | undefined {
  return joined(text(data, 'node_id'), text(data, 'base_url'));
}

function namedRecording(data: Data): string | undefined {
  return joined(text(data, 'name'), text(data, 'recording_id'));
}

function recording(data: Data): string | undefined {
  return joined(text(data, 'recording', 'name'), text(data, 'recording', 'id'));
}

function numbered(what: string, data: Data): string | undefined {
  const count = data[what];
  return typeof count === 'number' ? `${what} ${count}` : undefined;
}

function entries({ set, removed }: Data): string | undefined {
  return joined(counted(set, 'set'), counted(removed, 'removed'));
}

function counted(list: unknown, what: string): string | undefined {
  return Array.isArray(list) && list.length > 0 ? `${list.length} ${what}` : undefined;
}
