/**
 * The test command of the README, whole, on a machine with nothing but Node and npm, as root: it installs what it needs, and no
 * test fails or is skipped. It takes as long as the test command does, so it runs only by its name: `npm test -- whole`.
 */
import { describe, expect, it } from 'vitest';
import { BareMachine } from '../long/bare-machine.ts';

const isRoot = process.getuid?.() === 0;

describe.skipIf(!isRoot)('a bare machine', () => {
  it('passes all tests, below a folder that only root may enter', async () => {
    const machine = await BareMachine.make({
      node: '22.23.3',
      npm: '10.9.8',
      account: 'root',
      source: 'a clone',
    });
    try {
      const installed = await machine.run('npm ci');
      expect(installed.code, installed.text).toBe(0);
      const tested = await machine.run('npm test');
      // Its steps, what failed in each, and the numbers.
      const end = tested.text.trimEnd().split('\n\n').slice(-2).join('\n\n');
      console.log(end);
      expect(tested.code, end).toBe(0);
      expect(end).toMatch(/^\d+ passed, 0 failed, 0 skipped$/m);
    } finally {
      await machine.remove();
    }
  });
});
