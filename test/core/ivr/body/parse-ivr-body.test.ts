import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseIvrBody } from '../../../../src/core/ivr/body/parse-ivr-body.ts';
import { fieldErrors } from '../../../../src/text/window/field-errors.ts';
import { ivrBody, sampleBody } from '../../../fixtures/ivr-bodies.ts';

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

  it('says once what is wrong with a list that is a text', () => {
    const parsed = parseIvrBody(
      { ...ivrBody, option: '1,2', destination: 'extension||101,extension||102' },
      smsOn,
    );
    expect(parsed.ok ? [] : fieldErrors(parsed.refusal)).toEqual([
      { field: 'option', message: 'must be a list of 1 to 12 keys' },
      { field: 'destination', message: 'must be a list of 1 to 12 destinations' },
    ]);
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
    ['option', [], 'must be a list of 1 to 12 keys'],
    ['option', '1', 'must be a list of 1 to 12 keys'],
    ['option', ['1', '2', '1'], 'must not have a key twice: 1'],
    ['option', ['1', 1, 2], 'must not have a key twice: 1'],
    ['destination', ['extension||1'], 'must have one destination for each option: 3, not 1'],
    ['invalid_destination', 'nowhere||1', 'the type is one of extension'],
    ['timeout_destination', 'hangup||a||b', 'must be written <type>||<id>'],
    ['sms_template', ['1', '2', '3', '4'], 'must have at most as many entries as option: 3, not 4'],
    ['sms_template', 'x', 'must be a list of at most 12 SMS template ids'],
  ];
  for (const [field, value, message] of wrong) {
    it(`refuses ${field} ${JSON.stringify(value).slice(0, 40)} and says what is allowed`, () => {
      expect(errorsOf({ ...ivrBody, [field]: value })[field]).toContain(message);
    });
  }

  it('names the entry of a list that is wrong', () => {
    expect(errorsOf({ ...ivrBody, option: ['1', '12', '0'] })['option[1]']).toBe(
      'must be one key of 0-9, * or #',
    );
    expect(errorsOf({ ...ivrBody, option: ['1', 12, '0'] })['option[1]']).toBe(
      'must be one key of 0-9, * or #',
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
