import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { IvrDocument, NodeId } from '../../../../src/contract/menu/ivr-draft.ts';
import { type CallInput, type CallState, startCall, step } from '../../../../src/core/ivr/call/step.ts';
import { checkDraft } from '../../../../src/core/ivr/check-draft.ts';
import { telephoneKeys } from '../../../../src/core/ivr/edit/edit-keys.ts';
import { changeMenu } from '../../../../src/core/ivr/edit/edit-nodes.ts';
import { menusOf } from '../../../../src/core/ivr/edit/lines.ts';
import { connect, linesOf } from '../../../../src/core/ivr/edit/lines.ts';
import type { Flow } from '../../../../src/core/ivr/flow.ts';
import { cleanDocument } from '../../../fixtures/ivr-arbitraries.ts';
import { anyTime } from '../../../fixtures/any-time.ts';

/*
 * Compares the results of `prove`, which simulates no call, with every possible call: the engine is run for every state that
 * can be reached, and the answers are compared in both directions.
 */

/** One line, or sometimes every line of a menu, led to a node. */
const move = fc.record({
  line: fc.nat(),
  node: fc.nat(),
  wholeMenu: fc.oneof(
    { weight: 3, arbitrary: fc.constant(false) },
    { weight: 2, arbitrary: fc.constant(true) },
  ),
});

/** Call flows that compile but otherwise lead anywhere: lines of valid ones are redirected to nodes at random. */
const tangled = fc
  .record({ document: cleanDocument, moves: fc.array(move, { maxLength: 12 }) })
  .map(({ document, moves }) => {
    const small = menusOf(document).reduce(
      // Few tries, so that every state can be visited.
      (so, { id, incorrect_count, timeout_tries }) =>
        changeMenu(so, id, {
          incorrect_count: (incorrect_count ?? 0) % 2,
          timeout_tries: (timeout_tries ?? 0) % 2,
        }),
      document,
    );
    const ids = Object.keys(document.nodes) as NodeId[];
    return moves.reduce((so, { line, node, wholeMenu }): IvrDocument => {
      const ports = linesOf(so).map(({ from }) => from);
      const inner = ports.filter((from) => from.kind !== 'caller');
      const chosen = inner[line % inner.length];
      const led = wholeMenu
        ? inner.filter((port) => port.menu === chosen?.menu)
        : inner.filter((port) => port === chosen);
      return led.reduce((drawn, port) => connect(drawn, port, ids[node % ids.length] ?? null), so);
    }, small);
  });

interface Calls {
  readonly states: ReadonlyMap<string, CallState>;
  /** The states that can follow each state. */
  readonly next: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Every state of every call that begins in a menu; without used keys, or with all of them. */
function callsFrom(flow: Flow, menu: NodeId, { withUsedKeys }: { withUsedKeys: boolean }): Calls {
  const states = new Map<string, CallState>();
  const next = new Map<string, Set<string>>();
  const toVisit = [startCall({ ...flow, start: menu }, anyTime).state];
  for (let state = toVisit.pop(); state !== undefined; state = toVisit.pop()) {
    const name = JSON.stringify(state);
    if (states.has(name)) continue;
    states.set(name, state);
    const reached = inputsIn(flow, state, withUsedKeys)
      .map((input) => step(flow, state, input, anyTime))
      .filter(({ happenings }) => happenings.length > 0)
      .map((taken) => taken.state);
    next.set(name, new Set(reached.map((one) => JSON.stringify(one))));
    toVisit.push(...reached);
  }
  return { states, next };
}

function inputsIn(flow: Flow, state: CallState, withUsedKeys: boolean): CallInput[] {
  if (state.kind === 'ended') return [];
  const used = flow.menus.get(state.menu)?.keys ?? new Map<string, unknown>();
  const wrong = telephoneKeys.find((key) => !used.has(key));
  const keys = [...(withUsedKeys ? used.keys() : []), ...(wrong === undefined ? [] : [wrong])];
  return [
    { kind: 'silence' },
    { kind: 'prompt_ended' },
    ...keys.map((key) => ({ kind: 'key', key }) as const),
  ];
}

/** Removes nodes without a remaining way on until none is left: what stays is a circle. */
function goRound({ next }: Calls): boolean {
  const left = new Map(next);
  let before: number;
  do {
    before = left.size;
    for (const [name, reached] of left) if (![...reached].some((one) => left.has(one))) left.delete(name);
  } while (left.size < before);
  return left.size > 0;
}

function provenOf(document: IvrDocument) {
  const { flow, problems } = checkDraft(document, null, 0);
  if (flow === null) throw new Error('what leads somewhere compiles');
  const nodesWith = (code: string): Set<unknown> =>
    new Set(problems.filter((problem) => problem.code === code).map(({ node }) => node));
  return { flow, nodesWith };
}

describe('what is proved', () => {
  it('is that a caller who presses no used key stays in a circle for ever, or that none does', () => {
    let rounds = 0;
    fc.assert(
      fc.property(tangled, (document) => {
        const { flow, nodesWith } = provenOf(document);
        const isProved = nodesWith('endless_without_key').size + nodesWith('no_way_out').size > 0;
        const calls = [...flow.menus.keys()].map((menu) => callsFrom(flow, menu, { withUsedKeys: false }));
        expect(calls.some(goRound)).toBe(isProved);
        if (isProved) rounds += 1;
      }),
      { numRuns: 200 },
    );
    expect(rounds).toBeGreaterThan(0);
  });

  it('is from which menus no call ever ends', () => {
    let locked = 0;
    fc.assert(
      fc.property(tangled, (document) => {
        const { flow, nodesWith } = provenOf(document);
        const endless = [...flow.menus.keys()].filter((menu) => {
          const { states } = callsFrom(flow, menu, { withUsedKeys: true });
          return [...states.values()].every(({ kind }) => kind !== 'ended');
        });
        expect(nodesWith('no_way_out')).toEqual(new Set(endless));
        locked += endless.length;
      }),
      { numRuns: 200 },
    );
    expect(locked).toBeGreaterThan(0);
  });

  it('is which nodes no call ever reaches', () => {
    let unreached = 0;
    fc.assert(
      fc.property(tangled, (document) => {
        const { flow, nodesWith } = provenOf(document);
        const { states } = callsFrom(flow, flow.start, { withUsedKeys: true });
        const met = new Set([...states.values()].map((one) => (one.kind === 'ended' ? one.node : one.menu)));
        const others = (Object.keys(document.nodes) as NodeId[]).filter((id) => !met.has(id));
        expect(nodesWith('unreachable')).toEqual(new Set(others));
        unreached += others.length;
      }),
      { numRuns: 200 },
    );
    expect(unreached).toBeGreaterThan(0);
  });
});
