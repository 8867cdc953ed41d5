import type { Readable } from 'node:stream';
import packageJson from '../../../package.json' with { type: 'json' };
import {
  claudeAddress,
  connectedTools,
  connectionSchemes,
  type ConnectedTool,
  dockerProgram,
} from '../../contract/credential/connected-tools.ts';
import type { ToolConnection, ConnectionToken } from '../../contract/credential/tool-connection.ts';
import { toolAnswerText } from '../../text/cli/tool-answer-text.ts';
import { chosenDataDir } from '../chosen-data-dir.ts';
import { CommandFailure, type ExitCode, exitCodes } from '../command-failure.ts';
import { commandIo } from '../command-io.ts';
import { findService, readLocal } from '../find-service.ts';
import { printDocument, say } from '../terminal.ts';
import { askingProcess } from './asking-process.ts';
import {
  cargoAnswer,
  cargoFailure,
  cargoHello,
  cargoRefusals,
  readCargoRequest,
  dockerAddresses,
  dockerAnswer,
  dockerRefusals,
  dockerServer,
  readDockerServer,
  gitAnswer,
  gitQuit,
  type GitRequest,
  isWholeGitRequest,
  mostInput,
  readGitRequest,
  kubectlAnswer,
  kubectlVariable,
  readKubectlRequest,
  bazelAnswer,
  claudeVariables,
  goAnswer,
  mcpAnswer,
  readBazelAddress,
  withoutQuery,
} from './tool-protocols.ts';

/** A call by a tool: `rotavox helper git get`. */
export interface ToolCall {
  readonly tool: ConnectedTool;
  readonly args: readonly string[];
  readonly dataDir?: string | undefined;
}

/** With the end of its time. */
interface TimedCall extends ToolCall {
  readonly signal: AbortSignal;
}

/** What a tool gets. */
interface ToolAnswer {
  readonly stdout?: string;
  readonly message?: string | undefined;
  readonly code?: ExitCode;
}

/** The longest time for a whole call, with the input of the tool, in milliseconds. The service itself answers after four seconds. */
const usualLimitMs = 6_000;

/** The arguments of a call by a tool; null for everything else. */
export function readToolCall(args: readonly string[]): ToolCall | null {
  const isFirst = args[0] === '--data-dir';
  const [command, name, ...rest] = isFirst ? args.slice(2) : args;
  const tool = connectedTools.find((one) => one === name);
  if (command !== 'helper' || tool === undefined || rest.length === 0 || rest[0]?.startsWith('-'))
    return null;
  return { tool, args: rest, ...(isFirst ? { dataDir: args[1] } : {}) };
}

/** Answers a tool: stdout has its protocol and nothing else, stderr one line. Never asks a person. */
export async function answerTool(call: ToolCall, limitMs = usualLimitMs): Promise<ExitCode> {
  const { stdout = '', message, code = exitCodes.done } = await answerInTime(call, limitMs);
  if (stdout !== '') printDocument(stdout);
  if (message !== undefined) say(toolAnswerText.failed(message));
  return code;
}

/** The answer, or after the time for it a failure. What is open then is closed, so that the process ends. */
async function answerInTime(call: ToolCall, limitMs: number): Promise<ToolAnswer> {
  const late = new AbortController();
  const { promise: failed, resolve: fail } = Promise.withResolvers<ToolAnswer>();
  const timer = setTimeout(() => {
    fail(failures[call.tool](toolAnswerText.late(limitMs / 1000)));
    late.abort();
  }, limitMs);
  try {
    return await Promise.race([answers[call.tool]({ ...call, signal: late.signal }), failed]);
  } finally {
    clearTimeout(timer);
  }
}

const answers: Readonly<Record<ConnectedTool, (call: TimedCall) => Promise<ToolAnswer>>> = {
  git,
  docker,
  kubectl,
  cargo,
  pnpm,
  terraform,
  go,
  bazel,
  claude,
  codex,
  headers,
};

/** How each tool is told that it gets no token, and why. */
const failures: Readonly<Record<ConnectedTool, (message: string) => ToolAnswer>> = {
  git: gitFailure,
  docker: dockerFailure,
  cargo: (message) => ({ stdout: `${cargoFailure(message)}\n` }),
  kubectl: failure,
  pnpm: failure,
  terraform: failure,
  go: failure,
  bazel: failure,
  claude: failure,
  codex: failure,
  headers: failure,
};

