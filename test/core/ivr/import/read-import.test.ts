import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { IvrDocument, type MenuNode, NodeId } from '../../../../src/contract/menu/ivr-draft.ts';
import { bodyExport, menuBody, partsOfFlow } from '../../../../src/core/ivr/body/menu-body.ts';
import { compileDraft } from '../../../../src/core/ivr/compile/compile-draft.ts';
import { parseIvrBody } from '../../../../src/core/ivr/body/parse-ivr-body.ts';
import { documentExport } from '../../../../src/core/ivr/document-file.ts';
import { readImport } from '../../../../src/core/ivr/import/read-import.ts';
import { menusOf } from '../../../../src/core/ivr/edit/lines.ts';
import { importErrors, importWarnings } from '../../../../src/text/menu/flow-import.ts';
import { anyDocument, cleanDocument } from '../../../fixtures/ivr-arbitraries.ts';
import { ivrBody, sampleBody } from '../../../fixtures/ivr-bodies.ts';
import { drawnAlike } from '../../../fixtures/drawn-alike.ts';
import { twoMenus } from '../../../fixtures/ivr-documents.ts';
import { propertyRuns } from '../../../fixtures/property-runs.ts';
import type { IvrBody } from '../../../../src/contract/menu/ivr.ts';
import type { FlowPart, FlowPartId, ScheduleId } from '../../../../src/contract/menu/schedule.ts';
import { drawStoredMenus, layInColumns } from '../../../../src/core/ivr/import/draw-menus.ts';

/** A menu as the platform's `GET /v1/ivrs` returns it. */
const platformMenu = {
  id: 7,
  name: 'Reception',
  description: null,
  recording: 'recording||11',
  timeout: '5',
  invalid_retries: '3',
  invalid_recording: 'recording||12',
  invalid_destination_type: 'extension',
  invalid_destination: 100,
  timeout_retry_recording: 'recording||13',
  timeout_recording: 'recording||14',
  timeout_destination_type: 'hangup',
  timeout_destination: null,
  timeout_retries: 2,
  ivr_menu: [
    { option: 1, destination_type: 'extension', destination_id: 101, sms_template_id: null },
    { option: '2', destination_type: 'ivr', destination_id: '8', sms_template_id: 31 },
    { option: '*', destination_type: 'Time Condition', destination_id: 'night', sms_template_id: '' },
  ],
  created_at: '2026-01-01',
};

function read(value: unknown) {
  const result = readImport(typeof value === 'string' ? value : JSON.stringify(value));
  if (!result.ok) throw new Error(JSON.stringify(result.refusal));
  return result.value;
}

function errorsOf(text: string) {
  const result = readImport(text);
  return result.ok ? [] : result.refusal;
}

test('names are imported without what nobody sees; a whole call flow that has it in a name is refused with its place', () => {
  const odd = 'Sa\u202el\u200bes';
  const { document, warnings } = read({ ...ivrBody, name: odd });
  expect(firstMenu(document).name).toBe('Sales');
  expect(importWarnings(warnings)).toEqual([
    'Menu “Sales”: the name has invisible or control characters, which were left out.',
  ]);
  const [error] = errorsOf(JSON.stringify({ ...twoMenus, name: odd }));
  expect(error).toMatchObject({ code: 'field', at: 'name' });
});

const noWarnings = { notes: [], more: 0, leftOut: [] };

function bodies({ nodes, ...rest }: IvrDocument): unknown[] {
  const document = { nodes, ...rest };
  return menusOf(document).map(({ id }) => menuBody(document, id, String));
}

function firstMenu(document: IvrDocument): MenuNode {
  return menusOf(document)[0]!;
}

