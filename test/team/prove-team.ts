/**
 * The proof that a team loses nothing: clients rotate their tokens, credentials rotate in the background, and faults come at
 * random instants. Then everything that was acknowledged has to be there.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import type { CredentialView } from '../../src/contract/credential/credential-view.ts';
import type { Verification } from '../../src/contract/service/portal.ts';
import type { TokenPage, TokenRow } from '../../src/contract/token/token-list.ts';
import { IssuedToken, RotateReply, TokenSelf } from '../../src/contract/token/token.ts';
import { type Chance, chanceOf, chosenSeed } from '../chaos/chance.ts';
import { type ServiceProcess, startService } from '../chaos/service-process.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import type { PostgresOptions } from '../tools/postgres.ts';
import { type FaultKind, faults } from './faults.ts';
import { startTeam, type Team } from './team.ts';
import { foreignWrites, recordOf } from './watched-database.ts';
import type { Answer } from '../fixtures/send-call.ts';

export interface ProofOptions {
  readonly hosts: number;
  /** Each fault that happens, as often as it is named, in a random order. */
  readonly kinds: readonly FaultKind[];
  readonly postgres?: PostgresOptions;
}

const chains = 24;
const pauseMs = { least: 50, most: 250 };
/** How long the service may stay away: only that it comes back is asserted. A disk with much else to do syncs for seconds. */
const mostMs = 180_000;

/** What was measured of one fault, in milliseconds. */
export interface Gap {
  readonly kind: FaultKind;
  /** The longest time in which no client got an answer. */
  readonly withoutMs: number;
  /** From the instant at which the database was back to the first answer; null for faults of a host. */
  readonly afterDatabaseMs: number | null;
}

/** Fails when something that was acknowledged is lost. Returns how long the service was away at each fault. */
export async function proveTeam({ hosts, kinds, postgres }: ProofOptions): Promise<Gap[]> {
  const seed = chosenSeed();
  console.log(`ROTAVOX_CHAOS_SEED=${seed}, ${hosts} hosts, ${kinds.length} faults`);
  const chance = chanceOf(seed);
  const team = await startTeam({ hosts, ...(postgres === undefined ? {} : { postgres }) });
  const log: ClientLog = { acknowledged: [], repeats: new Map(), broken: [] };
  const clients = Array.from(
    { length: chains },
    (_, place) => new RotatingClient(`chain ${place}`, { team, chance: chanceOf(seed + place), log }),
  );
  await Promise.all(clients.map((client) => client.begin()));
  const other = await startService(makeFolder());
  const background = await Background.begin(team, other);

  const work = [...clients.map((client) => client.run(pauseMs)), background.run()];
  const gaps: Gap[] = [];
  try {
    for (const kind of shuffled(kinds, () => chance.next())) {
      await wait(chance.between(100, 800));
      gaps.push(await meet(kind, { team, log, chance }));
      if (log.broken.length > 0) break;
    }
  } finally {
    for (const one of [background, ...clients]) one.stop();
    await Promise.allSettled(work);
  }
  await Promise.all(work);
  for (const client of clients) await client.expectNewest();

  console.log(
    [
      `${log.acknowledged.length} rotations acknowledged by ${clients.length} clients, ${background.rotations} of credentials`,
      `repeated: ${[...log.repeats].map(([what, count]) => `${what} ${count}`).join(', ')}`,
      `ended without being asked to: ${team.hosts.map(({ unasked }) => unasked).join(' ')}`,
    ].join('\n'),
  );
  expect(log.broken, team.said()).toEqual([]);
  await expectWhole(team, clients);
  await background.expectWhole();
  return gaps;
}

