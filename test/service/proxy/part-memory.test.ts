import { expect, it } from 'vitest';
import { PartMemory } from '../../../src/service/proxy/part-memory.ts';

const megabyte = 1024 * 1024;
const part = 64 * 1024;

it('asks for a collection every 16 MiB, however they are cut', () => {
  let times = 0;
  const memory = new PartMemory(() => (times += 1));
  for (let at = 0; at < 16 * megabyte - part; at += part) memory.passed(part);
  expect(times).toBe(0);
  memory.passed(part);
  expect(times).toBe(1);
  for (let at = 0; at < 32; at += 1) memory.passed(megabyte);
  expect(times).toBe(3);
});

it('frees parts long before V8 would, and gives its collector to nobody else', () => {
  const memory = new PartMemory();
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  for (let at = 0; at < 512 * megabyte; at += part) {
    const one = Buffer.allocUnsafeSlow(part);
    memory.passed(one.length);
    most = Math.max(most, process.memoryUsage().arrayBuffers - before);
  }
  // V8 itself lets 64 MiB gather.
  expect(most).toBeLessThan(48 * megabyte);
  expect(Reflect.get(globalThis, 'gc')).toBeUndefined();
});
