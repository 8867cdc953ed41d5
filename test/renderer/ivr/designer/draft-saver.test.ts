import { describe, expect, it } from 'vitest';
import type { IvrDocument, IvrDraft } from '../../../../src/contract/menu/ivr-draft.ts';
import { emptyDocument } from '../../../../src/core/ivr/edit/edit-nodes.ts';
import {
  saveDelayMs,
  DraftSaver,
  longestDelayMs,
  type SaveOutcome,
} from '../../../../src/renderer/ivr/designer/saving/draft-saver.ts';

/** A service that answers when the test says so, and a clock that the test moves. */
class Setup {
  nowMs = 0;
  readonly asked: { revision: number; name: string; answer: (outcome: SaveOutcome) => void }[] = [];
  #timer: { atMs: number; act: () => void } | undefined;
  readonly saver = new DraftSaver(draftNamed('first', 1), {
    save: (revision, { name }) =>
      new Promise((answer) => {
        this.asked.push({ revision, name, answer });
      }),
    after: (delayMs, act) => {
      this.#timer = { atMs: this.nowMs + delayMs, act };
      return () => (this.#timer = undefined);
    },
    now: () => this.nowMs,
  });

  edit(name: string): void {
    this.saver.edited(emptyDocument(name));
  }

  async pass(ms: number): Promise<void> {
    this.nowMs += ms;
    const timer = this.#timer;
    if (timer !== undefined && timer.atMs <= this.nowMs) {
      this.#timer = undefined;
      timer.act();
    }
    await settled();
  }

  async answer(outcome: SaveOutcome): Promise<void> {
    this.asked.at(-1)?.answer(outcome);
    await settled();
  }

  get names(): string[] {
    return this.asked.map(({ name }) => name);
  }
}

/** Until every promise that can go on has. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function draftNamed(name: string, revision: number): IvrDraft {
  const document: IvrDocument = emptyDocument(name);
  return { id: 'd' as IvrDraft['id'], revision, created_at: '', updated_at: '', document, publications: [] };
}

describe('a draft that is edited', () => {
  it('is saved when the edits have come to rest, with the last of them', async () => {
    const setup = new Setup();
    setup.edit('one');
    await setup.pass(saveDelayMs - 1);
    setup.edit('two');
    await setup.pass(saveDelayMs - 1);
    expect(setup.names).toEqual([]);
    await setup.pass(1);
    expect(setup.names).toEqual(['two']);
    await setup.answer({ kind: 'saved', revision: 2 });
    expect(setup.saver.state()).toEqual({ kind: 'saved', from: 'here' });
    expect(setup.saver.revision).toBe(2);
  });

  it('is saved after a while though the edits go on', async () => {
    const setup = new Setup();
    for (let ms = 0; ms < longestDelayMs; ms += 500) {
      setup.edit(`at ${ms}`);
      await setup.pass(500);
    }
    expect(setup.names).toHaveLength(1);
  });

  it('is saved one save after the other, each with the revision that came back', async () => {
    const setup = new Setup();
    setup.edit('one');
    await setup.pass(saveDelayMs);
    setup.edit('two');
    await setup.pass(longestDelayMs);
    expect(setup.names).toEqual(['one']);
    await setup.answer({ kind: 'saved', revision: 2 });
    expect(setup.saver.state().kind).toBe('saving');
    await setup.pass(saveDelayMs);
    expect(setup.asked.map(({ revision, name }) => [revision, name])).toEqual([
      [1, 'one'],
      [2, 'two'],
    ]);
  });

  it('is saved at once when that is asked for, and the revision is answered', async () => {
    const setup = new Setup();
    setup.edit('one');
    const saved = setup.saver.saveNow();
    await settled();
    await setup.answer({ kind: 'saved', revision: 7 });
    expect(await saved).toBe(7);
    expect(await setup.saver.saveNow()).toBe(7);
    expect(setup.names).toEqual(['one']);
  });

  it('is tried again when a save fails, says why, and keeps what was edited', async () => {
    const setup = new Setup();
    setup.edit('one');
    await setup.pass(saveDelayMs);
    await setup.answer({ kind: 'failed', reason: 'The disk is full.' });
    expect(setup.saver.state()).toEqual({ kind: 'failed', reason: 'The disk is full.' });
    expect(setup.saver.hasUnsaved).toBe(true);
    setup.edit('two');
    await setup.pass(1_000);
    expect(setup.names).toEqual(['one', 'two']);
    await setup.answer({ kind: 'saved', revision: 2 });
    expect(setup.saver.state().kind).toBe('saved');
  });

  it('is not saved over what somebody else saved before a person decides', async () => {
    const setup = new Setup();
    setup.edit('mine');
    const theirs = draftNamed('theirs', 2);
    expect(await setup.saver.compare(theirs)).toMatchObject({ kind: 'conflict' });
    setup.edit('mine still');
    await setup.pass(longestDelayMs);
    expect(await setup.saver.saveNow()).toBeNull();
    expect(setup.names).toEqual([]);
    expect(setup.saver.state()).toEqual({ kind: 'conflict', base: emptyDocument('first'), theirs });

    setup.saver.continueFrom(theirs);
    setup.edit('mine again');
    await setup.pass(saveDelayMs);
    expect(setup.asked.map(({ revision }) => revision)).toEqual([2]);
  });

  it('says so when the service refuses a save for another revision, and learns theirs', async () => {
    const setup = new Setup();
    setup.edit('mine');
    await setup.pass(saveDelayMs);
    await setup.answer({ kind: 'conflict' });
    expect(setup.saver.state()).toMatchObject({ kind: 'conflict', theirs: null });
    const theirs = draftNamed('theirs', 2);
    await setup.saver.compare(theirs);
    expect(setup.saver.state()).toEqual({ kind: 'conflict', base: emptyDocument('first'), theirs });
  });

  it('takes over what somebody else saved while nothing was edited here', async () => {
    const setup = new Setup();
    const theirs = draftNamed('theirs', 2);
    expect(await setup.saver.compare(theirs)).toMatchObject({ kind: 'newer' });
    setup.saver.edited(theirs.document);
    expect(setup.saver.state()).toEqual({ kind: 'saved', from: 'elsewhere' });
    expect(setup.saver.hasUnsaved).toBe(false);
  });

  it('saves the edits of both when they do not contradict each other', async () => {
    const setup = new Setup();
    setup.edit('mine');
    const first = draftNamed('first', 2);
    const theirs = {
      ...first,
      document: { ...first.document, prompts: { wrong_key: 'recording||1', timeout: null } },
    };
    const both = { ...theirs.document, name: 'mine' };
    expect(await setup.saver.compare(theirs)).toMatchObject({ kind: 'merged', document: both });
    expect(setup.saver.state()).toEqual({ kind: 'saving' });
    await setup.pass(saveDelayMs);
    expect(setup.asked.at(-1)).toMatchObject({ revision: 2, name: 'mine' });
    await setup.answer({ kind: 'saved', revision: 3 });
    expect(setup.saver.state()).toEqual({ kind: 'saved', from: 'here' });
  });

  it('goes on after a refused save once the edits of both are known to go together', async () => {
    const setup = new Setup();
    setup.edit('mine');
    await setup.pass(saveDelayMs);
    await setup.answer({ kind: 'conflict' });
    expect(await setup.saver.compare(draftNamed('first', 2))).toMatchObject({ kind: 'merged' });
    await setup.pass(saveDelayMs);
    expect(setup.asked.at(-1)).toMatchObject({ revision: 2, name: 'mine' });
  });

  it('knows its own save when the notice of it comes before the answer', async () => {
    const setup = new Setup();
    setup.edit('mine');
    await setup.pass(saveDelayMs);
    const compared = setup.saver.compare(draftNamed('mine', 2));
    await setup.answer({ kind: 'saved', revision: 2 });
    expect(await compared).toMatchObject({ kind: 'known' });
  });

  for (const conflictFirst of [false, true])
    it(`knows its own save whose answer was lost${conflictFirst ? ', after a save over it was refused' : ''}, and saves what was edited since`, async () => {
      const setup = new Setup();
      setup.edit('one');
      await setup.pass(saveDelayMs);
      await setup.answer({ kind: 'failed', reason: 'The host was lost.' });
      setup.edit('two');
      if (conflictFirst) {
        await setup.pass(1_000);
        await setup.answer({ kind: 'conflict' });
      }
      expect(await setup.saver.compare(draftNamed('one', 2))).toMatchObject({ kind: 'known' });
      expect(setup.saver.state()).toEqual({ kind: 'saving' });
      await setup.pass(saveDelayMs);
      expect(setup.asked.at(-1)).toMatchObject({ revision: 2, name: 'two' });
      // Later, the same document is somebody else's who has restored it.
      await setup.answer({ kind: 'saved', revision: 3 });
      expect(await setup.saver.compare(draftNamed('one', 4))).toMatchObject({ kind: 'newer' });
    });

  it('saves nothing any more once it was deleted', async () => {
    const setup = new Setup();
    setup.edit('mine');
    setup.saver.deleted();
    await setup.pass(longestDelayMs);
    expect(setup.names).toEqual([]);
    expect(setup.saver.state().kind).toBe('gone');
  });
});
