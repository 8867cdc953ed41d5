/**
 * A client with a token that it rotates repeatedly, and what it may expect: for each rotation it knows
 * whether it was acknowledged, refused, or lost its answer when the service was killed.
 */
import { Agent } from 'node:http';
import { expect } from 'vitest';
import { IssuedToken, RefreshReply, RotateReply, TokenSelf } from '../../src/contract/token/token.ts';
import { IvrCreated } from '../../src/contract/menu/ivr.ts';
import type { Answer } from '../fixtures/send-call.ts';
import { sendCall } from '../fixtures/send-call.ts';
import { ivrBody } from '../fixtures/ivr-bodies.ts';
import type { Chance } from './chance.ts';
import type { ServiceProcess } from './service-process.ts';

/** A rotation whose answer was lost. */
interface InDoubt {
  readonly source: string;
  /** Its Idempotency-Key; null without one. */
  readonly key: string | null;
}

export interface ChainTally {
  acknowledged: number;
  lost: number;
  replayed: number;
  /** Lost without a key, but done: the client asks the owner for a new token. */
  orphaned: number;
}

export class Chain {
  readonly tally: ChainTally = { acknowledged: 0, lost: 0, replayed: 0, orphaned: 0 };
  /** Names of the IVRs whose creation was acknowledged, by id; and how many answers were lost. */
  readonly ivrs = new Map<string, string>();
  /** Every family that it has had, with the number of its rotations that are known to be done. */
  readonly rotations = new Map<string, number>();
  readonly #name: string;
  readonly #usesKeys: boolean;
  readonly #chance: Chance;
  #token = '';
  #familyId = '';
  #steps = 0;
  #inDoubt: InDoubt | null = null;
  /** The last access token, while its API token is the current one. */
  #access: string | null = null;
  #agent = new Agent({ keepAlive: true });

  constructor(name: string, { usesKeys, chance }: { usesKeys: boolean; chance: Chance }) {
    this.#name = name;
    this.#usesKeys = usesKeys;
    this.#chance = chance;
  }

