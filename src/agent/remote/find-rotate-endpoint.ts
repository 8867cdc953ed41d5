import { randomBytes } from 'node:crypto';
import { problems } from '../../contract/problems.ts';
import { unreachable } from '../../core/unreachable.ts';
import { originOf, wordsOf } from './answer-words.ts';
import type { ServiceCaller } from './service-caller.ts';

/** Whether a service has a rotate endpoint, as far as could be found out without rotating anything. */
export interface EndpointFound {
  readonly outcome: 'can_rotate' | 'cannot_rotate' | 'unknown';
  /** A sentence for the person. */
  readonly message: string;
}

/** Statuses of a rotation call that say that there is no such endpoint. */
export function hasNoEndpoint(status: number): boolean {
  return status === 404 || status === 405 || status === 410 || status === 501;
}

/**
 * Finds out whether a service can rotate, without rotating: it is sent one rotation call with a token that nobody issued.
 *
 * The spec (section 3.1) has such a call change nothing and answers it with 401 and a text of its own. Only that text counts as
 * a yes: many services ask for a valid token before they look at the path, so another 401 says nothing about the path.
 * The real token is not sent.
 */
// see decisions/ask-for-the-rotate-endpoint-with-a-token-that-nobody-issued.md
export async function findRotateEndpoint(
  caller: ServiceCaller,
  { baseUrl, timeLimitMs = 10_000 }: { readonly baseUrl: string; readonly timeLimitMs?: number },
): Promise<EndpointFound> {
  const bearer = `rvx_${randomBytes(32).toString('base64url')}`;
  const heard = await caller.call({ method: 'POST', baseUrl, path: '/v1/auth/rotate', bearer, timeLimitMs });
  const service = originOf(baseUrl);
  switch (heard.kind) {
    case 'not_sent':
    case 'lost':
      return unknown(heard.reason);
    case 'answer': {
      const { status, body } = heard;
      if (hasNoEndpoint(status)) {
        return {
          outcome: 'cannot_rotate',
          message: `${service} has no rotate endpoint (${status}); check base_url.`,
        };
      }
      return status === 401 && wordsOf(body, bearer) === problems.token_invalid.message
        ? { outcome: 'can_rotate', message: `${service} has a rotate endpoint.` }
        : unknown(`it answered ${status} to a rotation with a token that nobody issued`);
    }
    default:
      return unreachable(heard);
  }

  function unknown(reason: string): EndpointFound {
    return {
      outcome: 'unknown',
      message: `Whether ${service} can rotate tokens could not be found out: ${reason}. The first rotation shows it.`,
    };
  }
}
