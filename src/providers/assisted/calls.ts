import { originOf } from '../../contract/address.ts';
import type { EndpointFinding, TokenReply } from '../../contract/credential/connection-finding.ts';
import { outsideInstantMs } from '../../core/iso-instant.ts';
import { done, refused, type Result } from '../../core/result.ts';
import { chosenService, type ProviderTraits } from '../../contract/credential/provider-facts.ts';
import { tokenPage } from '../catalogue.ts';
import { textAt, valueAt } from '../file/file-request.ts';
import { readExpiry } from '../http/read-expiry.ts';
import { messageIn, retryAfterOf, untoldBy } from '../http/read-reply.ts';
import type { Answer } from '../http/service-caller.ts';
import {
  type Attempt,
  CallingProvider,
  failed,
  failedAnswer,
  type FailedRotation,
  type HeldToken,
  type Inspection,
  inspectionOf,
  type Provider,
  replyByExpiry,
  type TokenEnd,
  type TokenToEnd,
} from '../provider-port.ts';
import { type AssistedService, assistedServices, type Look } from './assisted-services.ts';
import { assistedFacts } from './facts.ts';

/** Our clock, and how far the service's is ahead of it; the token is in no text. */
interface Clocks {
  readonly nowMs: number;
  readonly skewMs: number;
  readonly token: string;
}

/** Tokens that a person creates. They are looked at, and never replaced from here. */
export class AssistedProvider extends CallingProvider implements Provider {
  readonly traits: ProviderTraits = assistedFacts.traits;
  readonly endsBy = ['value', 'itself'] as const;

  async inspect({ baseUrl, inputs, token, timeLimitMs }: HeldToken): Promise<Inspection> {
    const { look } = serviceOf(inputs);
    const path = look === null ? null : lookPath(look, token);
    if (look === null || path === null) {
      return { reply: { kind: 'not_told', reason: { code: 'not_asked' } }, skewMs: null };
    }
    const { slot } = assistedFacts;
    const heard = await this.caller.call({ method: 'GET', baseUrl, path, token, slot, timeLimitMs });
    const nowMs = this.clock();
    return inspectionOf(heard, nowMs, (answer, skewMs) => replyOf(answer, look, { nowMs, skewMs, token }));
  }

  inspectRotation({ baseUrl, inputs }: HeldToken): Promise<EndpointFinding> {
    const reason = { code: 'person_creates', page: pageOf(inputs, baseUrl) } as const;
    return Promise.resolve({ outcome: 'cannot_rotate', service: originOf(baseUrl), reason });
  }

  rotate({ baseUrl, inputs }: Attempt): Promise<Result<never, FailedRotation>> {
    const page = pageOf(inputs, baseUrl);
    return Promise.resolve(failed({ code: 'person_creates', service: originOf(baseUrl), page }));
  }

  async end(held: HeldToken, which: TokenToEnd): Promise<Result<TokenEnd, FailedRotation>> {
    if (which.by === 'id') return done('no_call');
    const token = which.by === 'value' ? which.value : held.token;
    const { revocation } = serviceOf(held.inputs);
    const isRevocable = revocation?.prefixes.some((prefix) => token.startsWith(prefix)) === true;
    return isRevocable ? this.#revoke(held, token, revocation.path) : done('no_call');
  }

  /**
   * Ends any token by its value, as GitHub does it: https://docs.github.com/rest/credentials/revoke. GitHub.com refuses the call with a
   * token, and a server of one's own requires one. 202: it was accepted.
   */
  async #revoke(held: HeldToken, old: string, path: string): Promise<Result<TokenEnd, FailedRotation>> {
    const { baseUrl, inputs, token, timeLimitMs } = held;
    const service = originOf(baseUrl);
    // GitHub accepts the revocation of anything, so only a look tells that a token is gone already.
    const { reply } = await this.inspect({ ...held, token: old });
    if (reply.kind === 'refused') return done('already_gone');
    const isPublic = originOf(baseUrl) === serviceOf(inputs).baseUrl;
    const heard = await this.caller.call({
      method: 'POST',
      baseUrl,
      path,
      token,
      slot: isPublic ? null : assistedFacts.slot,
      body: { credentials: [old] },
      timeLimitMs,
    });
    if (heard.kind !== 'answer') return failed({ code: 'call_failed', service, failure: heard.failure });
    const { status, body, headers } = heard;
    if (status >= 200 && status < 300) return done('deleted');
    const said = messageIn(body, old);
    const retryAfterMs = retryAfterOf(headers['retry-after'], this.clock());
    // GitHub says with 403 too that there were too many requests.
    if (status === 403 && retryAfterMs === null && headers['x-ratelimit-remaining'] !== '0') {
      return failed({ code: 'refused', service, said });
    }
    return refused(failedAnswer(heard, { service, said }, { retryAfterMs }));
  }
}

function serviceOf(inputs: HeldToken['inputs']): AssistedService {
  return chosenService<AssistedService>(assistedServices, inputs);
}

function pageOf(inputs: HeldToken['inputs'], baseUrl: string): string | null {
  return tokenPage({ id: 'assisted', inputs }, baseUrl);
}

/** What is asked about a token; null where the token does not say its id. */
function lookPath({ path, idInToken }: Look, token: string): string | null {
  if (idInToken === undefined) return path;
  const id = idInToken.exec(token)?.[1];
  return id === undefined ? null : path.replace('{id}', id);
}

function replyOf({ status, body, headers }: Answer, look: Look, clock: Clocks): TokenReply {
  const { token } = clock;
  if (status === 401) {
    return { kind: 'refused', why: 'invalid', said: messageIn(body, token) ?? String(status) };
  }
  // A token may be valid without being allowed to look at itself.
  if (status !== 200) return untoldBy({ status, headers });
  return knownReply({ body, headers }, look, clock);
}

function knownReply(
  { body, headers }: Pick<Answer, 'body' | 'headers'>,
  { idInToken, id, ends, created }: Look,
  { nowMs, skewMs, token }: Clocks,
): TokenReply {
  if (ends === undefined) return { kind: 'not_told', reason: { code: 'no_expiry' } };
  if (id !== undefined && valueAt(body, id) !== idInToken?.exec(token)?.[1]) {
    return { kind: 'not_told', reason: { code: 'nothing_known' } };
  }
  const end = 'at' in ends ? valueAt(body, ends.at) : (headers[ends.header] ?? null);
  const begunMs = Date.parse(textAt(body, created) ?? '');
  const createdAtMs = Number.isNaN(begunMs) ? null : outsideInstantMs(begunMs - skewMs);
  const more = { name: null, status: null, createdAtMs, validityDays: null };
  return replyByExpiry(readExpiry(end, { nowMs, skewMs }), token, more);
}
