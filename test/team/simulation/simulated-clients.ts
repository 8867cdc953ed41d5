import type { FamilyId, TokenId } from '../../../src/contract/token/token.ts';
import { StoreUnavailable } from '../../../src/core/ledger.ts';
import { admitBearer } from '../../../src/core/token/admit-bearer.ts';
import { issueToken } from '../../../src/core/token/issue-token.ts';
import { rotateToken } from '../../../src/core/token/rotate-token.ts';
import { configuration, digest } from '../../fixtures/make-events.ts';
import type { HostProcess, SimulatedHost } from './simulated-host.ts';
import { Violation, type World } from './world.ts';

const timeoutMs = 2_500;

/** What a caller knows after a call: an answer, or nothing. */
type Reply<T> = { readonly value: T } | null;

/** Calls to any of the hosts, by way of a network that loses and delays. */
export class Callers {
  readonly #world: World;
  readonly #hosts: readonly SimulatedHost[];
  /** The share of the messages that are lost. */
  lost = 0;
  lastAnswerMs = 0;

  constructor(world: World, hosts: readonly SimulatedHost[]) {
    this.#world = world;
    this.#hosts = hosts;
  }

  async call<T>(run: (host: HostProcess) => Promise<T>): Promise<Reply<T>> {
    const { promise, resolve } = Promise.withResolvers<Reply<T>>();
    const world = this.#world;
    const stopTimeout = world.after(timeoutMs, null, () => {
      resolve(null);
    });
    const answer = (reply: Reply<T>) => {
      if (world.happens(this.lost)) return;
      world.after(this.#delay(), null, () => {
        stopTimeout();
        if (reply !== null) this.lastAnswerMs = world.nowMs;
        resolve(reply);
      });
    };
    const first = this.#hosts[world.chance.between(0, this.#hosts.length - 1)];
    if (first !== undefined) this.#arrive(first, { run, answer, isPassedOn: false });
    return promise;
  }

  /** A host answers a call if it leads, and passes it on to the leader otherwise. */
  #arrive<T>(
    host: SimulatedHost,
    call: {
      readonly run: (host: HostProcess) => Promise<T>;
      readonly answer: (reply: Reply<T>) => void;
      readonly isPassedOn: boolean;
    },
  ): void {
    const world = this.#world;
    if (world.happens(this.lost)) return;
    const running = host.running;
    world.after(this.#delay(), running?.process ?? null, () => {
      if (running === null || host.running !== running) {
        call.answer(null);
        return;
      }
      const leader = this.#hosts.find(({ name }) => name === running.leader);
      if (leader !== undefined && leader !== host && !call.isPassedOn && !running.answersItself) {
        this.#arrive(leader, { ...call, isPassedOn: true });
        return;
      }
      call.run(running).then(
        (value) => {
          call.answer({ value });
        },
        (error: unknown) => {
          if (error instanceof StoreUnavailable) call.answer(null);
          else world.fail(error);
        },
      );
    });
  }

  #delay(): number {
    const { chance } = this.#world;
    return chance.next() * (this.#world.happens(this.lost) ? 3_000 : 5);
  }
}

const mayUse = () => true;

/** A family of tokens: one client rotates it, again and again, and others try its tokens. */
export class Chain {
  /** The generation that the client has; earlier ones are replaced. */
  acknowledged = 0;
  /** The latest generation that anybody was told of. */
  known = 0;
  rotations = 0;
  isStopped = false;
  /** Whether it has stopped, and knows what became of its last request. */
  isDone = false;
  readonly name: string;
  readonly #world: World;
  readonly #callers: Callers;
  readonly #pace: number;

  constructor(world: World, callers: Callers, options: { name: string; paceMs: number }) {
    this.#world = world;
    this.#callers = callers;
    this.name = options.name;
    this.#pace = options.paceMs;
  }

  get familyId(): FamilyId {
    return `fam_${this.name}` as FamilyId;
  }

  start(): void {
    this.#begin(() => this.#rotateAgainAndAgain());
    this.#begin(() => this.#tryAgainAndAgain());
  }

