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
import { FailureThrottle, type ThrottleLimits } from './failure-throttle.ts';
import { isAllowedAddress, plainAddress } from './ip-restrictions.ts';
import { readBearer } from './read-bearer.ts';
import { ReuseWatch } from './reuse-watch.ts';

/** A caller as the gate sees it: what it showed and from where. */
export interface Caller {
  /** The value itself, for the one reply that must be sealed under it. Never stored, never logged. */
  readonly value: string;
  readonly address: string;
  readonly presented: PresentedBearer;
  readonly actorFor: (tokenId: TokenId) => Actor;
}

const userAgentLength = 200;

/** Who may come in with a bearer token, and what is done about those who may not. */
export class BearerGate {
  readonly #ledger: Ledger;
  readonly #throttle: FailureThrottle;
  readonly #reuse: ReuseWatch;

  constructor(ledger: Ledger, clock: Clock, limits: ThrottleLimits) {
    this.#ledger = ledger;
    this.#throttle = new FailureThrottle(limits, clock);
    this.#reuse = new ReuseWatch(clock);
  }

  /** What the call shows; null when its Authorization header is missing or malformed. */
  callerOf(request: FastifyRequest): Caller | null {
    const value = readBearer(request.headers.authorization);
    if (value === null) return null;
    const address = plainAddress(request.raw.socket.remoteAddress);
    return {
      value,
      address,
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
    const outcome = await this.decide<T>(caller, (state, nowMs) => {
      const admission = admitBearer(state, caller.presented, nowMs);
      if (!admission.ok) return { events: [], value: admission };
      const { family, token } = admission.value;
      const { scopes } = family.configuration;
      if (scope !== undefined && scopes.length > 0 && !scopes.includes(scope)) {
        return { events: [], value: refused({ problem: 'scope_missing' }) };
      }
      const actor = caller.actorFor(token.id);
      const decision = act(admission.value, actor, state, nowMs);
      const events =
        token.firstUsedAtMs === null
          ? [firstUse(admission.value, actor), ...decision.events]
          : decision.events;
      return { events, value: done(decision.value) };
    });
    if (outcome.ok) return { value: outcome.value };
    this.refuseCaller(caller, reply, outcome.refusal);
    return null;
  }

  /**
   * Has the ledger decide about a caller. When the answer is no because the token is Superseded, its use goes into the
   * history: once a minute for the same user, and not at all for one who is being told to wait.
   */
  async decide<T>(
    caller: Caller,
    decide: (state: State, nowMs: number) => Decision<Result<T, BearerRefusal>>,
  ): Promise<Result<T, BearerRefusal>> {
    const noted: { readonly tokenId: TokenId; readonly use: string }[] = [];
    try {
      return await this.#ledger.transact((state, nowMs) => {
        const decision = decide(state, nowMs);
        const reusedToken = decision.value.ok ? undefined : decision.value.refusal.reusedToken;
        if (reusedToken === undefined) return decision;
        const actor = caller.actorFor(reusedToken.id);
        const use = JSON.stringify(actor);
        const { id: tokenId } = reusedToken;
        if (this.#throttle.isSpent(caller.address, caller.presented.digest)) return decision;
        if (!this.#reuse.isNews(tokenId, use)) return decision;
        noted.push({ tokenId, use });
        return { events: [reuse(reusedToken, actor)], value: decision.value };
      });
    } catch (error) {
      for (const { tokenId, use } of noted) this.#reuse.forget(tokenId, use);
      if (noted.length === 0 || !(error instanceof StoreUnavailable)) throw error;
      // The note was refused by the disk, and the answer stands without it: if that is still so, now that the batch is taken back.
      const again = await this.#ledger.transact((state, nowMs) => ({
        events: [],
        value: decide(state, nowMs).value,
      }));
      if (again.ok || again.refusal.reusedToken === undefined) throw error;
      return again;
    }
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

function firstUse({ token, family }: Bearer, actor: Actor): EventDraft<'token.first_used'> {
  return { kind: 'token.first_used', subject: family.id, actor, data: { token_id: token.id } };
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
