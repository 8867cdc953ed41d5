import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { CredentialView } from '../../contract/credential/credential-view.ts';
import { CredentialName, defaultVariable } from '../../contract/credential/credential.ts';
import { programName, useHeader, writeUse } from '../../contract/credential/use-header.ts';
import { execHelp, execText } from '../../text/cli/cli-delivery.ts';
import { credentialName, customCommand } from '../command-table.ts';
import { commandIo } from '../command-io.ts';
import { CommandRun, handleSignals, type Tokens } from '../command-run.ts';
import { CommandFailure, EndsAs, exitCodes, wrongUsage } from '../command-failure.ts';
import type { GlobalOptions } from '../chosen-data-dir.ts';
import { targetFields } from '../delivery-target.ts';
import { type FollowTokenOptions, followToken } from '../follow-token.ts';
import { valueOf } from '../option-values.ts';
import { openPortal, type Portal } from '../open-portal.ts';
import type { CommandLine } from '../start-child.ts';
import { flushOutput, say } from '../terminal.ts';
import type { Connection } from '../../client/create-client.ts';
import type { ChosenService } from '../chosen-service.ts';

interface ExecOptions extends GlobalOptions {
  readonly restartOnRotate?: true;
  readonly masking: boolean;
}

/** One `--env`: the variable, and the credential where it is named there. */
interface EnvOption {
  readonly variable: string;
  readonly name: string | null;
}

const readVariable = valueOf(targetFields.commandVariable);
const readName = valueOf(CredentialName);

export const execCommand = customCommand({
  help: execHelp,
  usage: execHelp.usage,
  arguments: { ...credentialName, '[command...]': execHelp.command },
  options: {
    '--env <variable>': { help: execHelp.env, read: envOptions },
    '--restart-on-rotate': execHelp.restartOnRotate,
    '--no-masking': execHelp.noMasking,
  },
  json: false,
  run: ({ name, command, env = [], ...options }) => exec(readWords([name, ...command], env), options),
});

function envOptions(text: string, before: readonly EnvOption[] = []): EnvOption[] {
  const at = text.indexOf('=');
  const option =
    at === -1
      ? { variable: readVariable(text), name: null }
      : { variable: readVariable(text.slice(0, at)), name: readName(text.slice(at + 1)) };
  return [...before, option];
}

/** What to run with which credentials. */
interface Wanted {
  readonly command: CommandLine;
  /** The names of credentials, by variable. */
  readonly variables: ReadonlyMap<string, string>;
  /** Whether NAME stands before the command. */
  readonly isNamed: boolean;
}

function readWords(words: readonly [string, ...string[]], env: readonly EnvOption[]): Wanted {
  const isNamed = env.every(({ name }) => name === null);
  if (!isNamed) {
    const variables = new Map<string, string>();
    for (const { variable, name } of env) {
      if (name === null) throw wrongUsage(execText.notBoth);
      if (variables.has(variable)) throw wrongUsage(execText.variableTwice(variable));
      variables.set(variable, name);
    }
    return { command: words, variables, isNamed };
  }
  const [name, program, ...args] = words;
  if (program === undefined) throw wrongUsage(execText.noCommand(name));
  if (env.length > 1) throw wrongUsage(execText.severalVariables);
  const variables = new Map([[env[0]?.variable ?? defaultVariable, name]]);
  return { command: [program, ...args], variables, isNamed };
}

async function exec({ command, variables, isNamed }: Wanted, options: ExecOptions): Promise<never> {
  const portal = openPortal(options);
  const program = programName(command[0]);
  const isFollowed = options.restartOnRotate === true;
  const names = [...new Set(variables.values())];
  const given = await Promise.all(
    names.map((name) =>
      give(portal, { name, program, isFollowed }).catch((error: unknown) => {
        throw names.length === 1 ? error : naming(name, error);
      }),
    ),
  );
  const variablesOf = (name: string, token: string): Tokens =>
    Object.fromEntries([...variables].filter(([, of]) => of === name).map(([one]) => [one, token]));
  const baseUrl = await portal.baseUrl();
  const tokens = Object.fromEntries(
    given.flatMap(({ name, token }) => Object.entries(variablesOf(name, token))),
  );

  const stopHandling = handleSignals((received) => run.forward(received)); // first: no signal may end us while the command runs
  if (!isInPath(command[0], commandIo().env) && (await isCredential(portal, command[0]))) {
    const [name = ''] = names;
    throw wrongUsage(isNamed ? execText.oneCredential(name, command[0]) : execText.nameAndPairs(command[0]));
  }
  const run = new CommandRun({ command, tokens, baseUrl, isMasked: options.masking });
  const following = new AbortController();
  const { signal } = following;
  const { service } = portal;
  const reports = given.map(({ name, generation, credential }) => {
    const report = new RunningReport({ service, credential: name, program }, generation);
    const followed =
      credential === null
        ? Promise.resolve()
        : restartWithNewTokens(
            { report, restartWith: (token) => run.restartWith(variablesOf(name, token)) },
            { service, credential, program, generation, signal },
          );
    return { report, followed };
  });

  const ending = await run.ended();
  following.abort();
  for (const { report } of reports) report.close();
  await Promise.all(reports.map(({ followed }) => followed));
  // From now on a signal is for this process: the command may have left something running that still prints.
  stopHandling();
  await run.printed();
  await flushOutput();
  throw new EndsAs(ending);
}

