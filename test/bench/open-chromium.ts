import { existsSync } from 'node:fs';
import { type Browser, chromium } from '@playwright/test';

// The same as in playwright.config.ts: Debian's browser if it exists; Chromium refuses to sandbox root.
const debianChromium = '/usr/bin/chromium';
const isRoot = process.getuid?.() === 0;

/** A browser without a screen, whose frames are timed as with one. */
export function openChromium(args: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    ...(existsSync(debianChromium) ? { executablePath: debianChromium } : {}),
    args: [...args, ...(isRoot ? ['--no-sandbox'] : [])],
  });
}
