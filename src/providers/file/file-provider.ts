import { originOf } from '../../contract/address.ts';
import type { EndpointFinding, TokenReply } from '../../contract/credential/connection-finding.ts';
import { GivenBearerToken, GivenToken } from '../../contract/credential/credential.ts';
import type { ProviderTraits } from '../../contract/credential/provider-facts.ts';
import type {
  FileOutcomeRow,
  FileStepName,
  FileSteps,
  ProviderFile,
} from '../../contract/credential/provider-file.ts';
import type { Clock } from '../../core/ledger.ts';
import { done, refused, type Result } from '../../core/result.ts';
import { invariant } from '../../core/unreachable.ts';
import { assumedBy, saidEndMs } from '../http/read-expiry.ts';
import {
  cleanText,
  isUnclear,
  messageIn,
  redirectOrigin,
  retryAfterOf,
  skewOf,
  untoldBy,
} from '../http/read-reply.ts';
import type { Answer, CallResult, ServiceCaller, WebRequest } from '../http/service-caller.ts';
import {
  endIn,
  fillRequest,
  holds,
  matches,
  nextPage,
  textAt,
  type Values,
  valueAt,
  wantedEnd,
} from './file-request.ts';
import {
  type Attempt,
  failed,
  failedBy,
  type FailedRotation,
  type HeldToken,
  type HeldWithOthers,
  type Inspection,
  inspectionOf,
  type MintedToken,
  type Provider,
  type Reconciled,
  replyByExpiry,
  type TokenEnd,
  type TokenToEnd,
} from '../provider-port.ts';
import { factsOfFile } from './known-file.ts';
type Step = NonNullable<FileSteps[FileStepName]>;
/** Whose token makes a call. */
interface Caller {
  readonly token: string;
  readonly isGuardian: boolean;
  /** The guardian's token, where the body has it. */
  readonly secret?: string;
}

/** Statuses that mean that there is no such call. */
const noCallStatuses = new Set([404, 405, 410, 501]);

/** Services count whole seconds, and a call takes time. */
const toleranceMs = 2_000;
/** A renewal sooner than this after the one before it says nothing about the limit. */
const tellingMs = 10_000;

/**
 * A provider as its file says. What the file leaves open has careful defaults: nothing counts as done without its success,
 * and a refusal (401 or 403) ends a token only if asking about it says so too.
 */
// see decisions/providers.md
export class FileProvider implements Provider {
  readonly traits: ProviderTraits;
  readonly endsBy = ['id'] as const;
  readonly #file: ProviderFile;
  readonly #caller: Pick<ServiceCaller, 'send'>;
  readonly #clock: Clock;

  constructor(file: ProviderFile, caller: Pick<ServiceCaller, 'send'>, clock: Clock) {
    this.traits = factsOfFile(file).traits;
    this.#file = file;
    this.#caller = caller;
    this.#clock = clock;
  }

  async inspect(held: HeldToken): Promise<Inspection> {
    const { inspect } = this.#file.steps;
    if (inspect === undefined) {
      return { reply: { kind: 'not_told', reason: { code: 'nothing_known' } }, skewMs: null };
    }
    const caller = { token: held.token, isGuardian: false };
    const heard = await this.#send(inspect, held, caller, { value: held.token });
    if (heard === null) {
      return { reply: { kind: 'not_told', reason: { code: 'nothing_known' } }, skewMs: null };
    }
    return inspectionOf(heard, this.#clock(), (answer, skewMs) =>
      this.#replyOf(answer, held, inspect, skewMs),
    );
  }

  /** Lists with the token where it creates its own successors: one that may not list can hardly create. */
  async inspectRotation(held: HeldToken): Promise<EndpointFinding> {
    const service = originOf(held.baseUrl);
    const { list, mint, renew } = this.#file.steps;
    const { page = null, shape } = this.#file;
    if (shape === 'assisted') {
      return { outcome: 'cannot_rotate', service, reason: { code: 'person_creates', page } };
    }
    if (renew !== undefined) return this.#findRenewal(held);
    const isOwn = mint?.by === 'token' || held.inputs['guardian'] === undefined;
    if (list === undefined || !isOwn) return { outcome: 'can_rotate', service };
    const caller = { token: held.token, isGuardian: false };
    const heard = await this.#send(list, held, caller, { label: 'rotavox' });
    if (heard === null) return { outcome: 'can_rotate', service };
    if (heard.kind !== 'answer') return { outcome: 'unknown', service, reason: heard.failure };
    if (matches(list.reply, heard)) return { outcome: 'can_rotate', service };
    const { status } = heard;
    return noCallStatuses.has(status) || status === 403
      ? { outcome: 'cannot_rotate', service, reason: { code: 'no_endpoint', status } }
      : { outcome: 'unknown', service, reason: { code: 'answered', status } };
  }

