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
import type { SharedTables, SqlValue } from '../core/shared-tables.ts';
import { type CallUnderWay, defaultLimit, mostWaiting, retryMs, type StoredCalls } from './call-log.ts';
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

/** How many records one statement writes, reads or deletes at most. */
const savedAtOnce = 500;
const readAtOnce = 5_000;
const deletedAtOnce = 2_000;

const columns = `seq::text, id, pbx, ivr, draft, caller, started::float8, ended::float8, keys, end_kind, end_detail`;

interface SeqRow extends RecordRow {
  readonly seq: string;
}

/** No row for a statement that arrives after a later one: it would bring back what was deleted since. */
const guard = `
  guard as (
    update rotavox.call_write as known set epoch = lead.epoch, number = lead.number from lead
    where (known.epoch, known.number) < (lead.epoch, lead.number) returning 1
  )`;

const saveAll = `
  flows as (
    insert into rotavox.call_flow (hash, text)
    select added.hash, added.text from guard, unnest($3::text[], $4::text[]) as added (hash, text)
    on conflict do nothing
  ),
  under_way as (
    insert into rotavox.call_under_way (id, flow, call)
    select added.id, added.flow, added.call from guard, unnest($5::text[], $6::text[], $7::text[]) as added (id, flow, call)
    on conflict (id) do update set call = excluded.call
  ),
  saved as (
    insert into rotavox.call_record
      (id, pbx, ivr, draft, caller, started, ended, keys, end_kind, end_detail, moments, menu_names)
    select added.id, added.pbx, added.ivr, added.draft, added.caller, added.started, added.ended, added.keys,
      added.end_kind, added.end_detail, added.moments, added.menu_names
    from guard, unnest(
      $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::bigint[], $14::bigint[], $15::text[], $16::text[],
      $17::text[], $18::text[], $19::text[]
    ) with ordinality as added
      (id, pbx, ivr, draft, caller, started, ended, keys, end_kind, end_detail, moments, menu_names, place)
    order by added.place
    on conflict (id) do nothing returning id
  ),
  ended as (
    delete from rotavox.call_under_way using guard where id = any ($8::text[])
  ),
  named as (
    insert into rotavox.call_menu (id, name)
    select added.id, added.name from guard, unnest($20::text[], $21::text[]) as added (id, name)
    on conflict (id) do update set name = excluded.name
  ),
  counted as (
    insert into rotavox.call_traffic as known (span, at, menu, what, count)
    select added.span, added.at, added.menu, added.what, count(*)
    from saved join unnest($22::text[], $23::int[], $24::int[], $25::text[], $26::text[])
      as added (id, span, at, menu, what) using (id)
    group by added.span, added.at, added.menu, added.what
    on conflict (span, at, menu, what) do update set count = known.count + excluded.count
  )`;

/**
 * Calls under way and the records of those that ended, in PostgreSQL, for the host that leads.
 *
 * A call does not wait for the database: what it stores is written a moment later, together with that of others, one statement
 * after the other. Reading waits for what was stored before. A deleted number is in the files of the database until that
 * cleans them up.
 */
export class RecordTable implements StoredCalls {
  readonly #tables: SharedTables;
  readonly #tell: (notice: CallRecordsNotice) => void;
  /** What is not written yet. */
  readonly #flows = new Map<string, string>();
  readonly #underWay = new Map<string, { readonly flow: string; readonly text: string }>();
  #waiting: CallDetail[] = [];
  #last: Promise<unknown> = Promise.resolve();
  #isPlanned = false;
  #retry: NodeJS.Timeout | null = null;
  #isRefusing = false;
  #isClosed = false;

  constructor(tables: SharedTables, tell: (notice: CallRecordsNotice) => void) {
    this.#tables = tables;
    this.#tell = tell;
  }

  keepFlow(hash: string, text: string): void {
    this.#flows.set(hash, text);
    this.#plan();
  }

  async flow(hash: string): Promise<string | null> {
    const [row] = await this.#read('select text from rotavox.call_flow where hash = $1', [hash]);
    return row === undefined ? null : (row['text'] as string);
  }

  keep(call: CallUnderWay): void {
    this.#underWay.set(call.id, { flow: call.flow, text: JSON.stringify(call) });
    this.#plan();
  }

  async underWay(): Promise<CallUnderWay[]> {
    const rows = await this.#read('select call from rotavox.call_under_way order by id');
    return rows.map((row) => JSON.parse(row['call'] as string) as CallUnderWay);
  }

  save(...calls: readonly CallDetail[]): void {
    for (const { id } of calls) this.#underWay.delete(id);
    this.#waiting.push(...calls.slice(0, mostWaiting - this.#waiting.length));
    this.#plan();
  }

  async find({ after, limit, ...filters }: CallQuery): Promise<CallPage> {
    const most = limit === undefined ? defaultLimit : Number(limit);
    const { sql, values } = conditionOf(filters);
    const { rows, total } = await this.#findRows(sql, values, { after, most: most + 1 });
    const shown = rows.slice(0, most);
    return {
      calls: shown.map(recordOfRow),
      total,
      next: rows.length > most ? (shown.at(-1)?.seq ?? null) : null,
    };
  }

