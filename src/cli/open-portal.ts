import type { Command } from 'commander';
import {
  type CallArguments,
  type Client,
  type Connection,
  createClient,
  type ReplyOf,
} from '../client/create-client.ts';
import { type Refusal, ServiceUnreachable, UnexpectedAnswer } from '../client/read-refusal.ts';
import type { RouteName } from '../contract/routes.ts';
import { unexpectedAnswerText } from '../text/window/connection.ts';
import { fieldErrorLines, inputProblem, refusalToDo, serviceProblem } from '../text/cli/cli.ts';
import { credentialToDo } from '../text/cli/cli-credential.ts';
import { asSentence, joinFieldErrors } from '../text/window/field-errors.ts';
import type { FieldError } from '../contract/problems.ts';
import { CommandFailure, exitCodes } from './command-failure.ts';
import { chosenService, type ChosenService } from './chosen-service.ts';
import type { GlobalOptions } from './chosen-data-dir.ts';
import { commandIo, type CommandIo } from './command-io.ts';

/** The running service, called as its owner. */
export interface Portal {
  readonly service: ChosenService;
  /** Where it is. Rejects as a call does. */
  baseUrl(): Promise<string>;
  /** Returns the reply to a call; throws any other outcome as a failure of the command. */
  ask<N extends RouteName>(name: N, ...input: CallArguments<N>): Promise<ReplyOf<N>>;
  /** The command that helps a credential after a failure, as a line; none where its state does not tell, or is not known. */
  toDo(credentialName: string): Promise<string[]>;
}

/** The time limit of a call, in milliseconds. */
const answerLimitMs = 30_000;
/** Calls that take longer. */
const longerLimitsMs: Partial<Record<RouteName, number>> = {
  // It reads the whole journal from disk.
  verifyHistory: 30 * 60_000,
  // Every entry of a keychain is read, written and removed.
  moveVault: 4.5 * 60_000,
  // These wait for another service, for the keychain to be unlocked, or for hooks, which may run four minutes; `fetch` times out after five.
  addCredential: 4.5 * 60_000,
  replaceCredentialValue: 4.5 * 60_000,
  rotateCredential: 4.5 * 60_000,
  reissueCredential: 4.5 * 60_000,
  readCredentialValue: 4.5 * 60_000,
  testCredential: 4.5 * 60_000,
  changeCredentialAddress: 4.5 * 60_000,
  previewTarget: 4.5 * 60_000,
  addTarget: 4.5 * 60_000,
  deliverTarget: 4.5 * 60_000,
  publishDraft: 4.5 * 60_000,
  // A voice has 67 MB, which are downloaded, unpacked and tried.
  addVoicePack: 4.5 * 60_000,
  downloadVoicePack: 4.5 * 60_000,
};

/** Calls whose conflicts are about the token of a credential, so that its state tells what to do. */
const tokenCalls: ReadonlySet<RouteName> = new Set([
  'readCredentialValue',
  'rotateCredential',
  'reissueCredential',
  'testCredential',
  'deliverTarget',
]);
/** How long a failed command waits for the state of its credential, in milliseconds. */
const stateLimitMs = 3_000;

/** Finds the chosen service. Throws a failure with exit code 3 when that of this machine does not run. */
export function openPortal(options: GlobalOptions): Portal {
  const service = chosenService(options);
  const found = service.connect();
  // Reported by the first call.
  found.catch(() => undefined);
  let known: { readonly connection: Connection; readonly client: Client } | undefined;
  const connected = async () => {
    const connection = await found;
    return (known ??= { connection, client: createClient(connection) });
  };
  return {
    service,
    baseUrl: async () => (await found).baseUrl,
    toDo,
    async ask<N extends RouteName>(name: N, ...[input]: CallArguments<N>) {
      const { client, connection } = await connected();
      const signal = AbortSignal.timeout(longerLimitsMs[name] ?? answerLimitMs);
      // The type of the input is not known for an arbitrary name.
      const args = [{ signal, ...input }] as unknown as CallArguments<N>;
      const { name: credential } = (input as { params?: { name?: string } } | undefined)?.params ?? {};
      const outcome = await client.call(name, ...args).catch((error: unknown) => {
        throw failureOf(error, service, connection);
      });
      if (outcome.ok) return outcome.value;
      const isAboutToken =
        credential !== undefined &&
        outcome.status === 409 &&
        outcome.code !== 'data_moved' &&
        tokenCalls.has(name);
      throw refusalFailure(outcome, service, connection, isAboutToken ? await toDo(credential) : []);
    },
  };

  async function toDo(name: string): Promise<string[]> {
    try {
      const { client } = await connected();
      const signal = AbortSignal.timeout(stateLimitMs);
      const read = await client.call('readCredential', { params: { name }, signal });
      return read.ok ? credentialToDo(read.value) : [];
    } catch (error) {
      // The failure that is reported is the first one.
      if (error instanceof ServiceUnreachable || error instanceof UnexpectedAnswer) return [];
      throw error;
    }
  }
}

/** The failure of a command whose call did not reach the service. Bugs are returned unchanged. */
export function failureOf(error: unknown, service: ChosenService, connection: Connection): unknown {
  if (error instanceof ServiceUnreachable) return service.unreachable(connection, error);
  if (error instanceof UnexpectedAnswer)
    return new CommandFailure(exitCodes.failed, unexpectedAnswerText(error), { cause: error });
  return error;
}

/** The failure of a command that the service refused: its message, or one line for each field, and what to do. */
export function refusalFailure(
  refusal: Refusal,
  service: ChosenService,
  connection: Connection,
  toDo: readonly string[] = [],
): CommandFailure {
  if (refusal.code === 'not_signed_in') return service.keyRefused(connection);
  const { message, requestId } = refusal;
  const errors = asTyped(refusal.errors ?? []);
  const [first] = errors;
  const whole = first === undefined ? message : asSentence(joinFieldErrors([first]));
  const lines =
    errors.length > 1
      ? [serviceProblem.refused, ...fieldErrorLines(errors, inputProblem.body)]
      : [serviceProblem.withRequest(whole, requestId)];
  return new CommandFailure(exitCodes.failed, [...lines, ...refusalToDo(refusal), ...toDo]);
}

const running = new WeakMap<CommandIo, Command>();

/** Remembers which command runs, so that a refusal can name its options. */
export function rememberCommand(command: Command): void {
  running.set(commandIo(), command);
}

/** Errors about fields of a request, named as they are typed for the running command: its option, or its argument. */
function asTyped(errors: readonly FieldError[]): FieldError[] {
  const command = running.get(commandIo());
  return errors.map((error) => ({ ...error, field: typed(error.field, command) }));
}

/** Fields whose option has another name. */
const otherNames: Readonly<Record<string, string>> = { validity_days: '--validity', until: '--for' };

function typed(field: string, command: Command | undefined): string {
  if (command === undefined) return field;
  const [, input] = /^provider\.inputs\.(\w+)$/.exec(field) ?? [];
  const longs =
    input === undefined ? [otherNames[field] ?? '', `--${field.replaceAll('_', '-')}`] : ['--input'];
  const long = longs.find((one) => command.options.some((option) => option.long === one));
  if (long !== undefined) return input === undefined ? long : `${long} ${input}`;
  if (command.registeredArguments.some((argument) => argument.name() === field)) return `<${field}>`;
  return field === 'value' ? inputProblem.token : field;
}