  async begin(service: ServiceProcess): Promise<void> {
    const issued = IssuedToken.parse(
      await service.owner('POST', '/portal/tokens', { name: this.#name, validity_days: 30 }),
    );
    this.#token = issued.access_token;
    this.#familyId = issued.family_id;
    this.rotations.set(this.#familyId, 0);
    this.#access = null;
  }

  /** Works until the service is killed. */
  async run({ port }: ServiceProcess): Promise<void> {
    this.#agent = new Agent({ keepAlive: true });
    try {
      for (;;) {
        const dice = this.#chance.next();
        if (dice < 0.65) await this.#rotate(port);
        else if (dice < 0.8) await this.#createIvr(port);
        else if (dice < 0.9) await this.#refresh(port);
        else await this.#rotateTwice(port);
      }
    } catch (error) {
      if (!isLostConnection(error)) throw error;
    } finally {
      this.#agent.destroy();
    }
  }

  /** Finds out, like a client, what happened to the rotation whose answer was lost. */
  async settle(service: ServiceProcess): Promise<void> {
    const doubt = this.#inDoubt;
    this.#inDoubt = null;
    if (doubt !== null) {
      if (doubt.key === null) await this.#lookWhetherDone(service);
      else await this.#askAgain(service, doubt.source, doubt.key);
    }
    await this.#expectCurrent(service);
  }

  /** The same request twice: one rotation, one successor, the same reply. */
  async #askAgain({ port }: ServiceProcess, source: string, key: string): Promise<void> {
    const first = await this.#ask(port, source, key);
    const second = await this.#ask(port, source, key);
    expect(first.status, `${this.#name}: ${first.text}`).toBe(200);
    expect(second.status, `${this.#name}: ${second.text}`).toBe(200);
    expect(second.text).toBe(first.text);
    expect(second.headers['idempotency-replayed']).toBe('true');
    if (first.headers['idempotency-replayed'] === 'true') this.tally.replayed += 1;
    this.#acknowledge(first);
  }

  /** Without a key: if it was done, the successor is lost, and the client gets a new token from the owner. */
  async #lookWhetherDone(service: ServiceProcess): Promise<void> {
    if ((await this.#statusOf(service.port)) === 200) return;
    this.tally.orphaned += 1;
    this.#countRotation();
    await this.begin(service);
  }

  /** The last acknowledged token is the Active one, and its access token still works. */
  async #expectCurrent(service: ServiceProcess): Promise<void> {
    expect(await this.#statusOf(service.port), `${this.#name}: the acknowledged token is Active`).toBe(200);
    if (this.#access === null) return;
    const read = await sendCall(service.port, { method: 'GET', path: '/v1/ivrs', bearer: this.#access });
    expect(read.status, `${this.#name}: the acknowledged access token works`).toBe(200);
  }

  async #statusOf(port: number): Promise<number> {
    const answer = await sendCall(port, { method: 'GET', path: '/v1/auth/token', bearer: this.#token });
    if (answer.status === 200) expect(TokenSelf.parse(JSON.parse(answer.text)).status).toBe('Active');
    return answer.status;
  }

  async #rotate(port: number): Promise<void> {
    const key = this.#usesKeys ? this.#newKey() : null;
    this.#inDoubt = { source: this.#token, key };
    this.tally.lost += 1;
    const answer = await this.#ask(port, this.#token, key);
    this.tally.lost -= 1;
    expect(answer.status, answer.text).toBe(200);
    this.#inDoubt = null;
    this.#acknowledge(answer);
  }

  /** Two at once for one source: with a key both get the same successor, without one only one succeeds. */
  async #rotateTwice(port: number): Promise<void> {
    const key = this.#usesKeys ? this.#newKey() : null;
    this.#inDoubt = { source: this.#token, key };
    this.tally.lost += 1;
    const outcomes = await Promise.allSettled([
      this.#ask(port, this.#token, key),
      this.#ask(port, this.#token, key),
    ]);
    const answers = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    const done = answers.filter(({ status }) => status === 200);
    expect(
      new Set(done.map(({ text }) => text)).size,
      'different successors for one source',
    ).toBeLessThanOrEqual(1);
    if (answers.length === 2) expect(done).toHaveLength(key === null ? 1 : 2);
    if (done[0] !== undefined) {
      this.tally.lost -= 1;
      this.#inDoubt = null;
      this.#acknowledge(done[0]);
    }
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason as Error;
  }

  async #createIvr(port: number): Promise<void> {
    const name = `${this.#name} ${(this.#steps += 1)}`;
    const answer = await sendCall(port, {
      method: 'POST',
      path: '/v1/ivr',
      bearer: this.#token,
      body: { ...ivrBody, name },
      agent: this.#agent,
    });
    expect(answer.status, answer.text).toBe(200);
    this.ivrs.set(IvrCreated.parse(JSON.parse(answer.text)).id, name);
  }

  async #refresh(port: number): Promise<void> {
    const answer = await sendCall(port, {
      method: 'POST',
      path: '/v1/auth/refresh',
      bearer: this.#token,
      agent: this.#agent,
    });
    expect(answer.status, answer.text).toBe(200);
    this.#access = RefreshReply.parse(JSON.parse(answer.text)).access_token;
  }

  #ask(port: number, source: string, key: string | null): Promise<Answer> {
    return sendCall(port, {
      method: 'POST',
      path: '/v1/auth/rotate',
      bearer: source,
      headers: key === null ? {} : { 'idempotency-key': key },
      agent: this.#agent,
    });
  }

  #acknowledge(answer: Answer): void {
    this.#token = RotateReply.parse(JSON.parse(answer.text)).access_token;
    this.#access = null;
    this.#countRotation();
    this.tally.acknowledged += 1;
  }

  #countRotation(): void {
    this.rotations.set(this.#familyId, (this.rotations.get(this.#familyId) ?? 0) + 1);
  }

  #newKey(): string {
    return `${this.#name.replace(' ', '-')}-${(this.#steps += 1)}`;
  }
}

/** The service ended during a call. */
export function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as NodeJS.ErrnoException;
  return (
    ['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'HPE_INVALID_EOF_STATE'].includes(code ?? '') ||
    error.message === 'The answer was cut off'
  );
}