  async #findRows(
    sql: string,
    values: readonly SqlValue[],
    { after, most }: { readonly after: string | undefined; readonly most: number },
  ): Promise<{ rows: SeqRow[]; total: number }> {
    const [rows, [all]] = await Promise.all([
      this.#read(
        `select ${columns} from rotavox.call_record
          where ${sql} and seq < coalesce($${values.length + 1}::bigint, 9223372036854775807)
          order by call_record.seq desc limit $${values.length + 2}`,
        [...values, after ?? null, most],
      ),
      this.#read(`select count(*)::float8 as total from rotavox.call_record where ${sql}`, values),
    ]);
    return { rows: rows as unknown as SeqRow[], total: all?.['total'] as number };
  }

  async *all(filters: CallFilters): AsyncGenerator<readonly CallRecord[]> {
    const { sql, values } = conditionOf(filters);
    let before: string | null = null;
    do {
      const rows = (await this.#read(
        `select ${columns} from rotavox.call_record
          where ${sql} and seq < coalesce($${values.length + 1}::bigint, 9223372036854775807)
          order by call_record.seq desc limit ${readAtOnce}`,
        [...values, before],
      )) as unknown as SeqRow[];
      yield rows.map(recordOfRow);
      before = rows.length < readAtOnce ? null : (rows.at(-1)?.seq ?? null);
    } while (before !== null && !this.#isClosed);
  }

  async read(id: string): Promise<CallDetail | null> {
    const [row] = await this.#read(
      `select ${columns}, moments, menu_names from rotavox.call_record where id = $1`,
      [plain(id)],
    );
    if (row === undefined) return null;
    return {
      ...recordOfRow(row as unknown as SeqRow),
      moments: JSON.parse(row['moments'] as string) as CallDetail['moments'],
      menu_names: JSON.parse(row['menu_names'] as string) as CallDetail['menu_names'],
    };
  }

  async menuNames(): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#read('select id, name from rotavox.call_menu');
    return new Map(rows.map(({ id, name }) => [id as string, name as string]));
  }

  async forgetCaller(caller: string): Promise<number> {
    return this.#inTurn(async () => {
      const deleted = await this.#change(
        `gone as (delete from rotavox.call_record using guard where caller = $3::text returning 1)`,
        [plain(caller)],
        'select count(*)::int from gone',
      );
      // Those that the database has not taken yet.
      const waiting = this.#waiting.filter((call) => call.caller !== caller);
      const dropped = this.#waiting.length - waiting.length;
      this.#waiting = waiting;
      return deleted + dropped;
    });
  }

  async forgetBefore(beforeMs: number): Promise<void> {
    await this.#attempt(() =>
      this.#change(
        `traffic as (delete from rotavox.call_traffic using guard where at + span <= $3::int),
         flows as (
           delete from rotavox.call_flow using guard
           where not exists (select 1 from rotavox.call_under_way where flow = hash)
         )`,
        [Math.floor(beforeMs / hourMs)],
      ),
    );
    for (let isMore = true; isMore && !this.#isClosed;) {
      isMore = false;
      await this.#attempt(async () => {
        const deleted = await this.#change(
          `gone as (
            delete from rotavox.call_record using guard where seq in (
              select seq from rotavox.call_record where started < $3::bigint order by started, seq limit ${deletedAtOnce}
            ) returning 1
          )`,
          [beforeMs],
          'select count(*)::int from gone',
        );
        isMore = deleted === deletedAtOnce;
      });
    }
  }

  async traffic(query: TrafficQuery): Promise<Traffic> {
    const { from, to, menus, spans } = trafficParts(query);
    const [sums, byHour] = await Promise.all([
      this.#read(
        `select menu, what, sum(count)::float8 as count from rotavox.call_traffic as known
          join unnest($1::int[], $2::int[], $3::int[]) as part (span, first, beyond)
            on known.span = part.span and known.at >= part.first and known.at < part.beyond
          group by menu, what`,
        [0, 1, 2].map((place) => spans.map((span) => span[place] ?? 0)),
      ),
      this.#read(
        `select at, sum(count)::float8 as count from rotavox.call_traffic
          where span = 1 and what = 'calls' and at >= $1 and at < $2 and ($3::text[] is null or menu = any ($3))
          group by at order by at`,
        [from, to, menus],
      ),
    ]);
    return trafficOf(query, sums as unknown as TrafficSum[], byHour as unknown as CallsInHour[]);
  }

  async close(): Promise<void> {
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#plan();
    this.#isClosed = true;
    await this.#last;
  }

  /** Rows as they are when everything was written that was stored before. */
  async #read(sql: string, values: readonly SqlValue[] = []) {
    await this.#last;
    return this.#tables.query(sql, values);
  }

  /** Statements that change something follow each other. */
  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const mine = this.#last.then(act);
    this.#last = mine.catch(() => undefined); // reported to this caller, not to the next
    return mine;
  }

  #plan(): void {
    if (this.#isPlanned || this.#isClosed) return;
    this.#isPlanned = true;
    void this.#attempt(async () => {
      this.#isPlanned = false;
      while (this.#waiting.length + this.#underWay.size + this.#flows.size > 0) await this.#saveSome();
    }).then((isSaved) => {
      if (isSaved || this.#isClosed) return;
      this.#retry ??= setTimeout(() => {
        this.#retry = null;
        this.#plan();
      }, retryMs).unref();
    });
  }

  async #saveSome(): Promise<void> {
    const flows = [...this.#flows];
    const underWay = [...this.#underWay];
    const saved = this.#waiting.slice(0, savedAtOnce);
    // Each once: a statement does not see what it inserts itself.
    const calls = [...new Map(saved.map((call) => [call.id, call])).values()];
    // A draft is tried by its owner: that is no traffic.
    const counted = calls.filter(({ draft }) => draft === null);
    const names = [...new Map(counted.flatMap(({ menu_names }) => Object.entries(menu_names)))];
    const sums = counted.flatMap((call) => sumsOf(call).map((sum) => ({ id: call.id, ...sum })));
    const column = <T>(of: (call: CallDetail) => T): T[] => calls.map(of);
    await this.#change(saveAll, [
      flows.map(([hash]) => hash),
      flows.map(([, text]) => plain(text)),
      underWay.map(([id]) => id),
      underWay.map(([, { flow }]) => flow),
      underWay.map(([, { text }]) => text),
      column(({ id }) => id),
      column(({ pbx }) => plain(pbx)),
      column(({ ivr }) => plain(ivr)),
      column(({ draft }) => draft),
      column(({ caller }) => (caller === null ? null : plain(caller))),
      column((call) => instantMs(call.started_at)),
      column((call) => instantMs(call.ended_at)),
      column(({ keys }) => JSON.stringify(keys)),
      column(({ end }) => end.kind),
      column(({ end }) => plain(endDetail(end))),
      column(({ moments }) => JSON.stringify(moments)),
      column((call) => JSON.stringify(call.menu_names)),
      names.map(([id]) => plain(id)),
      names.map(([, name]) => plain(name)),
      sums.map(({ id }) => id),
      sums.map(({ span }) => span),
      sums.map(({ at }) => at),
      sums.map(({ menu }) => plain(menu)),
      sums.map(({ what }) => plain(what)),
    ]);
    // What was stored again meanwhile is written with the next statement.
    for (const [hash] of flows) this.#flows.delete(hash);
    for (const [id, written] of underWay) if (this.#underWay.get(id) === written) this.#underWay.delete(id);
    this.#waiting = this.#waiting.slice(saved.length);
  }

  /** One statement, whose changes take their rows `from guard`. Rejects with `StoreUnavailable`. */
  async #change(changes: string, values: readonly SqlValue[], result = 'select 0'): Promise<number> {
    const done = await this.#tables.write(
      `${guard}, ${changes}`,
      values,
      `case when exists (select 1 from guard) then (${result}) end`,
    );
    if (done === null) throw new StoreUnavailable({ code: 'OVERTAKEN', path: this.#tables.place });
    return done as number;
  }

  /** Whether it was carried out. A failure is told once, until something was written again. */
  async #attempt(change: () => Promise<unknown>): Promise<boolean> {
    try {
      await this.#inTurn(change);
      this.#isRefusing = false;
      return true;
    } catch (cause) {
      if (!(cause instanceof StoreUnavailable)) throw cause;
      if (!this.#isRefusing) this.#tell({ kind: 'not_written', ...cause.refusal });
      this.#isRefusing = true;
      return false;
    }
  }
}