function failure(message: string): ToolAnswer {
  return { message, code: exitCodes.failed };
}

async function git(call: TimedCall): Promise<ToolAnswer> {
  const [operation] = call.args;
  // `store` never takes in a token of somebody else, and git may have further operations.
  if (operation !== 'get' && operation !== 'erase') return {};
  const request = readGitRequest(await readInput(call, isWholeGitRequest));
  if (request === null) return {};
  if (operation === 'erase') return gitErase(request, call);
  const { url, username } = request;
  const reply = await askForToken({ tool: 'git', url, username }, call);
  if (reply.kind === 'problem' && reply.code === 'no_connection') return {};
  if (reply.kind === 'problem') return gitFailure(reply.message);
  if (!isToken(reply.body)) return gitFailure(toolAnswerText.strangeAnswer);
  const { username: user, value } = reply.body;
  // A line break would begin another line for git.
  if (/[\0-\x1f\x7f]/.test(user + value)) return gitFailure(toolAnswerText.notSendable);
  const stdout = gitAnswer(reply.body, request);
  return stdout === null ? gitFailure(toolAnswerText.oldGit) : { stdout };
}

/** Git stops: the section of its configuration is for this address only, so no other helper is meant. */
function gitFailure(message: string): ToolAnswer {
  return { stdout: gitQuit, message, code: exitCodes.failed };
}

/** A server has refused a token. Nothing is deleted: the service looks into it, by a digest of the token. */
async function gitErase({ url, password }: GitRequest, call: TimedCall): Promise<ToolAnswer> {
  if (password === undefined) return {};
  const { hash } = process.getBuiltinModule('node:crypto');
  const digest = hash('sha256', password, 'base64url');
  const reply = await askService('refused', { tool: 'git', url, digest }, call);
  if (reply.kind === 'problem') return {};
  const { token, message } = (reply.body ?? {}) as { token?: unknown; message?: unknown };
  if (token === 'previous') return { message: toolAnswerText.rotatedMeanwhile };
  return typeof message === 'string' ? { message } : {};
}

async function docker(call: TimedCall): Promise<ToolAnswer> {
  const [operation] = call.args;
  switch (operation) {
    case 'get':
      return dockerGet(readDockerServer(await readInput(call)), call);
    case 'list':
      return dockerList(call);
    case 'version':
      return { stdout: `${dockerProgram} ${packageJson.version}\n` };
    case 'store':
      await readInput(call);
      return dockerRefusal(toolAnswerText.notStored);
    case 'erase':
      await readInput(call);
      return { message: toolAnswerText.notErased };
    case undefined:
    default:
      return dockerRefusal(toolAnswerText.unknownOperation);
  }
}

/** The reason is on stdout: clients show or compare it. */
function dockerRefusal(reason: string): ToolAnswer {
  return { stdout: `${reason}\n`, code: exitCodes.failed };
}

function dockerFailure(message: string): ToolAnswer {
  return dockerRefusal(toolAnswerText.failed(message));
}

async function dockerGet(server: string | null, call: TimedCall): Promise<ToolAnswer> {
  if (server === '') return dockerRefusal(dockerRefusals.noServer);
  for (const url of server === null ? [] : dockerAddresses(server)) {
    const reply = await askForToken({ tool: 'docker', url }, call);
    if (reply.kind === 'problem' && reply.code === 'no_connection') continue;
    if (reply.kind === 'problem') return dockerFailure(reply.message);
    if (!isToken(reply.body) || server === null) return dockerFailure(toolAnswerText.strangeAnswer);
    return { stdout: `${dockerAnswer(server, reply.body)}\n` };
  }
  return dockerRefusal(dockerRefusals.none);
}

/** The user names by registry. */
async function dockerList(call: TimedCall): Promise<ToolAnswer> {
  const reply = await askService('', null, call);
  if (reply.kind === 'problem') return dockerFailure(reply.message);
  const { connections } = reply.body as { readonly connections: readonly ToolConnection[] };
  const users = connections.flatMap(({ tool, origin, username }) =>
    tool === 'docker' ? [[dockerServer(origin), username]] : [],
  );
  return { stdout: `${JSON.stringify(Object.fromEntries(users))}\n` };
}

