import { useMemo, useState } from 'react';
import type { Place } from '../../../../contract/menu/ivr-draft.ts';
import { useDesigner, useDesignerState } from '../use-designer.ts';
import { type CardContent, cardContents, namesOf } from './card-content.ts';
import { FlowLines, type LineEdge } from './flow-lines.ts';
import { type CardNode, FlowNodes, type CardMarks, marksOf } from './flow-nodes.ts';
import { canvasText } from '../../../../text/menu/designer-canvas.ts';

/** The call flow for the canvas library; what shows the same is the same object, and is not rendered again. */
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
    contents: new SameEntries<CardContent>(),
    marks: new SameEntries<CardMarks>(),
  }));

  const names = useMemo(() => namesOf(referenceData), [referenceData]);
  const contents = useMemo(() => kept.contents.of(cardContents(document, names)), [kept, document, names]);
  const marks = useMemo(() => kept.marks.of(marksOf(check.problems)), [kept, check.problems]);
  const nodes = useMemo(
    () => kept.nodes.of({ document, selection, lit, marks, contents, moved }),
    [kept, document, selection, lit, marks, contents, moved],
  );
  const lines = useMemo(
    () =>
      kept.lines.of(document, {
        selected: selectedLine,
        lit,
        nameOf: (id) => contents.get(id)?.name ?? canvasText.lineFromCaller,
      }),
    [kept, document, selectedLine, lit, contents],
  );
  return { nodes, lines };
}

/** Keeps equal entries identical: an entry of a new map that equals the one before is the one before. */
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
