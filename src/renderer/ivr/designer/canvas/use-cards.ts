import { useMemo, useState } from 'react';
import type { Place } from '../../../../contract/ivr-draft.ts';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import { cardWords, type CardWords } from './card-words.ts';
import { FlowLines, type LineEdge } from './flow-lines.ts';
import { type CardNode, FlowNodes } from './flow-nodes.ts';
import { type CardMarks, marksOf } from './marks.ts';
import { namesOf } from './names.ts';

/** The drawing as the canvas library takes it; what shows the same is the same object, and is not drawn again. */
export function useCards(
  moved: ReadonlyMap<string, Place>,
  selectedLine: string | null,
): { readonly nodes: CardNode[]; readonly lines: LineEdge[] } {
  const { referenceData, check } = useDesigner();
  const document = useDesignerState((state) => state.document);
  const selection = useDesignerState((state) => state.selection);
  const lit = useDesignerState((state) => state.lit);
  const [kept] = useState(() => ({
    nodes: new FlowNodes(),
    lines: new FlowLines(),
    words: new SameEntries<CardWords>(),
    marks: new SameEntries<CardMarks>(),
  }));

  const names = useMemo(() => namesOf(referenceData), [referenceData]);
  const words = useMemo(() => kept.words.of(cardWords(document, names)), [kept, document, names]);
  const marks = useMemo(() => kept.marks.of(marksOf(check.problems)), [kept, check.problems]);
  const nodes = useMemo(
    () => kept.nodes.of({ document, selection, lit, marks, words, moved }),
    [kept, document, selection, lit, marks, words, moved],
  );
  const lines = useMemo(
    () =>
      kept.lines.of(document, {
        selected: selectedLine,
        lit,
        nameOf: (id) => words.get(id)?.name ?? 'the caller',
      }),
    [kept, document, selectedLine, lit, words],
  );
  return { nodes, lines };
}

/** Keeps what says the same the same: an entry of a new map that reads as the one before is the one before. */
export class SameEntries<T> {
  #before: ReadonlyMap<string, T> = new Map();

  of(entries: ReadonlyMap<string, T>): ReadonlyMap<string, T> {
    const kept = new Map<string, T>();
    for (const [id, entry] of entries) {
      const known = this.#before.get(id);
      kept.set(id, known !== undefined && JSON.stringify(known) === JSON.stringify(entry) ? known : entry);
    }
    this.#before = kept;
    return kept;
  }
}
