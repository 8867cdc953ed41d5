/*
 * Mutation testing: `npm run mutation` changes the code of core in one place at a time and expects a test of core to fail;
 * `ROTAVOX_MUTATION=agent npm run mutation` does it for the rotation of a credential. A part of it: add `-- --mutate FILES`.
 * No part of the test command: core takes hours.
 */
const module = process.env['ROTAVOX_MUTATION'] ?? 'core';

export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  mutate: {
    core: ['src/core/{token,rotation,credential}/**/*.ts'],
    agent: ['src/agent/{rotate-credential,deliver-value,rotation-loop,value-entries}.ts'],
  }[module],
  ignorePatterns: ['out', 'release', 'test-results'],
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  incremental: true,
  incrementalFile: `node_modules/.cache/stryker/${module}.json`,
  reporters: ['clear-text'],
  clearTextReporter: { allowColor: false, logTests: false },
  tempDirName: '.stryker-tmp',
  concurrency: 2,
  timeoutMS: 20_000,
};
