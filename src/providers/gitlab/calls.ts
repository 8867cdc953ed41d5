import { z } from 'zod';
import { originOf } from '../../contract/address.ts';
import type { EndpointFinding, TokenReply } from '../../contract/credential/connection-finding.ts';
import { GivenToken } from '../../contract/credential/credential.ts';
import type { RotationTrouble } from '../../contract/credential/rotation-trouble.ts';
import { outsideInstantMs } from '../../core/iso-instant.ts';
import { done, refused, type Result } from '../../core/result.ts';
import { dayMs } from '../../core/token/token-record.ts';
import { assumedBy, believedMs, readExpiry, saidEndMs } from '../http/read-expiry.ts';
import {
  cleanText,
  isUnclear,
  messageIn,
  redirectOrigin,
  retryAfterOf,
  skewOf,
  untoldBy,
} from '../http/read-reply.ts';
import type { Answer, CallResult } from '../http/service-caller.ts';
import {
  type Attempt,
  CallingProvider,
  failed,
  failedBy,
  type FailedRotation,
  type HeldToken,
  type Inspection,
  inspectionOf,
  type MintedToken,
  type Provider,
  type Reconciled,
  replyByExpiry,
  type TokenEnd,
} from '../provider-port.ts';
import { gitlabFacts } from './facts.ts';

const date = z.iso.date();
/** `GET /personal_access_tokens/self`, and an entry of a list of tokens. */
const AccessToken = z.object({
  id: z.int().positive(),
  name: z.string(),
  active: z.boolean(),
  scopes: z.array(z.string()).catch([]),
  created_at: z.iso.datetime({ offset: true }).nullable().catch(null),
  /** Null: it never expires. */
  expires_at: date.nullable(),
});
type AccessToken = z.infer<typeof AccessToken>;

/** The reply to a rotation: only what is needed is required, because the token exists nowhere else. */
const Rotated = z.object({ token: GivenToken, expires_at: z.unknown() });
const RunnerToken = z.object({
  token: GivenToken,
  token_expires_at: z.unknown(),
});
/** Runners are verified with an answer that older versions leave empty. */
const VerifiedRunner = z.object({ token_expires_at: z.unknown() });

/** What is known of a token before it is rotated; afterwards it cannot be asked any more. */
const Note = z.object({ id: z.int(), name: z.string() });

/** A token with one of these scopes may rotate itself; https://docs.gitlab.com/api/personal_access_tokens#self-rotate */
const rotatingScopes = ['api', 'self_rotate'] as const;

/** Answers to the recovery credential that another attempt does not change. */
const isFinal: ReadonlySet<string> = new Set<RotationTrouble['code']>([
  'invalid',
  'may_not_rotate',
  'refused',
  'no_endpoint',
]);

/**
 * GitLab's personal, project and group access tokens, and the authentication tokens of runners.
 *
 * A request to rotate that is sent with a token which was replaced already revokes its successor. So each attempt first asks
 * `GET …/self`, which is harmless, and nothing is repeated after a lost reply before that. Without `expires_at` a new token
 * would live for a week, so it is always sent: as many days as the token had, and fewer where an administrator has set a limit.
 */
// see decisions/providers.md
export class GitlabProvider extends CallingProvider implements Provider {
  readonly traits = gitlabFacts.traits;
  readonly endsBy = ['itself'] as const;

