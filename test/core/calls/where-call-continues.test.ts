import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultDestinationRules as rules } from '../../../src/contract/pbx.ts';
import { whereCallContinues } from '../../../src/core/calls/where-call-continues.ts';

test.each([
  ['extension||101', { kind: 'dialplan', context: 'from-internal', extension: '101' }],
  ['voicemail||7', { kind: 'dialplan', context: 'from-internal', extension: '*7' }],
  ['time_condition||4', { kind: 'dialplan', context: 'timeconditions', extension: '4' }],
  ['hangup', { kind: 'hang_up' }],
  ['ivr||x', { kind: 'unknown_menu' }],
  ['extension||101,1)\n same => n,System(rm', { kind: 'no_such_place' }],
  ['extension||${EXTEN}', { kind: 'no_such_place' }],
  ['extension||Müller', { kind: 'no_such_place' }],
  ['something||1', { kind: 'no_such_place' }],
  ['no reference', { kind: 'no_such_place' }],
])('%j continues at %j', (destination, expected) => {
  expect(whereCallContinues(destination, rules)).toEqual(expected);
});

test('no id becomes dialplan of its own', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 100 }), (id) => {
      const to = whereCallContinues(`extension||${id}`, rules);
      if (to.kind === 'dialplan') expect(to.extension).toMatch(/^[A-Za-z0-9*#+_-]{1,80}$/);
    }),
  );
});
