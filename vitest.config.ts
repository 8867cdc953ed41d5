import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { outcomeReporter } from './test/tools/read-report.ts';
import { compileCache } from './test/tools/root.ts';
import { longTag, suites, waitLimitMs } from './test/tools/suites.ts';

/** A mutant is tried by the tests of its module, without keychains and child processes: all that reach it would take days. */
const isMutated = process.env['STRYKER_MUTATOR_WORKER'] !== undefined;
const mutated = process.env['ROTAVOX_MUTATION'] ?? 'core';
const chosen = isMutated ? suites.filter(({ name }) => name === mutated) : suites;

/** What leads to the desktop, and so to the keychain, of the person who runs the tests. */
const withoutDesktop = {
  DBUS_SESSION_BUS_ADDRESS: '',
  XDG_RUNTIME_DIR: '',
  DISPLAY: '',
  WAYLAND_DISPLAY: '',
};

/** Where the test command reads what a run does and came to. */
const outcomeFile = process.env['ROTAVOX_TEST_OUTCOME'];
// Not for what a test starts.
delete process.env['ROTAVOX_TEST_OUTCOME'];

export default defineConfig({
  test: {
    ...(outcomeFile === undefined ? {} : { reporters: ['default', outcomeReporter(outcomeFile)] }),
    // Vitest leaves a core free, which of two is half; and much of what runs here waits for child processes.
    maxWorkers: Math.max(availableParallelism() - 1, 2),
    tags: [
      {
        name: longTag,
        description: 'Takes longer than a person should wait: a long proof.',
        // On a slow machine beside other work; each step has a limit of its own.
        timeout: 300_000,
      },
    ],
    projects: chosen.map(({ name, folders, without, environment, needs, testTimeoutMs, built }) => ({
      test: {
        name,
        include: folders.map((folder) => `test/${folder}/**/*.test.{ts,tsx}`),
        exclude: [
          ...without.map((file) => `test/${file}.test.ts`),
          ...(isMutated
            ? [
                'test/agent/vault/**',
                'test/agent/delivery/**',
                'test/agent/{left-alone,rotation/rotation-killed}.test.ts',
              ]
            : []),
        ],
        environment: 'node',
        env: {
          NODE_COMPILE_CACHE: compileCache,
          ...(needs.includes('desktop') ? {} : withoutDesktop),
          ...environment,
        },
        // What is skipped is said with its condition.
        includeTaskLocation: outcomeFile !== undefined,
        globalSetup: built && !isMutated ? ['test/tools/build-first.ts'] : [],
        // Processes, not threads: tests kill, fill and crash things, and native modules do not share well.
        pool: 'forks',
        // Files of a suite share a process, which loads the program once; each test gives back what it changes in it.
        isolate: false,
        expect: { poll: { timeout: waitLimitMs } },
        testTimeout: testTimeoutMs,
        hookTimeout: testTimeoutMs,
      },
    })),
  },
});
