import { z } from 'zod';
import { originOf } from '../../contract/address.ts';
import type { EndpointFinding, TokenReply } from '../../contract/credential/connection-finding.ts';
import { GivenToken } from '../../contract/credential/credential.ts';
import { done, refused, type Result } from '../../core/result.ts';
import { cleanText, isUnclear, retryAfterOf, untoldBy } from '../http/read-reply.ts';
import type { Answer, Call, CallResult } from '../http/service-caller.ts';
import {
  type Attempt,
  CallingProvider,
  failed,
  failedAnswer,
  failedBy,
  type FailedRotation,
  guardianOf,
  type HeldToken,
  type HeldWithOthers,
  type Inspection,
  inspectionOf,
  type MintedToken,
  type Provider,
  type Reconciled,
  type TokenEnd,
  type TokenToEnd,
} from '../provider-port.ts';
import { datadogFacts } from './facts.ts';

/** `GET /api/v2/validate`, which also tells the id of the key. It is in preview. */
const Validated = z.object({ data: z.object({ attributes: z.object({ api_key_id: z.string().min(1) }) }) });
/** The reply to a new key: only what is needed is required, because the key exists nowhere else. */
const Created = z.object({
  data: z.object({
    id: z.string().min(1).optional().catch(undefined),
    attributes: z.object({ key: GivenToken }),
  }),
});
const Listed = z.object({
  data: z.array(z.object({ id: z.string().min(1), attributes: z.object({ name: z.string() }) })),
});
const Errors = z.object({ errors: z.array(z.union([z.string(), z.object({ detail: z.string() })])) });

/** The most that a page of a list may have. */
const pageSize = 100;
/**
 * API keys of Datadog, which have no end. An application key (the guardian) and an API key together create and delete them, so every
 * call but the validation has two secrets in its headers.
 *
 * 403 is the answer to a key that does not work and to an application key that may not do it; only the validation tells them apart.
 * What Datadog takes in with a wrong key, such as metrics, may be accepted all the same, so no other call can tell
 * (https://github.com/brettlangdon/node-dogapi/issues/71).
 */
export class DatadogProvider extends CallingProvider implements Provider {
  readonly traits = datadogFacts.traits;
  readonly endsBy = ['id'] as const;

  async inspect(held: HeldToken): Promise<Inspection> {
    const heard = await this.#call(held, null, { method: 'GET', path: '/api/v2/validate' });
    // Without the id, where the newer call is not there.
    const isMissing = heard.kind === 'answer' && (heard.status === 404 || heard.status === 405);
    const told = isMissing
      ? await this.#call(held, null, { method: 'GET', path: '/api/v1/validate' })
      : heard;
    return inspectionOf(told, this.clock(), (answer) => replyOf(answer, held.token));
  }

  async inspectRotation(held: HeldWithOthers): Promise<EndpointFinding> {
    const service = originOf(held.baseUrl);
    const guardian = await guardianOf(held);
    if (!guardian.ok) return { outcome: 'unknown', service, reason: { code: 'stopping' } };
    const heard = await this.#list(held, guardian.value, 'rotavox');
    if (heard.kind !== 'answer') return { outcome: 'unknown', service, reason: heard.failure };
    const { status } = heard;
    if (status === 200) return { outcome: 'can_rotate', service };
    return status === 403 || status === 404
      ? { outcome: 'cannot_rotate', service, reason: { code: 'no_endpoint', status } }
      : { outcome: 'unknown', service, reason: { code: 'answered', status } };
  }

