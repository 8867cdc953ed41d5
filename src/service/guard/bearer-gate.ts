import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Actor, EventDraft } from '../../contract/audit-event.ts';
import type { Scope, TokenId } from '../../contract/token.ts';
import { type Clock, type Decision, type Ledger, StoreUnavailable } from '../../core/ledger.ts';
import { done, refused, type Result } from '../../core/result.ts';
import type { State } from '../../core/state.ts';
import {
  admitBearer,
  type Bearer,
  type BearerRefusal,
  type PresentedBearer,
} from '../../core/token/admit-bearer.ts';
import { type Token, tokenIdOf } from '../../core/token/token.ts';
import { refuse } from '../refuse.ts';
import { digestOf } from '../secrets/token-value.ts';
import { type Connections, mayHaveLargeBody } from './connections.ts';
import { FailureThrottle, type ThrottleLimits } from './failure-throttle.ts';
import { isAllowedAddress, plainAddress } from './ip-restrictions.ts';
import { readBearer } from './read-bearer.ts';
import { ReuseWatch } from './reuse-watch.ts';

/** A caller as the gate sees it: what it showed and from where. */
export interface Caller {
  /** The value itself, for the one reply that must be sealed under it. Never stored, never logged. */
  readonly value: string;
  readonly address: string;
  readonly socket: Socket;
  readonly presented: PresentedBearer;
  readonly actorFor: (tokenId: TokenId) => Actor;
}

const userAgentLength = 200;

/** An event that the answer does not rest on. */
interface Note {
  readonly event: EventDraft;
  /** It could not be written down. */
  lose(): void;
}

/** Who may come in with a bearer token, and what is done about those who may not. */
export class BearerGate {
  readonly #ledger: Ledger;
  /**
   * First uses that the disk did not take, by whom: written down when it takes changes again. One for a token at most.
   *
   * see decisions/answer-a-first-use-on-a-full-disk.md
   */
  readonly #owedUses = new Map<TokenId, Actor>();
  readonly #connections: Connections;
  readonly #throttle: FailureThrottle;
  readonly #reuse: ReuseWatch;

  constructor(ledger: Ledger, clock: Clock, connections: Connections, limits: ThrottleLimits) {
    this.#ledger = ledger;
    this.#connections = connections;
    this.#throttle = new FailureThrottle(limits, clock);
    this.#reuse = new ReuseWatch(clock);
    ledger.onHealth(() => {
      if (ledger.health().status === 'ok') void this.#recordOwedUses();
    });
  }

  /** Whether a token was used, and that is not in the state yet. */
  isUseOwed(id: TokenId): boolean {
    return this.#owedUses.has(id);
  }

  /** What the call shows; null when its Authorization header is missing or malformed. */
  callerOf(request: FastifyRequest): Caller | null {
    const value = readBearer(request.headers.authorization);
    if (value === null) return null;
    const { socket } = request.raw;
    const address = plainAddress(socket.remoteAddress);
    return {
      value,
      address,
      socket,
      presented: {
        digest: digestOf(value),
        mayUse: (configuration) => isAllowedAddress(configuration, address),
      },
      actorFor: (tokenId) => ({
        kind: 'bearer',
        token_id: tokenId,
        address,
        user_agent: request.headers['user-agent']?.slice(0, userAgentLength) ?? null,
      }),
    };
  }

  /**
   * Runs a decision for a caller who is let in, and answers everybody else.
   *
   * Returns null when the call was refused; then the reply has been sent.
   */
  async admit<T>(
    request: FastifyRequest,
    reply: FastifyReply,
    scope: Scope | undefined,
    act: (bearer: Bearer, actor: Actor, state: State, nowMs: number) => Decision<T>,
  ): Promise<{ value: T } | null> {
    const caller = this.callerOf(request);
    if (caller === null) {
      this.refuseUnknown(request, reply);
      return null;
    }
    const decideFor = (state: State, nowMs: number): Decision<Result<Admitted<T>, BearerRefusal>> => {
      const admission = admitBearer(state, caller.presented, nowMs);
      if (!admission.ok) return { events: [], value: admission };
      const { family, token } = admission.value;
      const { scopes } = family.configuration;
      if (scope !== undefined && scopes.length > 0 && !scopes.includes(scope)) {
        return { events: [], value: refused({ problem: 'scope_missing' }) };
      }
      const { events, value } = act(admission.value, caller.actorFor(token.id), state, nowMs);
      return { events, value: done({ value, token }) };
    };
    const outcome = await this.decide(caller, decideFor, ({ token }) => token);
    if (outcome.ok) return { value: outcome.value.value };
    this.refuseCaller(caller, reply, outcome.refusal);
    return null;
  }

