import { expect, it, vi } from 'vitest';
import { closeAll } from '../../src/host/close-all.ts';
import { HostProcess } from '../../src/host/host-process.ts';
import { openFolder } from '../../src/host/open-folder.ts';
import { Term } from '../../src/host/host-term.ts';
import { MemoryVault } from '../fakes/memory-vault.ts';
import { makeFolder } from '../fixtures/make-folder.ts';

it('takes every step of a stop in turn, also after one that failed, and tells the first failure', async () => {
  const taken: string[] = [];
  const closing = closeAll(
    () => void taken.push('one'),
    () => {
      throw new Error('the second');
    },
    () => Promise.reject(new Error('the third')),
    async () => {
      await Promise.resolve();
      taken.push('four');
    },
  );
  await expect(closing).rejects.toThrow('the second');
  expect(taken).toEqual(['one', 'four']);
});

it('closes what it stored although its calls could not be ended', async () => {
  const say = vi.fn();
  const running = await HostProcess.open({ dataDir: makeFolder(), say }, { passphraseFile: undefined });
  const { dataDir, lock, clock } = running;
  const opened = await openFolder(dataDir, { clock, lock, say });
  const parts = await running.parts({ repairs: opened.repairs, isStoreOk: () => true });
  const term = new Term(parts, { ...opened, vault: new MemoryVault() });
  const closing = term.close(() => Promise.reject(new Error('calls go on')));
  await expect(closing).rejects.toThrow('calls go on');
  const late = opened.ledger.transact(() => ({ events: [], value: null }));
  await expect(late).rejects.toMatchObject({ refusal: { code: 'CLOSED' } });
  running.release();
});
