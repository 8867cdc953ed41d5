/**
 * A client of a team, which rotates its token again and again at any of the hosts, as behind a load balancer.
 *
 * It repeats a call that got no answer, with the same Idempotency-Key and at another host, until it is acknowledged. What it
 * was told then has to hold at every host.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { IssuedToken, RotateReply, TokenSelf } from '../../src/contract/token/token.ts';
import type { Chance } from '../chaos/chance.ts';
import type { Answer } from '../fixtures/send-call.ts';
import type { Team } from './team.ts';

/** What a client repeats: the host is gone or gave no answer (null), or it says that nobody can answer now. */
const repeated: readonly (number | null)[] = [null, 502, 503, 504];

export interface ClientLog {
  /** When a rotation was acknowledged, in milliseconds of `performance.now()`. */
  readonly acknowledged: number[];
  /** How often a call was repeated, by the status of its answer or the error. */
  readonly repeats: Map<string, number>;
  /** What must not happen, in words. */
  readonly broken: string[];
}

export class RotatingClient {
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
