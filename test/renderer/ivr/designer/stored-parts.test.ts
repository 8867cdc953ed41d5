import { expect, it } from 'vitest';
import { IvrDocument } from '../../../../src/contract/menu/ivr-draft.ts';
import { defaultDestinationRules } from '../../../../src/contract/calls/pbx.ts';
import type {
  FlowPart,
  FlowPartId,
  ScheduleId,
  ScheduleView,
} from '../../../../src/contract/menu/schedule.ts';
import type { StoredIvr } from '../../../../src/contract/menu/ivr.ts';
import { defaultSettings } from '../../../../src/contract/service/settings.ts';
import { ivrBody } from '../../../fixtures/ivr-bodies.ts';
import { compileDraft } from '../../../../src/core/ivr/compile/compile-draft.ts';
import { asteriskDialplan } from '../../../../src/core/ivr/export/asterisk-dialplan.ts';
import { outsideRules } from '../../../../src/core/ivr/outside-number.ts';
import { withAllStored } from '../../../../src/renderer/ivr/designer/reference-data.ts';

it('an export has the published opening hours and messages that a draft leads to, with their schedule', () => {
  const at = { x: 0, y: 0 };
  const document = IvrDocument.parse({
    name: 'Line',
    caller: { place: at, to: 'hello' },
    nodes: {
      hello: {
        kind: 'message',
        id: 'hello',
        place: at,
        name: 'Hello',
        recording: 'outbound_tts||Hello',
        then: 'away',
      },
      away: { kind: 'end', id: 'away', place: at, type: 'ivr', ref: 'ivr_1' },
    },
    scenarios: {},
  });
  const parts: FlowPart[] = [
    {
      kind: 'hours',
      id: 'hours_1' as FlowPartId,
      name: 'Office',
      hours: 'hrs_1' as ScheduleId,
      open: 'extension||101',
      closed: 'message||message_1',
      holiday: null,
    },
    {
      kind: 'message',
      id: 'message_1' as FlowPartId,
      name: 'Closed',
      recording: 'outbound_tts||We are closed',
      then: 'voicemail||7',
    },
  ];
  const day = [{ from: '08:15', to: '16:45' }];
  const schedule = {
    id: 'hrs_1',
    name: 'Office',
    time_zone: 'Europe/Lisbon',
    weekly: { mon: day, tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] },
    exceptions: [],
  } as unknown as ScheduleView;
  const lobby = {
    ...ivrBody,
    option: ['1'],
    destination: ['hours||hours_1'],
    timeout: 5,
    incorrect_count: 2,
    timeout_tries: 1,
    id: 'ivr_1',
    version: 1,
    created_at: '',
    updated_at: '',
  } as unknown as StoredIvr;
  const compiled = compileDraft(document, {});
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.refusal));
  const flow = withAllStored(compiled.value, {
    menus: [lobby],
    parts,
    schedules: [schedule],
    extensions: [],
  });
  expect([...flow.hours.keys(), ...flow.messages.keys()]).toEqual(['hours_1', 'hello', 'message_1']);
  const text = asteriskDialplan(flow, 'line', {
    rules: defaultDestinationRules,
    recordings: new Set(),
    outside: outsideRules(defaultSettings),
  });
  expect(text).toContain('495');
  expect(text).toContain('Europe/Lisbon');
  expect(text).toContain('We are closed');
});
