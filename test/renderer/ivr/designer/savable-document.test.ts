import { expect, test } from 'vitest';
import { draftBounds, IvrDocument, NodeId } from '../../../../src/contract/menu/ivr-draft.ts';
import { changeMenu, putScenario } from '../../../../src/core/ivr/edit/edit-nodes.ts';
import { savableDocument } from '../../../../src/renderer/ivr/designer/saving/savable-document.ts';
import { tooLong } from '../../../../src/renderer/ivr/designer/inspector/spec-field.tsx';
import { twoMenus } from '../../../fixtures/ivr-documents.ts';

const menu = NodeId.parse('reception');
const long = 'x'.repeat(5_000);

test('a document with nothing too long is saved as it is', () => {
  expect(savableDocument(twoMenus)).toBe(twoMenus);
  const described = changeMenu(twoMenus, menu, { description: 'x'.repeat(1_500) });
  expect(savableDocument(described)).toBe(described);
});

test('a field that is too long is cut, and everything else is saved', () => {
  const key = { key: '7', to: null, sms_template: long };
  const edited = {
    ...changeMenu(twoMenus, menu, { description: long, name: long, timeout: 9, keys: [key] }),
    name: long,
  };
  const scenario = { ...Object.values(twoMenus.scenarios)[0]!, name: long };
  const saved = savableDocument(putScenario(edited, scenario));
  expect(IvrDocument.safeParse(saved).success).toBe(true);
  expect(saved.name).toHaveLength(draftBounds.nameLength);
  expect(saved.nodes[menu]).toMatchObject({
    description: 'x'.repeat(draftBounds.textLength),
    timeout: 9,
    keys: [{ key: '7', sms_template: 'x'.repeat(draftBounds.textLength) }],
  });
  expect(edited.nodes[menu]).toMatchObject({ description: long });
});

test('names are saved without what no name may have', () => {
  const odd = 'Sa\u202el\u200bes\n';
  const scenario = { ...Object.values(twoMenus.scenarios)[0]!, name: odd };
  const edited = putScenario({ ...changeMenu(twoMenus, menu, { name: odd }), name: odd }, scenario);
  const saved = savableDocument(edited);
  expect(saved.name).toBe('Sales');
  expect(saved.nodes[menu]).toMatchObject({ name: 'Sales' });
  expect(saved.scenarios[scenario.id]).toMatchObject({ name: 'Sales' });
});

test('nothing is saved of a character that another program has lost', () => {
  const saved = savableDocument(
    changeMenu(twoMenus, menu, { description: 'M\ufffdller', name: 'M\ufffdller' }),
  );
  expect(saved.nodes[menu]).toMatchObject({ description: 'Mller', name: 'Mller' });
});

test('no character is cut in half', () => {
  const faces = `${'x'.repeat(draftBounds.textLength - 1)}😀`;
  const saved = savableDocument(changeMenu(twoMenus, menu, { description: faces }));
  expect(saved.nodes[menu]).toMatchObject({ description: 'x'.repeat(draftBounds.textLength - 1) });
});

test('the same edit is the same document to save', () => {
  const edited = changeMenu(twoMenus, menu, { description: long });
  expect(savableDocument(edited)).toBe(savableDocument(edited));
});

test('a field says how long its text may be, and what of it is saved', () => {
  expect(tooLong('x'.repeat(100), 100)).toBeUndefined();
  expect(tooLong('x'.repeat(101), 100)).toBe('At most 100 characters. This has 101.');
  expect(tooLong(long, 1_000)).toBe(
    'At most 1,000 characters. This has 5,000. Only the first 2,000 are saved.',
  );
});
