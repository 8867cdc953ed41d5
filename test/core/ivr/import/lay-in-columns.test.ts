import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layInColumns } from '../../../../src/core/ivr/import/draw-menus.ts';
import { anyDocument } from '../../../fixtures/ivr-arbitraries.ts';

describe('the layout in columns', () => {
  it('puts no node on another, whatever is drawn, and changes nothing but places', () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const laid = layInColumns(document);
        const nodes = Object.values(laid.nodes);
        const places = [laid.caller.place, ...nodes.map(({ place }) => place)].map(({ x, y }) => `${x} ${y}`);
        expect(new Set(places).size).toBe(places.length);
        for (const { id, place } of nodes) {
          expect({ ...document.nodes[id], place }).toEqual(laid.nodes[id]);
        }
        expect(Object.keys(laid.nodes)).toEqual(Object.keys(document.nodes));
      }),
    );
  });
});
