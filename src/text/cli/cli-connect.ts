import type { ConnectionOutcome } from '../../contract/credential/credential-checks.ts';
import type { CheckLine, FileChange, LinesByHand } from '../../contract/credential/tool-command.ts';
import type { ToolConnection, ToolSetting } from '../../contract/credential/tool-connection.ts';
import { shellWord } from '../../contract/shell-word.ts';
import { isolated } from '../names.ts';
import { type CommandHelp, optionHelp } from './cli.ts';

/** What the commands about connected tools say. */

export const connectHelp = {
  description:
    'Connect tools that ask for the current token of a credential by the protocol that they already speak. A target is written to, a connection asks.',
  examples: [
    'rotavox connect git gitlab',
    'rotavox connect git gitlab --url https://gitlab.example.com/group --dry-run',
    'rotavox connect list',
    'rotavox connect check',
  ],
  credential: 'the name of the credential',
  url: 'the address that gets the token; a path in it limits it to what is below (default: the origin of the credential’s service)',
  username: 'the user name that is sent beside the token (default: what the service takes)',
  scheme: 'how the token is sent: basic, with the user name, or bearer, alone (git 2.46 or newer)',
  replace: 'replace the connection of this tool at this address',
  dryRun: 'only show what would change',
  id: optionHelp.id('connection', 'connect list'),
  git: {
    description:
      'Connect git: for one address it asks Rotavox, and nothing else. Shows the change of your git configuration, makes it and checks it.',
    examples: [
      'rotavox connect git gitlab',
      'rotavox connect git gitlab --url https://gitlab.example.com/group --username oauth2',
      'rotavox connect git gitlab --dry-run',
    ],
  },
  docker: {
    description:
      'Connect docker, podman, buildah and skopeo: for one registry they ask Rotavox. Shows the change of the configuration, makes it and checks it.',
    examples: [
      'rotavox connect docker gitlab --url https://registry.gitlab.example.com',
      'rotavox connect docker gitlab --url https://registry.gitlab.example.com:5050 --username oauth2',
    ],
    url: 'the address of the registry (default: where the service has it, if that is known)',
    replace:
      'replace the connection of this registry, and take the place of another helper or of a password in its configuration',
  },
  kubectl: {
    description:
      'Connect kubectl and what reads its configuration: a user of a cluster, whose token comes from Rotavox. Shows the change of the configuration, makes it and checks it.',
    examples: ['rotavox connect kubectl cluster --url https://cluster.example.com:6443'],
    url: 'the address of the cluster, as the configuration of kubectl has it',
    username:
      'the user in the configuration of kubectl (default: the one that the contexts of this cluster name)',
  },
  cargo: {
    description:
      'Connect cargo: for one registry it asks Rotavox. Shows the change of the configuration, makes it and checks it.',
    examples: [
      'rotavox connect cargo crates --url https://crates.example.com/index/',
      'rotavox connect cargo crates --url https://crates.example.com/index/ --scheme bearer',
    ],
    url: 'the address of the index, as the configuration of cargo has it',
    scheme:
      'how the token is sent: plain, as it is, or bearer, for registries that want the word Bearer before it (default: plain)',
    replace:
      'disconnect cargo from this registry first, and take the place of another provider or of a token in its files',
  },
  pnpm: {
    description:
      'Connect pnpm: for one registry it asks Rotavox. Shows the change of your .npmrc, makes it and checks it. At an address without a port, pnpm sends the token to every port of the host.',
    examples: ['rotavox connect pnpm packages --url https://npm.example.com/team/'],
    url: 'the address of the registry',
    replace:
      'disconnect pnpm from this registry first, and take the place of another token helper or of a token in its file',
  },
  terraform: {
    description:
      'Connect Terraform and OpenTofu: for one host they ask Rotavox. Shows the change of your .terraformrc (or of TF_CLI_CONFIG_FILE), makes it and checks it.',
    examples: ['rotavox connect terraform modules --url https://app.terraform.io'],
    url: 'the address of the host, without a path',
    replace:
      'disconnect Terraform from this host first, and take the place of another helper, which then is asked for no host',
  },
  go: {
    description:
      'Connect Go 1.24 or newer: for modules below one address it asks Rotavox. Shows the command that sets GOAUTH, which you run.',
    examples: ['rotavox connect go gitlab', 'rotavox connect go modules --url https://go.example.com/team'],
    url: 'the https address that gets the token (default: the origin of the credential’s service)',
    scheme: 'how the token is sent: basic, with the user name, or bearer, alone (default: basic)',
  },
  bazel: {
    description:
      'Connect Bazel 7 or newer: for one host it asks Rotavox. Shows the line for your .bazelrc, which you add.',
    examples: ['rotavox connect bazel cache --url https://cache.example.com'],
    url: 'the https address that gets the token; that of a remote cache with https instead of grpcs',
  },
  claude: {
    description:
      'Connect Claude Code: it asks Rotavox for the key of the API, or of a gateway. Shows the line for its settings, which you add.',
    examples: [
      'rotavox connect claude models',
      'rotavox connect claude gateway --url https://models.example.com',
    ],
    url: 'the address in ANTHROPIC_BASE_URL, if Claude Code has one (default: https://api.anthropic.com)',
  },
  codex: {
    description:
      'Connect Codex: for one provider of models it asks Rotavox. Shows the lines for its configuration, which you add.',
    examples: ['rotavox connect codex gateway --url https://models.example.com/v1'],
    url: 'the base_url of the provider in the configuration of Codex',
  },
  headers: {
    description:
      'Connect a client of MCP servers that has headersHelper, such as Claude Code: for one server it asks Rotavox. Shows the line for its configuration, which you add.',
    examples: ['rotavox connect headers things --url https://things.example.com/mcp'],
    url: 'the address of the MCP server',
  },
  pip: {
    description:
      'Have every new token written into the configuration of pip, as the password of its index: pip asks no other program. The index takes the place of PyPI for all installations. Shows the line first. This makes a target.',
    examples: [
      'rotavox connect pip packages --url https://pypi.example.com/simple',
      'rotavox connect pip packages --url https://pypi.example.com/simple --username me --dry-run',
    ],
    url: 'the address of the index',
    username: 'the user name before the token (default: __token__)',
    replace: 'take the place of the index that the file has; it does not come back',
  },
  npm: {
    description:
      'Have every new token written into the .npmrc of the account, for one registry: npm and yarn 1 ask no other program. Shows the line first. This makes a target.',
    examples: [
      'rotavox connect npm packages --url https://npm.example.com/team/',
      'rotavox connect npm packages --url https://npm.example.com/team/ --dry-run',
    ],
    url: 'the address of the registry',
    replace: 'take the place of the token that the file has; it does not come back',
  },
  list: {
    description: 'List the connected tools.',
    examples: ['rotavox connect list', 'rotavox connect list --json'],
  },
  check: {
    description:
      'Check one connection, or all: the program, the setting of the tool, what the tool gets, and whether the service takes the token. Exit code 1 if one fails.',
    examples: ['rotavox connect check', 'rotavox connect check con_…'],
  },
  repair: {
    description: 'Write the program and the setting of one connection again, or of all, and check them.',
    examples: ['rotavox connect repair', 'rotavox connect repair con_…'],
  },
} as const satisfies CommandHelp & Record<string, unknown>;