  /** https://docs.gitlab.com/api/personal_access_tokens#self-revoke: also for the tokens of projects and groups. */
  async end(held: HeldToken): Promise<Result<TokenEnd, FailedRotation>> {
    // The call that there is for a runner deletes the runner.
    if (isRunner(held)) return done('no_call');
    const heard = await this.#call(held, { method: 'DELETE', path: '/personal_access_tokens/self' });
    if (heard.kind === 'answer' && heard.status === 204) return done('deleted');
    if (heard.kind === 'answer' && heard.status === 401) return done('already_gone');
    return refused(this.#failureOf(heard, held));
  }

  async inspect(held: HeldToken): Promise<Inspection> {
    const heard = await this.#look(held);
    return inspectionOf(heard, this.clock(), (answer, skewMs) => this.#replyOf(answer, held, skewMs));
  }

  async inspectRotation(held: HeldToken): Promise<EndpointFinding> {
    const service = originOf(held.baseUrl);
    const heard = await this.#look(held);
    if (heard.kind !== 'answer') return { outcome: 'unknown', service, reason: heard.failure };
    if (isRunner(held) && heard.status === 200) return { outcome: 'can_rotate', service };
    const self = AccessToken.safeParse(heard.body);
    if (heard.status !== 200 || !self.success) {
      return { outcome: 'unknown', service, reason: { code: 'answered', status: heard.status } };
    }
    return mayRotateItself(self.data)
      ? { outcome: 'can_rotate', service }
      : { outcome: 'cannot_rotate', service, reason: { code: 'scope_missing', scopes: rotatingScopes } };
  }

  async rotate(attempt: Attempt): Promise<Result<MintedToken, FailedRotation>> {
    const service = originOf(attempt.baseUrl);
    if (isRunner(attempt)) {
      const path = '/runners/reset_authentication_token';
      return this.#mintedBy(await this.#callRunner(attempt, path), attempt);
    }
    const looked = await this.#look(attempt);
    const self = looked.kind === 'answer' ? AccessToken.safeParse(looked.body) : null;
    // Nothing was rotated: whatever is wrong with the answer, the token still works or had ended before.
    if (looked.kind !== 'answer' || looked.status !== 200 || self?.success !== true) {
      return refused(this.#failureOf(looked, attempt));
    }
    if (!self.data.active) return failed({ code: 'expired', service, said: null });
    if (!mayRotateItself(self.data)) {
      return failed({ code: 'may_not_rotate', service, scopes: rotatingScopes });
    }
    const { id, name } = self.data;
    await attempt.remember(JSON.stringify({ id, name } satisfies z.infer<typeof Note>));
    const wantedDays = Math.min(attempt.wantedDays, daysOf(self.data) ?? attempt.wantedDays);
    const path = `${tokensPath(attempt)}/self/rotate`;
    // GitLab counts from the day that it has.
    const todayMs = this.clock() + (skewOf(looked.headers['date'], this.clock()) ?? 0);
    return this.#rotate({ ...attempt, wantedDays }, { path, token: attempt.token, todayMs });
  }

  /**
   * Asks with the old token whether it still works: then nothing was rotated. Otherwise the new token is lost, unless another
   * token of the same owner can find it by its name and rotate it.
   */
  async reconcile(attempt: Attempt): Promise<Reconciled> {
    const looked = await this.#look(attempt);
    if (looked.kind !== 'answer') return { kind: 'unclear', failure: this.#failureOf(looked, attempt) };
    const wasReplaced = isRunner(attempt)
      ? looked.status === 401 || looked.status === 403
      : looked.status === 401 || (looked.status === 200 && activeOf(looked.body) === false);
    if (wasReplaced) return this.#recover(attempt);
    if (looked.status === 200) return { kind: 'nothing_happened' };
    return { kind: 'unclear', failure: this.#failureOf(looked, attempt) };
  }

  /**
   * Rotates the successor that nobody has, with the recovery credential. It is the one active token with the same name and
   * a higher id; a token that was replaced is never named, because that would end the one in use.
   */
  async #recover(attempt: Attempt): Promise<Reconciled> {
    const { recovery } = attempt.inputs;
    const note = noteOf(attempt.note);
    const helper = (recovery === undefined ? null : await attempt.tokenOf(recovery)) ?? attempt.otherToken;
    if (note === null || helper === null) return { kind: 'lost' };
    const asHelper = { ...attempt, token: helper };
    const seen = await this.#look(asHelper);
    if (seen.kind !== 'answer' || seen.status >= 500 || seen.status === 429) {
      return { kind: 'unclear', failure: this.#failureOf(seen, asHelper) };
    }
    const self = AccessToken.safeParse(seen.body);
    if (seen.status !== 200 || !self.success || !self.data.active) return { kind: 'lost' };
    const query = new URLSearchParams({ search: note.name, state: 'active', per_page: '100' });
    // Safe also with a token that was replaced in the meantime; only a call to rotate would revoke its successor.
    const listed = await this.#call(asHelper, {
      method: 'GET',
      path: `${tokensPath(attempt)}?${query.toString()}`,
      isList: true,
    });
    if (listed.kind !== 'answer') return { kind: 'unclear', failure: this.#failureOf(listed, asHelper) };
    if (listed.status === 401 || listed.status === 403 || listed.status === 404) return { kind: 'lost' };
    const tokens = z.array(AccessToken).safeParse(listed.body);
    if (listed.status !== 200 || !tokens.success) {
      return { kind: 'unclear', failure: this.#failureOf(listed, asHelper) };
    }
    const successors = tokens.data.filter(
      ({ id, name, active }) => active && name === note.name && id > note.id && id !== self.data.id,
    );
    const [successor] = successors;
    if (successor === undefined || successors.length > 1) return { kind: 'lost' };
    const path = `${tokensPath(attempt)}/${successor.id}/rotate`;
    const todayMs = this.clock() + (skewOf(listed.headers['date'], this.clock()) ?? 0);
    const minted = await this.#rotate(attempt, { path, token: helper, todayMs });
    if (minted.ok) return { kind: 'recovered', minted: minted.value };
    return isFinal.has(minted.refusal.trouble.code)
      ? { kind: 'lost' }
      : { kind: 'unclear', failure: minted.refusal };
  }

  async #rotate(
    attempt: Attempt,
    { path, token, todayMs }: { readonly path: string; readonly token: string; readonly todayMs: number },
  ): Promise<Result<MintedToken, FailedRotation>> {
    const held = { ...attempt, token };
    const asked = expiryDate(attempt.wantedDays, todayMs);
    const heard = await this.#call(held, { method: 'POST', path, body: { expires_at: asked } });
    const allowed = latestDateIn(heard, asked, todayMs);
    if (allowed === null) return this.#mintedBy(heard, attempt);
    // Nothing was rotated, so it is asked again at once, for the latest date that its administrator allows.
    const again = await this.#call(held, { method: 'POST', path, body: { expires_at: allowed } });
    return this.#mintedBy(again, attempt);
  }

  #mintedBy(heard: CallResult, attempt: Attempt): Result<MintedToken, FailedRotation> {
    const service = originOf(attempt.baseUrl);
    if (heard.kind !== 'answer') {
      const trouble = { code: 'call_failed', service, failure: heard.failure } as const;
      return failed(trouble, { mayHaveActed: heard.kind === 'lost' });
    }
    const { status, headers } = heard;
    if (status >= 200 && status < 300) {
      const nowMs = this.clock();
      const minted = mintedIn(heard.body, attempt, { nowMs, skewMs: skewOf(headers['date'], nowMs) ?? 0 });
      if (minted !== null) return done(minted);
      return failed({ code: 'no_new_token', service, status }, { mayHaveActed: true });
    }
    return failed(this.#troubleOf(heard, attempt), {
      mayHaveActed: isUnclear(status),
      retryAfterMs: retryAfterOf(headers['retry-after'], this.clock()),
    });
  }

  /** A call that changes nothing and did not succeed. */
  #failureOf(heard: CallResult, held: HeldToken): FailedRotation {
    if (heard.kind !== 'answer') {
      return failedBy({ code: 'call_failed', service: originOf(held.baseUrl), failure: heard.failure });
    }
    const retryAfterMs = retryAfterOf(heard.headers['retry-after'], this.clock());
    return failedBy(this.#troubleOf(heard, held), { retryAfterMs });
  }

  /** Why an answer is no success. */
  #troubleOf({ status, body, headers }: Answer, { baseUrl, token, inputs }: HeldToken) {
    const service = originOf(baseUrl);
    const said = messageIn(body, token);
    if (status >= 300 && status < 400) {
      return { code: 'redirected', service, to: redirectOrigin(headers['location']) } as const;
    }
    if (status === 401 || (status === 403 && inputs['kind'] === 'runner')) {
      return { code: 'invalid', service, said } as const;
    }
    if (isScopeMissing(body)) return { code: 'may_not_rotate', service, scopes: rotatingScopes } as const;
    if (status === 403) return { code: 'refused', service, said } as const;
    if (status === 404 || status === 405) {
      return { code: 'no_endpoint', service, status, isRetried: false } as const;
    }
    return { code: 'service_failed', service, status, said } as const;
  }

  #replyOf(heard: Answer, held: HeldToken, skewMs: number): TokenReply {
    const { status, body } = heard;
    const said = messageIn(body, held.token) ?? String(status);
    if (status === 401 || (status === 403 && isRunner(held)))
      return { kind: 'refused', why: 'invalid', said };
    if (isScopeMissing(body)) return { kind: 'not_told', reason: { code: 'no_such_call', status } };
    if (status === 403) return { kind: 'refused', why: 'refused', said };
    if (status !== 200) return untoldBy(heard);
    const clock = { nowMs: this.clock(), skewMs };
    return isRunner(held) ? runnerReply(body, held.token, clock) : accessTokenReply(body, held.token, clock);
  }

