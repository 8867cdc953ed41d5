import { useState } from 'react';

import { type Act, useAct } from '../kit/use-act.ts';
import type { Directory, Entry } from './directory.ts';

/** Changes of a directory, and the way back from the last removal. */
export interface DirectoryChanges {
  readonly act: Act;
  /** What was removed last and can be put back. */
  readonly removed: Entry | null;
  /** Adds or changes one; answers whether that was saved. */
  readonly save: (entry: Entry) => Promise<boolean>;
  readonly remove: (entry: Entry) => Promise<void>;
  readonly undo: () => Promise<void>;
}

/** Removes at once instead of asking first: where an entry is used is not known here, and it can be put back as it was. */
export function useDirectory({ change, one }: Directory): DirectoryChanges {
  const act = useAct();
  const [removed, setRemoved] = useState<Entry | null>(null);

  async function save(entry: Entry): Promise<boolean> {
    return (await act.run('save', () => change({ set: [entry] }), `the ${one} was saved`)) !== null;
  }
  async function remove(entry: Entry): Promise<void> {
    const done = await act.run('remove', () => change({ remove: [entry.id] }), `the ${one} was removed`);
    if (done !== null) setRemoved(entry);
  }
  async function undo(): Promise<void> {
    if (removed !== null && (await save(removed))) setRemoved(null);
  }
  return { act, removed, save, remove, undo };
}