  async rotate(attempt: Attempt): Promise<Result<MintedToken, FailedRotation>> {
    const service = originOf(attempt.baseUrl);
    const { mint } = this.#file.steps;
    const { page = null, shape } = this.#file;
    if (shape === 'assisted') return failed({ code: 'person_creates', service, page });
    invariant(mint !== undefined, 'a file whose tokens are replaced has mint');
    const caller = await this.#callerOf(mint, attempt);
    if (!caller.ok) return caller;
    const id = attempt.upstreamId ?? (await this.#idOf(attempt));
    const values: Values = {
      value: attempt.token,
      label: attempt.label,
      intent_key: attempt.idempotencyKey,
      ...(id === null ? {} : { id }),
      ...wantedEnd(attempt.wantedDays, this.#clock(), this.traits.longestDays),
    };
    const heard = await this.#send(mint, attempt, caller.value, values);
    if (heard === null) return failed({ code: 'id_unknown', service });
    if (heard.kind !== 'answer') {
      const trouble = { code: 'call_failed', service, failure: heard.failure } as const;
      return failed(trouble, { mayHaveActed: heard.kind === 'lost' });
    }
    // A success with another status than the file has is one too, if there is a token in it: it exists nowhere else.
    const isOther = heard.status >= 200 && heard.status < 300 && rowFor(mint, heard) === undefined;
    const isSuccess = matches(mint.reply, heard);
    if (isSuccess || (isOther && holds(mint.reply.equals ?? {}, heard.body))) {
      const minted = this.#mintedIn(heard, attempt, mint);
      if (minted !== null) return done(minted);
    }
    if (isSuccess) {
      return failed({ code: 'no_new_token', service, status: heard.status }, { mayHaveActed: true });
    }
    return refused(await this.#failureOf(heard, mint, attempt, caller.value));
  }

  async reconcile(attempt: Attempt): Promise<Reconciled> {
    const { after_lost_reply: after } = this.#file;
    if (after === 'repeat') return { kind: 'nothing_happened' };
    if (after === 'list') return this.#deleteOrphans(attempt);
    const { reply } = await this.inspect(attempt);
    if (reply.kind === 'refused') return { kind: 'lost' };
    if (reply.kind === 'known') return { kind: 'nothing_happened' };
    const service = originOf(attempt.baseUrl);
    if (reply.kind === 'not_told' && reply.reason.code !== 'no_such_call')
      return { kind: 'nothing_happened' };
    const isCall = reply.kind === 'unreachable' && reply.failure.code !== 'answered';
    const status =
      reply.kind === 'unreachable' && reply.failure.code === 'answered' ? reply.failure.status : 200;
    return {
      kind: 'unclear',
      failure: isCall
        ? failedBy({ code: 'call_failed', service, failure: reply.failure })
        : failedBy({ code: 'service_failed', service, status, said: null }),
    };
  }

  async end(held: HeldWithOthers, which: TokenToEnd): Promise<Result<TokenEnd, FailedRotation>> {
    if (which.by !== 'id') return done('no_call');
    const service = originOf(held.baseUrl);
    const { retire } = this.#file.steps;
    if (retire === undefined) return failed({ code: 'id_unknown', service });
    const caller = await this.#callerOf(retire, held);
    if (!caller.ok) return caller;
    const heard = await this.#send(retire, held, caller.value, { id: which.id });
    if (heard === null) return failed({ code: 'id_unknown', service });
    if (heard.kind !== 'answer') return failed({ code: 'call_failed', service, failure: heard.failure });
    if (matches(retire.reply, heard)) return done('deleted');
    const row = rowFor(retire, heard);
    if (row?.outcome === 'gone' || (row === undefined && heard.status === 404)) return done('already_gone');
    return refused(await this.#failureOf(heard, retire, held, caller.value));
  }

  /** Deletes what an attempt created whose reply was lost: entries that have its label, which no other attempt has. */
  async #deleteOrphans(attempt: Attempt): Promise<Reconciled> {
    const { list } = this.#file.steps;
    const unclear = (failure: FailedRotation): Reconciled => ({ kind: 'unclear', failure });
    if (list === undefined) return { kind: 'nothing_happened' };
    const caller = await this.#callerOf(list, attempt);
    if (!caller.ok) return unclear(caller.refusal);
    const ids = await this.#listOrphans(list, attempt, caller.value);
    if (!ids.ok) return unclear(ids.refusal);
    for (const id of ids.value) {
      const deleted = await this.end(attempt, { by: 'id', id });
      if (!deleted.ok) return unclear(deleted.refusal);
    }
    return { kind: 'nothing_happened' };
  }

  /** The ids with the label of the attempt, from every page. Deleting between two pages would move what is on the next one. */
  async #listOrphans(
    list: NonNullable<FileSteps['list']>,
    attempt: Attempt,
    caller: Caller,
  ): Promise<Result<string[], FailedRotation>> {
    const service = originOf(attempt.baseUrl);
    const request = this.#requestOf(list, attempt, caller, { label: attempt.label });
    if (request === null) return failed({ code: 'id_unknown', service });
    const ids: string[] = [];
    const seen = new Set<string>();
    let url: string | null = request.url;
    while (url !== null) {
      seen.add(new URL(url).href);
      const heard = await this.#call({ ...request, url, isList: true });
      if (heard.kind !== 'answer') return failed({ code: 'call_failed', service, failure: heard.failure });
      const items = valueAt(heard.body, list.reply.items);
      if (!matches(list.reply, heard) || !Array.isArray(items)) {
        return refused(await this.#failureOf(heard, list, attempt, caller));
      }
      for (const item of items as unknown[]) {
        const id = textAt(item, list.reply.id);
        if (id !== null && textAt(item, list.reply.label) === attempt.label) ids.push(id);
      }
      const next = nextPage(list.reply.next, heard, { url, baseUrl: attempt.baseUrl, seen });
      if (!next.ok) return failed({ code: 'list_unfinished', service, why: next.refusal });
      url = next.value;
    }
    return done(ids);
  }

  async #findRenewal(held: HeldToken): Promise<EndpointFinding> {
    const service = originOf(held.baseUrl);
    const { reply } = await this.inspect(held);
    if (reply.kind === 'known') return { outcome: 'can_rotate', service, by: 'renewal' };
    if (reply.kind === 'unreachable') return { outcome: 'unknown', service, reason: reply.failure };
    if (reply.kind === 'refused')
      return { outcome: 'unknown', service, reason: { code: 'answered', status: 401 } };
    if (reply.reason.code === 'never_expires') {
      return { outcome: 'cannot_rotate', service, reason: { code: 'not_renewable', until: null } };
    }
    // Nobody looked at the endpoint: the first renewal shows it.
    return { outcome: 'can_rotate', service, by: 'renewal' };
  }

  /** Asks for the end before and after, because a renewal that brings nothing is the last one. */
  async renew(attempt: Attempt): Promise<Result<MintedToken, FailedRotation>> {
    const service = originOf(attempt.baseUrl);
    const { renew } = this.#file.steps;
    invariant(renew !== undefined, 'a file whose tokens are renewed has renew');
    const before = await this.inspect(attempt);
    const never = before.reply.kind === 'not_told' && before.reply.reason.code === 'never_expires';
    if (never) return failed({ code: 'not_renewable', service, until: null });
    if (before.reply.kind === 'refused') return failed({ code: 'invalid', service, said: before.reply.said });
    const caller = { token: attempt.token, isGuardian: false };
    const nowMs = this.#clock();
    const heard = await this.#send(renew, attempt, caller, {
      value: attempt.token,
      ...(attempt.upstreamId === null ? {} : { id: attempt.upstreamId }),
      ...wantedEnd(attempt.wantedDays, nowMs, this.traits.longestDays),
    });
    if (heard === null) return failed({ code: 'id_unknown', service });
    if (heard.kind !== 'answer') return failed({ code: 'call_failed', service, failure: heard.failure });
    if (!matches(renew.reply, heard)) return refused(await this.#failureOf(heard, renew, attempt, caller));
    const { ends, last } = renew.reply;
    const skewMs = skewOf(heard.headers['date'], nowMs) ?? 0;
    const end = endIn(ends, heard.body, { nowMs, skewMs });
    if (end.kind === 'never') return failed({ code: 'not_renewable', service, until: null });
    if (end.kind !== 'at' || end.atMs <= nowMs) {
      return failed({ code: 'no_new_token', service, status: heard.status });
    }
    const beforeMs = before.reply.kind === 'known' ? before.reply.expiresAtMs : null;
    const isTelling = attempt.sinceMs !== undefined && nowMs - attempt.sinceMs >= tellingMs;
    const isUnchanged = beforeMs !== null && isTelling && end.atMs <= beforeMs + toleranceMs;
    const isSaid = last !== undefined && holds(last, heard.body);
    return done({
      token: attempt.token,
      validityDays: null,
      expiresAtMs: end.atMs,
      isLast: isSaid || isUnchanged,
    });
  }

  async #callerOf(
    { by, request }: Extract<Step, { by: unknown }>,
    held: HeldWithOthers,
  ): Promise<Result<Caller, FailedRotation>> {
    const { guardian } = held.inputs;
    const isInBody = JSON.stringify(request).includes('{guardian}');
    if (guardian === undefined || (by === 'token' && !isInBody)) {
      return done({ token: held.token, isGuardian: false });
    }
    const token = await held.tokenOf(guardian);
    const service = originOf(held.baseUrl);
    if (token === null) return failed({ code: 'no_guardian', service, name: guardian });
    const secret = isInBody ? { secret: token } : {};
    return done(
      by === 'guardian'
        ? { token, isGuardian: true, ...secret }
        : { token: held.token, isGuardian: false, ...secret },
    );
  }