describe('a body', () => {
  it.each([
    ['in the forms of the field table', ivrBody],
    ['with an id that a hang-up does not need', { ...ivrBody, timeout_destination: 'hangup||late' }],
    [
      'in the forms of the sample request',
      { ...sampleBody, timeout_retries: 2, recording_invalid: 'recording||12' },
    ],
  ])('is read %s, and is the same body again', (_, input) => {
    const { document, warnings } = read(input);
    const parsed = parseIvrBody(input, { smsTemplatesEnabled: true });
    expect(parsed.ok && parsed.value.body).toEqual(bodies(document)[0]);
    expect(warnings).toEqual(noWarnings);
    expect(document.name).toBe('Reception');
    expect(document.caller.to).toBe('menu1');
  });

  it('stays open where something is missing, and says so', () => {
    const { timeout: _timeout, timeout_destination: _end, ...open } = ivrBody;
    const { document, warnings } = read({ ...open, destination: ['extension||101'] });
    expect(firstMenu(document)).toMatchObject({ timeout: null, timeout_destination: null });
    expect(firstMenu(document).keys.map(({ to }) => to)).toEqual(['end1', null, null]);
    const menu = { name: 'Reception', number: 1 };
    const ofMenu = { code: 'missing', params: null } as const;
    const ofKey = { code: 'key_without_destination', params: null } as const;
    const second = { label: '2', number: 2 };
    const third = { label: '0', number: 3 };
    expect(warnings.notes).toEqual([
      { ...ofMenu, at: 'timeout', place: { menu, key: null, field: 'timeout' } },
      { ...ofKey, at: 'destination[1]', place: { menu, key: second, field: 'destination' } },
      { ...ofKey, at: 'destination[2]', place: { menu, key: third, field: 'destination' } },
      { ...ofMenu, at: 'timeout_destination', place: { menu, key: null, field: 'timeout_destination' } },
    ]);
  });

  it.each([
    ['timeout', 'soon', 'not_a_number', { value: 'soon', found: 'text' }],
    ['timeout', {}, 'not_a_number', { value: null, found: 'object' }],
    ['timeout_destination', 'fax||1', 'unknown_type', { type: 'fax' }],
    ['timeout_destination', 'nowhere', 'not_a_destination', { of: 'menu', value: 'nowhere' }],
    ['timeout_destination', 'extension||', 'no_id', { type: 'extension' }],
    ['name', [], 'not_a_text', { found: 'list' }],
    ['recording_invalid', 'recording||99', 'contradicts', { other: 'invalid_recording' }],
  ])('is read with a warning when %s is %j', (field, value, code, params) => {
    expect(read({ ...ivrBody, [field]: value }).warnings.notes).toContainEqual(
      expect.objectContaining({ code, at: field, params }),
    );
  });

  it('is read with the first of two forms of its keys, and names the other', () => {
    const { warnings } = read({ ...ivrBody, ivr_menu: [] });
    expect(importWarnings(warnings)).toEqual([
      'Menu “Reception”: the list of keys is there in two forms; the one under “ivr_menu” was left out.',
    ]);
  });

  it.each(['colour', 'constructor'])('is read without the field %s, which a menu does not have', (field) => {
    const leftOut = [{ field, times: 1 }];
    expect(read({ ...ivrBody, [field]: 'x' }).warnings).toEqual({ ...noWarnings, leftOut });
  });
});

