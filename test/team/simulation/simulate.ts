import { State } from '../../../src/core/state.ts';
import { genesis } from '../../../src/store/journal-line.ts';
import { Replica } from '../../../src/store/team/replica.ts';
import { Callers, Chain } from './simulated-clients.ts';
import { calm, SimulatedDatabase } from './simulated-database.ts';
import { type Planted, SimulatedHost } from './simulated-host.ts';
import { Violation, World } from './world.ts';

const faultsMs = 12_000;
/** A leader whose lease runs, the wait of a host that was just started, late statements, and some calls. */
const recoveryMs = 30_000;

export interface Run {
  readonly steps: number;
  readonly trace: number;
  readonly rotations: number;
  readonly epochs: number;
  readonly events: number;
  /** How long after the end of the faults every client had a change done. */
  readonly recoveredAfterMs: number;
}

/** Some hosts, a database and clients under faults, then without: throws a `Violation` when a promise is broken. */
export async function simulate(seed: number, planted: Planted = {}): Promise<Run> {
  const world = new World(seed);
  const database = new SimulatedDatabase(world);
  database.ignoresEpoch = planted.ignoresEpoch === true;
  const count = world.chance.between(1, 3) === 1 ? 2 : 3;
  const hosts = Array.from(
    { length: count },
    (_, place) => new SimulatedHost(world, database, { name: `h${place}`, planted }),
  );
  for (const host of hosts) host.start();
  const callers = new Callers(world, hosts);
  const chains = Array.from(
    { length: world.chance.between(1, 3) },
    (_, place) =>
      new Chain(world, callers, { name: `chain${place}`, paceMs: world.happens(0.3) ? 100 : 800 }),
  );
  for (const chain of chains) chain.start();
  new Faults(world, database, { hosts, callers }).begin();
  await world.runUntil(faultsMs);

  heal(database, hosts, callers);
  for (const host of hosts) {
    host.staysUp = true;
    if (host.running === null) host.start();
  }
  const before = chains.map(({ acknowledged }) => acknowledged);
  const isRecovered = () =>
    chains.every(({ acknowledged }, place) => acknowledged > (before[place] ?? 0)) &&
    hosts.every(({ running }) => running?.member.status().isReady);
  await world.runUntil(faultsMs + recoveryMs, isRecovered);
  if (!isRecovered()) {
    const statuses = hosts.map(({ running }) => running?.member.status() ?? null);
    throw new Violation(`not available again after the faults: ${JSON.stringify(statuses)}`);
  }
  const recoveredAfterMs = world.nowMs - faultsMs;

  for (const chain of chains) chain.isStopped = true;
  // Requests that are late arrive in this time.
  await world.runUntil(world.nowMs + 3_500);
  const isQuiet = () =>
    chains.every(({ isDone }) => isDone) &&
    hosts.every(({ running }) => running?.member.status().seq === database.head.seq);
  await world.runUntil(world.nowMs + recoveryMs, isQuiet);
  check(database, hosts, chains);
  return {
    steps: world.steps,
    trace: world.trace,
    rotations: chains.reduce((sum, { rotations }) => sum + rotations, 0),
    epochs: database.epoch,
    events: database.head.seq,
    recoveredAfterMs,
  };
}

function heal(database: SimulatedDatabase, hosts: readonly SimulatedHost[], callers: Callers): void {
  database.weather = { ...calm };
  database.isFull = false;
  callers.lost = 0;
  for (const { link, running } of hosts) {
    link.isRequestCut = false;
    link.isReplyCut = false;
    if (running !== null) running.process.pausedUntilMs = 0;
  }
}

/** What goes wrong, and when: chosen by the seed. */
class Faults {
  readonly #world: World;
  readonly #database: SimulatedDatabase;
  readonly #hosts: readonly SimulatedHost[];
  readonly #kinds: readonly (() => void)[];