/** One fault, until the service has answered every client again. */
async function meet(
  kind: FaultKind,
  { team, log, chance }: { team: Team; log: ClientLog; chance: Chance },
): Promise<Gap> {
  const before = log.acknowledged.length - 1;
  const back: number[] = [];
  await faults[kind](team, chance, () => void back.push(performance.now()));
  const overAt = performance.now();
  const answers = () => log.acknowledged.filter((at) => at > overAt).length;
  while (answers() < chains && log.broken.length === 0) {
    if (performance.now() - overAt > mostMs) throw new Error(await storyOf(kind, team, answers()));
    await wait(20);
  }
  const times = log.acknowledged.slice(Math.max(before, 0));
  const [backAt] = back;
  return {
    kind,
    withoutMs: Math.max(...times.slice(1).map((at, place) => at - (times[place] ?? at))),
    afterDatabaseMs: backAt === undefined ? null : (times.find((at) => at > backAt) ?? backAt) - backAt,
  };
}

/** What is known of a service that stays away: a report shows the first lines. */
async function storyOf(kind: FaultKind, team: Team, answers: number): Promise<string> {
  const roles = team.hosts.map(async (host) => {
    const health = await host.health();
    return `${host.name}: ${health === null ? 'no answer' : `${health.role}, epoch ${health.epoch}`}`;
  });
  return [
    `The service does not come back after: ${kind}; ${answers} of ${chains} answers in ${mostMs} ms`,
    ...(await Promise.all(roles)),
    ...team.postgres.log.trimEnd().split('\n').slice(-6),
    team.said(),
  ].join('\n');
}

/** Credentials that the team rotates: tokens of the team itself, and of another service. */
class Background {
  readonly #team: Team;
  readonly #other: ServiceProcess;
  readonly #names: readonly string[];
  #isStopping = false;
  #rotations = 0;

  private constructor(team: Team, other: ServiceProcess, names: readonly string[]) {
    this.#team = team;
    this.#other = other;
    this.#names = names;
  }

  static async begin(team: Team, other: ServiceProcess): Promise<Background> {
    const names = ['own-1', 'own-2', 'other-1', 'other-2'];
    for (const name of names) {
      const wanted = { name, validity_days: 30 };
      const isOwn = name.startsWith('own');
      const answer = await (isOwn
        ? team.owner('POST', '/portal/tokens', wanted)
        : other.owner('POST', '/portal/tokens', wanted));
      const value = IssuedToken.parse(answer).access_token;
      const base_url = isOwn ? undefined : `http://127.0.0.1:${other.port}`;
      await team.owner('POST', '/portal/credentials', { name, value, base_url });
    }
    return new Background(team, other, names);
  }

  /** How often a credential was rotated, as far as an answer said it. */
  get rotations(): number {
    return this.#rotations;
  }

  /** Asks for rotations, one after the other; a lost answer is not asked for again. */
  async run(): Promise<void> {
    for (let turn = 0; !this.#isStopping; turn += 1) {
      const host = this.#team.hosts[turn % this.#team.hosts.length];
      const name = this.#names[turn % this.#names.length];
      const path = `/portal/credentials/${name}/rotate`;
      const answer = await host?.owner({ method: 'POST', path, timeoutMs: 5_000 }).catch(() => null);
      if (answer?.status === 200) this.#rotations += 1;
      await wait(150);
    }
  }

  stop(): void {
    this.#isStopping = true;
  }