  /** `GET …/self` is the same for all access tokens: those of a project or group belong to a bot user. */
  #look(held: HeldToken): Promise<CallResult> {
    return isRunner(held)
      ? this.#callRunner(held, '/runners/verify')
      : this.#call(held, { method: 'GET', path: '/personal_access_tokens/self' });
  }

  #call(
    { baseUrl, token, timeLimitMs }: HeldToken,
    call: {
      readonly method: 'GET' | 'POST' | 'DELETE';
      readonly path: string;
      readonly body?: Readonly<Record<string, unknown>>;
      readonly isList?: boolean;
    },
  ): Promise<CallResult> {
    const { slot } = gitlabFacts;
    return this.caller.call({ ...call, baseUrl, path: `/api/v4${call.path}`, token, slot, timeLimitMs });
  }

  /** A runner's token is a field of the body, and no other token is needed. */
  #callRunner({ baseUrl, token, timeLimitMs }: HeldToken, path: string): Promise<CallResult> {
    return this.caller.call({
      method: 'POST',
      baseUrl,
      path: `/api/v4${path}`,
      token,
      slot: null,
      body: { token },
      timeLimitMs,
    });
  }
}

function isRunner({ inputs }: Pick<HeldToken, 'inputs'>): boolean {
  return inputs['kind'] === 'runner';
}

