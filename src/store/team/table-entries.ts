import type { SharedEntries, SharedEntry, SharedPlace } from '../../core/shared-entries.ts';
import type { SharedTables } from '../../core/shared-tables.ts';

const change = `
  changed as (
    insert into rotavox.entry as known (place, name, value, epoch, number)
    select $3::text, $4::text, $5::text, lead.epoch, lead.number from lead
    on conflict (place, name) do update set value = excluded.value, epoch = excluded.epoch, number = excluded.number
    where (known.epoch, known.number) < (excluded.epoch, excluded.number)
  )`;

const replacement = `
  changed as (
    update rotavox.entry as known set value = given.value, epoch = lead.epoch, number = lead.number
    from lead, unnest($3::text[], $4::text[], $5::text[]) as given (place, name, value)
    where known.place = given.place and known.name = given.name
  )`;

/** What was removed in earlier epochs, whose writes are refused by now. */
const forgetRemoved = `
  forgotten as (
    delete from rotavox.entry where (place, name) in (
      select place, name from rotavox.entry
      where value is null and epoch < (select epoch from lead) and (place, name) <> ($3::text, $4::text)
      for update skip locked
    )
  )`;

/** Small values in the table `entry` of PostgreSQL. */
export class TableEntries implements SharedEntries {
  readonly #tables: SharedTables;

  constructor(tables: SharedTables) {
    this.#tables = tables;
  }

  get place(): string {
    return this.#tables.place;
  }

  async read(place: SharedPlace, name: string): Promise<string | null> {
    const [row] = await this.#tables.query(
      'select value from rotavox.entry where place = $1 and name = $2 and value is not null',
      [place, name],
    );
    return row === undefined ? null : (row['value'] as string);
  }

  async list(place: SharedPlace): Promise<{ readonly name: string; readonly value: string }[]> {
    const rows = await this.#tables.query(
      'select name, value from rotavox.entry where place = $1 and value is not null order by name',
      [place],
    );
    return rows.map((row) => ({ name: row['name'] as string, value: row['value'] as string }));
  }

  async all(): Promise<SharedEntry[]> {
    const rows = await this.#tables.query(
      'select place, name, value from rotavox.entry where value is not null order by place, name',
    );
    return rows as unknown as SharedEntry[];
  }

  async create(place: SharedPlace, name: string, value: string): Promise<string> {
    await this.#tables.query(
      'insert into rotavox.entry (place, name, value, epoch, number) values ($1, $2, $3, 0, 0) on conflict do nothing',
      [place, name, value],
    );
    // A statement of its own: the one above does not see what another host stored while it ran.
    return (await this.read(place, name)) ?? value;
  }

  async write(place: SharedPlace, name: string, value: string): Promise<void> {
    await this.#tables.write(change, [place, name, value]);
  }

  async remove(place: SharedPlace, name: string): Promise<void> {
    await this.#tables.write(`${change}, ${forgetRemoved}`, [place, name, null]);
  }

  async replace(entries: readonly SharedEntry[]): Promise<void> {
    await this.#tables.write(replacement, [
      entries.map(({ place }) => place),
      entries.map(({ name }) => name),
      entries.map(({ value }) => value),
    ]);
  }
}