  /** The value of a token, and its digest. `attempt`: each request mints another value. */
  #digest(generation: number, attempt: string): string {
    return digest(`${this.name}-${generation}-${attempt}`);
  }

  #begin(run: () => Promise<void>): void {
    this.#world.after(this.#world.chance.next() * 500, null, () => {
      run().catch((error: unknown) => {
        this.#world.fail(error);
      });
    });
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      this.#world.after(this.#world.chance.next() * this.#pace, null, resolve);
    });
  }

  current = '';
  /** New tokens of changes that a host refused: it says that nothing was changed, and that nothing will be. */
  readonly refused = new Set<string>();
  #attempts = 0;

  async #rotateAgainAndAgain(): Promise<void> {
    this.current = await this.#issue();
    this.#told(1);
    this.acknowledged = 1;
    while (!this.isStopped) {
      await this.#pause();
      this.current = await this.#rotate();
      this.acknowledged += 1;
      this.rotations += 1;
      this.#told(this.acknowledged);
    }
    this.isDone = true;
  }

  /** Issuing has no key: the client looks whether it was done before it asks again. */
  async #issue(): Promise<string> {
    const first = this.#digest(1, 'first');
    const command = { familyId: this.familyId, digest: first, configuration, expiresAtMs: null };
    for (;;) {
      const reply = await this.#callers.call((host) =>
        host.transact((state, nowMs) =>
          state.tokens.family(this.familyId) === undefined
            ? issueToken(command, nowMs)
            : { events: [], value: null },
        ),
      );
      if (reply !== null) return first;
      await this.#pause();
    }
  }

  /** The same key until there is an answer, and each time another new token. */
  async #rotate(): Promise<string> {
    const source = this.current;
    const generation = this.acknowledged + 1;
    for (;;) {
      this.#attempts += 1;
      const minted = this.#digest(generation, String(this.#attempts));
      const reply = await this.#callers.call((host) => {
        const rotated = host.transact((state, nowMs) =>
          rotateToken(
            state,
            {
              presented: { digest: source, mayUse },
              keyDigest: digest(`key-${this.name}-${generation}`),
              mint: () => ({
                value: minted,
                digest: minted,
                replay: {
                  keyDigest: digest(`key-${this.name}-${generation}`),
                  sealedReply: minted,
                  keyEpoch: 'epoch',
                },
              }),
              actorFor: (tokenId: TokenId) => ({
                kind: 'bearer',
                token_id: tokenId,
                address: '127.0.0.1',
                user_agent: null,
              }),
            },
            nowMs,
          ),
        );
        rotated.catch(() => this.refused.add(minted));
        return rotated;
      });
      if (reply === null) {
        await this.#pause();
        continue;
      }
      if (!reply.value.ok)
        throw new Violation(
          `${this.name}: generation ${generation - 1} was acknowledged and is refused: ${reply.value.refusal.problem}`,
        );
      const rotation = reply.value.value;
      return rotation.kind === 'rotated' ? rotation.value : rotation.replay.sealedReply;
    }
  }

  /** Asks for the latest generation and tries its token: no answer may be older than one that was given before the question. */
  async #tryAgainAndAgain(): Promise<void> {
    while (!this.isStopped) {
      const knownBefore = this.known;
      const presented = this.current;
      const ofGeneration = this.acknowledged;
      const reply = await this.#callers.call((host) =>
        host.transact((state, nowMs) => ({
          events: [],
          value: {
            latest: state.tokens.generationsOf(this.familyId),
            isAccepted: admitBearer(state, { digest: presented, mayUse }, nowMs).ok,
          },
        })),
      );
      if (reply !== null) {
        const { latest, isAccepted } = reply.value;
        if (latest < knownBefore)
          throw new Violation(
            `${this.name}: generation ${latest} was the latest after ${knownBefore} was told`,
          );
        if (ofGeneration > 0 && isAccepted !== (latest === ofGeneration))
          throw new Violation(
            `${this.name}: of ${ofGeneration}, accepted ${String(isAccepted)}, latest ${latest}`,
          );
        this.#told(latest);
      }
      await this.#pause();
    }
  }

  #told(generation: number): void {
    this.known = Math.max(this.known, generation);
  }
}