  constructor(
    world: World,
    database: SimulatedDatabase,
    parts: { readonly hosts: readonly SimulatedHost[]; readonly callers: Callers },
  ) {
    this.#world = world;
    this.#database = database;
    this.#hosts = parts.hosts;
    const all = [
      () => {
        this.#pauseHost();
      },
      () => {
        this.#killHost();
      },
      () => {
        this.#stopHost();
      },
      () => {
        this.#cut('isRequestCut');
      },
      () => {
        this.#cut('isReplyCut');
      },
      () => {
        database.restart(this.#some(2_000));
      },
      () => {
        database.isFull = true;
        this.#later(this.#some(3_000), () => {
          database.isFull = false;
        });
      },
      () => {
        this.#worsen();
      },
      () => {
        database.clockOffsetMs += this.#some(6_000) - (world.happens(0.3) ? 1_500 : 0);
      },
      () => {
        this.#host().wallOffsetMs += this.#some(20_000) - 10_000;
      },
      () => {
        parts.callers.lost = world.chance.next() * 0.2;
      },
    ];
    // Few kinds in each run, so that each gets its chance without the others.
    this.#kinds = all.filter(() => world.happens(0.35));
  }

  begin(): void {
    const [first] = this.#kinds;
    if (first === undefined) return;
    this.#later(this.#some(3_000), () => {
      if (this.#world.nowMs >= faultsMs) return;
      this.#kinds[this.#world.chance.between(0, this.#kinds.length - 1)]?.();
      this.begin();
    });
  }

  #some(mostMs: number): number {
    return this.#world.chance.next() * mostMs;
  }

  /** Faults end with their time. */
  #later(ms: number, act: () => void): void {
    this.#world.after(Math.min(ms, Math.max(faultsMs - this.#world.nowMs, 0)), null, act);
  }

  /** More often the one that leads. */
  #host(): SimulatedHost {
    const { chance } = this.#world;
    const leading = this.#hosts.find(({ running }) => running?.member.status().role === 'leader');
    const any = this.#hosts[chance.between(0, this.#hosts.length - 1)];
    const chosen = this.#world.happens(0.6) ? (leading ?? any) : any;
    if (chosen === undefined) throw new Error('A simulation has hosts');
    return chosen;
  }

  #pauseHost(): void {
    this.#host().pause(this.#some(7_000));
  }

  #killHost(): void {
    const host = this.#host();
    host.kill();
    this.#startLater(host);
  }

  #stopHost(): void {
    const host = this.#host();
    host.stop();
    this.#startLater(host);
  }

  #startLater(host: SimulatedHost): void {
    this.#later(this.#some(5_000), () => {
      if (host.running === null) host.start();
    });
  }

  #cut(direction: 'isRequestCut' | 'isReplyCut'): void {
    const { link } = this.#host();
    link[direction] = true;
    this.#later(this.#some(6_000), () => {
      link[direction] = false;
    });
  }

  #worsen(): void {
    const { chance } = this.#world;
    this.#database.weather = {
      lost: chance.next() * 0.15,
      late: chance.next() * 0.2,
      slow: chance.next() * 0.2,
      delayMs: 2 + chance.next() * 100,
    };
    this.#later(this.#some(6_000), () => {
      this.#database.weather = { ...calm };
    });
  }
}

function check(database: SimulatedDatabase, hosts: readonly SimulatedHost[], chains: readonly Chain[]): void {
  const whole = new Replica(new State(), { seq: 0, head: genesis }, 'the whole journal');
  whole.replay(database.lines);
  if (whole.last.head !== database.head.head) throw new Violation('the head is not that of the last line');
  database.epochs.forEach((epoch, place) => {
    if (epoch < (database.epochs[place - 1] ?? 0))
      throw new Violation(`event ${place + 1} is of a deposed leader`);
  });
  const { tokens } = whole.state;
  for (const { name, familyId, current, acknowledged, refused } of chains) {
    const family = [...(tokens.membersOf(familyId)?.ordinals ?? [])].map((ordinal) => tokens.at(ordinal));
    if (family.filter((token) => token?.status === 'Active').length !== 1)
      throw new Violation(`${name} has not one Active token`);
    if (family.length !== acknowledged || family.at(-1)?.digest !== current)
      throw new Violation(`${name}: what was acknowledged is not in the journal`);
    if (family.some((token) => token !== undefined && refused.has(token.digest)))
      throw new Violation(`${name}: what was refused is in the journal`);
  }
  for (const { running } of hosts) {
    if (running === null) continue;
    if (running.member.status().seq !== database.head.seq)
      throw new Violation(`${running.id} has not replayed the journal`);
    database.compareWithReplay(running.replica, database.head.seq);
  }
}
