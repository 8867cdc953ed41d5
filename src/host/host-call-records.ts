import type { StoredCalls } from '../calls/call-log.ts';
import type { Ledger } from '../core/ledger.ts';
import { dayMs } from '../core/token/token-record.ts';

/** How often old records are deleted. */
const everyMs = 3_600_000;

interface HostCallRecordsParts {
  readonly ledger: Ledger;
  readonly clock: () => number;
  readonly load: () => Promise<StoredCalls>;
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
  #opening: Promise<StoredCalls> | null = null;
  #timer: NodeJS.Timeout | null = null;

  constructor(parts: HostCallRecordsParts) {
    this.#parts = parts;
    this.#stopListening = parts.ledger.subscribe((event) => {
      if (event.kind !== 'settings.changed' || event.data.settings.call_records_days === undefined) return;
      void this.#opening?.then((records) => this.#forgetOld(records));
    });
  }

  /** Rejects with `StoreUnavailable`; then the next call tries again. */
  readonly open = (): Promise<StoredCalls> => {
    this.#opening ??= this.#load().catch((error: unknown) => {
      this.#opening = null;
      throw error;
    });
    return this.#opening;
  };

  async close(): Promise<void> {
    this.#stopListening();
    const opening = this.#opening;
    this.#opening = null;
    const records = await opening?.catch(() => null);
    // Not before: one that was being opened has a timer only now.
    if (this.#timer !== null) clearInterval(this.#timer);
    await records?.close();
  }

  async #load(): Promise<StoredCalls> {
    const records = await this.#parts.load();
    this.#timer ??= setInterval(() => this.#forgetOld(records), everyMs).unref();
    this.#forgetOld(records);
    return records;
  }

  #forgetOld(records: StoredCalls): void {
    const { ledger, clock } = this.#parts;
    void records.forgetBefore(clock() - ledger.state.settings.call_records_days * dayMs);
  }
}
