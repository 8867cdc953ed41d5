import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseIvrBody } from '../../../../src/core/ivr/body/parse-ivr-body.ts';
import { fieldErrors } from '../../../../src/text/window/field-errors.ts';
import { ivrBody, sampleBody } from '../../../fixtures/ivr-bodies.ts';
import type { MenuNode, NodeId } from '../../../../src/contract/menu/ivr-draft.ts';
import { bodyOfMenu, menuBody } from '../../../../src/core/ivr/body/menu-body.ts';
import { nodeOf } from '../../../../src/core/ivr/edit/lines.ts';
import { receptionDocument } from '../../../fixtures/reception-document.ts';
import { compileDraft } from '../../../../src/core/ivr/compile/compile-draft.ts';
import type { Flow } from '../../../../src/core/ivr/flow.ts';
import { publishPlan } from '../../../../src/core/ivr/body/publish-plan.ts';
import { cleanFlow } from '../../../fixtures/ivr-arbitraries.ts';
import {
  isSameReference,
  readReference,
  writeReference,
} from '../../../../src/contract/menu/ivr-reference.ts';

const smsOn = { smsTemplatesEnabled: true };
const smsOff = { smsTemplatesEnabled: false };

const stored = {
  name: 'Reception',
  description: 'Where every call begins',
  recording: 'recording||11',
  timeout: 5,
  option: ['1', '2', '0'],
  destination: ['extension||101', 'extension||102', 'voicemail||7'],
  incorrect_count: 3,
  invalid_recording: 'recording||12',
  invalid_destination: 'extension||100',
  timeout_retry_recording: 'recording||13',
  timeout_recording: 'recording||14',
  timeout_destination: 'hangup',
  timeout_tries: 2,
};

function errorsOf(input: unknown): Record<string, string> {
  const parsed = parseIvrBody(input, smsOn);
  if (parsed.ok) return {};
  return Object.fromEntries(fieldErrors(parsed.refusal).map(({ field, message }) => [field, message]));
}

