import { type CallArguments, type Connection, createClient, type ReplyOf } from '../client/create-client.ts';
import { type Refusal, ServiceUnreachable, UnexpectedAnswer } from '../client/read-refusal.ts';
import type { RouteName } from '../contract/routes.ts';
import { unexpectedAnswerText } from '../text/connection.ts';
import { fieldErrorLines, inputProblem, serviceProblem } from '../text/cli.ts';
import { CommandFailure, exitCodes } from './command-failure.ts';
import { chosenDataDir, type GlobalOptions } from './data-dir.ts';
import { findService, notRunning } from './find-service.ts';

/** The running service, called as its owner. */
export interface Portal {
  readonly dataDir: string;
  /** Returns the reply to a call; throws any other outcome as a failure of the command. */
  ask<N extends RouteName>(name: N, ...input: CallArguments<N>): Promise<ReplyOf<N>>;
}

/** The time limit of a call, in milliseconds. */
const answerLimitMs = 30_000;
/** Calls that take longer. */
const longerLimitsMs: Partial<Record<RouteName, number>> = {
  // It reads the whole journal from disk.
  verifyHistory: 30 * 60_000,
  // These wait for another service, for the keychain to be unlocked, or for hooks, which may run four minutes; `fetch` times out after five.
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
      // The type of the input is not known for an arbitrary name.
      const args = [{ signal, ...input }] as unknown as CallArguments<N>;
      const outcome = await client.call(name, ...args).catch((error: unknown) => {
        throw failureOf(error, dataDir, connection);
      });
      if (!outcome.ok) throw refusalFailure(outcome, dataDir, connection);
      return outcome.value;
    },
  };
}

/** The failure of a command whose call did not reach the service. Bugs are returned unchanged. */
export function failureOf(error: unknown, dataDir: string, { baseUrl }: Connection): unknown {
  if (error instanceof ServiceUnreachable) {
    return notRunning(dataDir, serviceProblem.noAnswer(baseUrl), error);
  }
  if (error instanceof UnexpectedAnswer)
    return new CommandFailure(exitCodes.failed, unexpectedAnswerText(error), { cause: error });
  return error;
}

/** The failure of a command that the service refused: its message, or one line for each field. */
export function refusalFailure(refusal: Refusal, dataDir: string, { baseUrl }: Connection): CommandFailure {
  if (refusal.code === 'not_signed_in') {
    return notRunning(dataDir, serviceProblem.otherService(baseUrl));
  }
  const { message, errors = [], requestId } = refusal;
  const lines =
    errors.length > 1
      ? [serviceProblem.refused, ...fieldErrorLines(errors, inputProblem.body)]
      : [serviceProblem.withRequest(message, requestId)];
  return new CommandFailure(exitCodes.failed, lines);
}