  /** Every rotation that was begun is finished, and the stored token is the only Active one of its family. */
  async expectWhole(): Promise<void> {
    for (const name of this.#names) {
      const path = `/portal/credentials/${name}`;
      await this.#team.owner('POST', `${path}/rotate`);
      const view = (await this.#team.owner('GET', path)) as CredentialView;
      expect(view, this.#team.said()).toMatchObject({ name, rotation: null });
      const { value } = (await this.#team.owner('GET', `${path}/value`)) as { value: string };
      const self = { method: 'GET', path: '/v1/auth/token', bearer: value };
      const [first] = this.#team.hosts;
      const answer = name.startsWith('own') ? await first?.call(self) : await this.#other.call(self);
      expect(answer?.status, `${name}: ${answer?.text}`).toBe(200);
    }
    expectOneActive(await allTokens((path) => this.#other.owner('GET', path)));
  }
}

async function expectWhole(team: Team, clients: readonly RotatingClient[]): Promise<void> {
  const tokens = await allTokens((path) => team.owner('GET', path));
  expectOneActive(tokens);
  const byFamily = Map.groupBy(tokens, ({ family_id }) => family_id as string);
  for (const { name, familyId, rotations } of clients)
    expect(byFamily.get(familyId)?.length, `${name}: as many generations as were acknowledged`).toBe(
      rotations + 1,
    );
  const verification = (await team.owner('GET', '/portal/history/verify')) as Verification;
  expect(verification).toMatchObject({ status: 'intact' });
  expect(await foreignWrites(team.postgres, team.database)).toEqual([]);
  const record = await recordOf(team.postgres, team.database);
  console.log(JSON.stringify({ ...record, events: verification.verified_to }));
  expect(record.disordered).toBe(0);
  expect(record.appends).toBeGreaterThan(0);
}

/** In each family the newest token is Active and no other one is; no generation is missing. */
function expectOneActive(tokens: readonly TokenRow[]): void {
  for (const [familyId, members] of Map.groupBy(tokens, ({ family_id }) => family_id)) {
    const ordered = members.toSorted((a, b) => a.generation - b.generation);
    expect(
      ordered.map(({ generation }) => generation),
      familyId,
    ).toEqual(ordered.map((_, place) => place + 1));
    const active = ordered.filter(({ status }) => status === 'Active');
    expect(
      active.map(({ generation }) => generation),
      `${familyId}: Active`,
    ).toEqual([ordered.length]);
  }
}

async function allTokens(read: (path: string) => Promise<unknown>): Promise<TokenRow[]> {
  const tokens: TokenRow[] = [];
  for (let after: string | null = ''; after !== null;) {
    const from: string = after === '' ? '' : `&after=${after}`;
    const page = (await read(`/portal/tokens?sort=created&limit=1000${from}`)) as TokenPage;
    tokens.push(...page.tokens);
    after = page.next_after;
  }
  return tokens;
}

function shuffled<Item>(items: readonly Item[], next: () => number): Item[] {
  return items
    .map((item) => ({ item, place: next() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

/** How long the service was away, for each kind of fault. */
export function gapTable(gaps: readonly Gap[]): string {
  const row = (name: string, times: readonly number[]) => {
    const sorted = times.toSorted((a, b) => a - b).map(Math.round);
    const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
    const numbers = [sorted.length, at(0.5), at(0.99), at(1)];
    return `${name.padEnd(52)} ${numbers.map((number) => String(number).padStart(7)).join('')}`;
  };
  const rows = [...Map.groupBy(gaps, ({ kind }) => kind)].flatMap(([kind, of]) => {
    const after = of.flatMap(({ afterDatabaseMs }) => (afterDatabaseMs === null ? [] : [afterDatabaseMs]));
    return [
      row(
        kind,
        of.map(({ withoutMs }) => withoutMs),
      ),
      ...(after.length === 0 ? [] : [row('  from the instant at which the database was back', after)]),
    ];
  });
  return [`${'no answer for, in ms'.padEnd(52)}       n    p50    p99    max`, ...rows].join('\n');
}

/** What a client repeats: the host is gone or gave no answer (null), or it says that nobody can answer now. */
const repeated: readonly (number | null)[] = [null, 502, 503, 504];

interface ClientLog {
  /** When a rotation was acknowledged, in milliseconds of `performance.now()`. */
  readonly acknowledged: number[];
  /** How often a call was repeated, by the status of its answer or the error. */
  readonly repeats: Map<string, number>;
  /** What must not happen, in words. */
  readonly broken: string[];
}

/**
 * A client of a team, which rotates its token again and again at any of the hosts, as behind a load balancer.
 *
 * It repeats a call that got no answer, with the same Idempotency-Key and at another host, until it is acknowledged. What it
 * was told then has to hold at every host.
 */
class RotatingClient {
  readonly name: string;
  readonly #team: Team;
  readonly #chance: Chance;
  readonly #log: ClientLog;
  #token = '';
  #familyId = '';
  /** Acknowledged rotations. */
  rotations = 0;
  #isStopping = false;

  constructor(name: string, { team, chance, log }: { team: Team; chance: Chance; log: ClientLog }) {
    this.name = name;
    this.#team = team;
    this.#chance = chance;
    this.#log = log;
  }

  get familyId(): string {
    return this.#familyId;
  }

  async begin(): Promise<void> {
    const issued = IssuedToken.parse(
      await this.#team.owner('POST', '/portal/tokens', { name: this.name, validity_days: 30 }),
    );
    this.#token = issued.access_token;
    this.#familyId = issued.family_id;
  }

  stop(): void {
    this.#isStopping = true;
  }

  /** Until `stop`; ends with an acknowledged rotation. Ends earlier when something is broken. */
  async run(pauseMs: { readonly least: number; readonly most: number }): Promise<void> {
    while (!this.#isStopping && this.#log.broken.length === 0) {
      await this.#rotate();
      await wait(this.#chance.between(pauseMs.least, pauseMs.most));
    }
  }

  /** Whether the token that was acknowledged last is the Active one, with as many predecessors as were acknowledged. */
  async expectNewest(): Promise<void> {
    const answer = await this.#untilAnswered(() => this.#self(this.#token));
    const said = answer.status === 200 ? TokenSelf.parse(JSON.parse(answer.text)).status : answer.text;
    if (said !== 'Active') this.#break(`the token that was acknowledged last is not Active: ${said}`);
  }

  async #rotate(): Promise<void> {
    const source = this.#token;
    const key = `${this.name.replaceAll(' ', '-')}-${this.rotations + 1}`;
    const ask = () =>
      this.#send({
        method: 'POST',
        path: '/v1/auth/rotate',
        bearer: source,
        headers: { 'idempotency-key': key },
      });
    const answer = await this.#untilAnswered(ask);
    if (answer.status !== 200) {
      this.#break(
        `rotation ${this.rotations + 1} of the token that was acknowledged: ${answer.status} ${answer.text}`,
      );
      return;
    }
    this.#token = RotateReply.parse(JSON.parse(answer.text)).access_token;
    this.rotations += 1;
    this.#log.acknowledged.push(performance.now());

    const dice = this.#chance.next();
    if (dice < 0.1) {
      const again = await ask();
      if (!isRepeated(again) && again?.text !== answer.text)
        this.#break(`the same key gave another reply: ${again?.status} ${again?.text}`);
    } else if (dice < 0.2) {
      const old = await this.#self(source);
      if (old?.status === 200) this.#break('a host accepted a token that was replaced');
    } else if (dice < 0.3) {
      const present = await this.#self(this.#token);
      if (!isRepeated(present) && present?.status !== 200)
        this.#break(`a host refused the token that was acknowledged: ${present?.status} ${present?.text}`);
    }
  }

  async #untilAnswered(ask: () => Promise<Answer | null>): Promise<Answer> {
    for (;;) {
      const answer = await ask();
      if (answer !== null && !isRepeated(answer)) return answer;
      await wait(50);
    }
  }

  #self(token: string): Promise<Answer | null> {
    return this.#send({ method: 'GET', path: '/v1/auth/token', bearer: token });
  }

  /** At a random host. Null without an answer. */
  async #send(call: Parameters<Team['hosts'][number]['call']>[0]): Promise<Answer | null> {
    const { hosts } = this.#team;
    const host = hosts[this.#chance.between(0, hosts.length - 1)];
    if (host === undefined) throw new Error('no hosts');
    const answer = await host.call(call).catch((error: unknown) => error as NodeJS.ErrnoException);
    if (answer instanceof Error) {
      this.#count(answer.code?.toString() ?? answer.name);
      return null;
    }
    if (isRepeated(answer)) this.#count(String(answer.status));
    return answer;
  }

  #count(what: string): void {
    this.#log.repeats.set(what, (this.#log.repeats.get(what) ?? 0) + 1);
  }

  #break(what: string): void {
    this.#log.broken.push(`${new Date().toISOString()} ${this.name}: ${what}`);
  }
}

function isRepeated(answer: Answer | null): boolean {
  return repeated.includes(answer?.status ?? null);
}