async function kubectl(call: TimedCall): Promise<ToolAnswer> {
  const request = readKubectlRequest(commandIo().env[kubectlVariable]);
  if (request === null) return failure(toolAnswerText.noCluster);
  const reply = await askForToken({ tool: 'kubectl', url: request.url }, call);
  if (reply.kind === 'problem') return failure(reply.message);
  if (!isToken(reply.body)) return failure(toolAnswerText.strangeAnswer);
  return { stdout: `${kubectlAnswer(request, reply.body)}\n` };
}

/** Cargo waits for our first line, and ends stdin when it has its answers. */
async function cargo(call: TimedCall): Promise<ToolAnswer> {
  printDocument(`${cargoHello}\n`);
  for await (const line of readLines(call)) printDocument(`${await cargoReply(line, call)}\n`);
  return {};
}

async function cargoReply(line: string, call: TimedCall): Promise<string> {
  const request = readCargoRequest(line);
  if (request === null) return cargoFailure(toolAnswerText.strangeRequest);
  if (request.kind === 'logout') return cargoFailure(toolAnswerText.notErased);
  if (request.kind !== 'get') return cargoRefusals.notSupported;
  const reply = await askForToken({ tool: 'cargo', url: request.url }, call);
  if (reply.kind === 'problem' && reply.code === 'no_connection') return cargoRefusals.notConnected;
  if (reply.kind === 'problem') return cargoFailure(reply.message);
  return isToken(reply.body) ? cargoAnswer(reply.body) : cargoFailure(toolAnswerText.strangeAnswer);
}

/** pnpm says nothing, and has a program for each registry: its address is an argument there. */
function pnpm(call: TimedCall): Promise<ToolAnswer> {
  return askFor(call.args[1], call, ({ value }) => `Bearer ${value}\n`);
}

/** One answer for an address, or a failure. */
async function askFor(
  url: string | undefined,
  call: TimedCall,
  written: (token: ConnectionToken) => string,
): Promise<ToolAnswer> {
  const place = url === undefined ? undefined : withoutQuery(url);
  const reply = await askForToken({ tool: call.tool, url: place }, call);
  if (reply.kind === 'problem') return failure(reply.message);
  if (!isToken(reply.body)) return failure(toolAnswerText.strangeAnswer);
  // A line break would begin another line for the tool.
  if (/[\0-\x1f\x7f]/.test(reply.body.value)) return failure(toolAnswerText.notSendable);
  return { stdout: written(reply.body) };
}

/** Claude Code asks for a key, and its environment says where it sends it. */
function claude(call: TimedCall): Promise<ToolAnswer> {
  const named = commandIo().env[claudeVariables.base] ?? '';
  return askFor(named === '' ? claudeAddress : named, call, ({ value }) => `${value}\n`);
}

/** Codex has a program for each provider of models. */
function codex(call: TimedCall): Promise<ToolAnswer> {
  return askFor(call.args[1], call, ({ value }) => `${value}\n`);
}

/** Where the client says the address of its server, that one counts: a project may name our program for another. */
function headers(call: TimedCall): Promise<ToolAnswer> {
  const url = commandIo().env[claudeVariables.server] ?? call.args[1];
  return askFor(url, call, (token) => `${mcpAnswer(token)}\n`);
}

async function bazel(call: TimedCall): Promise<ToolAnswer> {
  const url = readBazelAddress(await readInput(call));
  if (call.args[0] !== 'get' || url === null) return failure(toolAnswerText.strangeRequest);
  return askFor(url, call, (token) => `${bazelAnswer(token)}\n`);
}

/** Go asks without an address first, and again with that of a request that was refused. */
function go(call: TimedCall): Promise<ToolAnswer> {
  const [, own = '', asked] = call.args;
  return askFor(asked ?? own, call, (token) => goAnswer(own, asked, token));
}