export const disconnectHelp = {
  description:
    'Disconnect a tool: takes its setting back as it was before. What somebody has edited since is left, and said.',
  examples: ['rotavox disconnect con_…', 'rotavox disconnect con_… --dry-run'],
} as const satisfies CommandHelp;

export const helperHelp = {
  description:
    'Answer a tool that asks for a token, by its protocol on stdin and stdout. Connected tools run this; `rotavox connect` sets them up.',
  examples: ['rotavox helper git get'],
  tool: 'the tool that asks',
  words: 'what the tool adds, such as get',
} as const satisfies CommandHelp & Record<string, unknown>;

type Named = Pick<ToolConnection, 'id' | 'tool' | 'origin' | 'path_prefix' | 'credential'>;

function placeOf({ origin, path_prefix: prefix }: Named): string {
  return prefix === undefined ? origin : `${origin}/${prefix}`;
}

/** Of a connection that outlived its credential, so that its setting can be taken back. */
function credentialOf({ credential }: Named): string {
  return credential === '' ? '(removed)' : credential;
}

export const connectProblem = {
  noGit: 'git was not found on the path.',
  programLate: (program: string) => `${program} did not end in time. Run it by hand to see why.`,
  gitFailed: (said: string) => `git failed: ${said}`,
  oldGit: (version: string) =>
    `git ${version} cannot send a token alone; 2.46 or newer can. Leave --scheme bearer out.`,
  gitContinues: (file: string) =>
    `The last line of ${file} ends with a backslash, so that whatever is added belongs to it. Remove the backslash, then try again.`,
  locked: (file: string, lock: string) =>
    `${file} is being changed by another program: ${lock} exists. If no program is changing it, remove ${lock} and try again.`,
  fileRefused: (file: string, reason: string) =>
    `${file} cannot be read or written: ${reason}. Correct that, then run the command again.`,
  noKubectl: 'kubectl was not found on the path.',
  kubectlFailed: (said: string) => `kubectl failed: ${said}`,
  kubectlUrl: '--url must be the https address of a cluster: kubectl sends no token over http.',
  kubectlUser: (user: string) => [
    `kubectl has a user ${user} already.`,
    `To do: kubectl config unset users.${user} removes it; or name another one with --username, for a context to use.`,
  ],
  kubectlFormat: (file: string) =>
    `${file} is not YAML as kubectl writes it, so it was left alone. Let kubectl write it once, without its comments: \`kubectl config set preferences.colors true\`, then \`kubectl config unset preferences.colors\`. Then try again.`,
  notOnWindows: (tool: string) =>
    `${tool} can be connected on Linux and macOS only: on Windows it looks for a program, and a script is none.`,
  dockerUrl:
    '--url must be the address of a registry, without a path, such as https://registry.example.com:5050',
  dockerFormat: (file: string) => [
    `${file} is not JSON as docker writes it, so it was left alone.`,
    `To do: write it with each member on a line of its own, as \`jq --tab . ${shellWord(file)}\` prints it, and repeat this command.`,
  ],
  noTool: (tool: string) => `${tool} was not found on the path.`,
  oldCargo: (version: string) => `${version} asks no other program for a token; 1.74 or newer does.`,
  notToml: (file: string, line: number | null) =>
    `${file} is not TOML${line === null ? '' : ` (line ${line})`}, so it was left alone. Correct it, then try again.`,
  noRegistry: (file: string, index: string) => [
    `${file} has no registry with the index ${index}.`,
    `To do: add it there, with a name of your choice: [registries.NAME] and, in the next line, index = "sparse+${index}/"`,
  ],
  cargoFormat: (file: string, name: string) =>
    `${file} has the registry ${name} in braces, twice or right after a byte order mark, so it was left alone. Write it as [registries.${name}], with its index in a line of its own, then try again.`,
  cargoToken: (file: string, name: string) => [
    `${file} has a token for the registry ${name}, which cargo no longer uses once it is connected.`,
    `To do: \`cargo logout --registry ${name}\` removes it; or repeat this command with --replace, and it stays there unused.`,
  ],
  pnpmToken: (file: string, registry: string) => [
    `${file} has a token or password for ${registry}, which pnpm no longer uses once it is connected; npm still does.`,
    'To do: remove it; or repeat this command with --replace, and it stays there.',
  ],
  pnpmTwice: (file: string, registry: string) =>
    `${file} has token helpers for ${registry} that cannot be told apart, so it was left alone. Remove them, then try again.`,
  pnpmPath: (path: string) =>
    `pnpm runs no program whose path has blanks or signs of a shell in it, and there is none without: ${path}. Write the token into your .npmrc instead: rotavox credential target --help explains settings files.`,
  otherRotavox: (tool: string, { found, program }: { readonly found: string; readonly program: string }) => [
    `${tool} asks ${program}, which is not of this data folder, and it can ask only one.`,
    `To do: disconnect ${tool} in that data folder (\`rotavox --data-dir FOLDER connect list\` shows what asks it), or remove ${found}; then repeat this command.`,
  ],
  goPath: (path: string) =>
    `Go cannot run a program whose path has a semicolon or both kinds of quotes in it: ${path}. Move the data folder.`,
  httpsUrl: (tool: string) => `--url must be an https address: ${tool} sends no token over http.`,
  terraformUrl: '--url must be the https address of a host, without a path, such as https://app.terraform.io',
  terraformToken: (file: string, host: string) => [
    `${file} has a token for ${host}, which Terraform uses before it asks Rotavox.`,
    `To do: remove it, for example by \`terraform logout ${host}\` while no helper is set up, and try again.`,
  ],
  terraformFormat: (file: string, block: string) =>
    `${file} has credential helpers that cannot be told apart, so it was left alone. Put in their place: ${block}`,
  otherHelper: (file: string, server: string, helper: string) => [
    `${file} has the helper ${helper} for ${server}.`,
    'To do: `rotavox connect … --replace` takes its place. Disconnecting brings it back.',
  ],
  helperArguments: (file: string, server: string, helper: string) => [
    `${file} has the helper ${helper} for ${server}, with arguments. They may be secrets, which Rotavox does not record, so it was left alone.`,
    'To do: remove this helper from the file, and repeat this command. Disconnecting does not bring it back.',
  ],
  plainPassword: (file: string, server: string) => [
    `${file} has a password for ${server}, which docker no longer uses once it is connected.`,
    `To do: \`docker logout ${server}\` removes it; or repeat this command with --replace, and it stays there unused.`,
  ],
  unknownTool: (id: string, tool: string) =>
    `${id} connects ${tool}, which this version of Rotavox does not know.`,
  urlNeeded: (tool: string, credential: string) =>
    `It is not known where ${tool} uses the token of “${isolated(credential)}”. Add --url https://…`,
  userNeeded: (credential: string) =>
    `It is not known which user name goes with the token of “${isolated(credential)}”. Add --username NAME`,
  url: '--url must be an https address without a user, or http on this machine, such as https://gitlab.example.com/group',
  notHere:
    'Tools are connected to the service of their own machine. Leave --host and ROTAVOX_HOST out, or run this on that machine.',
  exists: (one: Named) => [
    `${one.tool} is already connected for ${placeOf(one)}, with ${credentialOf(one)} (${one.id}).`,
    `To do: repeat this command with --replace, or \`rotavox disconnect ${one.id}\``,
  ],
  writtenAlready: (tool: string, name: string, id: string) =>
    `The token of “${isolated(name)}” is written for ${tool} already (${id}). To end that: \`rotavox credential target ${shellWord(name)} remove ${id}\``,
  valueThere: (file: string, key: string) => [
    `${file} has a value for ${key} already, so it was left alone.`,
    'To do: repeat this command with --replace, and the token takes its place. It does not come back.',
  ],
  recordedOnly: (id: string) =>
    `The connection is recorded, and its setting is missing. Once this is corrected: \`rotavox connect repair ${id}\``,
  checksFail: 'A check failed.',
} as const;

