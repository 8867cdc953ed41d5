import { type CallArguments, createClient, type ReplyOf } from '../../client/create-client.ts';
import { type Refusal, ServiceUnreachable, UnexpectedAnswer } from '../../client/read-refusal.ts';
import type { RouteName } from '../../contract/routes.ts';
import { noAnswerText, unexpectedAnswerText } from '../../text/window/connection.ts';
import type { PortalProblem, PortalReply } from './read-portal.ts';

const client = createClient({ baseUrl: '' });

/**
 * Asks the portal for anything the contract promises, as the window that the cookie says it is.
 *
 * What comes back is checked against the contract. Answers the problem instead of throwing it, except a question that
 * was withdrawn by its signal: nobody waits for that one any more.
 */
export async function askPortal<N extends RouteName>(
  name: N,
  ...input: CallArguments<N>
): Promise<PortalReply<ReplyOf<N>>> {
  try {
    const outcome = await client.call(name, ...input);
    return outcome.ok ? { kind: 'ok', value: outcome.value } : problemOf(outcome);
  } catch (error) {
    if (error instanceof ServiceUnreachable) return { kind: 'unreachable', reason: noAnswerText.notReached };
    if (error instanceof UnexpectedAnswer) return { kind: 'refused', reason: unexpectedAnswerText(error) };
    throw error;
  }
}

function problemOf({ status, message, code, errors, requestId }: Refusal): PortalProblem {
  if (status === 401) return { kind: 'signed-out' };
  return {
    kind: 'refused',
    reason: requestId === undefined ? message : `${message} (${requestId})`,
    code,
    errors,
  };
}
