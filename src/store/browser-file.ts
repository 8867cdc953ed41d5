import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { KnownBrowser } from '../contract/service/portal.ts';
import { replaceFileSync } from './durable-file.ts';
import { unavailable } from './store-error.ts';

const BrowsersFile = z.object({ format: z.literal(1), browsers: z.array(KnownBrowser) });

export function printBrowsers(browsers: readonly KnownBrowser[]): string {
  return JSON.stringify({ format: 1, browsers });
}

/** None in a damaged text: then people sign in by a link again, and nothing else is lost. */
export function parseBrowsers(text: string): readonly KnownBrowser[] {
  try {
    return BrowsersFile.parse(JSON.parse(text)).browsers;
  } catch {
    return [];
  }
}

/** The browsers that may sign in again after a restart, in `browsers.json` of the data folder. */
export class BrowserFile {
  readonly #path: string;
  readonly #assertHeld: () => void;

  /** `assertHeld` throws `StoreUnavailable` once this process no longer holds the data folder. */
  constructor(folder: string, assertHeld: () => void = () => undefined) {
    this.#path = join(folder, 'browsers.json');
    this.#assertHeld = assertHeld;
  }

  /** None when the file is missing or damaged. */
  read(): readonly KnownBrowser[] {
    try {
      return parseBrowsers(readFileSync(this.#path, 'utf8'));
    } catch {
      return [];
    }
  }

  /** On disk when it returns. Throws `StoreUnavailable`. */
  write(browsers: readonly KnownBrowser[]): void {
    this.#assertHeld();
    try {
      replaceFileSync(this.#path, printBrowsers(browsers));
    } catch (cause) {
      throw unavailable(cause, dirname(this.#path));
    }
  }
}
