import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

// Debian's browser where there is one; otherwise the one Playwright finds by itself.
const debianChromium = '/usr/bin/chromium';
// Chromium refuses to sandbox root.
const isRoot = process.getuid?.() === 0;

export default defineConfig({
  testDir: 'test/journeys',
  workers: 2,
  fullyParallel: false,
  forbidOnly: process.env['CI'] !== undefined,
  timeout: 120_000,
  expect: { timeout: 15_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/journeys.json' }]],
  projects: [
    {
      name: 'browser',
      // File by file: each test has a page and a service of its own, and each worker its own names in the keychain.
      testDir: 'test/journeys/browser',
      outputDir: 'test-results/browser',
      use: {
        browserName: 'chromium',
        // Pages as they were at each step, but no film of them: that took a third of the time of all journeys.
        trace: { mode: 'retain-on-failure', screenshots: false },
        screenshot: 'only-on-failure',
        launchOptions: {
          ...(existsSync(debianChromium) ? { executablePath: debianChromium } : {}),
          args: isRoot ? ['--no-sandbox'] : [],
        },
      },
    },
    // These start Electron themselves: their fixture owns the flags.
    // One after the other: they share a screen.
    {
      name: 'electron',
      testDir: 'test/journeys/electron',
      outputDir: 'test-results/electron',
      workers: 1,
    },
  ],
});
