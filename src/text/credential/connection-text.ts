import type { ToolObstacle } from '../../contract/credential/tool-command.ts';
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
    `It was not done after ${seconds} seconds and was ended. A tool may be waiting for something: run the command in a terminal to see what.`,
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
  open: 'Check, disconnect…',
} as const;

/** The dialog that connects a tool, and the one that checks or disconnects it: both show lines for a terminal. */
export const toolDialogText = {
  title: 'Connect a tool',
  lead: 'The tool asks for the current token by itself, for one address and nothing else. No file has the token.',
  tool: 'Tool',
  url: { label: 'Address', hint: 'The server where the tool uses the token, with https://' },
  urlError: 'Must be an https address, or http on this machine.',
  username: { label: 'User name', hint: 'What the tool sends beside the token' },
  incomplete: 'Enter what is missing, and the command appears here.',
  run: 'Run this in a terminal. It shows what it changes in the configuration of the tool, or what you add there, checks it and says how to undo it. With `--dry-run` it only shows that.',
  noCommandLine:
    'The command line is not part of this installation, and it is what connects tools. It comes with the Debian package and the npm package.',
  copied: 'the command',
  placeTitle: (who: string) => `Check or disconnect ${who}`,
  check: 'Check what the tool gets, and whether the service takes it:',
  disconnect: ({ file }: ToolConnection['setting']) =>
    file === ''
      ? 'Disconnect it, and take what you added out of its configuration:'
      : `Disconnect it. ${file} is then as it was before:`,
  close: 'Close',
} as const;