/** Where the tokens of this kind are, below `/api/v4`. */
function tokensPath({ inputs }: Pick<HeldToken, 'inputs'>): string {
  const { kind, of = '' } = inputs;
  return kind === 'project' || kind === 'group'
    ? `/${kind}s/${encodeURIComponent(of)}/access_tokens`
    : '/personal_access_tokens';
}

function mayRotateItself({ scopes }: AccessToken): boolean {
  return rotatingScopes.some((scope) => scopes.includes(scope));
}

/** RFC 6750 section 3.1: a code, not a text. */
function isScopeMissing(body: unknown): boolean {
  return z.object({ error: z.literal('insufficient_scope') }).safeParse(body).success;
}

function activeOf(body: unknown): boolean | null {
  const self = AccessToken.safeParse(body);
  return self.success ? self.data.active : null;
}

function noteOf(note: string | null): z.infer<typeof Note> | null {
  if (note === null) return null;
  const parsed = Note.safeParse(JSON.parse(note));
  return parsed.success ? parsed.data : null;
}

/** The first instant at which a token with this date does not work any more; it is "dead on the day". */
function endOfDate(text: string, skewMs: number): number | null {
  return outsideInstantMs(Date.parse(`${text}T00:00:00Z`) - skewMs);
}

/** The date to ask for: no more days than wanted, counted as GitLab counts its limit, from today whatever the hour. */
function expiryDate(wantedDays: number, nowMs: number): string {
  const days = Math.max(1, Math.min(Math.floor(wantedDays), gitlabFacts.traits.longestDays));
  return dateOfDay(Math.floor(nowMs / dayMs) + days);
}

