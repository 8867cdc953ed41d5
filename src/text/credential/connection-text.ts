import { type ConnectedTool, idOfDryRun } from '../../contract/credential/connected-tools.ts';
import type { CheckLine, ConnectedToolAnswer, ToolObstacle } from '../../contract/credential/tool-command.ts';
import type { ToolConnection } from '../../contract/credential/tool-connection.ts';

/** What is said about connected tools. */
export const connectionText = {
  /** The answer did not come in time although the vault works. */
  late: 'The token was not there in time: it is being rotated. Try again.',
  accepted: (service: string, tool: string) =>
    `${service} accepts the token, and ${tool} was refused. Check the scope of the token and the user name.`,
} as const;

/** Why a window connects no tools, and what to do. */
export const toolObstacleText: Readonly<Record<ToolObstacle, string>> = {
  of_team:
    'Tools are connected to a Rotavox on their own machine, and this is a host of a team. Add the token to a Rotavox of your own, or a target here.',
  system_account:
    'This Rotavox runs as an account of the system, so a window of it cannot change the files of your tools. Add the token to a Rotavox of your own account, or a target here.',
  no_command_line:
    'The command line is not part of this installation, and it is what connects tools. It comes with the Debian package and the npm package.',
};

/** What is said where a command that was run for a window did not do what it should. */
export const toolCommandText = {
  late: (seconds: number) =>
    `The command did not end within ${seconds} seconds and was stopped. The list shows whether the tool is connected. Run the command in a terminal to see what it waits for.`,
  notStarted: 'The command line of Rotavox could not be started. Restart Rotavox, or install it again.',
  closing: 'Rotavox is being closed. Try again when it runs.',
  noReason: 'The command failed and did not say why. Run it in a terminal to see more.',
} as const;

/** A connected tool in the list of who has the token. */
export const toolRowText = {
  kind: 'Tool',
  who: ({ tool, origin, path_prefix: prefix }: Pick<ToolConnection, 'tool' | 'origin' | 'path_prefix'>) =>
    `${tool} at ${origin}${prefix === undefined ? '' : `/${prefix}`}`,
  asked: (which: string) => `asks for it, last {at} (${which})` as const,
  notYet: 'asks for it, not yet since it was connected',
  check: 'Check now',
  checking: 'Checking …',
  disconnect: 'Disconnect…',
} as const;

/** What will change in the files of a tool. */
export const toolChangeText = {
  title: 'What will change',
  asking: 'Looking …',
  noFile: 'Rotavox changes no file of this tool.',
  link: 'If the tool does not find the program of Rotavox yet, a link to it is made where the tool looks.',
  withoutId: (line: string) => line.replaceAll(idOfDryRun, 'con_…'),
  others: (helpers: ConnectedToolAnswer['other_helpers']): string[] =>
    helpers.map(({ name, file }) => `${name ?? 'A helper'} (${file}) will not be asked for this address.`),
  copied: 'the lines',
} as const;

/** What a check of a connection has found. */
export const checkResultText = {
  title: (checks: readonly CheckLine[]): string => {
    if (checks.some(({ passes }) => passes === false)) return 'A check failed';
    return checks.every(({ passes }) => passes === true) ? 'All checks pass' : 'No check failed';
  },
  list: 'Checks',
  outcome: (passes: boolean | null): string => {
    if (passes === null) return 'Not known:';
    return passes ? 'Passes:' : 'Fails:';
  },
} as const;

/** The dialog that connects a tool. */
export const toolDialogText = {
  title: 'Connect a tool',
  lead: 'The tool asks for the current token by itself, for one address and nothing else. No file has the token. The configuration of the tool is changed on the computer where Rotavox runs.',
  tool: 'Tool',
  tools: {
    git: 'git',
    docker: 'docker, podman, buildah, skopeo',
    kubectl: 'kubectl',
    cargo: 'cargo',
    pnpm: 'pnpm',
    terraform: 'Terraform, OpenTofu',
    go: 'Go',
    bazel: 'Bazel',
    claude: 'Claude Code',
    codex: 'Codex',
    headers: 'MCP server, by headersHelper',
  },
  url: { label: 'Address', hint: 'The server where the tool uses the token, with https://' },
  urlError: 'Must be an https address, or http on this machine.',
  urlTrouble: {
    no_https: 'Must be an https address: this tool sends no token over http.',
    path: 'Must be the address of the server alone, without a path.',
  },
  username: { label: 'User name', hint: 'What the tool sends beside the token' },
  kubectlUser: {
    label: 'User name',
    hint: 'The user in the configuration of kubectl. Empty: the one that the contexts of this cluster name.',
  },
  incomplete:
    'Enter what is missing to see what will change. Nothing is written before you connect the tool.',
  replace: {
    label: 'Replace what is there (--replace)',
    hint: 'Replaces a connection, a helper or a password for this address.',
  },
  inTerminal: 'In a terminal',
  copied: 'the command',
  cancel: 'Cancel',
  connect: 'Connect',
  connecting: 'Connecting …',
  doneTitle: 'Tool connected',
  done: (who: string, isByHand: boolean) =>
    isByHand
      ? `Add these lines, and ${who} asks Rotavox for the token.`
      : `${who} now asks Rotavox for the token.`,
  close: 'Close',
} as const satisfies { readonly tools: Readonly<Record<ConnectedTool, string>> } & Record<string, unknown>;

/** The dialog that disconnects one. */
export const disconnectDialogText = {
  title: (who: string) => `Disconnect ${who}?`,
  lead: 'Rotavox then gives it no tokens. The token itself keeps working.',
  inTerminal: 'In a terminal',
  copied: 'the command',
  cancel: 'Cancel',
  disconnect: 'Disconnect',
  disconnecting: 'Disconnecting …',
  done: 'It is disconnected.',
  close: 'Close',
} as const;
