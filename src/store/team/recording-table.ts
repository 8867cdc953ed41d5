import type { AudioFile, ByteSpan, RecordingFiles } from '../../core/recording/recording-files.ts';
import type { SharedTables } from '../../core/shared-tables.ts';
import type { State } from '../../core/state.ts';
import { StoreUnavailable } from '../../core/ledger.ts';

/** How much of a recording one statement reads. */
const pieceBytes = 1024 * 1024;

/** Audio in the table `recording` of PostgreSQL, one row for each content. */
export class RecordingTable implements RecordingFiles {
  readonly #tables: SharedTables;

  constructor(tables: SharedTables) {
    this.#tables = tables;
  }

  /**
   * In two statements: the first, which may take long, does not lock the row `leadership`, and harms nobody when this host does
   * not lead any more. What a removal that arrives in between took away is not confirmed.
   */
  async keep({ digest, format }: AudioFile, bytes: Uint8Array): Promise<void> {
    // Written even if it exists: this repairs a row that was damaged.
    await this.#tables.query(
      `insert into rotavox.recording (digest, format, bytes, epoch, number) values ($1, $2, $3, 0, 0)
        on conflict (digest, format) do update set bytes = excluded.bytes`,
      [digest, format, bytes],
    );
    const kept = await this.#tables.write(
      `kept as (
        update rotavox.recording set epoch = lead.epoch, number = lead.number from lead
        where digest = $3::text and format = $4::text returning 1
      )`,
      [digest, format],
      'select count(*)::int from kept',
    );
    if (kept === 0) throw new StoreUnavailable({ code: 'REMOVED_MEANWHILE', path: this.#tables.place });
  }

  async forget({ digest, format }: AudioFile): Promise<void> {
    await this.#tables.write(
      `forgotten as (
        delete from rotavox.recording as known using lead
        where digest = $3::text and format = $4::text and (known.epoch, known.number) < (lead.epoch, lead.number)
      )`,
      [digest, format],
    );
  }

  async read(file: AudioFile, span: ByteSpan): Promise<AsyncIterable<Uint8Array> | null> {
    // Read here, so that a missing recording is an answer and not a broken response.
    const first = await this.#readPiece(file, span);
    return first === null ? null : this.#pieces(file, span, first);
  }

  async *#pieces(file: AudioFile, { start, end }: ByteSpan, first: Uint8Array): AsyncGenerator<Uint8Array> {
    let at = start;
    for (let piece: Uint8Array | null = first; piece !== null && piece.length > 0;) {
      yield piece;
      at += piece.length;
      if (at > end) return;
      piece = await this.#readPiece(file, { start: at, end });
    }
  }

  async #readPiece({ digest, format }: AudioFile, { start, end }: ByteSpan): Promise<Uint8Array | null> {
    const length = Math.min(end - start + 1, pieceBytes);
    const [row] = await this.#tables.query(
      `select substring(bytes from $3::int for $4::int) as piece from rotavox.recording where digest = $1 and format = $2`,
      [digest, format, start + 1, length],
    );
    return row === undefined ? null : (row['piece'] as Uint8Array);
  }
}

/**
 * Opens the audio of a team for a term, as its leader.
 *
 * A row is written before its event and deleted after it, so a host that died can leave one without a recording: those are removed
 * here. Rejects with `StoreUnavailable`.
 */
export async function openRecordingTable(
  tables: SharedTables,
  { recordings }: State,
): Promise<RecordingFiles> {
  const kept = [...recordings.values()].map(({ digest, format }) => `${digest}.${format}`);
  await tables.write(
    `orphans as (
      delete from rotavox.recording using lead where (digest || '.' || format) <> all ($3::text[])
    )`,
    [kept],
  );
  return new RecordingTable(tables);
}
