import { z } from 'zod';
import type { DraftNode } from '../../../../contract/menu/ivr-draft.ts';
import { RoutedType } from '../../../../contract/calls/pbx.ts';
import { IvrDestinationType } from '../../../../contract/menu/ivr.ts';
import { ScheduleId } from '../../../../contract/menu/schedule.ts';
import { kindNames } from '../../../../text/menu/phone-menu.ts';
import { searchList } from '../../../kit/search-list.ts';
import { templates } from '../../drafts/templates.ts';
import type { PartIconName } from '../part-icon.tsx';
import type { ReferenceData } from '../use-designer.ts';
import { partsText, templateText } from '../../../../text/menu/designer-canvas.ts';

/** A part as a list offers it. */
export interface OfferedPart {
  readonly part: Part;
  readonly name: string;
  readonly detail: string;
  readonly icon: PartIconName;
}

export interface PartGroup {
  readonly title: string;
  readonly parts: readonly OfferedPart[];
  /** What to do while there is none. */
  readonly empty: string;
}

const { groups, empty, detail } = partsText;

/** Destinations that have no directory here: their id is entered in the inspector. */
const others = RoutedType.exclude(['extension']).options;

/** Everything that can be added to a call flow or to a part of it. */
export function partGroups(referenceData: ReferenceData): readonly PartGroup[] {
  return [
    ...nodePartGroups(referenceData),
    {
      title: groups.recordings,
      empty: empty.recordings,
      parts: referenceData.recordings.map(({ id, name }) => ({
        part: { kind: 'recording', id },
        name,
        detail: id,
        icon: 'recording',
      })),
    },
    {
      title: groups.smsTemplates,
      empty: referenceData.smsTemplatesEnabled ? empty.smsTemplates : empty.smsTemplatesOff,
      parts: referenceData.smsTemplates.map(({ id, name }) => ({
        part: { kind: 'sms-template', id },
        name,
        detail: id,
        icon: 'sms',
      })),
    },
    {
      title: groups.templates,
      empty: '',
      parts: templates.map(({ name, document }) => ({
        part: { kind: 'template', name },
        name: document.name,
        detail: templateText[name],
        icon: 'template',
      })),
    },
  ];
}

/** The schedule that new opening hours ask: the only one there is; null where somebody has to choose. */
export function usualSchedule({ schedules = [] }: Pick<ReferenceData, 'schedules'>): ScheduleId | null {
  const [first] = schedules;
  return schedules.length === 1 && first !== undefined ? first.id : null;
}

/** Those that become cards, which a line can lead to. */
function nodePartGroups(referenceData: ReferenceData): readonly PartGroup[] {
  const { extensions, menus } = referenceData;
  return [
    {
      title: groups.new,
      empty: '',
      parts: [
        {
          part: { kind: 'menu' },
          name: partsText.menu,
          detail: detail.menu,
          icon: 'menu',
        },
        {
          part: { kind: 'hours', hours: usualSchedule(referenceData) },
          name: partsText.hours,
          detail: detail.hours,
          icon: 'hours',
        },
        { part: { kind: 'message' }, name: partsText.message, detail: detail.message, icon: 'message' },
        { part: endPart('hangup'), name: kindNames.hangup, detail: detail.hangup, icon: 'hangup' },
        {
          part: endPart('extension'),
          name: kindNames.extension,
          detail: detail.extension,
          icon: 'extension',
        },
        ...others.map((type) => ({
          part: endPart(type),
          name: kindNames[type],
          detail: detail.other,
          icon: type,
        })),
      ],
    },
    {
      title: groups.extensions,
      empty: empty.extensions,
      parts: extensions.map(({ id, name }) => ({
        part: endPart('extension', id),
        name,
        detail: id,
        icon: 'extension',
      })),
    },
    {
      title: groups.menus,
      empty: empty.menus,
      parts: menus.map(({ id, name }) => ({ part: endPart('ivr', id), name, detail: id, icon: 'ivr' })),
    },
  ];
}

function endPart(type: IvrDestinationType, ref = ''): Part {
  return { kind: 'end', type, ref };
}

/** Those whose name or id contains every word of a text; groups without any are left out. */
export function matchParts(groups: readonly PartGroup[], sought: string): readonly PartGroup[] {
  if (sought.trim() === '') return groups;
  return groups
    .map((group) => ({
      ...group,
      parts: searchList(group.parts, sought, ({ name, detail }) => `${name} ${detail}`),
    }))
    .filter(({ parts }) => parts.length > 0);
}

/** Something of the palette: it can be added to a call flow, or to a part of it. */
export const Part = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('menu') }),
  z.strictObject({ kind: z.literal('hours'), hours: ScheduleId.nullable() }),
  z.strictObject({ kind: z.literal('message') }),
  z.strictObject({ kind: z.literal('end'), type: IvrDestinationType, ref: z.string() }),
  z.strictObject({ kind: z.literal('recording'), id: z.string() }),
  z.strictObject({ kind: z.literal('sms-template'), id: z.string() }),
  z.strictObject({ kind: z.literal('template'), name: z.string() }),
]);
export type Part = z.infer<typeof Part>;

/** A part that becomes a card, so that a line can lead to it. */
export type NodePart = Extract<Part, { kind: DraftNode['kind'] }>;

/** The media type of a dragged part. No other program uses it, so nothing else is accepted. */
export const partType = 'application/x-rotavox-part';

/** Reads a part that was dropped; null when it is none of ours. */
export function readPart(text: string): Part | null {
  try {
    return Part.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null; // no JSON: something else under this media type
  }
}