/** The change of a file: the lines that go, and those that come. */
export function fileChange({ file, text, before }: ToolSetting): FileChange {
  const [old, lines] = [before, text].map((part) =>
    part
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => line.replaceAll('\t', '    ')),
  ) as [string[], string[]];
  // What is recorded may begin with the line before, which says where it belongs.
  const start = old.findIndex((line, at) => line !== lines[at]);
  const same = start === -1 ? old.length : start;
  return { file, removed: old.slice(same), added: lines.slice(same) };
}

/** The change that takes a setting back. */
export function undoingChange(setting: ToolSetting): FileChange {
  return fileChange({ ...setting, text: setting.before, before: setting.text });
}

export function changeLines({ file, removed, added }: FileChange): string[] {
  return [file, ...removed.map((line) => `  - ${line}`), ...added.map((line) => `  + ${line}`)];
}

export function handLines({ where, lines }: LinesByHand): string[] {
  return [where, ...lines.map((line) => `  ${line}`)];
}

export const connectText = {
  none: 'No tool is connected. Connect one: `rotavox connect git CREDENTIAL`',
  columns: ['id', 'tool', 'address', 'credential', 'user', 'scheme'],
  row: (connection: ToolConnection) => [
    connection.id,
    connection.tool,
    placeOf(connection),
    credentialOf(connection),
    connection.username,
    connection.scheme,
  ],
  othersBefore: (tool: string, helpers: readonly { readonly value: string; readonly file: string }[]) =>
    helpers
      .filter(({ value }) => value !== '')
      .map(({ value, file }) => `${tool} will not ask ${value} (${file}) for this address.`),
  dryRun: 'Nothing was changed.',
  linked: (link: string, launcher: string) => `${link} leads to ${launcher}.`,
  connectedByHand: (one: Named) =>
    `With what is shown above, ${one.tool} asks Rotavox for the token of ${one.credential} at ${placeOf(one)}.`,
  connected: (one: Named) =>
    `${one.tool} asks Rotavox for the token of ${one.credential} at ${placeOf(one)}.`,
  undo: ({ id }: Named) => `To undo: \`rotavox disconnect ${id}\``,
  wouldMakeFile: (file: string, key: string) =>
    `${file} would be made, with ${key} in it. Nothing was changed.`,
  undoFile: (tool: string, name: string, id: string) =>
    `To have ${tool} get no new token: \`rotavox credential target ${shellWord(name)} remove ${id}\``,
  undone: (one: Named) => `${one.tool} no longer asks Rotavox at ${placeOf(one)}.`,
  undoneFile: (file: string) => `${file} is as it was without the connection.`,
  leftFile: (file: string, mark: string) =>
    `${file} was edited since, so it was left alone. Remove what has ${mark} in it by hand.`,
  wouldLeave: (file: string, mark: string) =>
    `${file} was edited since, so it would be left alone. Then remove what has ${mark} in it by hand.`,
  removeByHand: (tool: string, mark: string) =>
    `Remove what has ${mark} in it from the configuration of ${tool}, by hand.`,
  sharedFile: (file: string, tool: string) =>
    `${file} still names the program, for the other connections of ${tool}.`,
  missingFile: (file: string) => `${file} no longer has the setting.`,
  check: (one: Named) => `${one.id}  ${one.tool} at ${placeOf(one)}, ${credentialOf(one)}`,
  checkLine: ({ passes, text }: CheckLine) => `  ${resultText(passes)}  ${text}`,
} as const;

