import { describe, expect, it } from 'vitest';
import type { IvrDocument, IvrDraft } from '../../../../src/contract/ivr-draft.ts';
import { emptyDocument } from '../../../../src/core/ivr/edit/edit-nodes.ts';
import {
  saveDelayMs,
  DraftSaver,
  longestDelayMs,
  type SaveOutcome,
} from '../../../../src/renderer/ivr/designer/saving/draft-saver.ts';

/** A service that answers when the test says so, and a clock that the test moves. */
class Ground {
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
    const ground = new Ground();
    ground.edit('one');
    await ground.pass(saveDelayMs - 1);
    ground.edit('two');
    await ground.pass(saveDelayMs - 1);
    expect(ground.names).toEqual([]);
    await ground.pass(1);
    expect(ground.names).toEqual(['two']);
    await ground.answer({ kind: 'saved', revision: 2 });
    expect(ground.saver.state()).toEqual({ kind: 'saved', from: 'here' });
    expect(ground.saver.revision).toBe(2);
  });

  it('is saved after a while though the edits go on', async () => {
    const ground = new Ground();
    for (let ms = 0; ms < longestDelayMs; ms += 500) {
      ground.edit(`at ${ms}`);
      await ground.pass(500);
    }
    expect(ground.names).toHaveLength(1);
  });

  it('is saved one save after the other, each with the revision that came back', async () => {
    const ground = new Ground();
    ground.edit('one');
    await ground.pass(saveDelayMs);
    ground.edit('two');
    await ground.pass(longestDelayMs);
    expect(ground.names).toEqual(['one']);
    await ground.answer({ kind: 'saved', revision: 2 });
    expect(ground.saver.state().kind).toBe('saving');
    await ground.pass(saveDelayMs);
    expect(ground.asked.map(({ revision, name }) => [revision, name])).toEqual([
      [1, 'one'],
      [2, 'two'],
    ]);
  });

  it('is saved at once when that is asked for, and the revision is answered', async () => {
    const ground = new Ground();
    ground.edit('one');
    const saved = ground.saver.saveNow();
    await settled();
    await ground.answer({ kind: 'saved', revision: 7 });
    expect(await saved).toBe(7);
    expect(await ground.saver.saveNow()).toBe(7);
    expect(ground.names).toEqual(['one']);
  });

  it('is tried again when a save fails, says why, and keeps what was edited', async () => {
    const ground = new Ground();
    ground.edit('one');
    await ground.pass(saveDelayMs);
    await ground.answer({ kind: 'failed', reason: 'The disk is full.' });
    expect(ground.saver.state()).toEqual({ kind: 'failed', reason: 'The disk is full.' });
    expect(ground.saver.hasUnsaved).toBe(true);
    ground.edit('two');
    await ground.pass(1_000);
    expect(ground.names).toEqual(['one', 'two']);
    await ground.answer({ kind: 'saved', revision: 2 });
    expect(ground.saver.state().kind).toBe('saved');
  });

  it('is not saved over what somebody else saved before a person decides', async () => {
    const ground = new Ground();
    ground.edit('mine');
    const theirs = draftNamed('theirs', 2);
    expect(await ground.saver.compare(theirs)).toBe('conflict');
    ground.edit('mine still');
    await ground.pass(longestDelayMs);
    expect(await ground.saver.saveNow()).toBeNull();
    expect(ground.names).toEqual([]);
    expect(ground.saver.state()).toEqual({ kind: 'conflict', theirs });

    ground.saver.continueFrom(theirs);
    ground.edit('mine again');
    await ground.pass(saveDelayMs);
    expect(ground.asked.map(({ revision }) => revision)).toEqual([2]);
  });

  it('says so when the service refuses a save for another revision, and learns theirs', async () => {
    const ground = new Ground();
    ground.edit('mine');
    await ground.pass(saveDelayMs);
    await ground.answer({ kind: 'conflict' });
    expect(ground.saver.state()).toEqual({ kind: 'conflict', theirs: null });
    const theirs = draftNamed('theirs', 2);
    await ground.saver.compare(theirs);
    expect(ground.saver.state()).toEqual({ kind: 'conflict', theirs });
  });

  it('takes over what somebody else saved while nothing was edited here', async () => {
    const ground = new Ground();
    const theirs = draftNamed('theirs', 2);
    expect(await ground.saver.compare(theirs)).toBe('newer');
    ground.saver.edited(theirs.document);
    expect(ground.saver.state()).toEqual({ kind: 'saved', from: 'elsewhere' });
    expect(ground.saver.hasUnsaved).toBe(false);
  });

  it('knows its own save when the notice of it comes before the answer', async () => {
    const ground = new Ground();
    ground.edit('mine');
    await ground.pass(saveDelayMs);
    const compared = ground.saver.compare(draftNamed('mine', 2));
    await ground.answer({ kind: 'saved', revision: 2 });
    expect(await compared).toBe('known');
  });

  it('saves nothing any more once it was deleted', async () => {
    const ground = new Ground();
    ground.edit('mine');
    ground.saver.deleted();
    await ground.pass(longestDelayMs);
    expect(ground.names).toEqual([]);
    expect(ground.saver.state().kind).toBe('gone');
  });
});
