import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Ivr, IvrId } from '../../../src/contract/menu/ivr.ts';
import { ivrPage } from '../../../src/core/ivr/ivr-page.ts';
import { State } from '../../../src/core/state.ts';

function stateOf(count: number, more: Partial<Ivr> = {}): State {
  const state = new State();
  for (let place = 0; place < count; place += 1) {
    const id = `ivr_${place}` as IvrId;
    // Several in the same millisecond.
    const at = new Date(Date.UTC(2026, 0, 1) + Math.floor(place / 4)).toISOString();
    state.ivrs.set(id, { id, created_at: at, name: `menu ${place}`, ...more } as Ivr);
  }
  return state;
}

function readAll(state: State, limit?: string, meanwhile: (read: number) => void = () => undefined): IvrId[] {
  const ids: IvrId[] = [];
  let cursor: string | undefined;
  do {
    const { ivrs, next } = ivrPage(state, { limit, cursor });
    ids.push(...ivrs.map(({ id }) => id));
    cursor = next ?? undefined;
    meanwhile(ids.length);
  } while (cursor !== undefined);
  return ids;
}

describe('pages of the stored menus', () => {
  it('are one page while they are few and small', () => {
    for (const count of [0, 1, 1000]) {
      const state = stateOf(count);
      expect(ivrPage(state, {})).toEqual({ ivrs: [...state.ivrs.values()], next: null });
    }
    expect(ivrPage(stateOf(1001), {}).ivrs).toHaveLength(1000);
  });

  it('have a bounded size, and one menu at least', () => {
    const state = stateOf(100, { description: 'x'.repeat(100_000) });
    expect(ivrPage(state, {}).ivrs).toHaveLength(10);
    expect(readAll(state)).toEqual([...state.ivrs.keys()]);
    expect(ivrPage(stateOf(2, { description: 'x'.repeat(2_000_000) }), {}).ivrs).toHaveLength(1);
  });

  it('make the list together, each menu once and in order, also while others come', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 20 }), (count, limit) => {
        const state = stateOf(count);
        expect(readAll(state, String(limit))).toEqual([...state.ivrs.keys()]);
      }),
    );
  });

  it('leave out no menu that is there all the time, whatever is deleted between them', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 39 }), { maxLength: 40 }),
        fc.integer({ min: 1, max: 10 }),
        (deleted, limit) => {
          const state = stateOf(40);
          const left = [...deleted];
          const ids = readAll(state, String(limit), () => {
            for (const place of left.splice(0, 3)) state.ivrs.delete(`ivr_${place}` as IvrId);
          });
          expect(ids).toEqual(expect.arrayContaining([...state.ivrs.keys()]));
        },
      ),
    );
  });
});
