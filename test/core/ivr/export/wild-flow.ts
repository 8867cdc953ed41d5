import fc from 'fast-check';
import type { NodeId } from '../../../../src/contract/menu/ivr-draft.ts';
import { ScenarioInput } from '../../../../src/contract/menu/ivr-draft.ts';
import type { FlowTarget } from '../../../../src/contract/menu/ivr-call.ts';
import { type Flow, type FlowMenu, menusOnly } from '../../../../src/core/ivr/flow.ts';
import type { Deed } from './call-engine.ts';

const keyNames = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '#'];
const inputs = [...keyNames, '-'].map((input) => ScenarioInput.parse(input));

/** The actions of a caller, including keys during prompts. */
export const deeds: fc.Arbitrary<Deed[]> = fc.array(
  fc.record({
    input: fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom(...inputs) },
      // Mostly the keys of the menus, and keys that count.
      {
        weight: 3,
        arbitrary: fc.constantFrom(...['1', '2', '9', '-'].map((input) => ScenarioInput.parse(input))),
      },
    ),
    during: fc.constantFrom('wait' as const, 'wait' as const, 'prompt' as const),
  }),
  { maxLength: 30 },
);

/** Unusual text, with everything that is special in a telephone system, in XML or in dot. */
export const wildText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom(
      ...'\n\r\u0085\u2028;,(){}[]$"\'\\<>&|=-#*!/:%~\u0000\ud800'.split(''),
      '--',
      '-->',
      ';--',
      '${',
      'a',
    ),
    maxLength: 40,
  }),
  fc.constantFrom(
    'x\nexten => 1,1,System(rm -rf /)',
    '"/><action application="system" data="reboot"/>',
    '--></context><context name="public">',
    '"];node[label="x',
    '</text><script>alert(1)</script>',
    '${SHELL(reboot)}',
    '10,1',
  ),
);

/** Flows in which every text is random, ids and references included. */
export const wildFlow: fc.Arbitrary<Flow> = fc
  .uniqueArray(wildText, { minLength: 1, maxLength: 4 })
  .chain((ids) => {
    const target: fc.Arbitrary<FlowTarget> = fc.oneof(
      fc.constantFrom(...ids).map((menu) => ({ kind: 'menu' as const, menu: menu as NodeId })),
      fc
        .tuple(
          fc.constantFrom(
            'extension||',
            'voicemail||',
            'department||',
            'ivr||',
            'timegroup||',
            'hangup||',
            '',
          ),
          fc.oneof(wildText, fc.constantFrom('101', '102')),
        )
        .map(([type, id]) => ({ kind: 'destination' as const, destination: type + id, node: null })),
    );
    const recording = fc.oneof(wildText, fc.constantFrom('recording||1', 'recording||2', 'Recording||1'));
    const retries = fc.integer({ min: 0, max: 3 });
    const keys = fc
      .uniqueArray(
        fc.record({
          key: fc.constantFrom(...keyNames),
          to: target,
          smsTemplate: fc.oneof(fc.constant(null), wildText, fc.constant('31')),
        }),
        { selector: ({ key }) => key, minLength: 1, maxLength: 6 },
      )
      .map((list) => new Map(list.map(({ key, ...chosen }) => [key, chosen])));
    const menu = (id: string): fc.Arbitrary<FlowMenu> =>
      fc.record({
        id: fc.constant(id as NodeId),
        name: wildText,
        description: wildText,
        recording,
        timeoutSeconds: fc.integer({ min: 1, max: 120 }),
        keys,
        wrongKey: fc.record({ recording, retries, to: target }),
        timeout: fc.record({ retries, retryRecording: recording, lastRecording: recording, to: target }),
        directDial: fc.constant(null),
      });
    return fc
      .tuple(...ids.map(menu))
      .map((menus) => menusOnly(ids[0] as NodeId, new Map(menus.map((one) => [one.id, one]))));
  });
