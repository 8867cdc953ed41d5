import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  CallDetail,
  CallFilters,
  CallPage,
  CallQuery,
  CallRecord,
  Traffic,
  TrafficQuery,
} from '../contract/calls/call.ts';
import type { CallRecordsNotice } from '../contract/service/store-problem.ts';
import { instantMs } from '../core/iso-instant.ts';
import { StoreUnavailable } from '../core/ledger.ts';
import {
  type CallUnderWay,
  defaultLimit,
  mostWaiting,
  recordFileName,
  retryMs,
  type StoredCalls,
} from './call-log.ts';
import {
  type CallsInHour,
  hourMs,
  sumsOf,
  trafficOf,
  trafficParts,
  type TrafficSum,
} from './count-traffic.ts';
import { endDetail } from '../core/calls/telephony.ts';
import { recordOfRow, type RecordRow } from './record-row.ts';
import { replacePathSync } from '../system/replace-path.ts';

/** Of the tables below, as `user_version` of the file. */
const version = 1;

/** How many records are read in one turn of the event loop: a few milliseconds. */
const recordsAtOnce = 10_000;
/** How many records are deleted in one turn. */
const deletedAtOnce = 2_000;

/**
 * `secure_delete`: a deleted number is overwritten. `NORMAL`: what was written survives the end of the process; after a power
 * failure the last records may be missing, and the file is intact.
 */