/** In one width, so that what follows is in one column. */
function resultText(passes: CheckLine['passes']): string {
  if (passes === null) return '-     ';
  return passes ? 'ok    ' : 'failed';
}

/** Where a person adds the line that follows. */
export const handText = {
  go: 'Run this once; if GOAUTH is set already, add the first part to what it is, in front:',
  bazel: 'Add this line to ~/.bazelrc, not to a file of a project:',
  bazelLink: (path: string, id: string) =>
    `Bazel 7 runs no program whose path has letters outside ASCII. Make a link to it (ln -s ${shellWord(path)} ~/${id}) and write the path of the link in this line, which belongs in ~/.bazelrc, not in a file of a project:`,
  claude: 'Add this member to ~/.claude/settings.json:',
  codex: (url: string) =>
    `Add these lines to ~/.codex/config.toml, with the NAME of the provider that has the base_url ${url}:`,
  headers: (url: string) =>
    `Add this member beside the address ${url} in the configuration of the MCP server, for Claude Code in ~/.claude.json:`,
} as const;

/** What each check found. */
export const checkText = {
  launcher: (path: string): CheckLine => ({ passes: true, text: `The program ${path} can be run.` }),
  noLauncher: (path: string, id: string): CheckLine => ({
    passes: false,
    text: `The program ${path} is missing or cannot be run. Write it again: \`rotavox connect repair ${id}\``,
  }),
  setting: (file: string): CheckLine => ({ passes: true, text: `${file} names the program.` }),
  noSetting: (file: string, id: string): CheckLine => ({
    passes: false,
    text: `${file} does not name the program. Add it again: \`rotavox connect repair ${id}\``,
  }),
  otherFolder: (file: string, launcher: string, id: string): CheckLine => ({
    passes: false,
    text: `${file} names another program than ${launcher}, as after a move of the data folder. Disconnect, then connect again: \`rotavox disconnect ${id}\``,
  }),
  edited: (file: string): CheckLine => ({
    passes: true,
    text: `${file} names the program; the section was edited since.`,
  }),
  onPath: (name: string): CheckLine => ({ passes: true, text: `${name} is on the path.` }),
  notOnPath: (name: string, launcher: string): CheckLine => ({
    passes: false,
    text: `${name} is not on the path. Make a link in a folder of the path: ln -s ${shellWord(launcher)} /usr/local/bin/${name}`,
  }),
  earlierLogin: (file: string, name: string): CheckLine => ({
    passes: false,
    text: `${file} has a login for ${name}, which podman, buildah and skopeo use before they ask Rotavox. Remove it: \`podman logout ${name}\`, or the same command of buildah or skopeo`,
  }),
  earlierHelper: (file: string, name: string): CheckLine => ({
    passes: false,
    text: `${file} names another program for ${name}, which podman, buildah and skopeo ask before Rotavox. Remove that line from its credHelpers`,
  }),
  linked: (link: string): CheckLine => ({ passes: true, text: `${link} leads to the program.` }),
  notLinked: (link: string, launcher: string): CheckLine => ({
    passes: false,
    text: `${link} is missing. Make a link: ln -sf ${shellWord(launcher)} ${shellWord(link)}`,
  }),
  kubectlAsks: (user: string): CheckLine => ({
    passes: true,
    text: `kubectl asks Rotavox for the token of the user ${user}.`,
  }),
  kubectlAsksNot: (user: string): CheckLine => ({
    passes: false,
    text: `kubectl does not ask Rotavox for the token of the user ${user}.`,
  }),
  alone: (tool: string): CheckLine => ({
    passes: true,
    text: `${tool} asks no other program for this address.`,
  }),
  switchedOff: (file: string): CheckLine => ({
    passes: false,
    text: `${file} has an empty helper after ours, so git does not ask Rotavox. Remove it, or move it up.`,
  }),
  after: ({ value, file }: { readonly value: string; readonly file: string }): CheckLine => ({
    passes: false,
    text: `${value} (${file}) comes after Rotavox: git hands the token to it. Remove it, or limit it to other addresses.`,
  }),
  asked: (tool: string): CheckLine => ({ passes: true, text: `${tool} asks Rotavox for this address.` }),
  notAsked: (tool: string): CheckLine => ({
    passes: false,
    text: `${tool} does not ask Rotavox for this address.`,
  }),
  gets: (tool: string): CheckLine => ({ passes: true, text: `${tool} gets the current token.` }),
  getsOther: (tool: string): CheckLine => ({
    passes: false,
    text: `${tool} gets another password. A user name for this address in its configuration may differ.`,
  }),
  getsNone: (tool: string, said: string): CheckLine => ({
    passes: false,
    text: `${tool} gets no token${said === '' ? '.' : `: ${said}`}`,
  }),
  late: (program: string) => `${program} did not answer in time and was ended.`,
  notJson: (program: string) =>
    `${program} does not answer as the program of Rotavox does. See which one it is.`,
  failed: (lines: readonly string[]): CheckLine => ({ passes: false, text: lines.join(' ') }),
  /** A service that cannot be asked says nothing of the connection, and neither does one whose token is being rotated. */
  tested: (outcome: ConnectionOutcome, message: string): CheckLine => ({
    passes: outcome === 'unknown' || outcome === 'busy' ? null : outcome === 'works',
    text: message,
  }),
} as const;
