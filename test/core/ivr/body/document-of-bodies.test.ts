import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IvrDocument, type MenuNode, type NodeId } from '../../../../src/contract/ivr-draft.ts';
import type { IvrBody } from '../../../../src/contract/ivr.ts';
import { documentOfBodies } from '../../../../src/core/ivr/body/document-of-bodies.ts';
import { layInColumns } from '../../../../src/core/ivr/body/lay-in-columns.ts';
import { menuBody } from '../../../../src/core/ivr/body/menu-body.ts';
import { parseIvrBody } from '../../../../src/core/ivr/body/parse-ivr-body.ts';
import { anyDocument } from '../../../fixtures/ivr-arbitraries.ts';
import { ivrBody } from '../../../fixtures/ivr-bodies.ts';
import { receptionDocument } from '../../../fixtures/reception-document.ts';

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
  const document = documentOfBodies(
    [
      { id: 'ivr_sub', body: sub },
      { id: 'ivr_main', body: { ...main, timeout_destination: 'ivr||ivr_main' } },
    ],
    'Two menus',
  );

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

  it('connects the caller with the first that no other leads to, or with the first', () => {
    expect(document.caller.to).toBe('menu1');
    const single = (destination: string) => bodyWith({ destination: [destination, 'hangup', 'hangup'] });
    const led = documentOfBodies(
      [
        { id: 'a', body: single('hangup') },
        { id: 'b', body: single('ivr||a') },
      ],
      'b leads to a',
    );
    expect(led.caller.to).toBe('menu2');
    expect(documentOfBodies([], 'None').caller.to).toBeNull();
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
    const reception = menuIn(receptionDocument, 'reception');
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
