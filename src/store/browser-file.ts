import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { KnownBrowser } from '../contract/service/portal.ts';
import { sealedNameOf, type Sealer, type SharedEntries } from '../core/shared-entries.ts';
import { replaceFileSync } from './durable-file.ts';
import { unavailable } from './store-error.ts';

const BrowsersFile = z.object({ format: z.literal(1), browsers: z.array(KnownBrowser) });

function printBrowsers(browsers: readonly KnownBrowser[]): string {
  return JSON.stringify({ format: 1, browsers });
}

/** None in a damaged text: then people sign in by a link again, and nothing else is lost. */
function parseBrowsers(text: string): readonly KnownBrowser[] {
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

/** The name of the only entry of its place. */
const name = 'browsers';
const sealedName = sealedNameOf('browser', name);

/**
 * The list of `BrowserFile` for a team: one sealed entry, so that nobody who can write to the database can sign in a browser.
 *
 * Read at the beginning of a term. Only the leader changes it, and waits for that before it answers: a browser that was signed
 * out is not signed in again by any other host.
 */
export class BrowserEntry {
  readonly #entries: SharedEntries;
  readonly #sealer: Sealer;
  readonly #found: readonly KnownBrowser[];

  private constructor(entries: SharedEntries, sealer: Sealer, found: readonly KnownBrowser[]) {
    this.#entries = entries;
    this.#sealer = sealer;
    this.#found = found;
  }

  /** Rejects with `StoreUnavailable`. */
  static async open(entries: SharedEntries, sealer: Sealer): Promise<BrowserEntry> {
    const sealed = await entries.read('browser', name);
    const text = sealed === null ? null : sealer.open(sealed, sealedName);
    return new BrowserEntry(entries, sealer, text === null ? [] : parseBrowsers(text));
  }

  read(): readonly KnownBrowser[] {
    return this.#found;
  }

  /** Durable when it resolves. Rejects with `StoreUnavailable`. */
  async write(browsers: readonly KnownBrowser[]): Promise<void> {
    await this.#entries.write('browser', name, this.#sealer.seal(printBrowsers(browsers), sealedName));
  }
}