function conditionOf({ since, until, ivr, pbx, end, search }: CallFilters): {
  readonly sql: string;
  readonly values: readonly SqlValue[];
} {
  const parts = ['true'];
  const values: SqlValue[] = [];
  const add = (sql: (place: string) => string, value: SqlValue): void => {
    values.push(value);
    parts.push(sql(`$${values.length}`));
  };
  if (since !== undefined) add((at) => `started >= ${at}::bigint`, Date.parse(since));
  if (until !== undefined) add((at) => `started < ${at}::bigint`, Date.parse(until));
  if (ivr !== undefined) add((at) => `ivr = ${at}`, plain(ivr));
  if (pbx !== undefined) add((at) => `pbx = ${at}`, plain(pbx));
  if (end !== undefined) add((at) => `end_kind = ${at}`, end);
  if (search !== undefined && search !== '') {
    add(
      (at) => {
        const named = `(select id from rotavox.call_menu where name ilike ${at})`;
        return `(caller ilike ${at} or end_detail ilike ${at} or ivr in ${named} or end_detail in ${named})`;
      },
      `%${plain(search).replace(/[\\%_]/g, '\\$&')}%`,
    );
  }
  return { sql: parts.join(' and '), values };
}

/** PostgreSQL stores no NUL in a text. */
function plain(text: string): string {
  return text.replaceAll('\0', '\uFFFD');
}
