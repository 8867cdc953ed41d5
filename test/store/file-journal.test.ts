import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StoreUnavailable } from '../../src/core/ledger.ts';
import { openStore } from '../../src/store/open-store.ts';
import { noon } from '../fixtures/make-events.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { journalSuite } from './journal-suite.ts';

journalSuite('the journal in files', () => {
  const folder = makeFolder();
  const journalFolder = join(folder, 'journal');
  let refusal: string | null = null;
  const segments = () =>
    readdirSync(journalFolder)
      .filter((name) => name.endsWith('.jsonl'))
      .sort()
      .map((name) => join(journalFolder, name));
  /** The lines of a segment; its header is the first. */
  const linesOf = (path: string) => readFileSync(path, 'utf8').replaceAll('\0', '').split('\n').slice(0, -1);
  return Promise.resolve({
    foreignLine: 'link_differs',
    async open() {
      const { store } = await openStore({
        folder,
        clock: () => noon,
        assertHeld: () => {
          if (refusal !== null) throw new StoreUnavailable({ code: refusal, path: folder });
        },
      });
      return store;
    },
    refuse(code) {
      refusal = code;
      return Promise.resolve();
    },
    lines: () => Promise.resolve(segments().flatMap((path) => linesOf(path).slice(1))),
    change(seq, line) {
      for (const path of segments()) {
        const lines = linesOf(path);
        const place = lines.findIndex((one) => one.startsWith(`{"seq":${seq},`));
        if (place > 0) lines.splice(place, 1, ...(line === null ? [] : [line]));
        writeFileSync(path, lines.map((one) => `${one}\n`).join(''));
      }
      return Promise.resolve();
    },
    spoilCheckpoint() {
      const path = join(folder, 'state.json');
      writeFileSync(path, readFileSync(path, 'utf8').replace('fam_a', 'fam_q'));
      return Promise.resolve();
    },
  });
});
