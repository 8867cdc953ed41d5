import { setTimeout as nap } from 'node:timers/promises';
import { createClient } from '../client/create-client.ts';
import { followChanges, type StreamNews, StreamRefused } from '../client/follow-changes.ts';
import { ServiceUnreachable, UnexpectedAnswer } from '../client/read-refusal.ts';
import type { CredentialView } from '../contract/credential-view.ts';
import { unexpectedAnswerText } from '../text/connection.ts';
import { CommandFailure } from './command-failure.ts';
import { findService } from './find-service.ts';

export interface FollowValueOptions {
  readonly dataDir: string;
  readonly credential: Pick<CredentialView, 'id' | 'name' | 'family_id'>;
  /** Ends the following. */
  readonly signal: AbortSignal;
  /** Told in words what keeps a newer value from being known. */
  readonly onTrouble: (sentence: string) => void;
}

const answerLimitMs = 30_000;
const firstRetryMs = 1_000;
const longestRetryMs = 30_000;

/**
 * The value of a credential, each time that it may be another one, until the signal is aborted.
 *
 * Outlives the service: whenever the stream of changes opens (again), the value is read, so that none is missed. What is
 * read may be the value that is known. It is also read when something has happened to the token: what is refused then is said,
 * once for each reason. A vault that is locked is asked again after 1, 2, 4 … and at most 30 seconds. Ends
 * early when the credential is removed.
 */
export async function* followValue(options: FollowValueOptions): AsyncGenerator<string, void, undefined> {
  const { dataDir, credential, signal, onTrouble } = options;
  const known: Known = { familyId: credential.family_id, said: null };
  while (!signal.aborted) {
    try {
      for await (const news of followChanges(() => findService(dataDir), { signal })) {
        if (isAbout(news, credential.id, ['credential.removed'])) {
          onTrouble(`${credential.name} was removed from Rotavox; the command keeps the value that it has.`);
          return;
        }
        if (!mayBringValue(news, credential.id, known)) continue;
        const value = await readValue(options, known);
        if (value !== null) yield value;
        // A token that was issued again is of another family.
        if (isAbout(news, credential.id, ['credential.value_replaced']))
          known.familyId = await readFamily(options);
      }
    } catch (error) {
      // Another program, or another Rotavox, answers there now. Ours may come back.
      if (!(error instanceof StreamRefused) && !(error instanceof UnexpectedAnswer)) throw error;
      const why = error instanceof UnexpectedAnswer ? unexpectedAnswerText(error) : error.message;
      onTrouble(`Changes of ${credential.name} are not heard at present: ${why}`);
      await sleep(longestRetryMs, signal);
    }
  }
}

/** What is known of the credential besides its value. */
interface Known {
  /** The family of its token; another one after it was issued again. */
  familyId: string | null;
  /** Why its value could last not be read; null while it can. */
  said: string | null;
}

function mayBringValue(news: StreamNews, id: string, { familyId }: Known): boolean {
  // What happened while the stream was not open is not told.
  if (news.kind === 'open' || news.kind === 'reset') return true;
  const tokenMoves = [
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
    (familyId !== null && isAbout(news, familyId, tokenMoves))
  );
}

function isAbout(news: StreamNews, id: string, kinds: readonly string[]): boolean {
  return news.kind === 'change' && news.notice.subject === id && kinds.includes(news.notice.kind);
}

/** The present value; null when there is none to be had before the stream has more news. */
async function readValue(options: FollowValueOptions, known: Known): Promise<string | null> {
  const { dataDir, credential, signal, onTrouble } = options;
  for (let waitMs = firstRetryMs; !signal.aborted; waitMs = Math.min(longestRetryMs, waitMs * 2)) {
    try {
      const outcome = await createClient(findService(dataDir)).call('readCredentialValue', {
        params: { name: credential.name },
        signal: AbortSignal.any([signal, AbortSignal.timeout(answerLimitMs)]),
      });
      if (outcome.ok) {
        known.said = null;
        return outcome.value.value;
      }
      const { message, code } = outcome;
      if (message !== known.said) {
        onTrouble(
          code === 'token_unusable'
            ? `The token of ${credential.name} does not work now, and the command keeps running with it: ${message}`
            : `The value of ${credential.name} cannot be read: ${message}`,
        );
      }
      known.said = message;
      if (outcome.status < 500) return null;
    } catch (error) {
      if (hasEnded(signal)) return null;
      // It stopped: the stream will say so, and this is read again when it opens.
      if (error instanceof CommandFailure) return null;
      if (!(error instanceof ServiceUnreachable)) throw error;
    }
    await sleep(waitMs, signal);
  }
  return null;
}

/** The family of the present token; null where it has none here, or where nobody answers. */
async function readFamily({ dataDir, credential: { name } }: FollowValueOptions): Promise<string | null> {
  try {
    const read = await createClient(findService(dataDir)).call('readCredential', { params: { name } });
    return read.ok ? read.value.family_id : null;
  } catch (error) {
    if (error instanceof CommandFailure || error instanceof ServiceUnreachable) return null;
    throw error;
  }
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await nap(ms, undefined, { signal }).catch(() => undefined); // aborted, which the loops around it look at
}

/** Asked through a function, because the signal changes while a call is waited for. */
function hasEnded(signal: AbortSignal): boolean {
  return signal.aborted;
}
