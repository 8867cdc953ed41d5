import { writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Postgres, startPostgres } from '../../tools/postgres.ts';
import { type Bench, judgeMs, judgeRatio, printTable } from '../bench.ts';
import { type RunningRotavox, startRotavox } from '../contenders/rotavox.ts';
import {
  type Measured,
  printRounds,
  ratioOf,
  type Round,
  runInTurns,
  runRound,
  spreadOf,
} from '../paired-rounds.ts';
import { createScratchFolder, removeScratchFolder } from '../scratch-folder.ts';
import type { Load } from '../start-load.ts';

const perSecond = (round: Round): number => round.perSecond;
const connections = 50;

/** Two hosts and a PostgreSQL on this machine, against one host with files; then the leader is killed again and again. */
export const team: Bench = {
  name: 'team',
  title: 'a team: POST /v1/auth/rotate, 50 connections, and takeover after SIGKILL of the leader',
  async run({ quick, load }) {
    const bench = await TeamBench.start();
    try {
      const rounds = await compare(
        bench,
        load,
        quick ? { turns: 3, roundMs: 1500, warmupMs: 1500 } : { turns: 7, roundMs: 4000, warmupMs: 4000 },
      );
      const takeovers = await killLeaders(bench, quick ? 3 : 10);
      return [
        judgeRatio(
          'rotations per second, PostgreSQL / files',
          ratioOf(rounds.leader, rounds.files, perSecond),
          {
            atLeast: 0.7,
          },
        ),
        judgeRatio(
          'rotations per second, through a follower / direct',
          ratioOf(rounds.follower, rounds.leader, perSecond),
          { atLeast: 0.5 },
        ),
        judgeMs('from SIGKILL of the leader to a rotation', spreadOf(takeovers), 5000),
      ];
    } finally {
      await bench.close();
    }
  },
};

async function compare(
  bench: TeamBench,
  load: Load,
  timing: { readonly turns: number; readonly roundMs: number; readonly warmupMs: number },
): Promise<{ files: Measured; leader: Measured; follower: Measured }> {
  const database = await bench.database();
  const started: RunningRotavox[] = [];
  const start = async (host: Promise<RunningRotavox>): Promise<RunningRotavox> => {
    const running = await host;
    started.push(running);
    return running;
  };
  try {
    const files = await start(startRotavox('files', join(bench.scratch, 'files')));
    const leader = await start(bench.host('leader', database));
    const follower = await start(bench.host('follower', database));
    const hosts = [files, leader, follower];
    for (const host of hosts) load.giveTokens(host.name, await host.issueTokens(connections));
    const job = { request: 'rotate', bearer: 'chain', connections } as const;
    const measured = await runInTurns(
      hosts.map((host) => ({
        name: host.name,
        run: (durationMs: number) => runRound(load, host, { ...job, durationMs }),
      })),
      timing,
    );
    printRounds([...measured.values()]);
    const of = ({ name }: RunningRotavox): Measured => measured.get(name) ?? { name, rounds: [] };
    return { files: of(files), leader: of(leader), follower: of(follower) };
  } finally {
    for (const host of started) await host.kill();
  }
}

/** How long it took each time until a rotation was answered by the other host, in milliseconds. */
async function killLeaders(bench: TeamBench, times: number): Promise<number[]> {
  const database = await bench.database();
  let leader = await bench.host('host 1', database);
  let follower = await bench.host('host 2', database);
  const took: number[] = [];
  try {
    let [token = ''] = await leader.issueTokens(1);
    for (let time = 0; time < times; time += 1) {
      // At another instant of the lease each time.
      await wait(700 + (time % 5) * 200);
      const killedAt = performance.now();
      await leader.kill();
      let next: string | null = null;
      while (next === null) {
        next = await rotated(follower.port, token);
        if (next === null) await wait(20);
      }
      took.push(performance.now() - killedAt);
      token = next;
      const gone = leader.name;
      leader = follower;
      follower = await bench.host(gone, database);
    }
  } finally {
    await leader.kill();
    await follower.kill();
  }
  const { median, min, max } = spreadOf(took);
  printTable(
    [`of ${times}, in ms`, 'median', 'min', 'max'],
    [['from SIGKILL of the leader to the first rotation', ...[median, min, max].map((ms) => ms.toFixed(0))]],
  );
  return took;
}

/** The next token; null if nobody answered with it. */
function rotated(port: number, token: string): Promise<string | null> {
  return new Promise((resolve) => {
    const call = request(
      {
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: '/v1/auth/rotate',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'content-length': 2,
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => {
          const reply = response.statusCode === 200 ? (JSON.parse(text) as { access_token: string }) : null;
          resolve(reply?.access_token ?? null);
        });
      },
    );
    call.once('error', () => {
      resolve(null);
    });
    call.end('{}');
  });
}

/**
 * A PostgreSQL as it is installed, and what starts hosts of a team over it, each with a folder of its own.
 *
 * The data of PostgreSQL is in the system's temporary folder, where its account can reach it; `scratch` is there too, so that what is
 * compared with it is on the same disk.
 */
class TeamBench {
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
  async database(): Promise<string> {
    return this.postgres.url({ role: 'rotavox', database: await this.postgres.database() });
  }

  /** `name`: of the host; a host that is started again under it has the same data folder. */
  host(name: string, database: string): Promise<RunningRotavox> {
    const options = ['--vault-passphrase-file', this.passphraseFile];
    return startRotavox(name, join(this.scratch, name.replaceAll(' ', '-')), options, {
      ROTAVOX_JOURNAL: database,
    });
  }

  async close(): Promise<void> {
    await this.postgres.close();
    removeScratchFolder(this.scratch);
  }
}
