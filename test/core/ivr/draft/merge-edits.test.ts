import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type {
  DraftNode,
  IvrDocument,
  MenuNode,
  NodeId,
  Scenario,
} from '../../../../src/contract/menu/ivr-draft.ts';
import { IvrDocument as Schema } from '../../../../src/contract/menu/ivr-draft.ts';
import { applyDelta, deltaBetween } from '../../../../src/core/ivr/draft/document-delta.ts';
import { linesOf } from '../../../../src/core/ivr/edit/lines.ts';
import {
  type Contradiction,
  mergeEdits,
  settleEdits,
  type Side,
} from '../../../../src/core/ivr/draft/merge-edits.ts';
import {
  freeNodeId,
  newEnd,
  newMenu,
  removeNodes,
  removeScenario,
} from '../../../../src/core/ivr/edit/edit-nodes.ts';
import { receptionDocument as base } from '../../../fixtures/reception-document.ts';

type Change = (document: IvrDocument) => IvrDocument;

function node(id: string, fields: Partial<DraftNode>): Change {
  return (document) => ({
    ...document,
    nodes: { ...document.nodes, [id]: { ...document.nodes[id as NodeId], ...fields } as DraftNode },
  });
}

function add(added: DraftNode): Change {
  return (document) => ({ ...document, nodes: { ...document.nodes, [added.id]: added } });
}

/** Leads key 5 of Sales to it. */
function keyTo(id: string): Change {
  return (document) => {
    const sales = document.nodes['sales' as NodeId] as MenuNode;
    const keys = [...sales.keys, { key: '5', to: id as NodeId, sms_template: null }];
    return node('sales', { keys })(document);
  };
}

const place = { x: 10, y: 20 };
const menu = (name: string): DraftNode => newMenu('menu1' as NodeId, name, place);
const scenario =
  (name: string): Change =>
  (document) => ({
    ...document,
    scenarios: {
      ...document.scenarios,
      scenario1: {
        id: 'scenario1',
        name,
        inputs: ['1'],
        expected: { kind: 'menu', menu: 'sales' },
      } as Scenario,
    },
  });
const without =
  (id: string): Change =>
  (document) => ({
    ...document,
    nodes: Object.fromEntries(Object.entries(document.nodes).filter(([other]) => other !== id)),
  });
/** Removes a card, and what leads to it. */
const alone =
  (id: string): Change =>
  (document) =>
    removeNodes(document, new Set([id]));
const renamedScenario =
  (name: string): Change =>
  (document) => ({
    ...document,
    scenarios: {
      ...document.scenarios,
      wants_sales: { ...document.scenarios['wants_sales' as Scenario['id']], name } as Scenario,
    },
  });
const all =
  (...changes: readonly Change[]): Change =>
  (document) =>
    changes.reduce((now, change) => change(now), document);

