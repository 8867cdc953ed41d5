import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DraftNode, IvrDocument, Scenario } from '../../../../src/contract/menu/ivr-draft.ts';
import { applyDelta, deltaBetween } from '../../../../src/core/ivr/draft/document-delta.ts';
import { halfWired, twoMenus } from '../../../fixtures/ivr-documents.ts';

const ids = fc.constantFrom('a', 'b', 'c', 'd', 'constructor', 'valueof');
const nodes = fc
  .uniqueArray(fc.record({ id: ids, ref: fc.constantFrom('1', '2') }), { selector: ({ id }) => id })
  .map((list) =>
    Object.fromEntries(
      list.map(({ id, ref }) => [id, { kind: 'end', id, place: { x: 0, y: 0 }, type: 'extension', ref }]),
    ),
  ) as unknown as fc.Arbitrary<Record<string, DraftNode>>;
const scenarios = fc
  .uniqueArray(fc.record({ id: ids, name: fc.constantFrom('x', 'y') }), { selector: ({ id }) => id })
  .map((list) =>
    Object.fromEntries(
      list.map(({ id, name }) => [
        id,
        { id, name, inputs: [], expected: { kind: 'destination', destination: 'hangup' } },
      ]),
    ),
  ) as unknown as fc.Arbitrary<Record<string, Scenario>>;
const documents = fc.record({
  name: fc.constantFrom('one', 'two'),
  caller: fc.record({ place: fc.constant({ x: 0, y: 0 }), to: fc.constantFrom(null, 'a') }),
  nodes,
  scenarios,
}) as unknown as fc.Arbitrary<IvrDocument>;

describe('what a save changed', () => {
  it('makes the new drawing of the old one, with its entries in their order', () => {
    fc.assert(
      fc.property(documents, documents, (before, after) => {
        const delta = deltaBetween(before, after);
        const made = delta === null ? before : applyDelta(before, delta);
        // As text: the order of entries shows there.
        expect(JSON.stringify(made)).toBe(JSON.stringify(after));
      }),
    );
  });

  it('is nothing between two that are the same, and only then', () => {
    fc.assert(
      fc.property(documents, documents, (before, after) => {
        expect(deltaBetween(before, structuredClone(before))).toBeNull();
        const isSame = JSON.stringify(before) === JSON.stringify(after);
        expect(deltaBetween(before, after) === null).toBe(isSame);
      }),
    );
  });

  it('is one node if one node changed, and contains no order if that is implied', () => {
    expect(deltaBetween(twoMenus, halfWired)).toEqual({
      set_nodes: [halfWired.nodes['reception' as never]],
      removed_nodes: [],
      set_scenarios: [],
      removed_scenarios: [],
    });
  });
});
