import { type CallArguments, type Connection, createClient, type ReplyOf } from '../client/create-client.ts';
import { type Refusal, ServiceUnreachable, UnexpectedAnswer } from '../client/read-refusal.ts';
import type { RouteName } from '../contract/routes.ts';
import { unexpectedAnswerText } from '../text/connection.ts';
import { CommandFailure, exitCodes } from './command-failure.ts';
import { chosenDataDir, type GlobalOptions } from './data-dir.ts';
import { findService, notRunning } from './find-service.ts';
import { fieldErrorLines } from './ivr-problem-lines.ts';

/** The owner's side of the running service, for one command. */
export interface Portal {
  readonly dataDir: string;
  /** The reply to a call; anything else is thrown as the failure that ends the command. */
  ask<N extends RouteName>(name: N, ...input: CallArguments<N>): Promise<ReplyOf<N>>;
}

/** How long an answer may take, in milliseconds; a service that is this slow is stuck. */
const answerLimitMs = 30_000;
/** Calls that take longer for a reason. */
const longerLimitsMs: Partial<Record<RouteName, number>> = {
  // It reads the whole journal from disk.
  verifyHistory: 30 * 60_000,
  // These wait for another service, for the keychain to be unlocked, or for hooks, which may run four minutes; `fetch` itself gives up after five.
  addCredential: 4.5 * 60_000,
  replaceCredentialValue: 4.5 * 60_000,
  rotateCredential: 4.5 * 60_000,
  reissueCredential: 4.5 * 60_000,
  readCredentialValue: 4.5 * 60_000,
  testCredential: 4.5 * 60_000,
  previewTarget: 4.5 * 60_000,
  addTarget: 4.5 * 60_000,
  deliverTarget: 4.5 * 60_000,
  publishDraft: 4.5 * 60_000,
};

/** Finds the service of the chosen data folder. Throws a failure with exit code 3 when it does not run. */
export function openPortal(options: GlobalOptions): Portal {
  const dataDir = chosenDataDir(options);
  const connection = findService(dataDir);
  const client = createClient(connection);
  return {
    dataDir,
    async ask<N extends RouteName>(name: N, ...[input]: CallArguments<N>) {
      const signal = AbortSignal.timeout(longerLimitsMs[name] ?? answerLimitMs);
      // Which calls take nothing is not known while the name may be any.
      const args = [{ signal, ...input }] as unknown as CallArguments<N>;
      const outcome = await client.call(name, ...args).catch((error: unknown) => {
        throw failureOf(error, dataDir, connection);
      });
      if (!outcome.ok) throw refusalFailure(outcome, dataDir, connection);
      return outcome.value;
    },
  };
}

/** What went wrong on the way to the service, as the failure that ends a command; a bug stays what it is. */
export function failureOf(error: unknown, dataDir: string, { baseUrl }: Connection): unknown {
  if (error instanceof ServiceUnreachable) {
    return notRunning(dataDir, `Its runtime.json says ${baseUrl}, but nothing answers there.`, error);
  }
  if (error instanceof UnexpectedAnswer)
    return new CommandFailure(exitCodes.failed, unexpectedAnswerText(error), { cause: error });
  return error;
}

/** A refusal in words: the service's sentence, or what it says field by field. */
export function refusalFailure(refusal: Refusal, dataDir: string, { baseUrl }: Connection): CommandFailure {
  if (refusal.code === 'not_signed_in') {
    return notRunning(dataDir, `Another Rotavox answers at ${baseUrl}, which its runtime.json still names.`);
  }
  const { message, errors = [], requestId } = refusal;
  const lines =
    errors.length > 1
      ? ['Refused:', ...fieldErrorLines(errors, 'The body')]
      : [message + (requestId === undefined ? '' : ` (request ${requestId})`)];
  return new CommandFailure(exitCodes.failed, lines);
}
