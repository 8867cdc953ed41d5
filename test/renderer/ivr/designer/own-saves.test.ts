import { describe, expect, it } from 'vitest';
import type { DraftId } from '../../../../src/contract/menu/ivr-draft.ts';
import { emptyDocument } from '../../../../src/core/ivr/edit/edit-nodes.ts';
import { OwnSaves } from '../../../../src/renderer/ivr/designer/saving/use-saver.ts';

const id = 'draft_1' as DraftId;
const change = { seq: 1, at: '', kind: 'draft.saved', subject: id };
const saved = (revision: number) => ({ revision, updated_at: '', document: emptyDocument(`at ${revision}`) });

describe('the own saves of a window', () => {
  it('are known without a download', async () => {
    const own = new OwnSaves(id);
    await own.follow(Promise.resolve(saved(2)));
    own.notice({ ...change, revision: 2 });
    expect(await own.latest()).toEqual(saved(2));
  });

  it('are known also if the notice arrives before the reply', async () => {
    const own = new OwnSaves(id);
    const reply = Promise.withResolvers<ReturnType<typeof saved>>();
    const followed = own.follow(reply.promise);
    own.notice({ ...change, revision: 2 });
    const latest = own.latest();
    reply.resolve(saved(2));
    expect(await latest).toEqual(saved(2));
    await followed;
  });

  it.each([
    ['a later revision of another window', { ...change, revision: 3 }],
    ['a save without its revision', change],
    ['a publication', { ...change, kind: 'draft.published' }],
  ])('do not hide %s', async (_what, notice) => {
    const own = new OwnSaves(id);
    await own.follow(Promise.resolve(saved(2)));
    own.notice({ ...change, revision: 2 });
    own.notice(notice);
    expect(await own.latest()).toBeNull();
  });

  it('do not count for a change that was not noticed', async () => {
    const own = new OwnSaves(id);
    await own.follow(Promise.resolve(saved(2)));
    expect(await own.latest()).toBeNull();
    own.notice({ ...change, subject: 'draft_2', revision: 2 });
    expect(await own.latest()).toBeNull();
  });

  it('do not count if they failed', async () => {
    const own = new OwnSaves(id);
    await own.follow(Promise.resolve(null));
    own.notice({ ...change, revision: 2 });
    expect(await own.latest()).toBeNull();
  });
});
