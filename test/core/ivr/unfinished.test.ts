import { describe, expect, it } from 'vitest';
import type { NodeId } from '../../../src/contract/menu/ivr-draft.ts';
import { checkDraft } from '../../../src/core/ivr/check-draft.ts';
import { changeMenu, emptyDocument, newMenu, putNode } from '../../../src/core/ivr/edit/edit-nodes.ts';
import { tallyOf } from '../../../src/core/ivr/tally.ts';
import { blocksPublishing, withToDos } from '../../../src/core/ivr/unfinished.ts';

const id = 'menu1' as NodeId;
const fresh = putNode(emptyDocument('New'), newMenu(id, 'Menu 1', { x: 0, y: 0 }));

describe('what is not done yet', () => {
  it('is a to-do in a new menu, and blocks publishing like an error', () => {
    const { problems } = checkDraft(fresh, null);
    const shown = withToDos(problems);
    expect(tallyOf(problems).todos).toBe(0);
    expect(tallyOf(shown)).toEqual({ errors: 0, todos: problems.length, warnings: 0 });
    expect(shown.every(blocksPublishing)).toBe(true);
  });

  it('is told apart from mistakes, which come first', () => {
    const keys = [
      { key: 'x', to: null, sms_template: null },
      { key: '', to: null, sms_template: null },
    ];
    const shown = withToDos(
      checkDraft(changeMenu(fresh, id, { keys, recording: 'nothing', timeout: 500 }), null).problems,
    );
    expect(shown.filter(({ severity }) => severity === 'error').map(({ path }) => path)).toEqual([
      'nodes.menu1.recording',
      'nodes.menu1.timeout',
      'nodes.menu1.keys.0.key',
    ]);
    expect(shown.findIndex(({ severity }) => severity === 'todo')).toBe(3);
    expect(shown.find(({ path }) => path === 'nodes.menu1.keys.1.key')?.severity).toBe('todo');
  });
});