describe('the menus of the platform', () => {
  const { document, warnings } = read([
    platformMenu,
    { ...platformMenu, id: '8', name: 'Sales', ivr_menu: [] },
  ]);

  it('are read with their retries, their destinations in two parts and their keys', () => {
    expect(bodies(document)[0]).toEqual({
      name: 'Reception',
      description: '',
      recording: 'recording||11',
      timeout: 5,
      option: ['1', '2', '*'],
      destination: ['extension||101', 'ivr||menu2', 'time_condition||night'],
      incorrect_count: 3,
      invalid_recording: 'recording||12',
      invalid_destination: 'extension||100',
      timeout_retry_recording: 'recording||13',
      timeout_recording: 'recording||14',
      timeout_destination: 'hangup',
      timeout_tries: 2,
      sms_template: ['', '31'],
    });
  });

  it('are connected by a line where one leads to the id of another, and begin where none leads', () => {
    expect(firstMenu(document).keys[1]!.to).toBe('menu2');
    expect(document.caller.to).toBe('menu1');
  });

  it('say once what was left out of all of them', () => {
    expect(warnings).toEqual({ ...noWarnings, leftOut: [{ field: 'created_at', times: 2 }] });
  });

  it('say which key of which menu is incomplete', () => {
    const keys = [7, { option: '', destination: 'hangup' }, { digit: 5, destination: 'nowhere' }];
    const incomplete = { ...platformMenu, created_at: null, ivr_menu: keys };
    const { warnings: notes } = read({ data: [platformMenu, { ...incomplete, id: 8, name: '' }] });
    expect(notes.notes.map(({ at }) => at)).toEqual([
      'data[1].name',
      'data[1].ivr_menu[0]',
      'data[1].ivr_menu[1].option',
      'data[1].ivr_menu[2].destination',
    ]);
    expect(importWarnings({ ...notes, leftOut: [] })).toEqual([
      'Menu 2: the name is missing and stays open.',
      'Key number 1 of menu 2: the key must be an object, not a number; it was left out.',
      'Key number 2 of menu 2: the key is missing and stays open.',
      'Key 5 of menu 2: the destination is “nowhere”, which is not a kind of destination with an id, so the key has no destination yet.',
    ]);
  });

  it.each([
    ['alone', platformMenu],
    ['in a list', [platformMenu]],
    ['under data', { success: true, data: [platformMenu] }],
    ['under data, then ivrs', { data: { total: 1, ivrs: [platformMenu] } }],
    ['alone under data', { data: platformMenu }],
    ['under the only list', { Success: true, menus_of_account: [platformMenu] }],
  ])('are found %s', (_, value) => {
    expect(menusOf(read(value).document).map(({ name }) => name)).toEqual(['Reception']);
  });

  it('keep every digit of a long id that is written as a number', () => {
    const [first, second] = ['738529527931269425', '738529527931269426'];
    const short = { timeout: 'C', note: 'a "1234567890123456" \\\\' };
    const menus = JSON.stringify([
      {
        ...platformMenu,
        ...short,
        id: 'A',
        ivr_menu: [{ option: 1, destination_type: 'ivr', destination_id: 'B' }],
      },
      { ...platformMenu, id: 'B', name: 'Service', recording: 'B', invalid_destination: -12 },
    ]);
    const { document, warnings } = read(
      menus.replaceAll('"A"', first).replaceAll('"B"', second).replace('"C"', '1.1234567890123456'),
    );
    const [from, to] = menusOf(document);
    expect(from?.keys.map(({ to: end }) => end)).toEqual([to?.id]);
    expect(to?.recording).toBe(`recording||${second}`);
    expect(importWarnings(warnings)).toContain(
      'Menu “Reception”: the time to press a key must be a whole number, not “1.1234567890123457”, so it stays open.',
    );
  });

  it('may have the ids of their recordings alone', () => {
    const { document: read1 } = read({
      ...platformMenu,
      recording: 11,
      timeout_recording_type: 'outbound_tts',
      timeout_recording: '14',
    });
    expect(firstMenu(read1)).toMatchObject({
      recording: 'recording||11',
      timeout_recording: 'outbound_tts||14',
    });
  });
});

describe('an export', () => {
  it('is read back as the same drawing', () => {
    fc.assert(
      fc.property(cleanDocument, (document) => {
        expect(read(documentExport(document))).toEqual({ document, warnings: noWarnings });
        expect(read(document)).toEqual({ document, warnings: noWarnings });
        expect(read({ id: 'drf_1', revision: 3, document })).toEqual({ document, warnings: noWarnings });
      }),
    );
  });

  it('of bodies gives the same bodies again', () => {
    fc.assert(
      fc.property(cleanDocument, (document) => {
        const text = bodyExport(document);
        const { document: again, warnings } = read(text);
        expect(warnings).toEqual(noWarnings);
        const before = JSON.parse(text) as unknown;
        // The ids of the menus within a call flow are chosen by the import.
        const idOf = new Map(menusOf(again).map(({ id }, place) => [id, menusOf(document)[place]!.id]));
        expect(JSON.parse(bodyExport(again, (id) => idOf.get(id) ?? id))).toEqual(before);
      }),
    );
  });

  it('of another version is refused untouched', () => {
    expect(errorsOf('{"format":"rotavox-ivr","version":2,"document":{}}')).toMatchObject([
      { code: 'wrong_version', at: 'version' },
    ]);
    expect(errorsOf('{"format":"visio","version":1}')).toMatchObject([
      { code: 'wrong_format', at: 'format' },
    ]);
  });

  it.each([
    [['caller', 'place', 'x'], 0.5, 'document.caller.place.x must be a whole number'],
    [['caller'], undefined, 'document.caller is required; it must be an object'],
    [['nodes', 'menu1', 'name'], 7, 'document.nodes.menu1.name must be a text'],
    [['nodes', 'menu1', 'kind'], 'fax', 'document.nodes.menu1.kind must be one that a call flow has'],
    [['nodes', 'menu1', 'id'], 'menu7', 'document.nodes must have every entry under its own id'],
    [['name'], '', 'document.name must be at least 1 characters'],
  ])('in which %j was changed to %j is refused with the place', (path, value, error) => {
    const file = JSON.parse(documentExport(read(ivrBody).document)) as { document: object };
    let at = file.document as Record<string, object>;
    for (const part of path.slice(0, -1)) at = at[part] as Record<string, object>;
    Object.assign(at, { [path.at(-1)!]: value });
    expect(importErrors(errorsOf(JSON.stringify(file)))).toEqual([
      { field: error.split(' ', 1)[0], message: error.slice(error.indexOf(' ') + 1) },
    ]);
  });
});

