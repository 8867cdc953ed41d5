import type { DraftNode } from '../../../../contract/ivr-draft.ts';
import type { IvrDestinationType } from '../../../../contract/ivr.ts';
import { menuTitle } from '../../../../core/ivr/menu-title.ts';
import { kindWords } from '../../../../core/ivr/reference-words.ts';
import { readReference, writeReference } from '../../../../core/ivr/reference.ts';
import type { Surroundings } from '../use-designer.ts';

/** Where a call can leave the drawing, in the order in which it is offered, and what a person calls it. */
export const destinationTypes = (
  ['extension', 'voicemail', 'department', 'timegroup', 'time_condition', 'ivr', 'hangup'] as const
).map((type) => ({ type, word: kindWords[type] }));

type Known = Pick<Surroundings, 'extensions' | 'menus'>;

/** What a node is called wherever one is chosen or told: “Reception”, “Extension 101, Anna”. */
export function nodeWords(node: DraftNode, known: Known): string {
  return node.kind === 'menu' ? menuTitle(node) : endWords(node, known);
}

/** The same for a destination as the body writes it. */
export function destinationWords(destination: string, known: Known): string {
  const reference = readReference(destination);
  const offered = destinationTypes.find(({ type }) => type === reference?.type);
  if (reference === null || offered === undefined) return destination;
  return endWords({ type: offered.type, ref: reference.id }, known);
}

function endWords({ type, ref }: { type: IvrDestinationType; ref: string }, known: Known): string {
  const word = kindWords[type];
  if (type === 'hangup') return word;
  if (ref === '') return `${word}, still open`;
  const name = nameOf(type, ref, known);
  return name === undefined ? `${word} ${ref}` : `${word} ${ref}, ${name}`;
}

/** What the directory calls it, where there is one. */
export function nameOf(type: IvrDestinationType, ref: string, known: Known): string | undefined {
  if (type === 'extension') return known.extensions.find(({ id }) => id === ref)?.name;
  if (type === 'ivr') return known.menus.find(({ id }) => id === ref)?.name;
  return undefined;
}

/** What stands in a body for a line to this node, where the node is no menu of the drawing. */
export function destinationOf({ type, ref }: { type: IvrDestinationType; ref: string }): string {
  return writeReference({ type, id: ref });
}
