import type { FastifyReply, FastifyRequest } from 'fastify';
import { BlockList, isIPv4, isIPv6, type Socket } from 'node:net';
import type { Actor, EventDraft } from '../../contract/history/audit-event.ts';
import { isOwnCall } from '../../contract/service/own-call.ts';
import type { Scope, TokenConfiguration, TokenId } from '../../contract/token/token.ts';
import { type Clock, type Decision, type Ledger, StoreUnavailable } from '../../core/ledger.ts';
import { done, refused, type Result } from '../../core/result.ts';
import type { State } from '../../core/state.ts';
import {
  admitBearer,
  type Bearer,
  type BearerRefusal,
  type PresentedBearer,
} from '../../core/token/admit-bearer.ts';
import { endOfReuse } from '../../core/token/reuse.ts';
import { type Token, tokenIdOf } from '../../core/token/token-record.ts';
import { refuse } from '../http/refuse.ts';
import { digestOf } from '../secrets/token-value.ts';
import { type Connections, mayHaveLargeBody } from './connections.ts';
import { FailureThrottle, type ThrottleLimits } from './failure-throttle.ts';

/** A caller before authentication: its credentials and its address. */
export interface Caller {
  /** The token itself, for the one reply that is sealed with it. Never stored, never logged. */
  readonly value: string;
  readonly address: string;
  readonly socket: Socket;
  readonly presented: PresentedBearer;
  readonly actorFor: (tokenId: TokenId) => Actor;
}

const userAgentLength = 200;

/** Events that the reply does not depend on. */
interface Note {
  readonly events: readonly EventDraft[];
  /** They could not be recorded. */
  lose(): void;
}

/** Authenticates calls with a bearer token, and records and limits those that are refused. */
export class BearerGate {
  readonly #ledger: Ledger;
  /**
   * First uses that the disk refused, with the user: recorded when the disk accepts changes again. At most one for each token.
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

  /** Whether a token was used although the state does not record that yet. */
  isUseOwed(id: TokenId): boolean {
    return this.#owedUses.has(id);
  }

  /** The credentials of the call; null when its Authorization header is missing or malformed. */
  callerOf(request: FastifyRequest): Caller | null {
    const value = readBearer(request.headers.authorization);
    if (value === null) return null;
    const { socket } = request.raw;
    const { address } = request.arrival;
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
   * Runs a decision for an authenticated caller, and refuses all others.
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
   * A hook for a route with a large body: it is read only from a caller with a valid token, because reading it costs
   * more than the rest of a refused call.
   */
  guardLargeBody(scope: Scope | undefined) {
    return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      if (!mayHaveLargeBody(request.raw)) return;
      await this.admit(request, reply, scope, () => ({ events: [], value: null }));
    };
  }

  /**
   * Runs a decision in the ledger, and records that a token was used for the first time (`usedOf` returns it), that it was
   * used after it was replaced (once a minute for the same user, and not for a caller that is told to wait), or that such a
   * user now uses the current one. If the disk refuses the record, a decision that changes nothing is still answered.
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
          ? this.#noteUse(caller, state, usedOf(value.value))
          : this.#noteReuse(caller, value.refusal.reusedToken);
        if (note === null) return { events, value };
        notes.push(note);
        return { events: [...note.events, ...events], value };
      });
      if (outcome.ok) this.#connections.trust(caller.socket, 'token');
      return outcome;
    } catch (error) {
      for (const note of notes) note.lose();
      if (notes.length === 0 || !(error instanceof StoreUnavailable)) throw error;
      return await this.#ledger.transact((state, nowMs) => {
        const again = decide(state, nowMs);
        // It is a change, or became one because the batch was rolled back.
        if (again.events.length > 0) throw error;
        return again;
      });
    }
  }

  /** `used` is null where the decision itself records the use, as a rotation does. */
  #noteUse(caller: Caller, state: State, used: Token | null): Note | null {
    const token = used ?? state.tokens.withDigest(caller.presented.digest);
    if (token === undefined) return null;
    const mayBeFirst = used !== null && (used.firstUsedAtMs === null || used.isOnlyChecked);
    const hasReuses = (state.tokens.family(token.familyId)?.reuses.length ?? 0) > 0;
    // Nearly every call: it costs no more than this.
    if (!mayBeFirst && !hasReuses) return null;
    const actor = caller.actorFor(token.id);
    const isFirst = mayBeFirst && isFirstUse(token, actor);
    const end = endOfReuse(state, token, actor);
    const events = [...(isFirst ? [firstUse(token, actor)] : []), ...(end === null ? [] : [end])];
    if (events.length === 0) return null;
    return {
      events,
      lose: () => {
        if (isFirst) this.#owedUses.set(token.id, actor);
      },
    };
  }

  #noteReuse(caller: Caller, token: Token | undefined): Note | null {
    if (token === undefined) return null;
    const actor = caller.actorFor(token.id);
    const use = JSON.stringify(actor);
    const isSlowed = this.#throttle.isSpent(caller.address, caller.presented.digest);
    if (isSlowed || !this.#reuse.isNews(token.id, use)) return null;
    return { events: [reuse(token, actor)], lose: () => this.#reuse.forget(token.id, use) };
  }

  async #recordOwedUses(): Promise<void> {
    const owed = [...this.#owedUses];
    if (owed.length === 0) return;
    try {
      await this.#ledger.transact((state) => ({
        events: owed.flatMap(([id, actor]) => {
          const token = state.tokens.get(id);
          return token !== undefined && isFirstUse(token, actor) ? [firstUse(token, actor)] : [];
        }),
        value: null,
      }));
    } catch (error) {
      if (error instanceof StoreUnavailable) return; // still not recorded: the next recovery tries again
      throw error;
    }
    for (const [id] of owed) this.#owedUses.delete(id);
  }

  refuseCaller(caller: Caller, reply: FastifyReply, { problem }: BearerRefusal): void {
    // A missing scope is not a failed authentication: the call is refused, but never slowed down.
    if (problem === 'scope_missing') {
      refuse(reply, problem);
      return;
    }
    const retryAfterSeconds = this.#throttle.fail(caller.address, caller.presented.digest);
    if (retryAfterSeconds > 0) refuse(reply, 'too_many_failures', { retryAfterSeconds });
    else refuse(reply, problem);
  }

  refuseUnknown(request: FastifyRequest, reply: FastifyReply): void {
    const retryAfterSeconds = this.#throttle.fail(request.arrival.address, '');
    if (retryAfterSeconds > 0) refuse(reply, 'too_many_failures', { retryAfterSeconds });
    else refuse(reply, 'token_invalid');
  }
}