describe('reading an IVR body', () => {
  it('takes the string forms of the field table', () => {
    expect(parseIvrBody(ivrBody, smsOff)).toEqual({ ok: true, value: { body: stored, warnings: [] } });
  });

  it('takes the numeric forms and extra fields of the sample; the fields win over their aliases', () => {
    expect(parseIvrBody(sampleBody, smsOn)).toEqual({
      ok: true,
      value: { body: { ...stored, sms_template: ['31', '32'] }, warnings: [] },
    });
  });

  it('takes an alias where its field is missing', () => {
    const { timeout_tries: tries, invalid_recording: invalid, ...rest } = ivrBody;
    const parsed = parseIvrBody({ ...rest, timeout_retries: tries, recording_invalid: invalid }, smsOff);
    expect(parsed).toMatchObject({
      ok: true,
      value: { body: { timeout_tries: 2, invalid_recording: 'recording||12' } },
    });
  });

  it.each([null, ''])('takes %j in a field that is not required as no field', (blank) => {
    const optional = { sms_template: blank, timeout_retries: blank, recording_invalid: blank, id: blank };
    expect(parseIvrBody({ ...ivrBody, ...optional }, smsOn)).toEqual({
      ok: true,
      value: { body: stored, warnings: [] },
    });
    const { timeout_tries: tries, invalid_recording: invalid, ...rest } = ivrBody;
    const aliased = { timeout_tries: blank, timeout_retries: tries, invalid_recording: blank };
    expect(parseIvrBody({ ...rest, ...aliased, recording_invalid: invalid }, smsOn)).toEqual({
      ok: true,
      value: { body: stored, warnings: [] },
    });
    expect(parseIvrBody({ ...ivrBody, sms_template: [blank, '31'] }, smsOn)).toMatchObject({
      value: { body: { sms_template: ['', '31'] } },
    });
  });

  it('refuses null in a required field; a description may be empty', () => {
    for (const field of Object.keys(ivrBody)) {
      expect(Object.keys(errorsOf({ ...ivrBody, [field]: null })), field).toContain(field);
    }
    expect(errorsOf({ ...ivrBody, description: '' })).toEqual({});
  });

  it('takes keys of several digits beside the twelve of a telephone', () => {
    const option = [...Array.from('1234567890*#'), '10', '*1'];
    const destination = option.map(() => 'extension||101');
    expect(errorsOf({ ...ivrBody, option, destination })).toEqual({});
  });

  it('says once what is wrong with a list that is a text', () => {
    const parsed = parseIvrBody(
      { ...ivrBody, option: '1,2', destination: 'extension||101,extension||102' },
      smsOn,
    );
    expect(parsed.ok ? [] : fieldErrors(parsed.refusal)).toEqual([
      { field: 'option', message: 'must be a list of 1 to 24 keys' },
      { field: 'destination', message: 'must be a list of 1 to 24 destinations' },
    ]);
  });

  it('takes another word for a department, and a sound of the telephone system by its name only', () => {
    const destination = ['queue||400', 'ring_group||600', 'number||+4930227350'];
    const parsed = parseIvrBody({ ...ivrBody, destination, recording: 'sound||custom/welcome' }, smsOff);
    expect(parsed.ok && parsed.value.body).toMatchObject({
      destination: ['department||400', 'ring_group||600', 'number||+4930227350'],
      recording: 'sound||custom/welcome',
    });
    for (const name of ['../welcome', '/tmp/x', 'a&b', 'a,b', 'a|b', 'custom/../x', '', '-x', 'x y', 'é'])
      expect(parseIvrBody({ ...ivrBody, recording: `sound||${name}` }, smsOff).ok, name).toBe(false);
  });

  it('takes a spoken text of 1,000 characters and an id of 200', () => {
    for (const recording of [`outbound_tts||${'x'.repeat(1000)}`, `recording||${'x'.repeat(200)}`])
      expect(parseIvrBody({ ...ivrBody, recording }, smsOff)).toMatchObject({
        value: { body: { recording } },
      });
  });

  it('leaves sms_template out with a warning while the setting is off', () => {
    const parsed = parseIvrBody(sampleBody, smsOff);
    expect(parsed).toMatchObject({ ok: true, value: { warnings: [{ field: 'sms_template' }] } });
    expect(parsed.ok && 'sms_template' in parsed.value.body).toBe(false);
  });

  it('leaves a field that is not an IVR’s out with a warning', () => {
    const parsed = parseIvrBody({ ...ivrBody, colour: 'red' }, smsOff);
    expect(parsed).toMatchObject({ ok: true, value: { body: stored, warnings: [{ field: 'colour' }] } });
  });

  for (const field of Object.keys(ivrBody)) {
    it(`says that ${field} is required when it is missing`, () => {
      const errors = errorsOf({ ...ivrBody, [field]: undefined });
      expect(errors[field]).toMatch(/^is required; it must be /);
    });
  }

  const wrong: [string, unknown, string][] = [
    ['name', '', 'must be a text of 1 to 100 characters'],
    ['name', 'x'.repeat(101), 'must be a text of 1 to 100 characters'],
    ['name', 7, 'must be a text of 1 to 100 characters'],
    ['description', 'x'.repeat(1001), 'must be a text of 0 to 1000 characters'],
    ['recording', '11', 'must be written <type>||<id>'],
    ['recording', 'extension||11', 'the type is one of recording, outbound_tts'],
    ['recording', 'recording||', 'must be written <type>||<id>'],
    ['recording', `recording||${'x'.repeat(201)}`, 'must be written <type>||<id>'],
    ['recording', `outbound_tts||${'x'.repeat(1001)}`, 'must be written <type>||<id>'],
    ['recording', 'outbound_tts||Press 1 | or 2', 'must be written <type>||<id>'],
    ['timeout', 0, 'must be a whole number of seconds from 1 to 120'],
    ['timeout', '121', 'must be a whole number of seconds from 1 to 120'],
    ['timeout', 2.5, 'must be a whole number of seconds from 1 to 120'],
    ['timeout', '5s', 'must be a whole number of seconds from 1 to 120'],
    ['timeout', null, 'must be a whole number of seconds from 1 to 120'],
    ['incorrect_count', -1, 'must be a whole number of retries from 0 to 20'],
    ['incorrect_count', '21', 'must be a whole number of retries from 0 to 20'],
    ['timeout_tries', true, 'must be a whole number of tries from 0 to 20'],
    ['option', [], 'must be a list of 1 to 24 keys'],
    ['option', '1', 'must be a list of 1 to 24 keys'],
    ['option', ['1', '2', '1'], 'must not have a key twice: 1'],
    ['option', ['1', 1, 2], 'must not have a key twice: 1'],
    ['destination', ['extension||1'], 'must have one destination for each option: 3, not 1'],
    ['invalid_destination', 'nowhere||1', 'the type is one of extension'],
    ['timeout_destination', 'hangup||a||b', 'must be written <type>||<id>'],
    ['sms_template', ['1', '2', '3', '4'], 'must have at most as many entries as option: 3, not 4'],
    ['sms_template', 'x', 'must be a list of at most 24 SMS template ids'],
  ];
  for (const [field, value, message] of wrong) {
    it(`refuses ${field} ${JSON.stringify(value).slice(0, 40)} and says what is allowed`, () => {
      expect(errorsOf({ ...ivrBody, [field]: value })[field]).toContain(message);
    });
  }

  it('names the entry of a list that is wrong', () => {
    expect(errorsOf({ ...ivrBody, option: ['1', '1#', '0'] })['option[1]']).toBe(
      'must be one key of 0-9, * or #, or 2 to 4 digits such as 10, of which the first may be *',
    );
    expect(errorsOf({ ...ivrBody, option: ['1', 12345, '0'] })['option[1]']).toBe(
      'must be one key of 0-9, * or #, or 2 to 4 digits such as 10, of which the first may be *',
    );
    expect(
      errorsOf({ ...ivrBody, destination: ['extension||1', 'x', 'hangup'] })['destination[1]'],
    ).toContain('<type>||<id>');
  });

  for (const input of [null, 'text', 7, [], [ivrBody]]) {
    it(`refuses ${JSON.stringify(input).slice(0, 20)} as a body`, () => {
      expect(errorsOf(input)).toEqual({ '': 'must be a JSON object with the fields of an IVR' });
    });
  }

  it('reads what it stored as what it stored, whatever was put in', () => {
    const field = fc.constantFrom(...Object.keys(ivrBody));
    fc.assert(
      fc.property(field, fc.anything(), (name, value) => {
        const parsed = parseIvrBody({ ...ivrBody, [name]: value }, smsOn);
        if (!parsed.ok) return;
        expect(parseIvrBody(parsed.value.body, smsOn)).toEqual({
          ok: true,
          value: { ...parsed.value, warnings: [] },
        });
      }),
    );
  });
});