describe('what cannot be read', () => {
  it.each([
    ['', '', 'not_json', { line: 1, column: 1, expected: 'value', found: 'end' }],
    [
      '{"name": "x",\n  "timeout": 5,\n}',
      '',
      'not_json',
      { line: 3, column: 1, expected: 'name', found: 'closing' },
    ],
    // A character that another program has lost, as it is and as an escape.
    ['{"timeout":1,\n"name":"M\ufffdller"}', '', 'replaced', { line: 2 }],
    ['{"timeout":1,\n"name":"M\\uFFFDller"}', '', 'replaced', { line: 2 }],
    ['[]', '', 'empty_list', null],
    ['{"data":[]}', 'data', 'empty_list', null],
    ['7', '', 'no_menus', { found: 'number' }],
    ['[{"timeout":1},7]', '[1]', 'not_a_menu', { found: 'number' }],
    ['{"data":[{"nom":"x"}]}', 'data[0]', 'not_a_menu', { found: 'object' }],
  ])('%j is refused with its place', (text, at, code, params) => {
    expect(errorsOf(text)).toEqual([{ code, at, params }]);
  });

  it('never throws, whatever it is, and gives drawings that may be kept', () => {
    const fields = fc.constantFrom(
      ...Object.keys(platformMenu),
      ...Object.keys(ivrBody),
      'data',
      'format',
      'document',
      '__proto__',
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.oneof(fc.jsonValue({ maxDepth: 1 }), fc.constantFrom('extension||1', 'ivr||7', 'hangup', '7', '')),
        fc.array(tie('tree'), { maxLength: 4 }),
        fc.dictionary(fields, tie('tree'), { maxKeys: 8 }),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        const result = readImport(JSON.stringify(value));
        if (result.ok) expect(IvrDocument.safeParse(result.value.document).success).toBe(true);
        else expect(result.refusal.length).toBeGreaterThan(0);
      }),
      { numRuns: propertyRuns(1000) },
    );
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void readImport(text)));
  });

  it.each([
    ['lists in lists', '['.repeat(200_000) + ']'.repeat(200_000)],
    [
      'a field of lists in lists',
      `{"timeout":${'['.repeat(200_000)}${']'.repeat(200_000)},"timeout_tries":[[]],"timeout_retries":1}`,
    ],
    ['more than a mebibyte', ' '.repeat(1024 * 1024) + '[]'],
    [
      'more menus than a drawing may have',
      JSON.stringify(Array.from({ length: 501 }, () => ({ timeout: 1 }))),
    ],
    [
      'more ends than a drawing may have',
      JSON.stringify(
        Array.from({ length: 30 }, (_, menu) => ({
          option: Array.from({ length: 24 }, () => 1),
          destination: Array.from({ length: 24 }, (__, key) => `extension||${menu}-${key}`),
        })),
      ),
    ],
  ])('%s is no danger', (_, text) => {
    const result = readImport(text);
    if (result.ok) expect(Object.keys(result.value.document.nodes).length).toBeLessThanOrEqual(500);
    else expect(result.refusal).toHaveLength(1);
  });

  it('keeps the ids of a drawing to those that it gives itself', () => {
    const { document } = read([
      { ...platformMenu, id: '__proto__' },
      { ...platformMenu, id: 'constructor' },
    ]);
    expect(menusOf(document).map(({ id }) => id)).toEqual([NodeId.parse('menu1'), NodeId.parse('menu2')]);
  });
});

function bodyWith(change: Partial<IvrBody>): IvrBody {
  const parsed = parseIvrBody({ ...ivrBody, ...change }, { smsTemplatesEnabled: true });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.refusal));
  return parsed.value.body;
}

function menuIn(document: IvrDocument, id: string): MenuNode {
  const node = document.nodes[id as NodeId];
  if (node?.kind !== 'menu') throw new Error(`${id} is no menu`);
  return node;
}

const sub = bodyWith({ name: 'Sub', destination: ['ivr||ivr_main', 'extension||5', 'extension||5'] });
const main = bodyWith({ name: 'Main', destination: ['ivr||ivr_sub', 'ivr||ivr_other', 'hangup'] });

