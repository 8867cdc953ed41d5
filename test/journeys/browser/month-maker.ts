import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { copySeededMonth, readSeededMonth, type SeededMonth } from '../../fixtures/month/seeded-month.ts';

const script = join(import.meta.dirname, '../../fixtures/seed-month.ts');
const run = promisify(execFile);

/** Gives each journey a seeded month of its own; the month is made once, when the first one asks. */
export class MonthMaker {
  readonly #folder = mkdtempSync(join(tmpdir(), 'rotavox-months-'));
  #made: Promise<SeededMonth> | undefined;
  #copies = 0;

  async copy(): Promise<SeededMonth> {
    this.#made ??= this.#make();
    const month = await this.#made;
    this.#copies += 1;
    return copySeededMonth(month, join(this.#folder, `copy-${this.#copies}`));
  }

  /** Takes all of them away. */
  clear(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** In a process of its own: the month is made by the program as Node runs it, not as the test runner does. */
  async #make(): Promise<SeededMonth> {
    const folder = join(this.#folder, 'made');
    await run(process.execPath, [script, folder]);
    return readSeededMonth(folder);
  }
}