describe('the edits of two people', () => {
  it.each<[string, Change, Change]>([
    ['different cards', node('desk', { ref: '102' }), node('seller', { ref: '103' })],
    ['different fields of one menu', node('sales', { timeout: 3 }), node('sales', { name: 'Verkauf' })],
    ['one moves the card that the other edits', node('sales', { place }), node('sales', { name: 'Verkauf' })],
    ['the name of the flow and a card', (flow) => ({ ...flow, name: 'Day' }), node('bye', { place })],
    [
      'one adds a scenario, the other removes one',
      scenario('New'),
      (flow) => removeScenario(flow, 'wants_sales' as Scenario['id']),
    ],
    ['one removes a card that the other moves', alone('seller'), node('seller', { place })],
    ['both the same', node('desk', { ref: '102' }), node('desk', { ref: '102' })],
    [
      'one adds prompts of all menus',
      (flow) => ({ ...flow, prompts: { wrong_key: 'recording||1', timeout: null } }),
      node('bye', { place }),
    ],
  ])('go together: %s', (_name, mine, theirs) => {
    const merged = mergeEdits(base, mine(base), theirs(base));
    expect(merged?.document).toEqual(all(theirs, mine)(base));
    expect(mergeEdits(base, theirs(base), mine(base))?.document).toEqual(all(theirs, mine)(base));
  });

  it.each<[string, Change, Change]>([
    ['the same field, differently', node('desk', { ref: '102' }), node('desk', { ref: '103' })],
    [
      'one changes the kind of a destination, the other its number',
      node('desk', { type: 'voicemail' }),
      node('desk', { ref: '103' }),
    ],
    ['the keys of one menu', keyTo('desk'), node('sales', { keys: [] })],
    ['one removes a card that the other edits', without('seller'), node('seller', { ref: '103' })],
    [
      'one removes a card that the other leads to',
      all(without('bye'), node('reception', { keys: [], timeout_destination: null })),
      keyTo('bye'),
    ],
  ])('are for a person to decide: %s', (_name, mine, theirs) => {
    expect(mergeEdits(base, mine(base), theirs(base))).toBeNull();
    expect(mergeEdits(base, theirs(base), mine(base))).toBeNull();
  });

  it('keep both menus that were added under one id, and what leads to mine', () => {
    const mine = all(add(menu('Mine')), keyTo('menu1'), (flow) => ({
      ...flow,
      caller: { ...flow.caller, to: 'menu1' as NodeId },
    }))(base);
    const theirs = add(menu('Theirs'))(base);
    const merged = mergeEdits(base, mine, theirs);
    expect([...(merged?.renamed ?? [])]).toEqual([['menu1', 'menu2']]);
    const { nodes, caller } = merged?.document ?? base;
    expect(nodes['menu1' as NodeId]).toEqual(menu('Theirs'));
    expect(nodes['menu2' as NodeId]).toMatchObject({ id: 'menu2', name: 'Mine' });
    expect((nodes['sales' as NodeId] as MenuNode).keys.at(-1)?.to).toBe('menu2');
    expect(caller.to).toBe('menu2');
  });

  it('keep both scenarios that were added under one id', () => {
    const merged = mergeEdits(base, scenario('Mine')(base), scenario('Theirs')(base));
    expect(Object.values(merged?.document.scenarios ?? {}).map(({ name }) => name)).toEqual([
      'Wants sales',
      'Theirs',
      'Mine',
    ]);
  });

  it.each<[string, Change, Change, Contradiction]>([
    [
      'a field of a menu',
      node('sales', { timeout: 3, name: 'Verkauf' }),
      node('sales', { timeout: 9, description: 'By phone' }),
      { kind: 'node', id: 'sales' as NodeId, field: 'timeout' },
    ],
    [
      'a destination',
      node('desk', { ref: '102' }),
      node('desk', { ref: '103' }),
      { kind: 'node', id: 'desk' as NodeId, field: null },
    ],
    [
      'the name of the flow',
      (flow) => ({ ...flow, name: 'Day' }),
      (flow) => ({ ...flow, name: 'Night' }),
      { kind: 'flow', field: 'name' },
    ],
    [
      'a prompt of all menus',
      (flow) => ({ ...flow, prompts: { wrong_key: 'recording||1', timeout: null } }),
      (flow) => ({ ...flow, prompts: { wrong_key: 'recording||2', timeout: null } }),
      { kind: 'flow', field: 'wrong_key' },
    ],
    [
      'a scenario',
      renamedScenario('Mine'),
      renamedScenario('Theirs'),
      { kind: 'scenario', id: 'wants_sales' as Scenario['id'] },
    ],
  ])(
    'are what a person decides, and nothing else of both is lost: %s',
    (_name, mine, theirs, contradiction) => {
      const settle = (side: Side) => settleEdits(base, mine(base), theirs(base), () => side);
      expect(settle('mine')?.contradictions).toEqual([{ at: contradiction, side: 'mine' }]);
      expect(settle('mine')?.document).toEqual(all(theirs, mine)(base));
      expect(settle('theirs')?.document).toEqual(all(mine, theirs)(base));
      expect(settleEdits(base, mine(base), theirs(base), () => undefined)).toEqual(settle('mine'));
    },
  );

  it('keep a card that one removed and the other leads to, until a person decides that it goes', () => {
    const mine = all(without('bye'), node('reception', { keys: [], timeout_destination: null }));
    const theirs = keyTo('bye');
    const settle = (side?: Side) => settleEdits(base, mine(base), theirs(base), () => side);
    const at = { kind: 'node', id: 'bye', field: null };
    expect(settle()?.contradictions).toEqual([{ at, side: 'theirs' }]);
    expect(settle()?.document).toEqual(settle('theirs')?.document);
    expect(settle('theirs')?.document.nodes).toHaveProperty('bye');
    const { nodes } = settle('mine')?.document ?? base;
    expect(nodes).not.toHaveProperty('bye');
    expect((nodes['sales' as NodeId] as MenuNode).keys.at(-1)).toMatchObject({ key: '5', to: null });
  });

  it('keep a card that one removed and the other edited, until a person decides that it goes', () => {
    const edited = node('seller', { ref: '103' });
    for (const [mine, theirs] of [
      [alone('seller'), edited],
      [edited, alone('seller')],
    ] as const) {
      const undecided = settleEdits(base, mine(base), theirs(base), () => undefined)?.document;
      expect(undecided?.nodes['seller' as NodeId]).toMatchObject({ ref: '103' });
      const removing = mine === edited ? 'theirs' : 'mine';
      const decided = settleEdits(base, mine(base), theirs(base), () => removing)?.document;
      expect(decided).toEqual(alone('seller')(base));
    }
  });

  it('lose a scenario that expects a menu only if a person decides that the menu goes', () => {
    const mine = without('sales');
    const theirs = all(scenario('New'), node('sales', { timeout: 9 }));
    const settle = (side: Side) => settleEdits(base, mine(base), theirs(base), () => side)?.document;
    expect(settle('theirs')?.scenarios).toHaveProperty('scenario1');
    expect(settle('mine')?.nodes).not.toHaveProperty('sales');
    expect(settle('mine')?.scenarios).not.toHaveProperty('scenario1');
  });

  it('are never more than a draft can hold', () => {
    const many = (letter: string): Change =>
      all(
        ...Array.from({ length: 250 }, (_, count) =>
          add(newEnd(`${letter}${count}` as NodeId, 'extension', '1', place)),
        ),
      );
    expect(mergeEdits(base, many('a')(base), many('b')(base))).toBeNull();
  });

  const change = fc.oneof(
    fc
      .record({ id: fc.constantFrom('reception', 'sales'), timeout: fc.integer({ min: 1, max: 9 }) })
      .map(({ id, timeout }) => node(id, { timeout })),
    fc
      .record({ id: fc.constantFrom('desk', 'seller'), ref: fc.constantFrom('1', '2') })
      .map(({ id, ref }) => node(id, { ref })),
    fc.constantFrom('one', 'two').map(
      (ref): Change =>
        (flow) =>
          add(newEnd(freeNodeId(flow, 'end'), 'extension', ref, place))(flow),
    ),
    fc.constantFrom('New', 'Other').map(scenario),
    fc.constantFrom('desk', 'bye').map(keyTo),
  );
  const changes = fc.array(change, { maxLength: 4 }).map((list) => all(...list));

  it('lose nothing, lead nowhere that is not there, and are nobody’s alone', () => {
    fc.assert(
      fc.property(changes, changes, (mine, theirs) => {
        expect(mergeEdits(base, mine(base), base)?.document).toEqual(mine(base));
        expect(mergeEdits(base, base, theirs(base))?.document).toEqual(theirs(base));
        const merged = mergeEdits(base, mine(base), theirs(base));
        if (merged === null) return;
        expect(Schema.safeParse(merged.document).success).toBe(true);
        for (const { to } of linesOf(merged.document)) expect(merged.document.nodes).toHaveProperty(to);
        const added = (flow: IvrDocument): number =>
          Object.keys(flow.nodes).length - Object.keys(base.nodes).length;
        expect(added(merged.document)).toBeGreaterThanOrEqual(
          Math.max(added(mine(base)), added(theirs(base))),
        );
      }),
    );
  });

  it('can always be decided, and the decision is what a draft can hold', () => {
    const removal = fc.constantFrom('desk', 'bye', 'sales', 'seller').map(alone);
    // What is edited is there: removals come last.
    const edits = fc
      .tuple(changes, fc.array(removal, { maxLength: 2 }))
      .map(([edited, removed]) => all(edited, ...removed));
    const sides = fc.func(fc.constantFrom<Side>('mine', 'theirs'));
    fc.assert(
      fc.property(edits, edits, sides, (mine, theirs, decide) => {
        const settled = settleEdits(base, mine(base), theirs(base), decide);
        if (settled === null) throw new Error('A few cards are not more than a draft can hold.');
        expect(Schema.safeParse(settled.document).success).toBe(true);
        for (const { to } of linesOf(settled.document)) expect(settled.document.nodes).toHaveProperty(to);
        if (settled.contradictions.length === 0)
          expect(mergeEdits(base, mine(base), theirs(base))?.document).toEqual(settled.document);
        // Saved over the version of the other, it is an edit of that version.
        expect(mergeEdits(theirs(base), settled.document, theirs(base))?.document).toEqual(settled.document);
      }),
    );
  });
});

