import { z } from 'zod';

import { IvrDestinationType } from '../../../../contract/ivr.ts';

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
