import { z } from 'zod';
import { IvrDestinationType } from '../../../../contract/ivr.ts';
import { kindWords } from '../../../../text/phone-menu.ts';
import { havingWords } from '../../../kit/having-words.ts';
import { templates } from '../../drafts/templates.ts';
import type { DrawingName } from '../drawing.tsx';
import type { ReferenceData } from '../use-designer.ts';

/** A part as a list offers it. */
export interface OfferedPart {
  readonly part: Part;
  readonly name: string;
  readonly detail: string;
  readonly drawing: DrawingName;
}

export interface PartGroup {
  readonly title: string;
  readonly parts: readonly OfferedPart[];
  /** What to do while there is none. */
  readonly empty: string;
}

/** Destinations that have no directory here: their id is typed into the inspector. */
const others: readonly IvrDestinationType[] = ['department', 'voicemail', 'timegroup', 'time_condition'];

/** Everything that can be put into a drawing or given to a part of it. */
export function partGroups(referenceData: ReferenceData): readonly PartGroup[] {
  return [
    ...nodePartGroups(referenceData),
    {
      title: 'Recordings',
      empty: 'No recording yet. Record or upload one under Recordings.',
      parts: referenceData.recordings.map(({ id, name }) => ({
        part: { kind: 'recording', id },
        name,
        detail: id,
        drawing: 'recording',
      })),
    },
    {
      title: 'SMS templates',
      empty: referenceData.smsTemplatesEnabled
        ? 'No SMS template yet. Add them in the settings.'
        : 'SMS templates are off in the settings.',
      parts: referenceData.smsTemplates.map(({ id, name }) => ({
        part: { kind: 'sms-template', id },
        name,
        detail: id,
        drawing: 'sms',
      })),
    },
    {
      title: 'Templates',
      empty: '',
      parts: templates.map(({ name, words, document }) => ({
        part: { kind: 'template', name },
        name: document.name,
        detail: words,
        drawing: 'template',
      })),
    },
  ];
}

/** Those that become a card of their own, where a line can lead to. */
export function nodePartGroups({ extensions, menus }: ReferenceData): readonly PartGroup[] {
  return [
    {
      title: 'New',
      empty: '',
      parts: [
        {
          part: { kind: 'menu' },
          name: 'Menu',
          detail: 'Plays a prompt and waits for a key',
          drawing: 'menu',
        },
        { part: endPart('hangup'), name: kindWords.hangup, detail: 'Ends the call', drawing: 'hangup' },
        {
          part: endPart('extension'),
          name: kindWords.extension,
          detail: 'By its number',
          drawing: 'extension',
        },
        ...others.map((type) => ({
          part: endPart(type),
          name: kindWords[type],
          detail: 'By its id on the telephone system',
          drawing: type,
        })),
      ],
    },
    {
      title: 'Extensions',
      empty: 'No extension is known. Import them in the settings.',
      parts: extensions.map(({ id, name }) => ({
        part: endPart('extension', id),
        name,
        detail: id,
        drawing: 'extension',
      })),
    },
    {
      title: 'Stored menus',
      empty: 'No menu is stored here yet.',
      parts: menus.map(({ id, name }) => ({ part: endPart('ivr', id), name, detail: id, drawing: 'ivr' })),
    },
  ];
}

function endPart(type: IvrDestinationType, ref = ''): Part {
  return { kind: 'end', type, ref };
}

/** Those whose name or id has every word of a text; groups without any are left out. */
export function matchParts(groups: readonly PartGroup[], sought: string): readonly PartGroup[] {
  if (sought.trim() === '') return groups;
  return groups
    .map((group) => ({
      ...group,
      parts: havingWords(group.parts, sought, ({ name, detail }) => `${name} ${detail}`),
    }))
    .filter(({ parts }) => parts.length > 0);
}

/** Something of the palette: what can be put into a drawing, or be given to something in it. */
export const Part = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('menu') }),
  z.strictObject({ kind: z.literal('end'), type: IvrDestinationType, ref: z.string() }),
  z.strictObject({ kind: z.literal('recording'), id: z.string() }),
  z.strictObject({ kind: z.literal('sms-template'), id: z.string() }),
  z.strictObject({ kind: z.literal('template'), name: z.string() }),
]);
export type Part = z.infer<typeof Part>;

/** A part that becomes a card of its own, so that a line can lead to it. */
export type NodePart = Extract<Part, { kind: 'menu' | 'end' }>;

/** What a dragged part is called while it is in the air. No other program knows the name, so nothing else is taken. */
export const partType = 'application/x-rotavox-part';

/** Reads a part that was dropped; null when it is none of ours. */
export function readPart(text: string): Part | null {
  try {
    return Part.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null; // no JSON: something else that has our name
  }
}
