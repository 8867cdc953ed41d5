/**
 * Opens the store of a data folder in this process and says how long it took and what it holds in memory:
 * `node --expose-gc time-open.ts <folder>` prints `{ openMs, heapBytes, tokens, events }`.
 */
import { setTimeout } from 'node:timers/promises';
import { openStore } from '../../src/store/open-store.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('a folder is needed');
const heapBefore = await heapAfterCollection();
const before = performance.now();
const { store } = await openStore({ folder });
const openMs = performance.now() - before;
const heapBytes = (await heapAfterCollection()) - heapBefore;
const health = store.health();
console.log(JSON.stringify({ openMs, heapBytes, tokens: store.state.tokens.size, events: health.last_seq }));
await store.close();

/** Objects and the buffers that they hold, in bytes. Buffers are let go of a while after the objects that held them. */
async function heapAfterCollection(): Promise<number> {
  if (globalThis.gc === undefined) throw new Error('--expose-gc is needed');
  for (let round = 0; round < 4; round += 1) {
    globalThis.gc();
    await setTimeout(50);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
