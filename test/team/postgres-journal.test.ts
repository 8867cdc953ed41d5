import { beforeAll } from 'vitest';
import { type JournalUnderTest, journalSuite } from '../store/journal-suite.ts';
import { commonPostgres, type Postgres } from '../tools/postgres.ts';
import { openDatabase, openLeadingStore } from './team-database.ts';

let postgres: Postgres;

beforeAll(async () => {
  postgres = await commonPostgres();
});

/** A reason of the database itself, before it inserts anything. */
const refusing = (code: string) => `
  create function rotavox.refuse() returns trigger language plpgsql as
    $$ begin raise exception 'refused' using errcode = '${code}'; end $$;
  create trigger refuse before insert or update on rotavox.journal execute function rotavox.refuse();
  create trigger refuse before insert or update on rotavox.leadership execute function rotavox.refuse()`;

const make = async (): Promise<JournalUnderTest> => {
  const name = await postgres.database();
  const database = await openDatabase(postgres.url({ role: 'rotavox', database: name }));
  const run = <Row>(sql: string) => postgres.query<Row>(sql, { database: name });
  return {
    foreignLine: 'not_by_host',
    open: async () => (await openLeadingStore(database)).store,
    async refuse(code) {
      await run(code === null ? 'drop function rotavox.refuse cascade' : refusing(code));
    },
    async lines() {
      return (await run<{ line: string }>('select line from rotavox.journal order by seq')).map(
        ({ line }) => line,
      );
    },
    async change(seq, line) {
      if (line === null) await run(`delete from rotavox.journal where seq = ${seq}`);
      else await run(`update rotavox.journal set line = $line$${line}$line$ where seq = ${seq}`);
    },
    async spoilCheckpoint() {
      await run(`update rotavox.checkpoint_piece set content = replace(content, 'fam_a', 'fam_q')`);
    },
  };
};

journalSuite('the journal in PostgreSQL', make, { long: ['long'] });
