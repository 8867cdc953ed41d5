/**
 * Random callers of random call flows on a real Asterisk, hundreds at a time, compared with the simulator.
 *
 * `ROTAVOX_SEED` repeats a run; a failure names its seed.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Flow } from '../../src/core/ivr/flow.ts';
import { deeds, wildFlow } from '../core/ivr/export/wild-flow.ts';
import { type ExportedFlow, installExports, playCall, simulatedCall } from '../fixtures/exported-calls.ts';
import { cleanFlow } from '../fixtures/ivr-arbitraries.ts';
import { officeDeeds, officeFlows } from '../fixtures/office-arbitraries.ts';
import { AsteriskCallers } from '../tools/asterisk-callers.ts';
import { type Asterisk, startAsterisk } from '../tools/asterisk.ts';

const flowCount = 100;
const callsOfEach = 5;
/** More would make Asterisk late on two cores, so that keys meant for a prompt come after it. */
const atATime = 125;

const seed = Number(process.env['ROTAVOX_SEED'] ?? Date.now());

/** Timeouts of one or two seconds, which real callers have to wait for. */
const quick = (flow: Flow): Flow => ({
  ...flow,
  menus: new Map(
    Array.from(flow.menus, ([id, menu]) => [id, { ...menu, timeoutSeconds: 1 + (menu.timeoutSeconds % 2) }]),
  ),
});

/** One of five hangs up in a prompt, the others when they have nothing more to do. */
const script = fc.record({
  deeds: fc.oneof(deeds, officeDeeds),
  hangsUpIn: fc.oneof(
    { weight: 4, arbitrary: fc.constant(Infinity) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 6 }) },
  ),
});

describe('exported menus on a real Asterisk', () => {
  let asterisk: Asterisk;
  let callers: AsteriskCallers;

  beforeAll(async () => {
    asterisk = await startAsterisk({ modules: ['func_db'] });
    callers = await AsteriskCallers.connect(asterisk);
  });
  afterAll(async () => {
    await callers.close();
    await asterisk.close();
  });

  it(`lead each caller as the simulator does (seed ${seed})`, async () => {
    const plain = fc.sample(fc.oneof(cleanFlow, wildFlow), { numRuns: flowCount / 2, seed });
    const flows = [...plain, ...officeFlows(flowCount / 2, seed)];
    const exported = flows.map((flow, place): ExportedFlow => ({ name: `Flow ${place}`, flow: quick(flow) }));
    await installExports(asterisk, exported);
    expect(await asterisk.log()).not.toMatch(/WARNING|ERROR/);

    const scripts = fc.sample(script, { numRuns: flowCount * callsOfEach, seed });
    const calls = scripts.map((one, place) => ({ ...one, exported: exported[place % flowCount]! }));
    const kinds = { keys: 0, keysInPrompts: 0, timeouts: 0, hangUps: 0, destinations: 0 };
    const next = calls.values();
    const callOneAfterAnother = async (): Promise<void> => {
      for (const call of next) {
        const played = await playCall(callers, call.exported, call);
        expect({ heard: played.heard, end: played.end }, played.story).toEqual(
          simulatedCall(call.exported, played),
        );
        expect(played.earlyTimeouts, played.story).toEqual([]);
        for (const [place, inputs] of played.received)
          for (const input of inputs) {
            kinds.timeouts += input === '-' ? 1 : 0;
            kinds.keys += input === '-' ? 0 : 1;
            kinds.keysInPrompts += 'plays' in played.heard[place]! ? 1 : 0;
          }
        kinds[played.end.includes('_destinations,') ? 'destinations' : 'hangUps'] += 1;
      }
    };
    await Promise.all(Array.from({ length: atATime }, callOneAfterAnother));

    // Nobody else was called: each call has two halves.
    expect(callers.channels.size).toBe(2 * calls.length);
    expect(await asterisk.ari('GET', '/channels')).toEqual([]);
    expect(await asterisk.log(), 'all prompts were found').not.toContain('file.c');
    for (const [kind, count] of Object.entries(kinds)) expect(count, kind).toBeGreaterThan(calls.length / 20);
    console.log(`${calls.length} calls agree with the simulator`, kinds);
  });
});
