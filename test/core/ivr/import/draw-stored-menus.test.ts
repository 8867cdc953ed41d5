import { describe, expect, it } from 'vitest';
import { IvrDocument, type MenuNode, type NodeId } from '../../../../src/contract/menu/ivr-draft.ts';
import type { IvrBody } from '../../../../src/contract/menu/ivr.ts';
import { parseIvrBody } from '../../../../src/core/ivr/body/parse-ivr-body.ts';
import { drawStoredMenus } from '../../../../src/core/ivr/import/draw-menus.ts';
import { ivrBody } from '../../../fixtures/ivr-bodies.ts';

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