/** Terraform and OpenTofu name a host; a helper that has no token for it says so with an empty object. */
async function terraform(call: TimedCall): Promise<ToolAnswer> {
  const [operation, host = ''] = call.args;
  if (operation === 'store') await readInput(call);
  if (operation !== 'get')
    return failure(operation === 'forget' ? toolAnswerText.notErased : toolAnswerText.notStored);
  const url = terraformAddress(host);
  if (url === null) return { stdout: terraformNone };
  const reply = await askForToken({ tool: 'terraform', url }, call);
  if (reply.kind === 'problem' && reply.code === 'no_connection') return { stdout: terraformNone };
  if (reply.kind === 'problem') return failure(reply.message);
  if (!isToken(reply.body)) return failure(toolAnswerText.strangeAnswer);
  return { stdout: `${JSON.stringify({ token: reply.body.value })}\n` };
}

const terraformNone = '{}\n';

/** Where a host is, with its port; null for what is none. It sends tokens by https alone. */
function terraformAddress(host: string): string | null {
  return /^[^\s/?#@%\\]+$/.test(host) ? `https://${host}` : null;
}

type Reply =
  | { readonly kind: 'reply'; readonly body: unknown }
  | { readonly kind: 'problem'; readonly code: string | null; readonly message: string };

/** With the process that uses the token: a planned rotation that would end it waits for that. */
function askForToken(
  asked: {
    readonly tool: ConnectedTool;
    readonly url: string | undefined;
    readonly username?: string | undefined;
  },
  call: TimedCall,
): Promise<Reply> {
  return askService('ask', { ...asked, process: askingProcess(asked.tool) }, call);
}

/** A call to the service of this machine. Every failure is a problem with a sentence. */
async function askService(
  path: 'ask' | 'refused' | '',
  body: Readonly<Record<string, unknown>> | null,
  { dataDir, signal }: TimedCall,
): Promise<Reply> {
  let address = '';
  try {
    const { baseUrl, authorization, prove } = findService(chosenDataDir({ dataDir }));
    address = baseUrl;
    await prove(signal);
    const { status, body: text } = await readLocal(
      `${baseUrl}/portal/connections${path === '' ? '' : `/${path}`}`,
      { authorization },
      { signal, ...(body === null ? {} : { body: JSON.stringify(body) }) },
    );
    const reply: unknown = JSON.parse(text);
    if (status === 200) return { kind: 'reply', body: reply };
    const { code, message } = reply as { code?: unknown; message?: unknown };
    return {
      kind: 'problem',
      code: typeof code === 'string' ? code : null,
      message: typeof message === 'string' ? message : toolAnswerText.strangeAnswer,
    };
  } catch (error) {
    if (error instanceof CommandFailure)
      return { kind: 'problem', code: null, message: error.lines.join(' ') };
    if (error instanceof SyntaxError)
      return { kind: 'problem', code: null, message: toolAnswerText.strangeAnswer };
    return { kind: 'problem', code: null, message: toolAnswerText.noAnswer(address) };
  }
}

/** The same check as the contract's. */
function isToken(value: unknown): value is ConnectionToken {
  const reply: Partial<Record<keyof ConnectionToken, unknown>> = value ?? {};
  const texts = [reply.username, reply.value, reply.usable_until];
  return (
    texts.every((text) => typeof text === 'string') &&
    connectionSchemes.some((scheme) => scheme === reply.scheme)
  );
}

/** The lines of stdin, as they come, to its end, or until it is too long to be a request. */
async function* readLines({ signal }: TimedCall): AsyncGenerator<string> {
  const stdin: Readable = commandIo().stdin;
  signal.addEventListener('abort', () => stdin.destroy());
  let rest = '';
  try {
    for await (const chunk of stdin) {
      // As bytes: a character may be parted.
      const lines = (rest + Buffer.from(chunk as Uint8Array).toString('latin1')).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield Buffer.from(line, 'latin1').toString();
      if (rest.length > mostInput) return;
    }
  } catch {
    // closed before its end: what came was answered
  }
}

/** Stdin to its end, until it is whole, or until it is too long to be a request. */
async function readInput(
  { signal }: TimedCall,
  isWhole: (input: Uint8Array) => boolean = () => false,
): Promise<Uint8Array> {
  const stdin: Readable = commandIo().stdin;
  let input: Buffer = Buffer.alloc(0);
  signal.addEventListener('abort', () => stdin.destroy());
  try {
    for await (const chunk of stdin) {
      input = Buffer.concat([input, Buffer.from(chunk as Uint8Array)]);
      if (input.length > mostInput || isWhole(input)) break;
    }
  } catch {
    // closed before its end: what came is judged
  }
  return input;
}
