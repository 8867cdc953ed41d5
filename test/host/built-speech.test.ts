import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { root } from '../tools/root.ts';

it('speaks from the built files, which have the engine beside its worker', async () => {
  const built = join(root, 'out', 'speech');
  const worker = new Worker(join(built, 'flite-worker.js'), {
    workerData: join(built, 'flite.wasm'),
    env: {},
    execArgv: [],
  });
  try {
    worker.postMessage({ text: 'Welcome to Example.', voice: 'slt', rate: 1 });
    const [sound] = (await once(worker, 'message')) as [{ samples: Float32Array; rate: number }];
    expect(sound.rate).toBe(16_000);
    expect(sound.samples.length / sound.rate).toBeGreaterThan(1);
  } finally {
    await worker.terminate();
  }
});