describe('the body of a menu that is drawn', () => {
  const idOf = (menu: NodeId): string => `id_${menu}`;

  it('has the fields in the order of the spec, and other menus by their id', () => {
    const body = menuBody(receptionDocument, 'reception' as NodeId, idOf);
    expect(Object.keys(body)).toEqual([
      ...['name', 'description', 'recording', 'timeout', 'option', 'destination', 'incorrect_count'],
      ...['invalid_recording', 'invalid_destination', 'timeout_retry_recording', 'timeout_recording'],
      ...['timeout_destination', 'timeout_tries', 'sms_template'],
    ]);
    expect(body).toMatchObject({
      option: ['1', '2', '9'],
      destination: ['extension||100', 'ivr||id_sales', 'hangup'],
      sms_template: ['', '31'],
    });
  });

  it('leaves out what is open, and keeps the place of a key without a line', () => {
    const reception = nodeOf(receptionDocument, 'reception' as NodeId);
    if (reception?.kind !== 'menu') throw new Error('the reception is no menu');
    const half: MenuNode = {
      ...reception,
      recording: null,
      invalid_destination: null,
      keys: reception.keys.map((key, place) => ({
        ...key,
        to: place === 1 ? null : key.to,
        sms_template: null,
      })),
    };
    const body = menuBody(
      { ...receptionDocument, nodes: { ...receptionDocument.nodes, [half.id]: half } },
      half.id,
      idOf,
    );
    expect(body).not.toHaveProperty('recording');
    expect(body).not.toHaveProperty('invalid_destination');
    expect(body).not.toHaveProperty('sms_template');
    expect(body.destination).toEqual(['extension||100', '', 'hangup']);
    expect(menuBody(receptionDocument, 'desk' as NodeId, idOf)).toEqual({});
  });
});

function receptionFlow(): Flow {
  const compiled = compileDraft(receptionDocument, {});
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

describe('a reference', () => {
  it.each([
    ['recording||42', { type: 'recording', id: '42' }],
    ['outbound_tts||7', { type: 'outbound_tts', id: '7' }],
    ['ivr||ivr_1', { type: 'ivr', id: 'ivr_1' }],
    ['hangup', { type: 'hangup', id: '' }],
    ['hangup||now', { type: 'hangup', id: 'now' }],
    ['moon||2', { type: 'moon', id: '2' }],
    ['constructor||2', { type: 'constructor', id: '2' }],
    ['extension||', { type: 'extension', id: '' }],
  ])('%s is read and written', (text, reference) => {
    expect(readReference(text)).toEqual(reference);
    expect(writeReference(reference)).toBe(text);
  });

  it.each(['', 'extension', '||42', '42', 'extension|42'])('%j is none', (text) => {
    expect(readReference(text)).toBeNull();
  });

  it('to the end of the call is the same with and without bars', () => {
    expect(isSameReference('hangup||', 'hangup')).toBe(true);
    expect(isSameReference('extension||1', 'extension||1')).toBe(true);
    expect(isSameReference('extension||1', 'voicemail||1')).toBe(false);
    expect(isSameReference('nonsense', 'hangup')).toBe(false);
  });
});
