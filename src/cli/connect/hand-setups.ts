import { basename } from 'node:path';
import type { ConnectedTool } from '../../contract/credential/connected-tools.ts';
import type { LinesByHand } from '../../contract/credential/tool-command.ts';
import { quotedShellWord, shellWord } from '../../contract/shell-word.ts';
import { connectProblem, handText } from '../../text/cli/cli-connect.ts';
import { CommandFailure, exitCodes, wrongUsage } from '../command-failure.ts';
import { placeAddress } from './git-setup.ts';
import { claudeVariables } from './tool-protocols.ts';
import {
  askProgram,
  type ConnectedPlace,
  type GivenToken,
  runProgram,
  type ToolSetup,
} from './tool-setting.ts';
import { isUsableAt } from './usable-place.ts';

/** A tool of which Rotavox changes no file: a person adds the lines, and takes them out again. */
// see decisions/connections.md
export interface HandSetup extends Pick<ToolSetup, 'tool' | 'usualScheme' | 'ask'> {
  lines(launcher: string, place: ConnectedPlace): LinesByHand;
  require(place: ConnectedPlace): Promise<void>;
}

/** Go 1.24 or newer: it takes a header for modules below an address. */
const go: HandSetup = {
  tool: 'go',
  // The first that has an answer wins: an old password in .netrc would be sent, and refused, at each request.
  lines: (launcher) => ({
    where: handText.go,
    lines: [`go env -w ${shellWord(`GOAUTH=${quotedForGo(launcher)}; netrc`)}`],
  }),
  require(place) {
    return requireHttps('go', place);
  },
  async ask(place, launcher) {
    const { stdout, ...how } = await runProgram(launcher, []);
    const [, sent = ''] = /^Authorization: \S+ (.+)$/m.exec(stdout) ?? [];
    const [, password = null] = /^[^:]*:(.*)$/.exec(Buffer.from(sent, 'base64').toString()) ?? [];
    return given(place.scheme === 'basic' ? password : sent, how);
  },
};

const isAscii = (text: string): boolean => /^\p{ASCII}*$/u.test(text);

const bazel: HandSetup = {
  tool: 'bazel',
  usualScheme: 'bearer',
  lines: (launcher, { origin }) => ({
    where: isAscii(launcher) ? handText.bazel : handText.bazelLink(launcher, basename(launcher)),
    lines: [`common ${quotedInBazelrc(`--credential_helper=${new URL(origin).hostname}=${launcher}`)}`],
  }),
  require(place) {
    return requireHttps('bazel', place);
  },
  ask: (place, launcher) =>
    askProgram(launcher, ['get'], {
      input: JSON.stringify({ uri: placeAddress(place) }),
      read: (answer) =>
        withoutBearer((answer as { headers?: { Authorization?: unknown[] } }).headers?.Authorization?.[0]),
    }),
};

/** Claude Code runs it by a shell. */
const claude: HandSetup = {
  tool: 'claude',
  usualScheme: 'bearer',
  lines: (launcher) => ({ where: handText.claude, lines: [`"apiKeyHelper": ${inJson(launcher)}`] }),
  require: () => notOnWindows('claude'),
  ask: (place, launcher) => askLine(launcher, { [claudeVariables.base]: placeAddress(place) }),
};

const codex: HandSetup = {
  tool: 'codex',
  usualScheme: 'bearer',
  lines: (launcher, place) => ({
    where: handText.codex(placeAddress(place)),
    lines: ['[model_providers.NAME.auth]', `command = ${JSON.stringify(launcher)}`],
  }),
  require: () => notOnWindows('codex'),
  ask: (_place, launcher) => askLine(launcher),
};

const headers: HandSetup = {
  tool: 'headers',
  usualScheme: 'bearer',
  lines: (launcher, place) => ({
    where: handText.headers(placeAddress(place)),
    lines: [`"headersHelper": ${inJson(launcher)}`],
  }),
  require: () => notOnWindows('headers'),
  ask: (place, launcher) =>
    askProgram(launcher, [], {
      env: { [claudeVariables.server]: placeAddress(place) },
      read: (answer) => withoutBearer((answer as { Authorization?: unknown }).Authorization),
    }),
};

export const handSetups = { go, bazel, claude, codex, headers } as const satisfies Partial<
  Record<ConnectedTool, HandSetup>
>;

async function notOnWindows(tool: ConnectedTool): Promise<void> {
  if (process.platform === 'win32')
    throw new CommandFailure(exitCodes.failed, connectProblem.notOnWindows(tool));
}

/** Both send no token by http. */
async function requireHttps(tool: ConnectedTool, place: ConnectedPlace): Promise<void> {
  await notOnWindows(tool);
  if (!isUsableAt(tool, place)) throw wrongUsage(connectProblem.httpsUrl(tool));
}

function inJson(launcher: string): string {
  return JSON.stringify(quotedShellWord(launcher));
}

/** Go parts the value at semicolons before it looks at quotes, and knows no escapes in these. */
function quotedForGo(path: string): string {
  const quote = ["'", '"'].find((sign) => !path.includes(sign));
  if (quote === undefined || path.includes(';'))
    throw new CommandFailure(exitCodes.failed, connectProblem.goPath(path));
  return quote + path + quote;
}

/** A word as Bazel reads one in its files. */
function quotedInBazelrc(word: string): string {
  return /^[\w./=:@+-]+$/.test(word) ? word : `"${word.replaceAll(/["\\]/g, (sign) => `\\${sign}`)}"`;
}

function withoutBearer(sent: unknown): unknown {
  return typeof sent === 'string' ? sent.replace(/^Bearer /, '') : sent;
}

async function askLine(launcher: string, env: NodeJS.ProcessEnv = {}): Promise<GivenToken> {
  const { stdout, ...how } = await runProgram(launcher, [], { env });
  return given(stdout.trim(), how);
}

function given(
  password: string | null,
  { end, stderr }: { readonly end: string; readonly stderr: string },
): GivenToken {
  return end === 'done' ? { password, said: '' } : { password: null, said: stderr.trim() };
}
