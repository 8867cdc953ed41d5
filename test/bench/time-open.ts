/**
 * Opens the store of a data folder in this process and prints how long it took and how much memory it uses:
 * `node --expose-gc time-open.ts <folder>` prints `{ openMs, objectBytes, bufferBytes, tokens, events }`.
 */
import { setTimeout } from 'node:timers/promises';
import { openStore } from '../../src/store/open-store.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('a folder is needed');
const before = await memoryAfterCollection();
const startedAt = performance.now();
const { store } = await openStore({ folder });
const openMs = performance.now() - startedAt;
const after = await memoryAfterCollection();
console.log(
  JSON.stringify({
    openMs,
    objectBytes: after.objects - before.objects,
    bufferBytes: after.buffers - before.buffers,
    tokens: store.state.tokens.size,
    events: store.health().last_seq,
  }),
);
await store.close();

/** Bytes in objects and in typed arrays. Buffers are freed a while after the objects that held them. */
async function memoryAfterCollection(): Promise<{ objects: number; buffers: number }> {
  if (globalThis.gc === undefined) throw new Error('--expose-gc is needed');
  for (let round = 0; round < 4; round += 1) {
    globalThis.gc();
    await setTimeout(50);
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return { objects: heapUsed, buffers: arrayBuffers };
}
