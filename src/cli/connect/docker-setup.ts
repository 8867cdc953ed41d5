import { accessSync, constants, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { CheckLine } from '../../contract/credential/tool-command.ts';
import { dockerProgram } from '../../contract/credential/connected-tools.ts';
import type { ToolConnection, ToolSetting } from '../../contract/credential/tool-connection.ts';
import { checkText, connectProblem } from '../../text/cli/cli-connect.ts';
import { CommandFailure, exitCodes, wrongUsage } from '../command-failure.ts';
import { commandIo } from '../command-io.ts';
import { dockerHub, dockerServer, dockerServers } from './tool-protocols.ts';
import {
  type AddSetting,
  anotherThan,
  asBytes,
  askProgram,
  asText,
  homeFolder,
  linkTarget,
  type OtherProgram,
  readBytes,
  type ToolSetup,
} from './tool-setting.ts';
import { isUsableAt } from './usable-place.ts';

/** What docker calls our program: what follows `docker-credential-`. */
const helperName = 'rotavox';

/** Docker, and what shares its configuration: for one registry it runs `docker-credential-rotavox`, which it looks for on its path. */
// see decisions/connections.md
export const dockerSetup: ToolSetup = {
  tool: 'docker',
  address(written) {
    return isHub(written) ? dockerHub.origin : written;
  },
  mark: ({ origin }) => lineOf(dockerServer(origin), helperName),
  require(wanted) {
    const refusal = refusalOf(wanted);
    return refusal === null ? Promise.resolve() : Promise.reject(refusal);
  },
  file: configFile,
  plan({ origin }, { launcher, mayReplace }) {
    const other = otherProgram(launcher);
    if (other !== null) {
      const said = connectProblem.otherRotavox('docker', other);
      return Promise.reject(new CommandFailure(exitCodes.failed, said));
    }
    return Promise.resolve((content, file) =>
      addHelper(content, { file, servers: dockerServers(origin), mayReplace }),
    );
  },
  othersBefore: () => Promise.resolve([]),
  link(launcher) {
    const [folder] = ownFolders();
    if (folder === undefined || foundProgram() !== null) return null;
    const link = join(folder, dockerProgram);
    mkdirSync(folder, { recursive: true });
    if (existsSync(link)) return null;
    // One of a data folder that is gone.
    if (linkTarget(link) !== null) rmSync(link);
    symlinkSync(launcher, link);
    return link;
  },
  unlink(launcher) {
    for (const folder of ownFolders()) {
      const link = join(folder, dockerProgram);
      if (linkTarget(link) === launcher) rmSync(link);
    }
  },
  withoutEdited,
  checkPlace: (_connection, launcher) => Promise.resolve([checkPath(launcher)]),
  checkOthers: ({ origin }) => earlierLogins(origin),
  ask: ({ origin }) =>
    askProgram(dockerProgram, ['get'], {
      input: dockerServer(origin),
      read: (answer) => (answer as { Secret?: unknown }).Secret,
    }),
};

/** Whether people, docker or podman mean Docker Hub. */
function isHub(written: string): boolean {
  const { protocol, host, pathname } = URL.parse(written) ?? {};
  const isHost = host === dockerHub.short || host === `index.${dockerHub.short}`;
  return protocol === 'https:' && isHost && /^\/(?:v1\/?)?$/.test(pathname ?? '');
}

/** A member of `credHelpers`, as it is printed. */
function lineOf(server: string, helper: string): string {
  return `${JSON.stringify(server)}: ${JSON.stringify(helper)}`;
}

interface DockerConfig {
  readonly auths?: Readonly<Record<string, object>>;
  readonly credHelpers?: Readonly<Record<string, string>>;
}

function configFile(): string {
  const named = commandIo().env['DOCKER_CONFIG'] ?? '';
  return join(named === '' ? join(homeFolder(), '.docker') : named, 'config.json');
}

/** Why docker cannot be connected as it is wanted; null: it can. */
function refusalOf({ mayReplace, ...place }: Parameters<ToolSetup['require']>[0]): CommandFailure | null {
  if (process.platform === 'win32')
    return new CommandFailure(exitCodes.failed, connectProblem.notOnWindows('docker'));
  if (!isUsableAt('docker', place)) return wrongUsage(connectProblem.dockerUrl);
  const file = configFile();
  const { auths = {} } = readPrinted(readBytes(file) ?? '')?.config ?? {};
  const server = dockerServers(place.origin).find((one) => hasLogin(auths[one]));
  return server !== undefined && !mayReplace
    ? new CommandFailure(exitCodes.failed, connectProblem.plainPassword(file, server))
    : null;
}

function hasLogin(entry: unknown): boolean {
  return typeof entry === 'object' && entry !== null && Object.keys(entry).length > 0;
}

/**
 * A line in `credHelpers` for each name, at its beginning, so that no other line changes.
 *
 * Docker writes the whole file anew at each login. A file that is formatted in another way than programs do is left to the person:
 * writing it anew would record what else stands in the changed lines, such as a password.
 */
function addHelper(
  content: string,
  {
    file,
    servers,
    mayReplace,
  }: { readonly file: string; readonly servers: readonly string[]; readonly mayReplace: boolean },
): ReturnType<AddSetting> {
  if (content.trim() === '') {
    const lines = servers.map((server) => lineOf(server, helperName)).join(',\n\t\t');
    const made = `{\n\t"credHelpers": {\n\t\t${lines}\n\t}\n}\n`;
    return { text: made, before: asText(content), becomes: asBytes(made) };
  }
  const read = readPrinted(content);
  if (read === null) throw new CommandFailure(exitCodes.failed, connectProblem.dockerFormat(file));
  const { config, print } = read;
  const { credHelpers } = config;
  const taken = servers.find((server) => credHelpers?.[server] !== undefined);
  if (taken !== undefined && !mayReplace)
    throw new CommandFailure(
      exitCodes.failed,
      connectProblem.otherHelper(file, taken, credHelpers?.[taken] ?? ''),
    );
  const ours = Object.fromEntries(servers.map((server) => [server, helperName]));
  // The order of what is there stays.
  const helpers = { ...ours, ...credHelpers, ...ours };
  const becomes = print(
    credHelpers === undefined ? { credHelpers: helpers, ...config } : { ...config, credHelpers: helpers },
  );
  return { ...changedLines(content, becomes), becomes };
}

interface PrintedConfig {
  readonly config: DockerConfig;
  /** In the same form, as bytes. */
  readonly print: (config: object) => string;
}

function readConfig(content: string): DockerConfig | null {
  let config: unknown;
  try {
    config = JSON.parse(content);
  } catch {
    return null; // no JSON
  }
  return typeof config !== 'object' || Array.isArray(config) ? null : config;
}

/** A file as programs print JSON, each member on a line of its own; null for any other. */
function readPrinted(bytes: string): PrintedConfig | null {
  const content = asText(bytes);
  const config = readConfig(content);
  if (config === null) return null;
  const indent = /^\{\n([ \t]{1,8})/.exec(content)?.[1] ?? '\t';
  const end = content.endsWith('\n') ? '\n' : '';
  const print = (value: object) => asBytes(JSON.stringify(value, null, indent) + end);
  return print(config) === bytes ? { config, print } : null;
}

/**
 * A configuration without this password of a registry, as `docker login` with a helper leaves it; as it is where it has another form. Another
 * password of the same registry stays: Docker Hub has two names.
 */
export function withoutPassword(
  content: string,
  { url, password }: { readonly url: string; readonly password: string },
): string {
  const read = readPrinted(content);
  if (read === null) return content;
  const { auths = {} } = read.config;
  const left = dockerServers(url).flatMap((server) => {
    const { auth, ...rest } = (auths[server] ?? {}) as { readonly auth?: unknown };
    const isOurs = typeof auth === 'string' && readLogin(auth)?.password === password;
    return isOurs ? [[server, rest] as const] : [];
  });
  return left.length === 0
    ? content
    : read.print({ ...read.config, auths: { ...auths, ...Object.fromEntries(left) } });
}

/** `user:password` in base64; a password may have colons in it (RFC 7617). Null for anything else. */
export function readLogin(auth: string): { readonly username: string; readonly password: string } | null {
  const login = Buffer.from(auth, 'base64').toString();
  const sign = login.indexOf(':');
  return sign === -1 ? null : { username: login.slice(0, sign), password: login.slice(sign + 1) };
}

/** The lines that differ, with the line before them, which says where they belong. */
function changedLines(before: string, after: string): Pick<ToolSetting, 'text' | 'before'> {
  const old = before.split('\n');
  const lines = after.split('\n');
  let start = 0;
  while (start < old.length && old[start] === lines[start]) start += 1;
  let end = 0;
  while (end < old.length - start && old.at(-1 - end) === lines.at(-1 - end)) end += 1;
  const differing = (all: readonly string[]) =>
    asText(all.slice(Math.max(0, start - 1), all.length - end).join('\n'));
  return { text: differing(lines), before: differing(old) };
}

/** The content without our line where docker has written the file anew since; null where it is not as programs write it. */
function withoutEdited(content: string, { origin, setting }: ToolConnection): string | null {
  const read = readPrinted(content);
  const servers = dockerServers(origin);
  if (read?.config.credHelpers?.[servers[0]] !== helperName) return null;
  const { credHelpers, ...rest } = read.config;
  const others = Object.entries(credHelpers).filter(
    ([server, helper]) => !(servers.includes(server) && helper === helperName),
  );
  const before = servers.flatMap((server) => Object.entries(helperBefore(setting.before, server)));
  const helpers = Object.fromEntries([...others, ...before]);
  return read.print(Object.keys(helpers).length === 0 ? rest : { ...read.config, credHelpers: helpers });
}

/** The helper that ours took the place of. */
function helperBefore(before: string, server: string): Record<string, string> {
  const start = `${JSON.stringify(server)}: `;
  const line = before.split('\n').find((one) => one.trim().startsWith(start));
  if (line === undefined) return {};
  const helper: unknown = JSON.parse(line.trim().slice(start.length).replace(/,$/, ''));
  return typeof helper === 'string' ? { [server]: helper } : {};
}

/**
 * Logins of a registry that podman, buildah and skopeo have in files of their own and use before they read the configuration of docker
 * (containers-auth.json(5)). Their `login` makes one beside a connection, too, and it goes stale.
 */
function earlierLogins(origin: string): readonly CheckLine[] {
  return earlierFiles().flatMap((file) => {
    const { auths, credHelpers } = readConfig(asText(readBytes(file) ?? '')) ?? {};
    const servers = dockerServers(origin);
    // A helper of a file comes before its passwords.
    const asked = servers.find((server) => credHelpers?.[server] !== undefined);
    if (asked !== undefined)
      return credHelpers?.[asked] === helperName ? [] : [checkText.earlierHelper(file, asked)];
    const name = loginIn(auths, servers);
    return name === undefined ? [] : [checkText.earlierLogin(file, name)];
  });
}

/** The name that a login stands under: a registry, or a part of it. */
function loginIn(auths: DockerConfig['auths'], servers: readonly string[]): string | undefined {
  const isBelow = (name: string) =>
    servers.some((server) => name === server || name.startsWith(`${server}/`));
  return Object.entries(auths ?? {}).find(([name, entry]) => isBelow(name) && hasLogin(entry))?.[0];
}

function earlierFiles(): readonly string[] {
  const {
    REGISTRY_AUTH_FILE: named = '',
    XDG_RUNTIME_DIR: runtime = '',
    XDG_CONFIG_HOME = '',
  } = commandIo().env;
  if (named !== '') return [named];
  const config = XDG_CONFIG_HOME === '' ? join(homeFolder(), '.config') : XDG_CONFIG_HOME;
  const run =
    runtime === '' ? join('/run/containers', String(process.getuid?.())) : join(runtime, 'containers');
  return [join(run, 'auth.json'), join(config, 'containers', 'auth.json')];
}

function checkPath(launcher: string): CheckLine {
  const other = otherProgram(launcher);
  if (other !== null) return checkText.failed(connectProblem.otherRotavox('docker', other));
  return foundProgram() === null
    ? checkText.notOnPath(dockerProgram, launcher)
    : checkText.onPath(dockerProgram);
}

/** The program that docker, started here, runs in the place of ours; null for none. */
function otherProgram(launcher: string): OtherProgram | null {
  const found = foundProgram();
  return found === null ? null : anotherThan(launcher, found);
}

/** What docker, started here, finds by the name of our program. */
function foundProgram(): string | null {
  const files = searchPath().map((folder) => join(folder, dockerProgram));
  return files.find((file) => isExecutable(file)) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function searchPath(): readonly string[] {
  return (commandIo().env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
}

/** Folders of the account on its path, where a link may be made. */
function ownFolders(): readonly string[] {
  return [join(homeFolder(), '.local', 'bin'), join(homeFolder(), 'bin')].filter((folder) =>
    searchPath().includes(folder),
  );
}
