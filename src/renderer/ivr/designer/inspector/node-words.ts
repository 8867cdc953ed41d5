import type { DraftNode, IvrDocument } from '../../../../contract/ivr-draft.ts';
import type { IvrDestinationType } from '../../../../contract/ivr.ts';
import { readReference, writeReference } from '../../../../core/ivr/reference.ts';
import type { Surroundings } from '../use-designer.ts';

/** Where a call can leave the drawing, in the order in which it is offered, and what a person calls it. */
export const destinationTypes: readonly { readonly type: IvrDestinationType; readonly word: string }[] = [
  { type: 'extension', word: 'Extension' },
  { type: 'voicemail', word: 'Voicemail' },
  { type: 'department', word: 'Department' },
  { type: 'timegroup', word: 'Time group' },
  { type: 'time_condition', word: 'Time condition' },
  { type: 'ivr', word: 'Menu elsewhere' },
  { type: 'hangup', word: 'Hang up' },
];

type Known = Pick<Surroundings, 'extensions' | 'menus'>;

/** What a node is called wherever one is chosen or told: “Reception”, “Extension 101, Anna”. */
export function nodeWords(node: DraftNode, known: Known): string {
  if (node.kind === 'menu') return node.name.trim() === '' ? 'A menu without a name' : node.name;
  return endWords(node, known);
}

/** The same for a destination as the body writes it. */
export function destinationWords(destination: string, known: Known): string {
  const reference = readReference(destination);
  const offered = destinationTypes.find(({ type }) => type === reference?.type);
  if (reference === null || offered === undefined) return destination;
  return endWords({ type: offered.type, ref: reference.id }, known);
}

function endWords({ type, ref }: { type: IvrDestinationType; ref: string }, known: Known): string {
  const word = destinationTypes.find((other) => other.type === type)?.word ?? type;
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

/** How many lines lead to a node. */
export function linesTo(document: IvrDocument, id: string): number {
  let count = document.caller.to === id ? 1 : 0;
  for (const node of Object.values(document.nodes)) {
    if (node.kind !== 'menu') continue;
    const ends = [...node.keys.map(({ to }) => to), node.invalid_destination, node.timeout_destination];
    count += ends.filter((to) => to === id).length;
  }
  return count;
}
