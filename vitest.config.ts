import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { suites } from './test/tools/suites.ts';

export default defineConfig({
  test: {
    // Vitest leaves a core free, which of two is half; and much of what runs here waits for child processes.
    maxWorkers: Math.max(availableParallelism() - 1, 2),
    projects: suites.map(({ name, folders, testTimeoutMs, built }) => ({
      test: {
        name,
        include: folders.map((folder) => `test/${folder}/**/*.test.{ts,tsx}`),
        environment: 'node',
        globalSetup: built ? ['test/tools/build-first.ts'] : [],
        // Processes, not threads: tests kill, fill and crash things, and native modules do not share well.
        pool: 'forks',
        testTimeout: testTimeoutMs,
        hookTimeout: testTimeoutMs,
      },
    })),
  },
});