describe('a drawing made of stored menus', () => {
  const document = drawStoredMenus([
    { id: 'ivr_sub', ...sub },
    { id: 'ivr_main', ...main, timeout_destination: 'ivr||ivr_main' },
  ]);

  it('is one that can be kept, with a line where one of them leads to another', () => {
    expect(IvrDocument.parse(document)).toEqual(document);
    expect(menuIn(document, 'menu1').keys[0]?.to).toBe('menu2');
    expect(menuIn(document, 'menu2').keys[0]?.to).toBe('menu1');
    expect(menuIn(document, 'menu2').timeout_destination).toBe('menu2');
  });

  it('draws each destination of a menu once, and a menu of elsewhere as an end', () => {
    const [, second, third] = menuIn(document, 'menu1').keys;
    expect(second?.to).toBe(third?.to);
    const elsewhere = menuIn(document, 'menu2').keys[1]?.to;
    expect(document.nodes[elsewhere!]).toMatchObject({ kind: 'end', type: 'ivr', ref: 'ivr_other' });
  });

  it('has the name of the menu that a call reaches first', () => {
    expect(document.name).toBe('Sub');
  });

  it('connects the caller with the first that no other leads to, or with the first', () => {
    expect(document.caller.to).toBe('menu1');
    const single = (destination: string) => bodyWith({ destination: [destination, 'hangup', 'hangup'] });
    const led = drawStoredMenus([
      { id: 'a', ...single('hangup') },
      { id: 'b', ...single('ivr||a') },
    ]);
    expect(led.caller.to).toBe('menu2');
    expect(drawStoredMenus([]).caller.to).toBeNull();
  });
});

describe('the layout in columns', () => {
  it('puts no node on another, whatever is drawn, and changes nothing but places', () => {
    fc.assert(
      fc.property(anyDocument, (document) => {
        const laid = layInColumns(document);
        const nodes = Object.values(laid.nodes);
        const places = [laid.caller.place, ...nodes.map(({ place }) => place)].map(({ x, y }) => `${x} ${y}`);
        expect(new Set(places).size).toBe(places.length);
        for (const { id, place } of nodes) {
          expect({ ...document.nodes[id], place }).toEqual(laid.nodes[id]);
        }
        expect(Object.keys(laid.nodes)).toEqual(Object.keys(document.nodes));
      }),
    );
  });
});

describe('stored menus that lead to opening hours and messages', () => {
  const menu = {
    ...bodyOf(ivrBody),
    id: 'ivr_1',
    invalid_destination: 'hours||hours_1',
    direct_dial: { numbers: 'directory' as const, digit_timeout: 3 },
  };
  const parts: FlowPart[] = [
    {
      kind: 'hours',
      id: 'hours_1' as FlowPartId,
      name: 'Front desk',
      hours: 'hrs_1' as ScheduleId,
      open: 'ivr||ivr_1',
      closed: 'message||message_1',
      holiday: null,
    },
    {
      kind: 'message',
      id: 'message_1' as FlowPartId,
      name: 'Shut',
      recording: 'recording||9',
      then: 'voicemail||7',
    },
  ];

  it('are drawn with them, and published as they were', () => {
    const document = drawStoredMenus([menu], parts);
    const nodes = Object.values(document.nodes);
    const [asked, shut] = [
      nodes.find(({ kind }) => kind === 'hours'),
      nodes.find(({ kind }) => kind === 'message'),
    ];
    expect(asked).toMatchObject({ hours: 'hrs_1', open: 'menu1', closed: shut?.id, holiday: null });
    expect(shut).toMatchObject({ name: 'Shut', recording: 'recording||9' });
    const idOf = (id: NodeId) =>
      ({ menu1: 'ivr_1', hours1: 'hours_1', message2: 'message_1' })[String(id)] ?? id;
    expect({ ...menuBody(document, NodeId.parse('menu1'), idOf), id: 'ivr_1' }).toEqual(menu);
    const flow = compileDraft(document, {});
    expect(flow.ok && partsOfFlow(flow.value, idOf, 'Front desk')).toEqual(parts);
  });

  it('are read again from the bodies that are exported of them', () => {
    const document = drawStoredMenus([menu], parts);
    const read = readImport(bodyExport(document));
    expect(read).toMatchObject({ ok: true, value: { warnings: { notes: [], leftOut: [] } } });
    if (read.ok) expect(drawnAlike(read.value.document)).toEqual(drawnAlike(document));
  });
});

function bodyOf(input: object): IvrBody {
  const parsed = parseIvrBody(input, { smsTemplatesEnabled: true });
  if (!parsed.ok) throw new Error('not a body');
  return parsed.value.body;
}
