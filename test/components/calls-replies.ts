import type { CallDetail, CallRecord, LiveCall } from '../../src/contract/calls/call.ts';
import { defaultDestinationRules, type PbxView } from '../../src/contract/calls/pbx.ts';

/** Canned replies about telephone systems and calls. */

const now = new Date();
export const at = (minutesAgo: number): string => new Date(now.getTime() - minutesAgo * 60_000).toISOString();

const menu = {
  version: 1,
  description: '',
  recording: 'recording||1',
  timeout: 5,
  option: ['1', '2'],
  destination: ['ivr||ivr_b', 'extension||101'],
  incorrect_count: 2,
  invalid_recording: 'recording||2',
  invalid_destination: 'extension||100',
  timeout_retry_recording: 'recording||3',
  timeout_recording: 'recording||4',
  timeout_destination: 'hangup',
  timeout_tries: 1,
  sms_template: [],
  created_at: at(10_000),
  updated_at: at(5_000),
};
export const menus = [
  { ...menu, id: 'ivr_a', name: 'Reception' },
  { ...menu, id: 'ivr_b', name: 'Sales' },
];

export const office = {
  id: 'pbx_a',
  name: 'office',
  url: 'http://127.0.0.1:8088',
  user: 'rotavox',
  insecure_http: false,
  destinations: defaultDestinationRules,
  created_at: at(9_000),
  state: { status: 'connected', since: at(90), version: '22.10.1' },
  calls: 3,
} as unknown as PbxView;

export const down = {
  ...office,
  state: {
    status: 'unreachable',
    since: at(4),
    trouble: { code: 'not_reached', detail: 'ECONNREFUSED' },
    next_try_at: new Date(now.getTime() + 30_000).toISOString(),
  },
  calls: 0,
} as unknown as PbxView;

export function liveCall(id: string, more: Partial<Record<keyof LiveCall, unknown>> = {}): LiveCall {
  return {
    id,
    pbx: 'office',
    ivr: 'ivr_a',
    draft: null,
    caller: '+49 30 1234567',
    started_at: at(1),
    keys: [],
    menu: 'ivr_a',
    menu_since: at(0.5),
    doing: 'waiting',
    ...more,
  } as unknown as LiveCall;
}

export function callRecord(id: string, more: Partial<Record<keyof CallRecord, unknown>> = {}): CallRecord {
  return {
    id,
    pbx: 'office',
    ivr: 'ivr_a',
    draft: null,
    caller: '+49 30 1234567',
    started_at: at(30),
    ended_at: at(29.5),
    keys: ['1', '-', '2'],
    end: { kind: 'destination', destination: 'extension||101' },
    ...more,
  } as unknown as CallRecord;
}

export const records = [
  callRecord('call_1'),
  callRecord('call_2', { caller: null, keys: [], end: { kind: 'hung_up', menu: 'ivr_b' } }),
  callRecord('call_3', { keys: ['9'], end: { kind: 'failed', reason: 'no_such_place' } }),
];

export const detail = {
  ...callRecord('call_1'),
  menu_names: { ivr_a: 'Reception', ivr_b: 'Sales' },
  moments: [
    { at_ms: 0, kind: 'entered', menu: 'ivr_a' },
    { at_ms: 20, kind: 'played', menu: 'ivr_a', recording: 'recording||1', missing: null },
    { at_ms: 3200, kind: 'key', menu: 'ivr_a', key: '1', used: true },
    { at_ms: 3210, kind: 'led', menu: 'ivr_a', by: 'key', to: { menu: 'ivr_b' } },
    { at_ms: 3220, kind: 'entered', menu: 'ivr_b' },
    { at_ms: 3230, kind: 'played', menu: 'ivr_b', recording: 'recording||7', missing: 'gone' },
    { at_ms: 3300, kind: 'waited', menu: 'ivr_b', seconds: 5 },
    { at_ms: 8300, kind: 'timeout', menu: 'ivr_b' },
    { at_ms: 12_000, kind: 'resumed', menu: 'ivr_b' },
    { at_ms: 14_000, kind: 'key', menu: 'ivr_b', key: '2', used: true },
    { at_ms: 14_020, kind: 'led', menu: 'ivr_b', by: 'key', to: { destination: 'extension||101' } },
  ],
} as unknown as CallDetail;

/** Of the menus here. */
const checkedPrompts = {
  silent: [
    { prompt: 'recording||11', reason: 'no_sound', pbx: 'office' },
    { prompt: 'recording||12', reason: 'unknown_sound', pbx: null },
  ],
};

/** The voice that is built in. */
export const basicVoice = {
  id: 'flite/slt',
  name: 'slt',
  language: 'en-US',
  quality: 'basic',
  engine: 'flite',
  engine_version: '2.2',
  model_digest: '0'.repeat(64),
  licence: 'BSD-4-Clause',
};

export const replies = {
  '/portal/recordings': { recordings: [] },
  '/portal/prompts/check': checkedPrompts,
  '/portal/schedules': { schedules: [] },
  '/portal/voices': { voices: [basicVoice], language: 'en-US', voice: null },
  '/portal/pbxs': { pbxs: [office] },
  '/portal/ivrs': { ivrs: menus },
  '/portal/extensions': { extensions: [{ id: '101', name: 'Anna' }] },
  '/portal/calls/live': { calls: [liveCall('live_1'), liveCall('live_2', { menu: 'ivr_b', keys: ['1'] })] },
  '/portal/calls': { calls: records, total: 3, next: null },
};

/** What a test of the connection found: two checks fail, with the lines that help. */
export const failedTest = {
  version: '22.10.1',
  checks: [
    { check: 'reach', trouble: null },
    { check: 'sign_in', trouble: null },
    { check: 'version', trouble: null },
    { check: 'modules', trouble: { code: 'module_missing', detail: 'res_http_media_cache' } },
    { check: 'rights', trouble: { code: 'read_only', detail: '' } },
  ],
  add: [
    { file: 'modules.conf', lines: ['load = res_http_media_cache.so'] },
    { file: 'ari.conf', lines: ['[rotavox]', 'read_only = no'] },
  ],
  silent: [],
};

export const passedTest = {
  version: '22.10.1',
  checks: ['reach', 'sign_in', 'version', 'modules', 'rights', 'application', 'prompts'].map((check) => ({
    check,
    trouble: null,
  })),
  add: [],
  silent: [
    { menu: 'Reception', prompt: 'recording||custom/welcome', reason: 'no_sound', pbx: 'office' },
    { menu: 'Reception', prompt: 'outbound_tts||Good morning', reason: 'not_speech', pbx: null },
  ],
};