  async rotate(attempt: Attempt): Promise<Result<MintedToken, FailedRotation>> {
    const guardian = await guardianOf(attempt);
    if (!guardian.ok) return guardian;
    const service = originOf(attempt.baseUrl);
    const heard = await this.#call(attempt, guardian.value, {
      method: 'POST',
      path: '/api/v2/api_keys',
      body: { data: { type: 'api_keys', attributes: { name: attempt.label } } },
    });
    if (heard.kind !== 'answer') {
      const mayHaveActed = heard.kind === 'lost';
      return failed({ code: 'call_failed', service, failure: heard.failure }, { mayHaveActed });
    }
    if (heard.status < 200 || heard.status >= 300) return refused(await this.#failureOf(heard, attempt));
    const created = Created.safeParse(heard.body);
    if (!created.success || created.data.data.attributes.key === attempt.token) {
      return failed({ code: 'no_new_token', service, status: heard.status }, { mayHaveActed: true });
    }
    const { id, attributes } = created.data.data;
    return done({
      token: attributes.key,
      validityDays: attempt.wantedDays,
      expiresAtMs: null,
      expiryAssumed: 'never',
      // Without its id it cannot be deleted later, which a person is told then.
      ...(id === undefined ? {} : { upstreamId: id }),
    });
  }

  /** Deletes what an attempt created whose reply was lost: keys with its label, which no other attempt has. */
  async reconcile(attempt: Attempt): Promise<Reconciled> {
    const unclear = (failure: FailedRotation): Reconciled => ({ kind: 'unclear', failure });
    const service = originOf(attempt.baseUrl);
    const guardian = await guardianOf(attempt);
    if (!guardian.ok) return unclear(guardian.refusal);
    const heard = await this.#list(attempt, guardian.value, attempt.label);
    if (heard.kind !== 'answer') {
      return unclear(failedBy({ code: 'call_failed', service, failure: heard.failure }));
    }
    const listed = heard.status === 200 ? Listed.safeParse(heard.body) : null;
    if (listed?.success !== true) return unclear(await this.#failureOf(heard, attempt));
    // The filter finds parts of names too; the label is in few of them.
    if (listed.data.data.length >= pageSize) {
      return unclear(failedBy({ code: 'list_unfinished', service, why: 'too_many' }));
    }
    for (const { id, attributes } of listed.data.data) {
      if (attributes.name !== attempt.label) continue;
      const deleted = await this.end(attempt, { by: 'id', id });
      if (!deleted.ok) return unclear(deleted.refusal);
    }
    return { kind: 'nothing_happened' };
  }

  async end(held: HeldWithOthers, which: TokenToEnd): Promise<Result<TokenEnd, FailedRotation>> {
    if (which.by !== 'id') return done('no_call');
    const guardian = await guardianOf(held);
    if (!guardian.ok) return guardian;
    const service = originOf(held.baseUrl);
    const path = `/api/v2/api_keys/${encodeURIComponent(which.id)}`;
    const heard = await this.#call(held, guardian.value, { method: 'DELETE', path });
    if (heard.kind !== 'answer') return failed({ code: 'call_failed', service, failure: heard.failure });
    if (heard.status === 204 || heard.status === 200) return done('deleted');
    if (heard.status === 404) return done('already_gone');
    return refused({ ...(await this.#failureOf(heard, held)), mayHaveActed: false });
  }

  /** What an answer means that is no success. */
  async #failureOf(heard: Answer, held: HeldToken): Promise<FailedRotation> {
    const { status, body, headers } = heard;
    const service = originOf(held.baseUrl);
    const said = saidIn(body, held.token);
    if (status >= 200 && status < 300) {
      return failedBy({ code: 'no_new_token', service, status }, { mayHaveActed: true });
    }
    if (status === 401 || status === 403) {
      const { reply } = await this.inspect(held);
      return failedBy({ code: reply.kind === 'refused' ? 'invalid' : 'refused', service, said });
    }
    // Datadog says in how many seconds its limit is reset: https://docs.datadoghq.com/api/latest/rate-limits
    const wait = headers['retry-after'] ?? headers['x-ratelimit-reset'];
    const retryAfterMs = retryAfterOf(wait, this.clock());
    return failedAnswer(heard, { service, said }, { mayHaveActed: isUnclear(status), retryAfterMs });
  }

  #list(held: HeldToken, guardian: string, name: string): Promise<CallResult> {
    const query = new URLSearchParams({ filter: name, 'page[size]': String(pageSize) });
    return this.#call(held, guardian, {
      method: 'GET',
      path: `/api/v2/api_keys?${query.toString()}`,
      isList: true,
    });
  }

  /** `guardian` null: only the key itself is sent. */
  #call(
    { baseUrl, token, timeLimitMs }: HeldToken,
    guardian: string | null,
    call: Pick<Call, 'method' | 'path' | 'body' | 'isList'>,
  ): Promise<CallResult> {
    const { slot } = datadogFacts;
    const headers = guardian === null ? {} : { 'dd-application-key': guardian };
    return this.caller.call({ ...call, baseUrl, token, slot, headers, timeLimitMs });
  }
}

function replyOf({ status, body, headers }: Answer, token: string): TokenReply {
  if (status === 401 || status === 403) {
    return { kind: 'refused', why: 'invalid', said: saidIn(body, token) ?? String(status) };
  }
  if (status !== 200) return untoldBy({ status, headers });
  const validated = Validated.safeParse(body);
  const of = validated.success ? { upstreamId: validated.data.data.attributes.api_key_id } : {};
  return { kind: 'not_told', reason: { code: 'never_expires' }, ...of };
}

/** `{"errors": ["Forbidden"]}`, and with more detail in newer calls. */
function saidIn(body: unknown, token: string): string | null {
  const errors = Errors.safeParse(body);
  if (!errors.success) return null;
  return cleanText(
    errors.data.errors.map((one) => (typeof one === 'string' ? one : one.detail)).join(' '),
    token,
  );
}
