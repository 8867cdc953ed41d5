import { clipboard } from 'electron';
import { reportFailure } from './report-bug.ts';

/** How long a copied secret stays in the clipboard, in milliseconds. */
const keptMs = 30_000;

/**
 * A secret on its way through the clipboard: taken away again after 30 s, and when the app ends.
 *
 * What somebody copied meanwhile stays. A clipboard manager may have kept a copy; that is out of reach here. Older
 * Electrons answer at once where newer ones promise; `await` reads both.
 */
export class ClipboardSecret {
  #secret: string | null = null;
  #end: NodeJS.Timeout | undefined;

  async copy(secret: string): Promise<void> {
    clearTimeout(this.#end);
    this.#secret = secret;
    this.#end = setTimeout(() => reportFailure(this.clear(), 'clearing the clipboard'), keptMs);
    await clipboard.writeText(secret);
  }

  async clear(): Promise<void> {
    clearTimeout(this.#end);
    const secret = this.#secret;
    this.#secret = null;
    if (secret !== null && (await clipboard.readText()) === secret) clipboard.clear();
  }
}
