import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultDestinationRules as rules } from '../../../src/contract/calls/pbx.ts';
import {
  freeswitchStep,
  routedTypes,
  routeOf,
  whyUnreachable,
} from '../../../src/core/ivr/destination-route.ts';

test.each([
  ['extension||101', { kind: 'dialplan', context: 'from-internal', extension: '101' }],
  ['extension||*97', { kind: 'dialplan', context: 'from-internal', extension: '*97' }],
  ['extension||+4930555010', { kind: 'dialplan', context: 'from-internal', extension: '+4930555010' }],
  ['voicemail||7', { kind: 'dialplan', context: 'from-internal', extension: '*7' }],
  ['time_condition||4', { kind: 'dialplan', context: 'timeconditions', extension: '4' }],
  ['timegroup||4', { kind: 'none', why: { code: 'no_rule', type: 'timegroup' } }],
  ['hangup', { kind: 'hang_up' }],
  ['ivr||x', { kind: 'other_menu', id: 'x' }],
  ['something||1', { kind: 'none', why: { code: 'unknown_type' } }],
  ['no reference', { kind: 'none', why: { code: 'unknown_type' } }],
])('%j is reached at %j', (destination, expected) => {
  expect(routeOf(destination, rules)).toEqual(expected);
});

// What people enter: E.123 writing, addresses of SIP (forum reports of dialplans that hang up), dialplan of their own.
test.each<[string, string, string | null]>([
  ['+49 30 555010', ' ', '+4930555010'],
  ['(030) 555-010', '(', '030555010'],
  ['+49 (0)30 555010', ' ', '+4930555010'],
  ['030/555010', '/', '030555010'],
  ['030.555.010', '.', '030555010'],
  ['tel:+4930555010', ':', '+4930555010'],
  ['sip:4930555010@trunk.example.com', ':', '4930555010'],
  ['sip:alice@example.com', ':', null],
  ['alice.smith', '.', null],
  ['101@default', '@', '101'],
  ['101&102', '&', null],
  ['101,1)\n same => n,System(rm', ',', null],
  ['${EXTEN}', '$', null],
  ['Müller', 'ü', null],
  ['٣٤', '٣', null],
])('no call reaches %j: it contains %j', (id, character, suggested) => {
  const why = { code: 'character', character, suggested };
  expect(whyUnreachable(`extension||${id}`)).toEqual({ type: 'extension', id, why });
  expect(routeOf(`voicemail||${id}`, rules)).toEqual({ kind: 'none', why });
  expect(freeswitchStep(`extension||${id}`)).toBeNull();
});

test.each(['h', 't', 'T', 'i', '-', '+'])('no call reaches %j, which means something else', (id) => {
  expect(whyUnreachable(`extension||${id}`)).toEqual({ type: 'extension', id, why: { code: 'reserved' } });
  expect(routeOf(`extension||${id}`, rules)).toEqual({ kind: 'none', why: { code: 'reserved' } });
});

test('no id becomes dialplan of its own', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 100 }), (id) => {
      const to = routeOf(`extension||${id}`, rules);
      if (to.kind === 'dialplan') expect(to.extension).toMatch(/^[A-Za-z0-9*#+_-]{1,80}$/);
      expect(to.kind === 'dialplan').toBe(freeswitchStep(`extension||${id}`) !== null);
    }),
  );
});

test('a type is reached where every telephone system has a place for it', () => {
  const place = { context: 'groups', extension: '{id}' };
  expect(routedTypes([])).toEqual(['extension', 'department', 'voicemail', 'time_condition']);
  expect(routedTypes([{ destinations: { ...rules, timegroup: place } }])).toContain('timegroup');
  const both = [{ destinations: { extension: place } }, { destinations: { ...rules, timegroup: place } }];
  expect(routedTypes(both)).toEqual(['extension']);
});