  /**
   * A hook for a route that takes a body of some size: a large one is read only from a caller with a valid token. To read it
   * costs more than all the rest of a call that is refused.
   */
  guardLargeBody(scope: Scope | undefined) {
    return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      if (!mayHaveLargeBody(request.raw)) return;
      await this.admit(request, reply, scope, () => ({ events: [], value: null }));
    };
  }

  /**
   * Has the ledger decide about a caller, and notes in the history that a token was used for the first time (`usedOf` gives
   * it) or after it was replaced: the latter once a minute for the same user, and not at all for one who is being told to
   * wait. When the disk does not take the note, a decision that changes nothing stands without it.
   */
  async decide<T>(
    caller: Caller,
    decide: (state: State, nowMs: number) => Decision<Result<T, BearerRefusal>>,
    usedOf: (value: T) => Token | null = () => null,
  ): Promise<Result<T, BearerRefusal>> {
    const notes: Note[] = [];
    try {
      const outcome = await this.#ledger.transact((state, nowMs) => {
        const { events, value } = decide(state, nowMs);
        const note = value.ok
          ? this.#noteFirstUse(caller, usedOf(value.value))
          : this.#noteReuse(caller, value.refusal.reusedToken);
        if (note === null) return { events, value };
        notes.push(note);
        return { events: [note.event, ...events], value };
      });
      if (outcome.ok) this.#connections.trust(caller.socket, 'token');
      return outcome;
    } catch (error) {
      for (const note of notes) note.lose();
      if (notes.length === 0 || !(error instanceof StoreUnavailable)) throw error;
      return await this.#ledger.transact((state, nowMs) => {
        const again = decide(state, nowMs);
        // It is a change, or has become one now that the batch is taken back.
        if (again.events.length > 0) throw error;
        return again;
      });
    }
  }

  #noteFirstUse(caller: Caller, token: Token | null): Note | null {
    if (token?.firstUsedAtMs !== null) return null;
    const actor = caller.actorFor(token.id);
    return { event: firstUse(token, actor), lose: () => this.#owedUses.set(token.id, actor) };
  }

  #noteReuse(caller: Caller, token: Token | undefined): Note | null {
    if (token === undefined) return null;
    const actor = caller.actorFor(token.id);
    const use = JSON.stringify(actor);
    const isSlowed = this.#throttle.isSpent(caller.address, caller.presented.digest);
    if (isSlowed || !this.#reuse.isNews(token.id, use)) return null;
    return { event: reuse(token, actor), lose: () => this.#reuse.forget(token.id, use) };
  }

  async #recordOwedUses(): Promise<void> {
    const owed = [...this.#owedUses];
    if (owed.length === 0) return;
    try {
      await this.#ledger.transact((state) => ({
        events: owed.flatMap(([id, actor]) => {
          const token = state.tokens.get(id);
          return token?.firstUsedAtMs === null ? [firstUse(token, actor)] : [];
        }),
        value: null,
      }));
    } catch (error) {
      if (error instanceof StoreUnavailable) return; // still owed: the next recovery tries again
      throw error;
    }
    for (const [id] of owed) this.#owedUses.delete(id);
  }

  refuseCaller(caller: Caller, reply: FastifyReply, { problem }: BearerRefusal): void {
    // Missing scope is a valid token that asks for too much: it is told so, and never slowed.
    if (problem === 'scope_missing') {
      refuse(reply, problem);
      return;
    }
    const retryAfterSeconds = this.#throttle.fail(caller.address, caller.presented.digest);
    if (retryAfterSeconds > 0) refuse(reply, 'too_many_failures', { retryAfterSeconds });
    else refuse(reply, problem);
  }

  refuseUnknown(request: FastifyRequest, reply: FastifyReply): void {
    const retryAfterSeconds = this.#throttle.fail(plainAddress(request.raw.socket.remoteAddress), '');
    if (retryAfterSeconds > 0) refuse(reply, 'too_many_failures', { retryAfterSeconds });
    else refuse(reply, 'token_invalid');
  }
}

interface Admitted<T> {
  readonly value: T;
  /** What the caller's admission rests on. */
  readonly token: Token;
}

function firstUse({ id, familyId }: Token, actor: Actor): EventDraft<'token.first_used'> {
  return { kind: 'token.first_used', subject: familyId, actor, data: { token_id: id } };
}

function reuse(token: Token, actor: Actor): EventDraft<'token.reused'> {
  const successorId = tokenIdOf(token.familyId, token.generation + 1);
  return {
    kind: 'token.reused',
    subject: token.familyId,
    actor,
    data: { token_id: token.id, successor_id: successorId },
  };
}
