import type { KnownBrowser } from '../../contract/service/portal.ts';
import { sealedNameOf, type Sealer, type SharedEntries } from '../../core/shared-entries.ts';
import { parseBrowsers, printBrowsers } from '../browser-file.ts';

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
