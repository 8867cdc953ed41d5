import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startServerProcess } from '../bench/child-process.ts';
import { rotavoxBefore } from '../bench/contenders/rotavox.ts';
import { streamGigabyte } from '../bench/stream-gigabyte.ts';

/** What a first request loads, and parts that were not freed yet. */
const mostGrowthBytes = 80 * 1024 * 1024;

it.each(['down', 'up'] as const)('a gigabyte %s through the proxy takes no memory', async (direction) => {
  const service = await startServerProcess({
    args: [join(import.meta.dirname, '../bench/contenders/proxied-service.ts')],
  });
  onTestFinished(() => service.close());
  const proxy = await rotavoxBefore(`http://127.0.0.1:${String(service.ready['port'])}`).start();
  onTestFinished(() => proxy.close());
  const [token = ''] = await proxy.issueTokens(1);
  const { grownBytes } = await streamGigabyte(proxy, token, direction);
  expect(grownBytes).toBeLessThan(mostGrowthBytes);
});
