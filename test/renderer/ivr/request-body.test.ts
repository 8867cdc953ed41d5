import { describe, expect, it } from 'vitest';
import { parseIvrBody } from '../../../src/core/ivr/body/parse-ivr-body.ts';
import { exampleBody } from '../../../src/renderer/ivr/menus-window.tsx';
import { bodyText, requestBodyOf } from '../../../src/renderer/ivr/request-body.ts';
import { menuWith } from './menu.ts';

describe('the body of a menu', () => {
  it('makes the same menu again', () => {
    const menu = menuWith({ sms_template: ['31', '32'] });
    const body: unknown = JSON.parse(bodyText(requestBodyOf(menu)));
    const parsed = parseIvrBody(body, { smsTemplatesEnabled: true });
    expect(parsed).toMatchObject({ ok: true, value: { body, warnings: [] } });
    expect(body).not.toHaveProperty('id');
    expect(body).toHaveProperty('sms_template', ['31', '32']);
  });

  it('is written a field a line, lists in one', () => {
    expect(bodyText({ name: 'a "b"', option: ['1', '2'] })).toBe(
      '{\n  "name": "a \\"b\\"",\n  "option": ["1", "2"]\n}',
    );
  });

  it('of the example is one that the service takes without a word', () => {
    const parsed = parseIvrBody(exampleBody, { smsTemplatesEnabled: false });
    expect(parsed).toMatchObject({ ok: true, value: { warnings: [] } });
  });
});
