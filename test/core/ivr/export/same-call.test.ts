import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dialplanNames, soundFile } from '../../../../src/core/ivr/export/dialplan-names.ts';
import type { Flow } from '../../../../src/core/ivr/flow.ts';
import { runInputs } from '../../../../src/core/ivr/call/run-scenario.ts';
import { cleanFlow, inputs } from '../../../fixtures/ivr-arbitraries.ts';
import { propertyRuns } from '../../../fixtures/property-runs.ts';
import { Caller, callEngine, asterisk, freeswitch, route, type TelephoneSystem } from './call-engine.ts';
import { deeds, wildFlow } from './wild-flow.ts';
import { anyTime } from '../../../fixtures/any-time.ts';

/** Possible mistakes of an exporter, as replacements in its output. */
const slips: Readonly<Record<string, readonly (readonly [string, string, string])[]>> = {
  Asterisk: [
    ['wrong keys that are counted on in the next menu', 'Set(ROTAVOX_WRONG_KEYS=0)', 'Answer()'],
    ['silences that are counted on in the next menu', 'Set(ROTAVOX_SILENCES=0)', 'Answer()'],
    ['one counter for both', 'ROTAVOX_SILENCES', 'ROTAVOX_WRONG_KEYS'],
    ['a last prompt that a key ends', 'Playback(', 'Background('],
    [
      'a wait that another follows',
      ' same => n,WaitExten(',
      ' same => n,WaitExten(1)\n same => n,WaitExten(',
    ],
    ['attempts that do not play the menu again', '(again),Background', ',Background'],
  ],
  FreeSWITCH: [
    ['wrong keys that are counted on in the next menu', 'rotavox_wrong_keys="/>', 'other="/>'],
    ['silences that are counted on in the next menu', 'rotavox_silences="/>', 'other="/>'],
    ['one counter for both', 'rotavox_silences', 'rotavox_wrong_keys'],
    ['# as what ends the keys', 'ivr_menu_terminator=none', 'other=none'],
    ['menus that count two attempts', 'max-failures="1"', 'max-failures="2"'],
    ['menus that play their notice by themselves', 'digit-len="1">', 'digit-len="1" invalid-sound="x.wav">'],
    ['menus that say good-bye', 'digit-len="1">', 'digit-len="1" exit-sound="x.wav">'],
  ],
};

/** Whether any caller of any flow is led differently than by the engine when the output is changed like this. */
function differs(system: TelephoneSystem, write: (flow: Flow) => string): boolean {
  return fc.check(
    fc.property(wildFlow, deeds, (flow, list) => {
      expect(route(system.run(write(flow), list))).toEqual(system.expected(flow, list));
    }),
    { numRuns: 2000, seed: 1, endOnFailure: true },
  ).failed;
}

function withOneMore(flow: Flow, of: 'wrongKey' | 'timeout'): Flow {
  const menus = Array.from(
    flow.menus,
    ([id, menu]) => [id, { ...menu, [of]: { ...menu[of], retries: menu[of].retries + 1 } }] as const,
  );
  return { ...flow, menus: new Map(menus) };
}

describe.each([asterisk, freeswitch])('what $name runs', (system) => {
  it('leads each caller of a flow that proves clean as the engine does, with the same prompts in the same order', () => {
    fc.assert(
      fc.property(cleanFlow, inputs, (flow, list) => {
        const waiting = list.map((input) => ({ input, during: 'wait' as const }));
        expect(route(system.run(system.write(flow), waiting))).toEqual(system.expected(flow, waiting));
      }),
    );
  });

  it('does so for any flow, whatever its texts hold, and for keys during a prompt', () => {
    fc.assert(
      fc.property(wildFlow, deeds, (flow, list) => {
        expect(route(system.run(system.write(flow), list))).toEqual(system.expected(flow, list));
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it.each(['wrongKey', 'timeout'] as const)('is told from a %s counter that allows one more', (counter) => {
    expect(differs(system, (flow) => system.write(withOneMore(flow, counter)))).toBe(true);
  });

  it.each(slips[system.name]!)('is distinguished from %s', (_, right, wrong) => {
    expect(differs(system, (flow) => system.write(flow).replaceAll(right, wrong))).toBe(true);
  });
});

describe('the engine as these tests call it', () => {
  it('hears what runInputs returns, and ends at the same place', () => {
    fc.assert(
      fc.property(cleanFlow, inputs, (flow, list) => {
        const names = dialplanNames(flow, '');
        const { happenings, state } = runInputs(flow, list, anyTime);
        const waiting = list.map((input) => ({ input, during: 'wait' as const }));
        const { heard, end } = callEngine(flow, new Caller(waiting), (name) => name);
        expect(heard).toEqual(
          happenings.flatMap((happening): object[] => {
            if (happening.kind === 'playing')
              return [{ plays: soundFile(names, { prompt: happening.prompt.recording, speech: undefined }) }];
            return happening.kind === 'waiting' ? [{ waitsMs: happening.seconds * 1000 }] : [];
          }),
        );
        expect(end).toEqual(
          state.kind === 'ended'
            ? { kind: 'left', destination: names.destinations.get(state.destination) }
            : { kind: 'waiting', menu: names.menus.get(state.menu) },
        );
      }),
    );
  });
});