interface Admitted<T> {
  readonly value: T;
  /** The token that the caller was authenticated with. */
  readonly token: Token;
}

/** Rotavox tests each new token itself: the first use by another program is recorded all the same. */
function isFirstUse({ firstUsedAtMs, isOnlyChecked }: Token, actor: Actor): boolean {
  return firstUsedAtMs === null || (isOnlyChecked && !isOwnCall(actor));
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

/** RFC 6750: the scheme in any case, one or more spaces, a token68. */
const bearerPattern = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/** The value of an `Authorization: Bearer` header, or null when there is none or it is malformed. */
export function readBearer(authorization: string | undefined): string | null {
  if (authorization === undefined) return null;
  return bearerPattern.exec(authorization)?.[1] ?? null;
}

const listsByConfiguration = new WeakMap<TokenConfiguration, BlockList>();

/**
 * Whether a configuration's IP restrictions allow an address. Without restrictions every address is allowed; otherwise
 * an unknown address is not.
 */
function isAllowedAddress(configuration: TokenConfiguration, address: string): boolean {
  if (configuration.ip_restrictions.length === 0) return true;
  let list = listsByConfiguration.get(configuration);
  if (list === undefined) {
    list = listOf(configuration.ip_restrictions);
    listsByConfiguration.set(configuration, list);
  }
  if (isIPv4(address)) return list.check(address, 'ipv4');
  return isIPv6(address) && list.check(address, 'ipv6');
}

function listOf(restrictions: readonly string[]): BlockList {
  const list = new BlockList();
  for (const restriction of restrictions) {
    const [address = '', prefix] = restriction.split('/');
    const family = isIPv4(address) ? 'ipv4' : 'ipv6';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

/** The time in which uses of the same superseded token by the same user are recorded once. */
const quietMs = 60_000;
/**
 * The number of events at once for one superseded token, then one in each `quietMs`: a caller may change its name with
 * every call.
 */
const burstPerToken = 20;
const maxRemembered = 10_000;

interface Budget {
  left: number;
  atMs: number;
}

/**
 * Decides which uses of a Superseded token are recorded: an app in a loop must not fill the history.
 *
 * The journal is never pruned, so what a caller without a valid token can add to it is limited: for each superseded
 * token 20 events at once and 1,440 a day, however many names (`User-Agent`) and connections the caller has.
 */
class ReuseWatch {
  readonly #clock: Clock;
  readonly #lastMs = new Map<string, number>();
  readonly #budgets = new Map<string, Budget>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Marks the use as recorded; call `forget` if it could not be. `use` is the token and its user. */
  isNews(tokenId: string, use: string): boolean {
    const nowMs = this.#clock();
    const last = this.#lastMs.get(use);
    if (last !== undefined && Math.abs(nowMs - last) < quietMs) return false;
    const budget = this.#budgets.get(tokenId) ?? { left: burstPerToken, atMs: nowMs };
    const left = Math.min(budget.left + Math.max(nowMs - budget.atMs, 0) / quietMs, burstPerToken);
    if (left < 1) return false;
    remember(this.#budgets, tokenId, { left: left - 1, atMs: nowMs });
    remember(this.#lastMs, use, nowMs);
    return true;
  }

  /** The use could not be recorded: the next one is recorded again. */
  forget(tokenId: string, use: string): void {
    this.#lastMs.delete(use);
    const budget = this.#budgets.get(tokenId);
    if (budget !== undefined) budget.left += 1;
  }
}

/** Moves it to the end; the least recently used entry is removed when the map is full. */
function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  const [oldest] = map.keys();
  if (map.size >= maxRemembered && oldest !== undefined) map.delete(oldest);
  map.set(key, value);
}
