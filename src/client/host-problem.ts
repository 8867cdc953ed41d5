import type { HostProblem } from '../contract/service/team-host.ts';
import { type Connection, createClient } from './create-client.ts';
import { type Refusal, ServiceUnreachable, UnexpectedAnswer } from './read-refusal.ts';

/** How long a host may take to answer, in milliseconds. */
const answerLimitMs = 10_000;

/** Why a host cannot be used with a key; null: it can. */
export async function checkHost(connection: Connection): Promise<HostProblem | null> {
  const signal = AbortSignal.timeout(answerLimitMs);
  try {
    const outcome = await createClient(connection).call('portalStatus', { signal });
    return outcome.ok ? null : problemOfRefusal(outcome);
  } catch (error) {
    const problem = problemOfFailure(error);
    if (problem === null) throw error;
    return problem;
  }
}

export function problemOfRefusal({ code, message }: Refusal): HostProblem {
  return code === 'not_signed_in' ? { kind: 'key_refused' } : { kind: 'refused', message };
}

/** What a failed call says about a host; null for what is a bug. */
export function problemOfFailure(error: unknown): HostProblem | null {
  if (error instanceof UnexpectedAnswer) return { kind: 'not_a_host', status: error.status };
  if (!(error instanceof ServiceUnreachable)) return null;
  const detail = codeOf(error.cause) ?? 'no answer';
  return { kind: certificateCodes.test(detail) ? 'not_trusted' : 'unreachable', detail };
}

/** The codes of OpenSSL, of Node and of Chromium for a certificate that does not verify. */
const certificateCodes = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET|ALTNAME|HOSTNAME_MISMATCH/;

/** The first code of the system in a chain of causes. Chromium has its codes in the message (`net::ERR_CONNECTION_REFUSED`). */
function codeOf(cause: unknown): string | null {
  for (let one = cause, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth += 1) {
    if ('code' in one && typeof one.code === 'string') return one.code;
    const chromium = /^net::(ERR_\w+)$/.exec(one.message)?.[1];
    if (chromium !== undefined) return chromium;
    if (one.name === 'TimeoutError') return 'ETIMEDOUT';
    if (one instanceof AggregateError) return codeOf(one.errors[0]);
  }
  return null;
}
