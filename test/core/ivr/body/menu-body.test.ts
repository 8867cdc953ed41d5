import { describe, expect, it } from 'vitest';
import type { MenuNode, NodeId } from '../../../../src/contract/menu/ivr-draft.ts';
import { menuBody } from '../../../../src/core/ivr/body/menu-body.ts';
import { nodeOf } from '../../../../src/core/ivr/edit/lines.ts';
import { receptionDocument } from '../../../fixtures/reception-document.ts';

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
