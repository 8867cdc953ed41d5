import { describe, expect, it } from 'vitest';
import type { MenuNode } from '../../../../src/contract/menu/ivr-draft.ts';
import { documentExport } from '../../../../src/core/ivr/document-file.ts';
import { clipText, readClip } from '../../../../src/renderer/ivr/designer/use-clipboard.ts';
import { templates } from '../../../../src/renderer/ivr/drafts/templates.ts';

const reception = templates[0]!.document;

describe('parts on the clipboard', () => {
  it('come back as they were, with the lines among them and without the others', () => {
    const nodes = readClip(clipText(reception, new Set(['reception', 'sales', 'caller']))!)!;
    expect(nodes.map(({ id }) => id)).toEqual(['reception', 'sales']);
    const menu = nodes[0] as MenuNode;
    expect(menu.keys.map(({ to }) => to)).toEqual(['sales', null, null, null]);
    expect([menu.invalid_destination, menu.timeout_destination]).toEqual([null, null]);
    expect(nodes[1]).toEqual(reception.nodes['sales' as keyof typeof reception.nodes]);
  });

  it('are none when only the caller is selected', () => {
    expect(clipText(reception, new Set(['caller']))).toBeNull();
  });

  it('are read from a whole export too', () => {
    expect(readClip(documentExport(reception))).toEqual(Object.values(reception.nodes));
  });

  for (const [what, text] of [
    ['a sentence', 'Press 1 for sales.'],
    ['a body', '{"name":"Reception","option":["1"]}'],
    ['an empty draft', documentExport({ ...reception, nodes: {} })],
    ['an invalid draft', '{"format":"rotavox-ivr","version":1,"document":{"nodes":[]}}'],
    ['JSON of another kind', '[1, 2]'],
  ] as const) {
    it(`are not made of ${what}`, () => {
      expect(readClip(text)).toBeNull();
    });
  }
});
