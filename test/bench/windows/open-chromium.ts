import { existsSync } from 'node:fs';
import { type Browser, chromium } from '@playwright/test';

// As in playwright.config.ts: Debian's browser where there is one; Chromium refuses to sandbox root.
const debianChromium = '/usr/bin/chromium';
const isRoot = process.getuid?.() === 0;

/** A browser without a screen, in which frames come as they would with one. */
export function openChromium(): Promise<Browser> {
  return chromium.launch({
    ...(existsSync(debianChromium) ? { executablePath: debianChromium } : {}),
    args: isRoot ? ['--no-sandbox'] : [],
  });
}
