import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Postgres, startPostgres } from '../../tools/postgres.ts';
import { createScratchFolder, removeScratchFolder } from '../scratch-folder.ts';
import { type RunningRotavox, startRotavox } from './rotavox.ts';

/**
 * A PostgreSQL as it is installed, and what starts hosts of a team over it, each with a folder of its own.
 *
 * The data of PostgreSQL is in the system's temporary folder, where its account can reach it; `scratch` is there too, so that what is
 * compared with it is on the same disk.
 */
export class TeamBench {
  readonly scratch: string;
  readonly postgres: Postgres;
  readonly passphraseFile: string;

  private constructor(scratch: string, postgres: Postgres) {
    this.scratch = scratch;
    this.postgres = postgres;
    this.passphraseFile = join(scratch, 'passphrase');
    writeFileSync(this.passphraseFile, 'a passphrase for measurements', { mode: 0o600 });
  }

  static async start(): Promise<TeamBench> {
    // The settings of an installation: those for tests are for small machines and many servers.
    const settings = { shared_buffers: '128MB', max_wal_size: '1GB', min_wal_size: '80MB' };
    const postgres = await startPostgres({ settings });
    return new TeamBench(createScratchFolder('rotavox-team-bench', tmpdir()), postgres);
  }

  /** The address of a new database. */
  async database(): Promise<TeamDatabase> {
    const database = await this.postgres.database();
    return { name: database, url: this.postgres.url({ role: 'rotavox', database }) };
  }

  /** `name`: of the host; a host that is started again under it has the same data folder. */
  host(name: string, { url }: TeamDatabase): Promise<RunningRotavox> {
    const options = ['--vault-passphrase-file', this.passphraseFile];
    return startRotavox(name, join(this.scratch, name.replaceAll(' ', '-')), options, {
      ROTAVOX_JOURNAL: url,
    });
  }

  async sizeOf({ name }: TeamDatabase): Promise<number> {
    const [row] = await this.postgres.query<{ size: number }>(
      `select pg_database_size('${name}')::float8 as size`,
    );
    return row?.size ?? NaN;
  }

  async close(): Promise<void> {
    await this.postgres.close();
    removeScratchFolder(this.scratch);
  }
}

export interface TeamDatabase {
  readonly name: string;
  readonly url: string;
}
