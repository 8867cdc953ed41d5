import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NodeId } from '../../../../src/contract/menu/ivr-draft.ts';
import { bodyOfMenu } from '../../../../src/core/ivr/body/menu-body.ts';
import { compileDraft } from '../../../../src/core/ivr/compile/compile-draft.ts';
import type { Flow } from '../../../../src/core/ivr/flow.ts';
import { publishPlan } from '../../../../src/core/ivr/body/publish-plan.ts';
import { cleanFlow } from '../../../fixtures/ivr-arbitraries.ts';
import { receptionDocument } from '../../../fixtures/reception-document.ts';

function receptionFlow(): Flow {
  const compiled = compileDraft(receptionDocument);
  if (!compiled.ok) throw new Error('the fixture compiles');
  return compiled.value;
}

describe('the plan of publishing', () => {
  it('creates a circle of new menus from its far side and completes what had to lead nowhere', () => {
    expect(publishPlan(receptionFlow(), {})).toEqual([
      { kind: 'create', menu: 'sales' },
      { kind: 'create', menu: 'reception' },
      { kind: 'complete', menu: 'sales' },
    ]);
  });

  it('replaces what is known last, what is led to first', () => {
    expect(publishPlan(receptionFlow(), { reception: 'ivr_1' })).toEqual([
      { kind: 'create', menu: 'sales' },
      { kind: 'replace', menu: 'reception' },
    ]);
    expect(publishPlan(receptionFlow(), { reception: 'ivr_1', sales: 'ivr_2', gone: 'ivr_3' })).toEqual([
      { kind: 'replace', menu: 'sales' },
      { kind: 'replace', menu: 'reception' },
    ]);
  });

  it('carried out, leaves every menu whole; a menu that callers are in never leads to a stopgap', () => {
    fc.assert(
      fc.property(cleanFlow, fc.nat(), (flow, seed) => {
        const all = [...flow.menus.keys()];
        const known = Object.fromEntries(
          all.filter((_id, place) => (seed >> place) % 2 === 1).map((id) => [id, `old_${id}`]),
        );
        const ids = new Map<string, string>(Object.entries(known));
        const stored = new Map<NodeId, unknown>();
        const whole = (id: NodeId, menu = flow.menus.get(id)) =>
          menu && bodyOfMenu(menu, (to) => known[to] ?? `new_${to}`);
        for (const { kind, menu: id } of publishPlan(flow, known)) {
          const menu = flow.menus.get(id);
          const body = menu && bodyOfMenu(menu, (to) => ids.get(to) ?? null);
          if (kind === 'create') {
            expect(ids.has(id)).toBe(false);
            ids.set(id, `new_${id}`);
          } else {
            expect(ids.has(id)).toBe(true);
            expect(body).toEqual(whole(id));
          }
          if (kind === 'complete') expect(stored.get(id)).not.toEqual(body);
          stored.set(id, body);
        }
        expect(Object.fromEntries(stored)).toEqual(Object.fromEntries(all.map((id) => [id, whole(id)])));
      }),
    );
  });
});
