import { setTimeout as wait } from 'node:timers/promises';
import { createClient } from '../client/create-client.ts';
import { followChanges, type StreamMessage, StreamRefused } from '../client/follow-events.ts';
import { ServiceUnreachable, UnexpectedAnswer } from '../client/read-refusal.ts';
import type { CredentialValue, CredentialView } from '../contract/credential/credential-view.ts';
import { useHeader, writeUse } from '../contract/credential/use-header.ts';
import { unexpectedAnswerText } from '../text/window/connection.ts';
import { execText } from '../text/cli/cli-delivery.ts';
import { CommandFailure } from './command-failure.ts';
import type { ChosenService } from './chosen-service.ts';

export interface FollowTokenOptions {
  readonly service: ChosenService;
  readonly credential: Pick<CredentialView, 'id' | 'name' | 'family_id'>;
  /** The program that gets the token, and the number of the one that it has. */
  readonly program: string | null;
  readonly generation: number;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Told why a newer token cannot be read. */
  readonly onProblem: (sentence: string) => void;
}

const answerLimitMs = 30_000;
const firstRetryMs = 1_000;
const longestRetryMs = 30_000;

/**
 * The token of a credential each time that it may have changed, until the signal is aborted.
 *
 * Continues when the service restarts: whenever the stream of changes opens, the token is read, so that no change is missed.
 * It may be the same token as before. It is also read when the status of the token changed; a refusal is then reported,
 * once for each reason. A locked vault is asked again after 1, 2, 4 … and at most 30 seconds. Ends early when the
 * credential is removed.
 */
export async function* followToken(
  options: FollowTokenOptions,
): AsyncGenerator<Pick<CredentialValue, 'value' | 'generation'>, void, undefined> {
  const { service, credential, signal, onProblem } = options;
  const known: Known = {
    familyId: credential.family_id,
    generation: options.generation,
    lastProblem: null,
  };
  while (!signal.aborted) {
    try {
      for await (const news of followChanges(() => service.connect(), { signal })) {
        if (isAbout(news, credential.id, ['credential.removed'])) {
          onProblem(execText.removed(credential.name));
          return;
        }
        if (!mayChangeToken(news, credential.id, known)) continue;
        const token = await readToken(options, known);
        if (token !== null) yield token;
        // A token that was issued again is of another family.
        if (isAbout(news, credential.id, ['credential.value_replaced']))
          known.familyId = await readFamily(options);
      }
    } catch (error) {
      // Another program, or another Rotavox, answers there now. Ours may come back.
      if (!(error instanceof StreamRefused) && !(error instanceof UnexpectedAnswer)) throw error;
      const why = error instanceof UnexpectedAnswer ? unexpectedAnswerText(error) : error.message;
      onProblem(execText.noChanges(credential.name, why));
      await sleep(longestRetryMs, signal);
    }
  }
}

/** What is known of the credential apart from its token. */
interface Known {
  /** The family of its token; another one after it was issued again. */
  familyId: string | null;
  /** The number of the token that was read last. */
  generation: number;
  /** Why its token could last not be read; null while it can. */
  lastProblem: string | null;
}

function mayChangeToken(news: StreamMessage, id: string, { familyId }: Known): boolean {
  // The stream does not report what happened while it was closed.
  if (news.kind === 'open' || news.kind === 'reset') return true;
  const tokenEvents = [
    'token.suspended',
    'token.resumed',
    'token.blacklisted',
    'token.expired',
    'token.rotated',
  ];
  return (
    isAbout(news, id, [
      'credential.rotated',
      'credential.value_replaced',
      'credential.rotation_failed',
      'credential.checked',
    ]) ||
    (familyId !== null && isAbout(news, familyId, tokenEvents))
  );
}

function isAbout(news: StreamMessage, id: string, kinds: readonly string[]): boolean {
  return news.kind === 'change' && news.notice.subject === id && kinds.includes(news.notice.kind);
}

/** The current token; null when it cannot be read before the stream reports another change. */
async function readToken(options: FollowTokenOptions, known: Known): Promise<CredentialValue | null> {
  const { service, credential, program, signal, onProblem } = options;
  for (let waitMs = firstRetryMs; !signal.aborted; waitMs = Math.min(longestRetryMs, waitMs * 2)) {
    try {
      const outcome = await createClient(await service.connect()).call('readCredentialValue', {
        params: { name: credential.name },
        headers: { [useHeader]: writeUse({ way: 'exec', program, has: known.generation }) },
        signal: AbortSignal.any([signal, AbortSignal.timeout(answerLimitMs)]),
      });
      if (outcome.ok) {
        known.lastProblem = null;
        known.generation = outcome.value.generation;
        return outcome.value;
      }
      const { message, code } = outcome;
      if (message !== known.lastProblem) {
        const problemText = code === 'token_unusable' ? execText.tokenUnusable : execText.unreadable;
        onProblem(problemText(credential.name, message));
      }
      known.lastProblem = message;
      if (outcome.status < 500) return null;
    } catch (error) {
      if (hasEnded(signal)) return null;
      // The service stopped: the stream will report that, and the token is read again when it opens.
      if (error instanceof CommandFailure) return null;
      if (!(error instanceof ServiceUnreachable)) throw error;
    }
    await sleep(waitMs, signal);
  }
  return null;
}

/** The family of the current token; null if it has none here, or if the service does not answer. */
async function readFamily({ service, credential: { name } }: FollowTokenOptions): Promise<string | null> {
  try {
    const read = await createClient(await service.connect()).call('readCredential', { params: { name } });
    return read.ok ? read.value.family_id : null;
  } catch (error) {
    if (error instanceof CommandFailure || error instanceof ServiceUnreachable) return null;
    throw error;
  }
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => undefined); // aborted: the loops around it check that
}

/** Asked through a function, because the signal changes while a call is waited for. */
function hasEnded(signal: AbortSignal): boolean {
  return signal.aborted;
}
