import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { defineConfig, type PlaywrightTestConfig } from '@playwright/test';

// Debian's browser where there is one, if possible the one without the parts that a person sees: a third less of the
// processor's time. Otherwise the one Playwright finds by itself.
const executablePath = ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium'].find((file) =>
  existsSync(file),
);
// The command `rotavox`, as a person has it: windows show lines that begin with it.
process.env['PATH'] = [join(import.meta.dirname, 'out'), process.env['PATH']].join(delimiter);
// Chromium refuses to sandbox root.
const isRoot = process.getuid?.() === 0;

/** The tag of a journey that the long proofs run. */
const long = /@long\b/u;

const browserUse: PlaywrightTestConfig['use'] = {
  browserName: 'chromium',
  // A trace costs each journey a sixth more: --trace retain-on-failure writes one down where it is needed.
  trace: 'off',
  screenshot: 'only-on-failure',
  // As long as what is expected: of one that hangs, the report then says what it waited for.
  actionTimeout: 60_000,
  navigationTimeout: 60_000,
  // What moves is not waited for; the journeys in Electron have it move.
  contextOptions: { reducedMotion: 'reduce' },
  launchOptions: {
    ...(executablePath === undefined ? {} : { executablePath }),
    // One process for all pages of the service in a context: a start of one takes longer than most journeys.
    args: ['--process-per-site', ...(isRoot ? ['--no-sandbox'] : [])],
  },
};

/** Where the test command reads what a run does and came to. */
const outcomeFile = process.env['ROTAVOX_TEST_OUTCOME'];
// Not for what a test starts.
delete process.env['ROTAVOX_TEST_OUTCOME'];

export default defineConfig({
  testDir: 'test/journeys',
  workers: 2,
  fullyParallel: true,
  forbidOnly: process.env['CI'] !== undefined,
  // Tests assert no times: these only end what hangs, also on a machine with much else to do.
  timeout: 240_000,
  expect: { timeout: 60_000 },
  reporter: [
    ['list'],
    ...(outcomeFile === undefined
      ? []
      : [['./test/tools/journey-reporter.ts', { file: outcomeFile }] as const]),
  ],
  projects: [
    {
      name: 'browser',
      // Test by test: each has a page and a service of its own, and each worker its own names in the keychain.
      testDir: 'test/journeys/browser',
      grepInvert: long,
      outputDir: 'test-results/browser',
      use: browserUse,
    },
    // Windows over canned replies: every state that they can show, without a service.
    {
      name: 'components',
      testDir: 'test/components',
      grepInvert: long,
      outputDir: 'test-results/components',
      use: browserUse,
    },
    // What of both takes too long for a person to wait: a long proof.
    {
      name: 'browser-long',
      testDir: 'test',
      testMatch: ['**/journeys/browser/*.test.ts', '**/components/*.test.ts'],
      grep: long,
      outputDir: 'test-results/browser-long',
      use: browserUse,
    },
    // These start Electron themselves: their fixture owns the flags. Each worker has a desktop of its own.
    {
      name: 'electron',
      testDir: 'test/journeys/electron',
      grepInvert: long,
      outputDir: 'test-results/electron',
    },
    {
      name: 'electron-long',
      testDir: 'test/journeys/electron',
      grep: long,
      outputDir: 'test-results/electron-long',
    },
    // Every part of the designer by mouse and by keyboard, of which the browser journeys take the usual path: a long proof.
    {
      name: 'designer',
      testDir: 'test/journeys/designer',
      outputDir: 'test-results/designer',
      use: browserUse,
    },
    // Every window, at each size and over a month of seeded history: a long proof.
    {
      name: 'month',
      testDir: 'test/journeys/month',
      outputDir: 'test-results/month',
      use: browserUse,
    },
    // A team of hosts over a real PostgreSQL, of which the leader is lost while somebody works: a long proof.
    {
      name: 'takeover',
      testDir: 'test/journeys/takeover',
      outputDir: 'test-results/takeover',
      workers: 1,
      // Each host has a certificate of its own.
      use: { ...browserUse, ignoreHTTPSErrors: true },
    },
    // The app as it is packed, and as `npm run dev` builds it. Either takes as long as a dozen journeys: a long proof.
    {
      name: 'packaged',
      testDir: 'test/journeys/packaged',
      outputDir: 'test-results/packaged',
      workers: 1,
    },
  ],
});
