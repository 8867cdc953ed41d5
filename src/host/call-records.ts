import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { recordFileName } from '../calls/call-log.ts';
import type { RecordFile } from '../calls/record-file.ts';
import type { CallRecordsNotice } from '../contract/store-problem.ts';
import type { Ledger } from '../core/ledger.ts';
import { dayMs } from '../core/token/token.ts';
import { HostError } from './host-error.ts';
import { storeProblemText } from '../text/store.ts';

/** How often old records are deleted. */
const everyMs = 3_600_000;

interface HostCallRecordsParts {
  readonly dataDir: string;
  readonly ledger: Ledger;
  readonly clock: () => number;
  readonly tell: (notice: CallRecordsNotice) => void;
}

/**
 * The records of calls, opened when something is asked of them: most programs answer no calls, and have neither the file nor the
 * library for it in memory.
 *
 * Records older than the settings say are deleted within an hour, and at once when the setting changes.
 */
export class HostCallRecords {
  readonly #parts: HostCallRecordsParts;
  readonly #stopListening: () => void;
  #opening: Promise<RecordFile> | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(parts: HostCallRecordsParts) {
    this.#parts = parts;
    this.#stopListening = parts.ledger.subscribe((event) => {
      if (event.kind !== 'settings.changed' || event.data.settings.call_records_days === undefined) return;
      void this.#opening?.then((records) => this.#forgetOld(records));
    });
  }

  /** Rejects with `StoreUnavailable`; then the next call tries again. */
  readonly open = (): Promise<RecordFile> => {
    this.#opening ??= this.#load().catch((error: unknown) => {
      this.#opening = null;
      throw error;
    });
    return this.#opening;
  };

  /** Opens the records if there are any. Throws `HostError` when they are from a newer version of the program. */
  async start(): Promise<void> {
    if (!existsSync(join(this.#parts.dataDir, recordFileName))) return;
    const { RecordsTooNew } = await import('../calls/record-file.ts');
    try {
      await this.open();
    } catch (cause) {
      if (!(cause instanceof RecordsTooNew)) throw cause;
      const { file, format, newest } = cause;
      throw new HostError(
        'FORMAT_TOO_NEW',
        storeProblemText({ code: 'FORMAT_TOO_NEW', file, format, newest }),
        { cause },
      );
    }
  }

  async close(): Promise<void> {
    this.#stopListening();
    if (this.#timer !== null) clearInterval(this.#timer);
    const opening = this.#opening;
    this.#opening = null;
    await opening?.then(
      (records) => records.close(),
      () => undefined,
    );
  }

  async #load(): Promise<RecordFile> {
    const { RecordFile } = await import('../calls/record-file.ts');
    const records = new RecordFile(this.#parts.dataDir, this.#parts.tell);
    this.#timer ??= setInterval(() => this.#forgetOld(records), everyMs).unref();
    this.#forgetOld(records);
    return records;
  }

  #forgetOld(records: RecordFile): void {
    const { ledger, clock } = this.#parts;
    void records.forgetBefore(clock() - ledger.state.settings.call_records_days * dayMs);
  }
}
