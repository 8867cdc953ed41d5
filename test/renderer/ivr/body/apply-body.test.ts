import { describe, expect, test } from 'vitest';
import { NodeId } from '../../../../src/contract/menu/ivr-draft.ts';
import type { IvrBody } from '../../../../src/contract/menu/ivr.ts';
import { menuBody } from '../../../../src/core/ivr/body/menu-body.ts';
import { applyBody, placeOfField, readBody } from '../../../../src/renderer/ivr/designer/body/apply-body.ts';
import { twoMenus } from '../../../fixtures/ivr-documents.ts';

const reception = NodeId.parse('reception');
const body = menuBody(twoMenus, reception, String) as IvrBody;

describe('a body that is applied to a menu', () => {
  test('the body of the menu itself changes nothing', () => {
    expect(applyBody(twoMenus, reception, body)).toEqual(twoMenus);
  });

  test('a menu of the call flow by its id is a line to it', () => {
    const changed = applyBody(twoMenus, reception, { ...body, timeout_destination: 'ivr||opening' });
    expect(changed.nodes[reception]).toMatchObject({ timeout_destination: 'opening' });
    expect(Object.keys(changed.nodes)).toEqual(Object.keys(twoMenus.nodes));
  });

  test('a destination that is not drawn yet is added once, however often it is named', () => {
    const changed = applyBody(twoMenus, reception, {
      ...body,
      destination: ['voicemail||7', 'ivr||elsewhere'],
      invalid_destination: 'voicemail||7',
    });
    expect(menuBody(changed, reception, String)).toMatchObject({
      destination: ['voicemail||7', 'ivr||elsewhere'],
      invalid_destination: 'voicemail||7',
    });
    expect(Object.keys(changed.nodes)).toHaveLength(Object.keys(twoMenus.nodes).length + 2);
  });

  test('a blank in the list of SMS templates is a key without one', () => {
    const changed = applyBody(twoMenus, reception, { ...body, sms_template: ['', '31'] });
    expect(changed.nodes[reception]).toMatchObject({
      keys: [{ sms_template: null }, { sms_template: '31' }],
    });
  });
});

describe('a body that is written by hand', () => {
  test('is judged as the service would, field by field', () => {
    const read = readBody(JSON.stringify({ ...body, timeout: 0, option: ['1', '1'] }));
    expect(read).toMatchObject({ ok: false });
    expect(!read.ok && read.refusal.map(({ field }) => field)).toEqual(['timeout', 'option']);
  });

  test('that is no JSON yet says so', () => {
    expect(readBody('{"name": ')).toMatchObject({ ok: false, refusal: [{ field: '' }] });
  });

  test('keeps its SMS templates whatever the setting is', () => {
    const read = readBody(JSON.stringify({ ...body, sms_template: ['31'] }));
    expect(read.ok && read.value.body.sms_template).toEqual(['31']);
  });

  test('its fields are found in the text', () => {
    const text = '{\n  "name": "A",\n  "option": ["1"]\n}';
    const found = placeOfField(text, 'option[0]');
    expect(found && text.slice(found.start, found.end)).toBe('"option": ["1"]');
    expect(placeOfField(text, 'timeout')).toBeNull();
    expect(placeOfField(text, '')).toBeNull();
  });
});
