import { describe, expect, it } from 'vitest';
import type { NodeId } from '../../../../src/contract/menu/ivr-draft.ts';
import { DraftTally } from '../../../../src/core/ivr/draft/view-draft.ts';
import { State } from '../../../../src/core/state.ts';
import { halfWired, twoMenus } from '../../../fixtures/ivr-documents.ts';

describe('the tally of a drawing', () => {
  it('is counted once for as long as the drawing is the same value', () => {
    const tally = new DraftTally();
    const state = new State();
    const document = structuredClone(halfWired);
    const before = tally.of(state, document);
    // Values must not be changed like this; here it shows that it is not read again.
    document.nodes = twoMenus.nodes;
    expect(tally.of(state, document)).toBe(before);
    expect(tally.of(state, { ...document }).errors).toBe(0);
  });

  it('is counted again when something that the call flow refers to is added or removed, and only then', () => {
    const tally = new DraftTally();
    const state = new State();
    const before = tally.of(state, twoMenus);
    state.extensions.set('999', { id: '999', name: 'Somebody else' });
    expect(tally.of(state, twoMenus)).toBe(before);
    state.extensions.set('101', { id: '101', name: 'Sales' });
    expect(tally.of(state, twoMenus)).toEqual({ ...before, warnings: before.warnings - 1 });
    state.extensions.delete('101');
    expect(tally.of(state, twoMenus)).toEqual(before);
  });

  it('follows every kind of thing that a drawing may name', () => {
    const reception = twoMenus.nodes['reception' as NodeId];
    if (reception?.kind !== 'menu') throw new Error('the reception is no menu');
    const [first, ...rest] = reception.keys;
    const keys = [{ ...first!, sms_template: '31' }, ...rest];
    const elsewhere = { ...twoMenus.nodes['sales' as NodeId], type: 'ivr', ref: 'ivr_1' };
    const nodes = { ...twoMenus.nodes, reception: { ...reception, keys }, sales: elsewhere };
    const document = { ...twoMenus, nodes: nodes as typeof twoMenus.nodes, scenarios: {} };
    const tally = new DraftTally();
    const state = new State();
    let { warnings } = tally.of(state, document);
    const known = [
      () => state.smsTemplates.set('31', { id: '31', name: 'Way', text: 'Here' }),
      () => state.setSettings({ ...state.settings, sms_templates_enabled: true }),
      () => state.ivrs.set('ivr_1' as never, {} as never),
    ];
    for (const learn of known) {
      learn();
      expect(tally.of(state, document)).toEqual({ errors: 0, todos: 0, warnings: (warnings -= 1) });
    }
    state.recordings.set('1' as never, {} as never);
    // Both menus play it.
    expect(tally.of(state, document).warnings).toBe(warnings - 2);
  });
});
