import { describe, expect, it } from 'vitest';
import { IvrDocument, type NodeId } from '../../../src/contract/menu/ivr-draft.ts';
import { bodyOfMenu, menuBody } from '../../../src/core/ivr/body/menu-body.ts';
import { compileDraft } from '../../../src/core/ivr/compile/compile-draft.ts';
import { applyDelta, deltaBetween } from '../../../src/core/ivr/draft/document-delta.ts';
import { changeMenu, moveNodes, putScenario } from '../../../src/core/ivr/edit/edit-nodes.ts';
import { fingerprintOf } from '../../../src/core/ivr/fingerprint.ts';
import { changeFlowPrompt } from '../../../src/core/ivr/flow-prompts.ts';
import { twoMenus } from '../../fixtures/ivr-documents.ts';

const reception = 'reception' as NodeId;
const own = { invalid_recording: null, timeout_retry_recording: null, timeout_recording: null };
const bare = changeMenu(twoMenus, reception, own);
const withPrompts = changeFlowPrompt(
  changeFlowPrompt(bare, 'wrong_key', 'recording||8'),
  'timeout',
  'outbound_tts||No key was pressed.',
);
const heard = {
  invalid_recording: 'recording||8',
  timeout_retry_recording: 'outbound_tts||No key was pressed.',
  timeout_recording: 'outbound_tts||No key was pressed.',
};

describe('the prompts of all menus', () => {
  it('are played by a menu that has none of its own, and are in its body', () => {
    expect(compileDraft(bare).ok).toBe(false);
    const compiled = compileDraft(withPrompts);
    if (!compiled.ok) throw new Error('it compiles');
    const menu = compiled.value.menus.get(reception)!;
    expect(bodyOfMenu(menu, String)).toMatchObject(heard);
    expect(menuBody(withPrompts, reception, String)).toMatchObject(heard);
  });

  it('do not replace a prompt of a menu', () => {
    expect(menuBody(withPrompts, 'opening' as NodeId, String)).toMatchObject({
      invalid_recording: 'recording||2',
      timeout_recording: 'recording||4',
    });
  });

  it('are saved as a difference, also when they are removed', () => {
    for (const [before, after] of [
      [bare, withPrompts],
      [withPrompts, changeFlowPrompt(withPrompts, 'timeout', null)],
      [withPrompts, bare],
    ] as const) {
      const delta = deltaBetween(before, after);
      expect(delta).not.toBeNull();
      expect(applyDelta(before, delta!)).toEqual(after);
    }
  });

  it('are optional in a document', () => {
    expect(IvrDocument.parse(structuredClone(bare))).not.toHaveProperty('prompts');
    expect(IvrDocument.parse(structuredClone(withPrompts)).prompts).toEqual(withPrompts.prompts);
  });
});

describe('the fingerprint of a call flow', () => {
  it('stays the same while callers meet the same', () => {
    const moved = moveNodes(twoMenus, new Map([['sales', { x: 70, y: 90 }]]));
    const [scenario] = Object.values(twoMenus.scenarios);
    const other = { ...putScenario(moved, { ...scenario!, name: 'Another name' }), name: 'Other' };
    expect(fingerprintOf(other)).toBe(fingerprintOf(twoMenus));
    const spelledOut = changeMenu(withPrompts, reception, heard);
    expect(fingerprintOf(spelledOut)).toBe(fingerprintOf(withPrompts));
  });

  it('changes with a prompt, a key, a default prompt and the first menu', () => {
    const flows = [
      twoMenus,
      bare,
      withPrompts,
      changeMenu(twoMenus, reception, { recording: 'recording||9' }),
      changeMenu(twoMenus, reception, { keys: [] }),
      { ...twoMenus, caller: { ...twoMenus.caller, to: 'opening' as NodeId } },
    ];
    expect(new Set(flows.map(fingerprintOf)).size).toBe(flows.length);
  });
});
