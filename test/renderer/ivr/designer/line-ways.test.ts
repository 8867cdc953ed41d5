import { describe, expect, it } from 'vitest';
import type { IvrDocument, NodeId } from '../../../../src/contract/menu/ivr-draft.ts';
import { linePath } from '../../../../src/core/ivr/drawing/line-path.ts';
import { changeMenu, moveNodes } from '../../../../src/core/ivr/edit/edit-nodes.ts';
import {
  FlowLines,
  type LineWay,
  pathNow,
  waysOf,
} from '../../../../src/renderer/ivr/designer/canvas/flow-lines.ts';
import { receptionDocument } from '../../../fixtures/reception-document.ts';

const shown = { selected: null, lit: null, nameOf: (id: string) => id };
const document = receptionDocument;
const [menu] = Object.values(document.nodes).filter(({ kind }) => kind === 'menu');
const renamed = changeMenu(document, menu!.id, { name: 'Another name' });

function movedBy(id: NodeId, x: number, y: number): IvrDocument {
  const { place } = document.nodes[id]!;
  return moveNodes(document, new Map([[id, { x: place.x + x, y: place.y + y }]]));
}

function waysIn(drawn: IvrDocument): ReadonlyMap<string, LineWay> {
  return waysOf(drawn, new Map());
}

describe('the ways of lines', () => {
  it('are the same objects after an edit that moves nothing, and so are the lines', () => {
    const ways = waysIn(document);
    expect(ways.size).toBeGreaterThan(3);
    for (const [id, way] of waysOf(renamed, ways)) expect(way).toBe(ways.get(id));
    const lines = new FlowLines();
    const before = lines.of(document, shown);
    expect(lines.of(renamed, shown)).toEqual(before);
    for (const [place, line] of lines.of(renamed, shown).entries()) expect(line).toBe(before[place]);
  });

  it('are others for the lines of a card that was moved', () => {
    const ways = waysIn(document);
    const after = waysOf(movedBy(menu!.id, 0, 80), ways);
    const changed = [...after].filter(([id, way]) => way !== ways.get(id)).map(([id]) => id);
    expect(changed).toContain('caller:caller');
    expect(changed).toContain(`${menu!.id}:key-0`);
  });

  it('are drawn as decided while the cards stand still, and to where they are while they are dragged', () => {
    const way = waysIn(document).get(`${menu!.id}:key-0`)!;
    const tip = { x: way.end.x + 6, y: way.end.y };
    expect(pathNow(way, way.start, tip)).toBe(linePath(way.start, way.end, way.lane));
    const off = { x: way.start.x + 0.4, y: way.start.y - 0.4 };
    expect(pathNow(way, off, tip)).toBe(linePath(way.start, way.end, way.lane));
    const farRight = { x: tip.x + 500, y: tip.y + 40 };
    expect(pathNow(way, way.start, farRight)).toBe(
      linePath(way.start, { x: farRight.x - 6, y: farRight.y }, null),
    );
    const left = { x: way.start.x - 700, y: tip.y };
    expect(pathNow(way, way.start, left)).toContain('Q');
  });
});