const pragmas = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA secure_delete = ON;
`;

/** `traffic` sums what callers did, by hour (`span` 1) and by day in UTC (`span` 24); it has nothing of a single caller. */
const tables = `
  CREATE TABLE calls (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, pbx TEXT NOT NULL, ivr TEXT NOT NULL, draft TEXT, caller TEXT,
    started INTEGER NOT NULL, ended INTEGER NOT NULL, keys TEXT NOT NULL, end_kind TEXT NOT NULL, end_detail TEXT NOT NULL
  );
  CREATE INDEX calls_by_caller ON calls (caller) WHERE caller IS NOT NULL;
  CREATE INDEX calls_by_start ON calls (started);
  CREATE TABLE details (seq INTEGER PRIMARY KEY, moments TEXT NOT NULL, menu_names TEXT NOT NULL);
  CREATE TABLE menus (id TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE traffic (
    span INTEGER NOT NULL, at INTEGER NOT NULL, menu TEXT NOT NULL, what TEXT NOT NULL, count INTEGER NOT NULL,
    PRIMARY KEY (span, at, menu, what)
  ) WITHOUT ROWID;
  CREATE INDEX traffic_of_calls ON traffic (at, menu, count) WHERE span = 1 AND what = 'calls';
  CREATE TABLE flows (hash TEXT PRIMARY KEY, text TEXT NOT NULL);
  CREATE TABLE under_way (id TEXT PRIMARY KEY, call TEXT NOT NULL) WITHOUT ROWID;
  PRAGMA user_version = ${version};
`;

/** The file is from a newer version of this program, which alone can read it. Nothing was changed. */
export class RecordsTooNew extends Error {
  readonly file: string;
  readonly format: number;
  /** The newest that this program reads. */
  readonly newest = version;

  constructor(file: string, format: number) {
    super(`The records of calls in ${file} have format ${format}`);
    this.name = 'RecordsTooNew';
    this.file = file;
    this.format = format;
  }
}

interface SeqRow extends RecordRow {
  readonly seq: number;
}

interface Condition {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

/**
 * Writes the records as they are now to a new file of ours. Others may write them meanwhile.
 *
 * Throws the system's error, or SQLite's.
 */
export function copyRecords(folder: string, to: string): void {
  writeFileSync(to, '', { flag: 'wx', mode: 0o600 });
  const db = new DatabaseSync(join(folder, recordFileName), { readOnly: true });
  try {
    db.prepare('VACUUM INTO ?').run(to);
  } finally {
    db.close();
  }
}

/**
 * `<data>/calls.sqlite`: calls under way and the records of those that ended.
 *
 * Not in the journal, because records are deleted after a time and at a caller's wish, and the journal forgets nothing.
 */
export class RecordFile implements StoredCalls {
  readonly #db: DatabaseSync;
  readonly #path: string;
  readonly #tell: (notice: CallRecordsNotice) => void;
  readonly #statements = new Map<string, StatementSync>();
  #waiting: CallDetail[] = [];
  #retry: NodeJS.Timeout | null = null;
  #isRefusing = false;
  #isClosed = false;

  /** Throws `RecordsTooNew`, or `StoreUnavailable` when the file cannot be opened. */
  constructor(folder: string, tell: (notice: CallRecordsNotice) => void) {
    this.#path = join(folder, recordFileName);
    this.#tell = tell;
    this.#db = this.#open();
  }

  #open(): DatabaseSync {
    try {
      return openDatabase(this.#path);
    } catch (error) {
      if (!isDamage(error)) throw unavailable(this.#path, error);
      const keptAs = `${this.#path}.damaged-${Date.now()}`;
      for (const rest of ['', '-wal', '-shm']) renameIfThere(this.#path + rest, keptAs + rest);
      this.#tell({ kind: 'damaged', file: this.#path, kept_as: keptAs });
      return openDatabase(this.#path);
    }
  }

  keepFlow(hash: string, text: string): void {
    this.#attempt(() => this.#run('INSERT OR IGNORE INTO flows VALUES (?, ?)', hash, text));
  }

  async flow(hash: string): Promise<string | null> {
    const row = this.#sql('SELECT text FROM flows WHERE hash = ?').get(hash);
    return row === undefined ? null : (row['text'] as string);
  }

  keep(call: CallUnderWay): void {
    this.#attempt(() =>
      this.#run('INSERT OR REPLACE INTO under_way VALUES (?, ?)', call.id, JSON.stringify(call)),
    );
  }

  async underWay(): Promise<CallUnderWay[]> {
    return this.#sql('SELECT call FROM under_way')
      .all()
      .map((row) => JSON.parse(row['call'] as string) as CallUnderWay);
  }

  save(...calls: readonly CallDetail[]): void {
    this.#waiting.push(...calls.slice(0, mostWaiting - this.#waiting.length));
    this.#saveWaiting();
  }

  #saveWaiting(): void {
    const isSaved = this.#attempt(() =>
      this.#transact(() => {
        for (const call of this.#waiting) this.#insert(call);
      }),
    );
    if (isSaved) this.#waiting = [];
    else if (!this.#isClosed) {
      this.#retry ??= setTimeout(() => {
        this.#retry = null;
        this.#saveWaiting();
      }, retryMs).unref();
    }
  }

  #insert(call: CallDetail): void {
    this.#run('DELETE FROM under_way WHERE id = ?', call.id);
    const { changes, lastInsertRowid } = this.#run(
      'INSERT OR IGNORE INTO calls VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      call.id,
      call.pbx,
      call.ivr,
      call.draft,
      call.caller,
      instantMs(call.started_at),
      instantMs(call.ended_at),
      JSON.stringify(call.keys),
      call.end.kind,
      endDetail(call.end),
    );
    if (changes === 0) return; // It is stored already.
    this.#run(
      'INSERT INTO details VALUES (?, ?, ?)',
      lastInsertRowid,
      JSON.stringify(call.moments),
      JSON.stringify(call.menu_names),
    );
    // A draft is tried by its owner: that is no traffic.
    if (call.draft !== null) return;
    for (const [id, name] of Object.entries(call.menu_names)) {
      this.#run('INSERT OR REPLACE INTO menus VALUES (?, ?)', id, name);
    }
    for (const { span, at, menu, what } of sumsOf(call)) this.#count(span, at, menu, what);
  }

  #count(span: number, at: number, menu: string, what: string): void {
    this.#run(
      'INSERT INTO traffic VALUES (?, ?, ?, ?, 1) ON CONFLICT DO UPDATE SET count = count + 1',
      span,
      at,
      menu,
      what,
    );
  }

  async find({ after, limit, ...filters }: CallQuery): Promise<CallPage> {
    const most = limit === undefined ? defaultLimit : Number(limit);
    const before = after === undefined ? Infinity : Number(after);
    const where = this.#conditionOf(filters);
    const inWindow = `FROM calls WHERE ${where.sql} AND seq <= ? AND seq > ?`;
    const rows: SeqRow[] = [];
    let total = 0;
    for await (const { newest, oldest } of this.#windows()) {
      const { count } = this.#sql(`SELECT COUNT(*) AS count ${inWindow}`).get(
        ...where.values,
        newest,
        oldest,
      ) as { count: number };
      total += count;
      const missing = most + 1 - rows.length;
      if (count === 0 || missing === 0 || oldest >= before - 1) continue;
      const page = this.#sql(`SELECT * ${inWindow} ORDER BY seq DESC LIMIT ?`);
      const upTo = Math.min(newest, before - 1);
      rows.push(...(page.all(...where.values, upTo, oldest, missing) as unknown as SeqRow[]));
    }
    const shown = rows.slice(0, most);
    return {
      calls: shown.map(recordOfRow),
      total,
      next: rows.length > most ? String(shown.at(-1)?.seq) : null,
    };
  }

  async *all(filters: CallFilters): AsyncGenerator<readonly CallRecord[]> {
    const where = this.#conditionOf(filters);
    const found = this.#sql(
      `SELECT * FROM calls WHERE ${where.sql} AND seq <= ? AND seq > ? ORDER BY seq DESC`,
    );
    for await (const { newest, oldest } of this.#windows()) {
      yield (found.all(...where.values, newest, oldest) as unknown as SeqRow[]).map(recordOfRow);
    }
  }

  /** The records in parts, newest first, each in a turn of its own. */
  async *#windows(): AsyncGenerator<{ readonly newest: number; readonly oldest: number }> {
    const { first, last } = this.#sql('SELECT MIN(seq) AS first, MAX(seq) AS last FROM calls').get() as {
      first: number | null;
      last: number | null;
    };
    if (first === null || last === null) return;
    for (let newest = last; newest >= first && !this.#isClosed; newest -= recordsAtOnce) {
      yield { newest, oldest: newest - recordsAtOnce };
      await nextTurn();
    }
  }

  #conditionOf({ since, until, ivr, pbx, end, search }: CallFilters): Condition {
    const parts = ['TRUE'];
    const values: SQLInputValue[] = [];
    const add = (sql: string, ...more: SQLInputValue[]): void => {
      parts.push(sql);
      values.push(...more);
    };
    if (since !== undefined) add('started >= ?', Date.parse(since));
    if (until !== undefined) add('started < ?', Date.parse(until));
    if (ivr !== undefined) add('ivr = ?', ivr);
    if (pbx !== undefined) add('pbx = ?', pbx);
    if (end !== undefined) add('end_kind = ?', end);
    if (search !== undefined && search !== '') {
      const like = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
      const named = this.#sql("SELECT id FROM menus WHERE name LIKE ? ESCAPE '\\'").all(like);
      const ids = JSON.stringify(named.map((row) => row['id']));
      add(
        `(caller LIKE ? ESCAPE '\\' OR end_detail LIKE ? ESCAPE '\\'` +
          ' OR ivr IN (SELECT value FROM json_each(?)) OR end_detail IN (SELECT value FROM json_each(?)))',
        like,
        like,
        ids,
        ids,
      );
    }
    return { sql: parts.join(' AND '), values };
  }

  async read(id: string): Promise<CallDetail | null> {
    const row = this.#sql('SELECT * FROM calls JOIN details USING (seq) WHERE id = ?').get(id);
    if (row === undefined) return null;
    const { moments, menu_names: names } = row as { moments: string; menu_names: string };
    return {
      ...recordOfRow(row as unknown as SeqRow),
      moments: JSON.parse(moments) as CallDetail['moments'],
      menu_names: JSON.parse(names) as CallDetail['menu_names'],
    };
  }

  async menuNames(): Promise<ReadonlyMap<string, string>> {
    const rows = this.#sql('SELECT id, name FROM menus').all();
    return new Map(rows.map(({ id, name }) => [id as string, name as string]));
  }

  /** Rejects with `StoreUnavailable`; then nothing was deleted. */
  async forgetCaller(caller: string): Promise<number> {
    try {
      return this.#transact(() => {
        this.#run('DELETE FROM details WHERE seq IN (SELECT seq FROM calls WHERE caller = ?)', caller);
        return Number(this.#run('DELETE FROM calls WHERE caller = ?', caller).changes);
      });
    } catch (error) {
      throw unavailable(this.#path, error);
    }
  }

  /** Deletes what is older than an instant, a few records a turn, and flows that no call runs any more. */
  async forgetBefore(beforeMs: number): Promise<void> {
    this.#attempt(() =>
      this.#transact(() => {
        this.#run('DELETE FROM traffic WHERE at + span <= ?', Math.floor(beforeMs / hourMs));
        this.#run("DELETE FROM flows WHERE hash NOT IN (SELECT json_extract(call, '$.flow') FROM under_way)");
      }),
    );
    const old = `SELECT seq FROM calls WHERE started < ? ORDER BY started, seq LIMIT ${deletedAtOnce}`;
    for (let deleted = deletedAtOnce; deleted === deletedAtOnce && !this.#isClosed; await nextTurn()) {
      deleted = 0;
      this.#attempt(() =>
        this.#transact(() => {
          this.#run(`DELETE FROM details WHERE seq IN (${old})`, beforeMs);
          deleted = Number(this.#run(`DELETE FROM calls WHERE seq IN (${old})`, beforeMs).changes);
        }),
      );
    }
  }

  async traffic(query: TrafficQuery): Promise<Traffic> {
    const { from, to, menus, spans } = trafficParts(query);
    const sums = this.#sql(
      'SELECT menu, what, SUM(count) AS count FROM traffic WHERE span = ? AND at >= ? AND at < ? GROUP BY menu, what',
    );
    const ofMenus = menus === null ? '' : 'AND menu IN (SELECT value FROM json_each(?))';
    const byHour = this.#sql(
      `SELECT at, SUM(count) AS count FROM traffic
       WHERE span = 1 AND what = 'calls' AND at >= ? AND at < ? ${ofMenus} GROUP BY at ORDER BY at`,
    );
    return trafficOf(
      query,
      spans.flatMap((span) => sums.all(...span) as unknown as TrafficSum[]),
      byHour.all(from, to, ...(menus === null ? [] : [JSON.stringify(menus)])) as unknown as CallsInHour[],
    );
  }

  /** Writes what waits. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#isClosed = true;
    if (this.#waiting.length > 0) this.#saveWaiting();
    this.#db.close();
  }

  /** Whether it was written. A failure is told once, until something was written again. */
  #attempt(write: () => unknown): boolean {
    try {
      write();
      this.#isRefusing = false;
      return true;
    } catch (cause) {
      if (!this.#isRefusing) this.#tell({ kind: 'not_written', code: codeOf(cause), path: this.#path });
      this.#isRefusing = true;
      return false;
    }
  }

  #transact<T>(work: () => T): T {
    this.#db.exec('BEGIN IMMEDIATE');
    try {
      const value = work();
      this.#db.exec('COMMIT');
      return value;
    } catch (error) {
      // SQLite has rolled back itself after some failures, such as a full disk.
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  #run(sql: string, ...values: SQLInputValue[]) {
    return this.#sql(sql).run(...values);
  }

  #sql(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#db.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