function dateOfDay(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** For how many days a token was created. */
function daysOf({ created_at: createdAt, expires_at: expiresAt }: AccessToken): number | null {
  if (createdAt === null || expiresAt === null) return null;
  const days = Date.parse(expiresAt) / dayMs - Math.floor(Date.parse(createdAt) / dayMs);
  return days >= 1 ? days : null;
}

/**
 * The latest date that an administrator allows, in a refusal of a later one; null: it is no such refusal.
 *
 * It is a text (“must be before 2026-12-31”), in the language of the server, so only the date in it is read: the day before that one is
 * allowed in any case.
 */
function latestDateIn(heard: CallResult, asked: string, nowMs: number): string | null {
  if (heard.kind !== 'answer' || (heard.status !== 400 && heard.status !== 422)) return null;
  const dates = (heard.text.match(/\b\d{4}-\d\d-\d\d\b/g) ?? []).filter((one) => date.safeParse(one).success);
  const limit = dates
    .filter((one) => one <= asked)
    .sort()
    .at(-1);
  if (limit === undefined) return null;
  const day = Math.floor(Date.parse(limit) / dayMs) - 1;
  return day > Math.floor(nowMs / dayMs) ? dateOfDay(day) : null;
}

function accessTokenReply(
  body: unknown,
  token: string,
  { nowMs, skewMs }: { readonly nowMs: number; readonly skewMs: number },
): TokenReply {
  const self = AccessToken.safeParse(body);
  if (!self.success) return { kind: 'not_told', reason: { code: 'nothing_known' } };
  const { name, active, created_at: createdAt, expires_at: expiresAt } = self.data;
  if (expiresAt === null) return { kind: 'not_told', reason: { code: 'never_expires' } };
  const expiresAtMs = endOfDate(expiresAt, skewMs);
  if (expiresAtMs === null || believedMs(expiresAtMs, nowMs) === null) {
    return replyByExpiry(readExpiry(expiresAt, { nowMs, skewMs }), token, nothingElse);
  }
  const createdAtMs = createdAt === null ? null : outsideInstantMs(Date.parse(createdAt) - skewMs);
  return {
    kind: 'known',
    name: cleanText(name, token),
    status: active ? 'active' : 'inactive',
    createdAtMs,
    expiresAtMs,
    // GitLab counts days, whatever the hour: a token that was created in the afternoon is valid for as many.
    validityDays: createdAtMs === null ? null : Math.max(1, Math.ceil((expiresAtMs - createdAtMs) / dayMs)),
  };
}

/** Older versions answer with nothing. */
function runnerReply(
  body: unknown,
  token: string,
  clock: { readonly nowMs: number; readonly skewMs: number },
): TokenReply {
  const runner = VerifiedRunner.safeParse(body);
  const end = runner.success ? (runner.data.token_expires_at ?? undefined) : undefined;
  return replyByExpiry(readExpiry(end, clock), token, nothingElse);
}

const nothingElse = { name: null, status: null, createdAtMs: null, validityDays: null };

/** The new token in a reply; null if there is none, or the old one again. */
function mintedIn(
  body: unknown,
  attempt: Attempt,
  { nowMs, skewMs }: { readonly nowMs: number; readonly skewMs: number },
): MintedToken | null {
  if (isRunner(attempt)) {
    const runner = RunnerToken.safeParse(body);
    if (!runner.success || runner.data.token === attempt.token) return null;
    const { token, token_expires_at: end } = runner.data;
    const said = readExpiry(end ?? undefined, { nowMs, skewMs });
    const expiresAtMs = saidEndMs(said);
    return { token, validityDays: attempt.wantedDays, expiresAtMs, expiryAssumed: assumedBy(said) };
  }
  const rotated = Rotated.safeParse(body);
  if (!rotated.success || rotated.data.token === attempt.token) return null;
  const { token, expires_at: end } = rotated.data;
  const dated = date.safeParse(end);
  const said = readExpiry(end ?? undefined, { nowMs, skewMs });
  const expiresAtMs = dated.success ? endOfDate(dated.data, skewMs) : saidEndMs(said);
  const days = expiresAtMs === null ? null : Math.ceil((expiresAtMs - nowMs) / dayMs);
  // The administrator may allow fewer.
  const validityDays = days !== null && days >= 1 ? Math.min(attempt.wantedDays, days) : attempt.wantedDays;
  const expiryAssumed = expiresAtMs === null ? assumedBy(said) : null;
  return { token, validityDays, expiresAtMs, expiryAssumed };
}
