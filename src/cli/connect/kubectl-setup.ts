import { delimiter, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type * as yaml from 'yaml';
import type { ToolConnection, ToolSetting } from '../../contract/credential/tool-connection.ts';
import { checkText, connectProblem } from '../../text/cli/cli-connect.ts';
import { CommandFailure, exitCodes, wrongUsage } from '../command-failure.ts';
import { commandIo } from '../command-io.ts';
import {
  type AddSetting,
  asBytes,
  askProgram,
  asText,
  type ConnectedPlace,
  type GivenToken,
  homeFolder,
  runProgram,
  type ToolSetup,
  type WantedSetting,
} from './tool-setting.ts';
import { placeAddress } from './git-setup.ts';
import { kubectlVariable, kubectlVersion } from './tool-protocols.ts';
import { isUsableAt } from './usable-place.ts';

/** kubectl, and what reads its configuration: a user whose token comes from our program. */
// see decisions/connections.md
export const kubectlSetup: ToolSetup = {
  tool: 'kubectl',
  usualScheme: 'bearer',
  mark: ({ id }) => id,
  async require({ scheme, ...place }) {
    await kubectl(['version', '--client']);
    if (!isUsableAt('kubectl', place) || scheme !== 'bearer') throw wrongUsage(connectProblem.kubectlUrl);
  },
  usualUser: userOf,
  file: kubeFile,
  plan: planKubectl,
  endsBefore: endsUser,
  withoutEdited,
  othersBefore: () => Promise.resolve([]),
  async checkPlace({ username }, launcher) {
    const { users } = await readConfig();
    const command = users.find(({ name }) => name === username)?.user.exec?.command;
    return [command === launcher ? checkText.kubectlAsks(username) : checkText.kubectlAsksNot(username)];
  },
  ask: askLauncher,
};

/** What matters of a kubeconfig. kubectl shows it without secrets. */
interface KubeConfig {
  readonly clusters: readonly { readonly name: string; readonly cluster: { readonly server?: string } }[];
  readonly users: readonly {
    readonly name: string;
    readonly user: { readonly exec?: { readonly command?: string } };
  }[];
  readonly contexts: readonly {
    readonly context: { readonly cluster?: string; readonly user?: string };
  }[];
}

async function readConfig(): Promise<KubeConfig> {
  const config = JSON.parse(await kubectl(['config', 'view', '--output', 'json'])) as {
    [K in keyof KubeConfig]: KubeConfig[K] | null;
  };
  return { clusters: config.clusters ?? [], users: config.users ?? [], contexts: config.contexts ?? [] };
}

/** The user with which the contexts of a cluster sign in; null where there is none, or several. */
async function userOf(place: ConnectedPlace): Promise<string | null> {
  const { clusters, contexts } = await readConfig();
  const url = placeAddress(place);
  const names = clusters
    .filter(
      ({ cluster: { server } }) => server !== undefined && URL.parse(server)?.href === URL.parse(url)?.href,
    )
    .map(({ name }) => name);
  const users = new Set(
    contexts.flatMap(({ context: { cluster, user } }) =>
      cluster !== undefined && names.includes(cluster) && user !== undefined ? [user] : [],
    ),
  );
  const [only, ...others] = users;
  return only === undefined || others.length > 0 ? null : only;
}

/**
 * A new user at the end of the list, as kubectl writes one. Everything else stays byte for byte: kubectl itself writes the whole file and drops
 * its comments. Only lines of the new user are recorded: others may be tokens.
 */
async function planKubectl(
  _place: ConnectedPlace,
  { launcher, username }: WantedSetting,
): Promise<AddSetting> {
  const { users } = await readConfig();
  if (users.some(({ name, user }) => name === username && user.exec?.command !== launcher))
    throw new CommandFailure(exitCodes.failed, connectProblem.kubectlUser(username));
  const library = await import('yaml');
  const exec = {
    apiVersion: kubectlVersion,
    args: ['get'],
    command: launcher,
    env: null,
    interactiveMode: 'Never',
    provideClusterInfo: true,
  };
  const user = { name: username, user: { exec } };
  return (content, file) => {
    const before = readKubeFile(library, content);
    const users: unknown = before?.values['users'] ?? [];
    const place = before === null ? null : placeOfUser(before);
    if (before === null || place === null || !Array.isArray(users))
      throw new CommandFailure(exitCodes.failed, connectProblem.kubectlFormat(file));
    const others = users as readonly ({ readonly name?: unknown } | null)[];
    if (others.some((one) => one?.name === username))
      throw new CommandFailure(exitCodes.failed, connectProblem.kubectlUser(username));
    const lines = linesOfUser(library, user).map((line) => place.indent + line);
    const text = [...place.head, ...lines, ...place.end].join(place.lineBreak);
    const [start, end] = place.range;
    const becomes = asBytes(before.text.slice(0, start) + text + before.text.slice(end));
    const expected = { ...(place.isNewFile ? newKubeFile : before.values), users: [...others, user] };
    if (!isDeepStrictEqual(readKubeFile(library, becomes)?.values, expected))
      throw new CommandFailure(exitCodes.failed, connectProblem.kubectlFormat(file));
    return { text, before: before.text.slice(start, end), becomes };
  };
}

/** Loaded when a file is changed: the other commands need none of it. */
type Yaml = Pick<typeof yaml, 'parseAllDocuments' | 'stringify'>;

function linesOfUser({ stringify }: Yaml, user: object): readonly string[] {
  // What readers of YAML 1.1 take for a number or a switch is quoted.
  return stringify([user], { indentSeq: false, lineWidth: 0, version: '1.1' }).trimEnd().split('\n');
}

const newKubeFile = { apiVersion: 'v1', kind: 'Config' };

interface KubeFile {
  readonly text: string;
  readonly root: yaml.YAMLMap<yaml.Scalar, yaml.Node> | yaml.Scalar | null;
  readonly values: Readonly<Record<string, unknown>>;
}

/** One document with a map, or nothing; null for anything else. */
function readKubeFile({ parseAllDocuments }: Yaml, bytes: string): KubeFile | null {
  const text = asText(bytes);
  const parsed = parseAllDocuments(text);
  const [document, second] = Array.isArray(parsed) ? parsed : [];
  if (asBytes(text) !== bytes || second !== undefined || (document?.errors.length ?? 0) > 0) return null;
  try {
    const values: unknown = document?.toJS() ?? {};
    if (typeof values !== 'object' || values === null || Array.isArray(values)) return null;
    return { text, root: (document?.contents ?? null) as KubeFile['root'], values: { ...values } };
  } catch {
    return null; // aliases without an end
  }
}

interface UserPlace {
  /** What the new lines take the place of. */
  readonly range: readonly [start: number, end: number];
  /** What is before and after them. */
  readonly head: readonly string[];
  readonly end: readonly string[];
  readonly indent: string;
  readonly lineBreak: string;
  readonly isNewFile: boolean;
}

/** After the last user, in the place of an empty list, or at the end; null where the file has another form. */
function placeOfUser({ text, root }: KubeFile): UserPlace | null {
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  const usual = { end: [], indent: '', lineBreak, isNewFile: false };
  const last = text.trimEnd().length;
  const atEnd: UserPlace['range'] = [last, last];
  if (root === null) {
    const head = [...Object.entries(newKubeFile).map((pair) => pair.join(': ')), 'users:'];
    const isEmpty = last === 0;
    return {
      ...usual,
      range: atEnd,
      head: isEmpty ? head : ['', ...head],
      end: isEmpty ? [''] : [],
      isNewFile: true,
    };
  }
  if (!('items' in root) || root.flow === true) return null;
  const pair = root.items.find(({ key }) => key.value === 'users');
  if (pair === undefined) return { ...usual, range: atEnd, head: ['', 'users:'] };
  const [start, end] = pair.value?.range ?? [];
  const [keyStart] = pair.key.range ?? [];
  if (start === undefined || end === undefined || keyStart === undefined) return null;
  const list = pair.value as yaml.YAMLSeq | yaml.Scalar;
  const isEmpty = 'items' in list ? list.items.length === 0 : list.value === null;
  const after = text.slice(0, end).trimEnd().length;
  if (isEmpty) return { ...usual, range: [keyStart, after], head: ['users:'] };
  const line = text.slice(after).search(/[\r\n]|$/);
  const indent = text.slice(text.lastIndexOf('\n', start) + 1, start);
  return { ...usual, range: [after + line, after + line], head: [''], indent };
}

/** Whether the user ends where something follows it: another one, where it is not the first of a list of ours, or a line further left. */
function endsUser(rest: string, { text }: Pick<ToolSetting, 'text'>): boolean {
  const [line = '', ...lines] = rest.split('\n');
  if (!text.endsWith('\n') && !isBlank(line)) return false;
  const next = [...(text.endsWith('\n') ? [line] : []), ...lines].find((one) => !isBlank(one));
  if (next === undefined) return true;
  const depth = /^ *(?=- )/m.exec(text)?.[0].length ?? 0;
  const nextDepth = next.length - next.trimStart().length;
  const isNextUser = nextDepth === depth && next.trimStart().startsWith('-') && !next.startsWith('---');
  return nextDepth < depth || (nextDepth === depth && !(isNextUser && /^users:/m.test(text)));
}

function isBlank(line: string): boolean {
  return /^\s*(?:#|$)/.test(line);
}

/**
 * The content without our user where kubectl has written the file anew since, and its list with another indent; null where it has changed.
 * It may have a former name: a crash may have cut a replacement off.
 */
function withoutEdited(content: string, { setting }: ToolConnection): string | null {
  const lines = content.split('\n');
  const recorded = asBytes(setting.text).split(/\r?\n/);
  const first = recorded.findIndex((line) => line.trimStart().startsWith('- '));
  const indent = recorded[first]?.indexOf('- ') ?? 0;
  const user = recorded
    .slice(first)
    .filter((line) => line !== '')
    .map((line) => line.slice(indent));
  const at = lines.findIndex((line, start) => {
    const blanks = line.slice(0, line.indexOf('- '));
    return (
      isBlank(blanks) &&
      line.startsWith(`${blanks}- name:`) &&
      user.every((one, step) => step === 0 || lines[start + step]?.trimEnd() === blanks + one)
    );
  });
  const rest = lines.slice(at + user.length);
  if (at === -1 || !endsUser(rest.join('\n'), { text: `${lines[at] ?? ''}\n` })) return null;
  const others = lines.slice(0, at);
  const before = others.findLastIndex((line) => !isBlank(line));
  const isOnly =
    others[before]?.trim() === 'users:' &&
    !rest
      .find((line) => !isBlank(line))
      ?.trimStart()
      .startsWith('- ');
  if (isOnly) others[before] = others[before]?.replace('users:', 'users: []') ?? '';
  return [...others, ...rest].join('\n');
}

/** The first file of `KUBECONFIG`, where kubectl writes a new user. */
function kubeFile(): string {
  const { env } = commandIo();
  const [first] = (env['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '');
  return first ?? join(homeFolder(), '.kube', 'config');
}

/** Asks as client-go does. */
function askLauncher(place: ToolConnection, launcher: string): Promise<GivenToken> {
  const info = {
    apiVersion: kubectlVersion,
    kind: 'ExecCredential',
    spec: { interactive: false, cluster: { server: placeAddress(place) } },
  };
  return askProgram(launcher, ['get'], {
    env: { [kubectlVariable]: JSON.stringify(info) },
    read: (answer) => (answer as { status?: { token?: unknown } }).status?.token,
  });
}

/** Runs kubectl. Throws a failure of the command where it is not there, or fails. */
async function kubectl(args: readonly string[]): Promise<string> {
  const { end, stdout, stderr } = await runProgram('kubectl', args);
  if (end === 'done') return stdout;
  const said = {
    missing: connectProblem.noKubectl,
    late: connectProblem.programLate('kubectl'),
    failed: connectProblem.kubectlFailed(stderr.trim()),
  };
  throw new CommandFailure(exitCodes.failed, said[end]);
}