/** A credential and its current token. */
interface Given {
  readonly name: string;
  readonly token: string;
  readonly generation: number;
  /** Null: its changes are not followed. */
  readonly credential: CredentialView | null;
}

async function give(
  portal: Portal,
  { name, program, isFollowed }: { name: string; program: string | null; isFollowed: boolean },
): Promise<Given> {
  const byName = { params: { name } };
  const credential = isFollowed ? await portal.ask('readCredential', byName) : null;
  const { value: token, generation } = await portal.ask('readCredentialValue', {
    ...byName,
    headers: { [useHeader]: writeUse({ way: 'exec', program }) },
  });
  return { name, token, generation, credential };
}

/** A failure that says which of several credentials it is about. */
function naming(name: string, error: unknown): unknown {
  if (!(error instanceof CommandFailure) || error.exitCode !== exitCodes.failed) return error;
  const [reason = '', ...more] = error.lines;
  return new CommandFailure(error.exitCode, [execText.of(name, reason), ...more], { cause: error });
}

/** Whether a word that was run as a command is a credential. */
async function isCredential(portal: Portal, word: string): Promise<boolean> {
  if (!CredentialName.safeParse(word).success) return false;
  try {
    await portal.ask('readCredential', { params: { name: word } });
    return true;
  } catch (error) {
    if (error instanceof CommandFailure) return false;
    throw error;
  }
}

async function restartWithNewTokens(
  { report, restartWith }: { report: RunningReport; restartWith: (token: string) => boolean },
  followed: Omit<FollowTokenOptions, 'onProblem'>,
): Promise<void> {
  const { name } = followed.credential;
  const tell = (sentence: string): void => say(execText.line(sentence));
  for await (const { value, generation } of followToken({ ...followed, onProblem: tell })) {
    if (!restartWith(value)) continue;
    report.change(generation);
    tell(execText.restarting(name));
  }
}

/** Whether a command is found, as far as that needs no start of it. */
function isInPath(program: string, { PATH: path = '' }: NodeJS.ProcessEnv): boolean {
  // On Windows a name stands for several files.
  if (process.platform === 'win32' || /[/\\]/.test(program)) return true;
  return path.split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, program)));
}

// Not imported: an import reads all its exports, and one of them loads what `fetch` needs.
const http = process.getBuiltinModule('node:http');

interface RunningCommandOptions {
  readonly service: ChosenService;
  readonly credential: string;
  readonly program: string | null;
}

const firstRetryMs = 1_000;
const longestRetryMs = 30_000;

/**
 * Tells the service which token a command runs with, as long as this process exists.
 *
 * By a connection that stays open: the system ends it with the process, also after SIGKILL. It is opened again when the service
 * has restarted. Nothing waits for it, and a service that does not know the call is not asked again.
 */
class RunningReport {
  readonly #options: RunningCommandOptions;
  #token: { readonly generation: number; readonly since: string };
  #end: () => void = () => undefined;
  #retry: NodeJS.Timeout | undefined;
  #failures = 0;
  /** Changes with each report, so that one that was ended while it looked for the service is not sent. */
  #current = 0;

  constructor(options: RunningCommandOptions, generation: number) {
    this.#options = options;
    this.#token = { generation, since: new Date().toISOString() };
    void this.#report();
  }

  /** The command was started again with another token. */
  change(generation: number): void {
    this.#token = { generation, since: new Date().toISOString() };
    this.#failures = 0;
    this.close();
    void this.#report();
  }

  close(): void {
    this.#current += 1;
    clearTimeout(this.#retry);
    this.#end();
  }

  async #report(): Promise<void> {
    const current = (this.#current += 1);
    let connection: Connection | null;
    try {
      connection = await this.#options.service.connect();
    } catch {
      connection = null;
    }
    if (current !== this.#current) return;
    if (connection === null) this.#reportLater(); // it does not run at the moment
    else this.#send(connection);
  }

  #send(connection: Connection): void {
    const { request } = connection.baseUrl.startsWith('https:')
      ? process.getBuiltinModule('node:https')
      : http;
    const { credential, program } = this.#options;
    const asking = request(`${connection.baseUrl}/portal/running`, {
      method: 'POST',
      agent: false,
      headers: { authorization: connection.authorization ?? '', 'content-type': 'application/json' },
    });
    let isOver = false;
    const again = (): void => {
      if (isOver) return;
      isOver = true;
      this.#reportLater();
    };
    this.#end = () => {
      isOver = true;
      asking.destroy();
    };
    asking.on('socket', (socket) => socket.unref());
    asking.on('response', (response) => {
      response.resume();
      // The credential was removed, or an older service does not know the call.
      if (response.statusCode === 404) isOver = true;
      else if (response.statusCode === 200) this.#failures = 0;
    });
    asking.on('error', again);
    asking.on('close', again);
    asking.end(JSON.stringify({ credential, program, ...this.#token }));
  }

  #reportLater(): void {
    const waitMs = Math.min(longestRetryMs, firstRetryMs * 2 ** this.#failures);
    this.#failures += 1;
    this.#retry = setTimeout(() => void this.#report(), waitMs).unref();
  }
}