function openDatabase(path: string): DatabaseSync {
  const db = new DatabaseSync(path);
  try {
    chmodSync(path, 0o600);
    const { user_version: found } = db.prepare('PRAGMA user_version').get() as { user_version: number };
    if (found > version) throw new RecordsTooNew(path, found);
    db.exec(pragmas);
    if (found === 0) db.exec(`BEGIN; ${tables} COMMIT;`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** What the system says in place of some result codes of SQLite: BUSY, READONLY, FULL and CANTOPEN. */
const systemCodes: ReadonlyMap<unknown, string> = new Map([
  [5, 'EBUSY'],
  [8, 'EROFS'],
  [13, 'ENOSPC'],
  [14, 'EACCES'],
]);

function codeOf(cause: unknown): string {
  return (cause instanceof Error && 'errcode' in cause ? systemCodes.get(cause.errcode) : null) ?? 'EIO';
}

/** An error of SQLite as a refusal of the disk; any other is returned. */
function unavailable(path: string, cause: unknown): unknown {
  return cause instanceof Error && 'errcode' in cause
    ? new StoreUnavailable({ code: codeOf(cause), path }, { cause })
    : cause;
}

/** SQLite's result codes SQLITE_CORRUPT and SQLITE_NOTADB. */
const damageCodes: ReadonlySet<unknown> = new Set([11, 26]);

function isDamage(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && damageCodes.has(error.errcode);
}

function renameIfThere(from: string, to: string): void {
  try {
    replacePathSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
