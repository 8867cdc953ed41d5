/**
 * Who wrote what to the database of a team, recorded by triggers in the database itself: each host connects from an address of its
 * own, and only the one that took the present epoch may write.
 */
import type { Postgres } from '../tools/postgres.ts';

export interface ForeignWrite {
  readonly place: string;
  readonly epoch: number;
  readonly address: string;
  readonly leader: string | null;
  readonly first_seq: number | null;
}

/** Tables that hosts write whether they lead or not: the row that they compete for, and what they report of themselves. */
const written = `select tablename from pg_tables where schemaname = 'rotavox' and tablename not in ('leadership', 'host')`;

/** Call it while the host with this address leads, and no other one runs. */
export async function watchDatabase(postgres: Postgres, database: string, leader: string): Promise<void> {
  await postgres.query(
    `create schema observed;
    create table observed.takeover (epoch bigint primary key, address inet not null, at timestamptz not null default clock_timestamp());
    create table observed.write (place text not null, epoch bigint not null, address inet not null, first_seq bigint);
    insert into observed.takeover select epoch, '${leader}' from rotavox.leadership;

    create function observed.note_takeover() returns trigger security definer language plpgsql as $$ begin
      if new.epoch <> old.epoch then
        insert into observed.takeover values (new.epoch, inet_client_addr());
      end if;
      return null;
    end $$;
    create trigger takeover after update on rotavox.leadership for each row execute function observed.note_takeover();

    create function observed.note_lines() returns trigger security definer language plpgsql as $$ begin
      insert into observed.write
        select 'journal', (select epoch from rotavox.leadership), inet_client_addr(), min(seq) from changed having count(*) > 0;
      return null;
    end $$;
    create function observed.note_write() returns trigger security definer language plpgsql as $$ begin
      insert into observed.write
        select tg_table_name, (select epoch from rotavox.leadership), inet_client_addr(), null from changed limit 1;
      return null;
    end $$;

    do $do$ declare place text; change text; begin
      for place in ${written} loop
        foreach change in array array['insert', 'update', 'delete'] loop
          execute format('create trigger %I after %s on rotavox.%I referencing %s table as changed for each statement execute function observed.%s()',
            'watch_' || change, change, place, case change when 'delete' then 'old' else 'new' end,
            case place when 'journal' then 'note_lines' else 'note_write' end);
        end loop;
      end loop;
    end $do$;`,
    { database },
  );
}

/** Writes by a host that was not the one that had taken the epoch. */
export function foreignWrites(postgres: Postgres, database: string): Promise<ForeignWrite[]> {
  return postgres.query<ForeignWrite>(
    `select place, write.epoch::int, host(write.address) as address, host(takeover.address) as leader, first_seq::int
    from observed.write left join observed.takeover using (epoch)
    where takeover.address is distinct from write.address limit 20`,
    { database },
  );
}

export interface Record {
  readonly takeovers: number;
  readonly appends: number;
  /** Appends that are not in the order of their epochs. */
  readonly disordered: number;
}

export async function recordOf(postgres: Postgres, database: string): Promise<Record> {
  const [record] = await postgres.query<Record>(
    `select (select count(*)::int - 1 from observed.takeover) as takeovers, count(*)::int as appends,
      (count(*) filter (where epoch < earlier))::int as disordered
    from (
      select epoch, lag(epoch) over (order by first_seq) as earlier from observed.write where place = 'journal'
    ) as appended`,
    { database },
  );
  if (record === undefined) throw new Error('no record');
  return record;
}
