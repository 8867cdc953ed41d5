import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { IvrDocument, NodeId } from '../../../../src/contract/menu/ivr-draft.ts';
import { emptyDocument } from '../../../../src/core/ivr/edit/edit-nodes.ts';
import { linesOf } from '../../../../src/core/ivr/edit/lines.ts';
import { graphvizPicture } from '../../../../src/core/ivr/export/graphviz-picture.ts';
import { svgPicture } from '../../../../src/core/ivr/export/svg-picture.ts';
import { pictureLabels } from '../../../../src/text/menu/phone-menu.ts';
import { cleanDocument } from '../../../fixtures/ivr-arbitraries.ts';
import { readDot } from './read-dot.ts';
import { elementsOf, readXml } from './read-xml.ts';
import { wildText } from './wild-flow.ts';

/** A call flow in which every text is random: names, keys, recordings, destinations. */
const wildDocument = fc
  .tuple(cleanDocument, fc.array(wildText, { minLength: 8, maxLength: 8 }))
  .map(([document, texts]): IvrDocument => {
    const text = (place: number) => texts[place % texts.length]!;
    const nodes = Object.values(document.nodes).map((node, place) =>
      node.kind === 'end'
        ? { ...node, ref: text(place) }
        : {
            ...node,
            name: text(place),
            recording: text(place + 1),
            keys: node.keys.map((key, at) => ({ ...key, key: text(place + at) })),
          },
    );
    return {
      ...document,
      name: text(0) === '' ? 'x' : text(0),
      nodes: Object.fromEntries(nodes.map((node) => [node.id, node])),
    };
  });

describe('the picture in SVG', () => {
  it('is well-formed and has a card for each node and a line for each line, whatever the texts hold', () => {
    fc.assert(
      fc.property(wildDocument, (document) => {
        const svg = readXml(svgPicture(document, pictureLabels));
        expect(elementsOf(svg, 'g')).toHaveLength(Object.keys(document.nodes).length + 1);
        const arrows = elementsOf(svg, 'path').filter(({ attributes }) => attributes.has('marker-end'));
        expect(arrows).toHaveLength(linesOf(document).length);
        const names = new Set(['svg', 'title', 'defs', 'marker', 'path', 'rect', 'g', 'text']);
        expect([...new Set(namesIn(svg))].filter((name) => !names.has(name))).toEqual([]);
      }),
    );
  });

  it('holds everything that is drawn within its frame', () => {
    fc.assert(
      fc.property(cleanDocument, (document) => {
        const svg = readXml(svgPicture(document, pictureLabels));
        const [x, y, width, height] = svg.attributes.get('viewBox')!.split(' ').map(Number);
        for (const rect of elementsOf(svg, 'rect')) {
          const at = (name: string) => Number(rect.attributes.get(name));
          expect(at('x')).toBeGreaterThanOrEqual(x!);
          expect(at('y')).toBeGreaterThanOrEqual(y!);
          expect(at('x') + at('width')).toBeLessThanOrEqual(x! + width!);
          expect(at('y') + at('height')).toBeLessThanOrEqual(y! + height!);
        }
      }),
    );
  });

  it('says in a word what is marked', () => {
    const [document] = fc.sample(cleanDocument, { seed: 1, numRuns: 1 });
    const [first] = Object.keys(document!.nodes);
    const words = (marked: Map<NodeId, 'removed'>) =>
      elementsOf(readXml(svgPicture(document!, pictureLabels, { marked })), 'text').map(({ text }) => text);
    expect(words(new Map([[first as NodeId, 'removed']]))).toContain('removed');
    expect(words(new Map())).not.toContain('removed');
  });

  it('of an empty drawing shows the caller', () => {
    const texts = elementsOf(readXml(svgPicture(emptyDocument('Nothing yet'), pictureLabels)), 'text').map(
      ({ text }) => text,
    );
    expect(texts).toEqual(['Nothing yet', 'Caller']);
  });
});

describe('the picture for Graphviz', () => {
  it('is well-formed and has every node and every way between two, whatever the texts hold', () => {
    fc.assert(
      fc.property(wildDocument, (document) => {
        const { nodes, edges } = readDot(graphvizPicture(document, pictureLabels));
        expect(nodes).toEqual(['caller', ...Object.keys(document.nodes).map((id) => `node ${id}`)]);
        const ways = linesOf(document).map(({ from, to }) =>
          from.kind === 'caller' ? `caller > node ${to}` : `node ${from.menu} > node ${to}`,
        );
        expect(edges).toEqual([...new Set(ways)]);
      }),
    );
  });
});

function namesIn({ name, children }: ReturnType<typeof readXml>): string[] {
  return [name, ...children.flatMap(namesIn)];
}
