import type { IvrDocument, ScenarioEnd } from '../../../../contract/ivr-draft.ts';
import { nodeOf } from '../../../../core/ivr/edit/lines.ts';
import { destinationWords, nodeWords } from '../inspector/node-words.ts';
import type { Surroundings } from '../use-designer.ts';

/** Where a scenario comes out: “Extension 101, Anna”, or “still in Reception”. */
export function endWords(document: IvrDocument, end: ScenarioEnd, known: Surroundings): string {
  if (end.kind === 'destination') return destinationWords(end.destination, known);
  const node = nodeOf(document, end.menu);
  return node === null ? 'in a menu that is not there any more' : `still in ${nodeWords(node, known)}`;
}