  /** The id of the token in use, where the mint needs it and asking tells it. */
  async #idOf(attempt: Attempt): Promise<string | null> {
    const { mint } = this.#file.steps;
    if (!JSON.stringify(mint?.request).includes('{id}')) return null;
    const { reply } = await this.inspect(attempt);
    return reply.kind === 'known' || reply.kind === 'not_told' ? (reply.upstreamId ?? null) : null;
  }

  /** Null: the request lacks something that it needs. */
  async #send(step: Step, held: HeldToken, caller: Caller, values: Values): Promise<CallResult | null> {
    const request = this.#requestOf(step, held, caller, values);
    return request === null ? null : this.#call(request);
  }

  #requestOf(
    step: Step,
    { baseUrl, timeLimitMs, inputs }: HeldToken,
    { token, isGuardian, secret }: Caller,
    values: Values,
  ): WebRequest | null {
    const { present, present_guardian: ofGuardian = present } = this.#file;
    return fillRequest(step.request, isGuardian ? ofGuardian : present, {
      baseUrl,
      token,
      values: { ...inputs, ...values, guardian: secret },
      timeLimitMs,
    });
  }

  async #call(request: WebRequest): Promise<CallResult> {
    const { base_url: usual, hosts } = this.#file;
    const allowed = hosts ?? (usual === null ? null : [new URL(usual).hostname]);
    if (allowed !== null && !allowed.includes(new URL(request.url).hostname)) {
      return { kind: 'not_sent', failure: { code: 'not_connected', systemCode: 'HOST_NOT_LISTED' } };
    }
    return this.#caller.send(request);
  }

  #mintedIn(
    heard: Answer,
    attempt: Attempt,
    { reply: { value, id, ends } }: NonNullable<FileSteps['mint']>,
  ): MintedToken | null {
    const parts = (typeof value === 'string' ? [value] : value).map((one) => textAt(heard.body, one));
    if (parts.includes(null)) return null;
    const { present } = this.#file;
    const isBearer = present.kind !== 'basic' && /^Bearer $/i.test(present.prefix);
    const token = (isBearer ? GivenBearerToken : GivenToken).safeParse(parts.join(':'));
    // Without its id it cannot be deleted later, which a person is told then. It is stored all the same.
    const upstreamId = textAt(heard.body, id);
    if (!token.success || token.data === attempt.token) return null;
    const nowMs = this.#clock();
    const end = endIn(ends, heard.body, { nowMs, skewMs: skewOf(heard.headers['date'], nowMs) ?? 0 });
    const { longestDays } = this.traits;
    return {
      token: token.data,
      validityDays: Math.min(attempt.wantedDays, longestDays ?? attempt.wantedDays),
      expiresAtMs: saidEndMs(end),
      expiryAssumed: assumedBy(end),
      ...(upstreamId === null ? {} : { upstreamId }),
    };
  }

  #replyOf(
    heard: Answer,
    { token }: HeldToken,
    step: NonNullable<FileSteps['inspect']>,
    skewMs: number,
  ): TokenReply {
    const { status, body } = heard;
    const said = messageIn(body, token) ?? String(status);
    const row = rowFor(step, heard);
    if (matches(step.reply, heard) && row === undefined) {
      const { id, name, ends, alive = {} } = step.reply;
      if (!holds(alive, body)) return { kind: 'refused', why: 'invalid', said };
      const upstreamId = textAt(body, id);
      const known = upstreamId === null ? {} : { upstreamId };
      const called = textAt(body, name);
      return replyByExpiry(endIn(ends, body, { nowMs: this.#clock(), skewMs }), token, {
        name: called === null ? null : cleanText(called, token),
        status: null,
        createdAtMs: null,
        validityDays: null,
        ...known,
      });
    }
    if (row?.outcome === 'dead' || (row === undefined && status === 401)) {
      return { kind: 'refused', why: 'invalid', said: row?.say ?? said };
    }
    return untoldBy(heard);
  }

  /** What an answer means that is no success. */
  async #failureOf(
    heard: Answer,
    step: Step,
    held: HeldToken,
    { token, isGuardian }: Caller,
  ): Promise<FailedRotation> {
    const { status, body, headers } = heard;
    const service = originOf(held.baseUrl);
    const row = rowFor(step, heard);
    const said = row?.say ?? messageIn(body, token);
    const asked = row?.seconds === undefined ? null : Number(textAt(body, row.seconds) ?? Number.NaN);
    const retryAfterMs =
      asked !== null && asked > 0 ? asked * 1000 : retryAfterOf(headers['retry-after'], this.#clock());
    const outcome = row?.outcome ?? defaultOutcome(status);
    switch (outcome) {
      case 'unclear':
        if (status >= 200 && status < 300) {
          return failedBy({ code: 'no_new_token', service, status }, { mayHaveActed: true });
        }
        return failedBy(
          { code: 'service_failed', service, status, said },
          { mayHaveActed: true, retryAfterMs },
        );
      case 'dead': {
        if (isGuardian) {
          return failedBy({ code: 'no_guardian', service, name: held.inputs['guardian'] ?? '' });
        }
        if (row !== undefined) return failedBy({ code: 'invalid', service, said });
        const { reply } = await this.inspect(held);
        return failedBy({ code: reply.kind === 'refused' ? 'invalid' : 'refused', service, said });
      }
      case 'misconfigured':
        return failedBy({ code: 'no_endpoint', service, status, isRetried: false });
      case 'redirected':
        return failedBy({ code: 'redirected', service, to: redirectOrigin(headers['location']) });
      case 'refused':
        return failedBy({ code: 'refused', service, said });
      case 'wait':
      case 'gone':
      case 'not_done':
        return failedBy({ code: 'service_failed', service, status, said }, { retryAfterMs });
    }
  }
}

function rowFor({ outcomes = [] }: Step, heard: Answer): FileOutcomeRow | undefined {
  return outcomes.find((row) => matches(row, heard));
}

function defaultOutcome(status: number): FileOutcomeRow['outcome'] | 'redirected' | 'refused' {
  if (status === 429) return 'wait';
  if (status !== 501 && isUnclear(status)) return 'unclear';
  if (status >= 200 && status < 300) return 'unclear';
  if (status >= 300 && status < 400) return 'redirected';
  if (status === 401) return 'dead';
  if (status === 403) return 'refused';
  return noCallStatuses.has(status) ? 'misconfigured' : 'not_done';
}
