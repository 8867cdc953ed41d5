import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readSeededMonth, type SeededMonth } from '../../fixtures/month/seeded-month.ts';
import { HostProcess, Server } from './hosts.ts';

const script = join(import.meta.dirname, '../../fixtures/seed-month.ts');
const run = promisify(execFile);

interface Opened {
  readonly month: SeededMonth;
  readonly server: Server;
}

/** A month of real data and a service on it, made when the first journey of a worker asks; they look, and change nothing of note. */
export class ServedMonth {
  readonly #folder = mkdtempSync(join(tmpdir(), 'rotavox-month-'));
  /** Of its own, so that the services of the other journeys keep their address. */
  readonly #hosts = new HostProcess();
  #opened: Promise<Opened> | undefined;

  open(): Promise<Opened> {
    this.#opened ??= this.#open();
    return this.#opened;
  }

  async close(): Promise<void> {
    await this.#hosts.end();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Made in a process of its own: by the program as Node runs it, not as the test runner does. */
  async #open(): Promise<Opened> {
    const folder = join(this.#folder, 'made');
    await run(process.execPath, [script, folder]);
    const month = readSeededMonth(folder);
    const vault = { kind: 'file', passphraseFile: month.passphraseFile } as const;
    const server = new Server(this.#hosts, month.dataDir, vault);
    await server.start();
    return { month, server };
  }
}