describe('the language of a call flow', () => {
  const spoken = (language: string | null): IvrDocument =>
    language === null ? base : { ...base, speech: { language, voice: null } };

  it('is that of whoever has changed it', () => {
    expect(mergeEdits(base, spoken('es-ES'), base)?.document.speech).toEqual({
      language: 'es-ES',
      voice: null,
    });
    expect(mergeEdits(base, base, spoken('de-DE'))?.document.speech?.language).toBe('de-DE');
    expect(mergeEdits(spoken('de-DE'), base, spoken('de-DE'))?.document).not.toHaveProperty('speech');
  });

  it('is asked about where both have changed it', () => {
    expect(mergeEdits(base, spoken('es-ES'), spoken('de-DE'))).toBeNull();
    const settled = settleEdits(base, spoken('es-ES'), spoken('de-DE'), () => 'theirs');
    expect(settled?.document.speech?.language).toBe('de-DE');
    expect(settled?.contradictions.map(({ at }) => at)).toEqual([{ kind: 'flow', field: 'speech' }]);
  });

  it('is part of a saved difference, also when it goes', () => {
    for (const [before, after] of [
      [base, spoken('es-ES')],
      [spoken('es-ES'), spoken('de-DE')],
      [spoken('de-DE'), base],
    ] as const) {
      const delta = deltaBetween(before, after);
      expect(delta === null ? null : applyDelta(before, delta)).toEqual(after);
    }
    expect(deltaBetween(spoken('es-ES'), spoken('es-ES'))).toBeNull();
  });
});
