import { connectedTools } from '../../contract/credential/connected-tools.ts';
import type { FileChange, LinesByHand } from '../../contract/credential/tool-command.ts';
import {
  type ToolConnection,
  ConnectionScheme,
  ConnectionUser,
  SentUser,
} from '../../contract/credential/tool-connection.ts';
import type { CommandHelp } from '../../text/cli/cli.ts';
import {
  changeLines,
  connectHelp,
  connectProblem,
  connectText,
  disconnectHelp,
  handLines,
  helperHelp,
  undoingChange,
} from '../../text/cli/cli-connect.ts';
import type { GlobalOptions } from '../chosen-data-dir.ts';
import { CommandFailure, exitCodes } from '../command-failure.ts';
import { type CommandGroup, customCommand, routeCommand, type TableCommand } from '../command-table.ts';
import { readings } from '../readings.ts';
import { answerTool } from '../connect/answer-tool.ts';
import { cargoSetup } from '../connect/cargo-setup.ts';
import { checkConnection, launcherOf } from '../connect/check-connection.ts';
import {
  connect,
  disconnect,
  isNeeded,
  makeLink,
  portalHere,
  type UndoneState,
  repairSetting,
} from '../connect/connect-tool.ts';
import { dockerSetup } from '../connect/docker-setup.ts';
import { gitSetup } from '../connect/git-setup.ts';
import { type HandSetup, handSetups } from '../connect/hand-setups.ts';
import { kubectlSetup } from '../connect/kubectl-setup.ts';
import { pnpmSetup } from '../connect/pnpm-setup.ts';
import { terraformSetup } from '../connect/terraform-setup.ts';
import { setupOf } from '../connect/tool-setups.ts';
import { undoneState } from '../connect/tool-setting.ts';
import type { Portal } from '../open-portal.ts';
import { byFileCommands } from './connect-by-file.ts';
import { print, printJson, say } from '../terminal.ts';

interface ManyOptions extends GlobalOptions {
  readonly json: boolean;
}

export const connectCommands: CommandGroup = {
  help: connectHelp,
  isLocal: true,
  commands: {
    git: customCommand({
      help: connectHelp.git,
      arguments: { '<credential>': connectHelp.credential },
      options: {
        '--url <url>': connectHelp.url,
        '--username <name>': { help: connectHelp.username, schema: SentUser },
        '--scheme <scheme>': { help: connectHelp.scheme, schema: ConnectionScheme.exclude(['plain']) },
        '--replace': connectHelp.replace,
        '--dry-run': connectHelp.dryRun,
      },
      run: ({ credential, ...options }) => connect(gitSetup, credential, options),
    }),
    docker: customCommand({
      help: connectHelp.docker,
      arguments: { '<credential>': connectHelp.credential },
      options: {
        '--url <url>': connectHelp.docker.url,
        '--username <name>': { help: connectHelp.username, schema: SentUser },
        '--replace': connectHelp.docker.replace,
        '--dry-run': connectHelp.dryRun,
      },
      run: ({ credential, ...options }) => connect(dockerSetup, credential, options),
    }),
    kubectl: customCommand({
      help: connectHelp.kubectl,
      arguments: { '<credential>': connectHelp.credential },
      options: {
        '--url <url>': connectHelp.kubectl.url,
        '--username <name>': { help: connectHelp.kubectl.username, schema: ConnectionUser },
        '--replace': connectHelp.replace,
        '--dry-run': connectHelp.dryRun,
      },
      run: ({ credential, ...options }) => connect(kubectlSetup, credential, options),
    }),
    cargo: customCommand({
      help: connectHelp.cargo,
      arguments: { '<credential>': connectHelp.credential },
      options: {
        '--url <url>': connectHelp.cargo.url,
        '--scheme <scheme>': {
          help: connectHelp.cargo.scheme,
          schema: ConnectionScheme.exclude(['basic']),
        },
        '--replace': connectHelp.cargo.replace,
        '--dry-run': connectHelp.dryRun,
      },
      run: ({ credential, ...options }) => connect(cargoSetup, credential, options),
    }),
    pnpm: customCommand({
      help: connectHelp.pnpm,
      arguments: { '<credential>': connectHelp.credential },
      options: {
        '--url <url>': connectHelp.pnpm.url,
        '--replace': connectHelp.pnpm.replace,
        '--dry-run': connectHelp.dryRun,
      },
      run: ({ credential, ...options }) => connect(pnpmSetup, credential, options),
    }),
    terraform: customCommand({
      help: connectHelp.terraform,
      arguments: { '<credential>': connectHelp.credential },
      options: {
        '--url <url>': connectHelp.terraform.url,
        '--replace': connectHelp.terraform.replace,
        '--dry-run': connectHelp.dryRun,
      },
      run: ({ credential, ...options }) => connect(terraformSetup, credential, options),
    }),
    go: customCommand({
      help: connectHelp.go,
      arguments: { '<credential>': connectHelp.credential },
      options: {
        '--url <url>': connectHelp.go.url,
        '--username <name>': { help: connectHelp.username, schema: SentUser },
        '--scheme <scheme>': { help: connectHelp.go.scheme, schema: ConnectionScheme.exclude(['plain']) },
        '--replace': connectHelp.replace,
        '--dry-run': connectHelp.dryRun,
      },
      run: ({ credential, ...options }) => connect(handSetups.go, credential, options),
    }),
    bazel: byHand(handSetups.bazel, connectHelp.bazel),
    claude: byHand(handSetups.claude, connectHelp.claude),
    codex: byHand(handSetups.codex, connectHelp.codex),
    headers: byHand(handSetups.headers, connectHelp.headers),
    ...byFileCommands,
    list: routeCommand({
      help: connectHelp.list,
      ...readings['connect/list'],
    }),
    check: customCommand({
      help: connectHelp.check,
      arguments: { '[id]': connectHelp.id },
      run: ({ id, ...options }) => check(id, options),
    }),
    repair: customCommand({
      help: connectHelp.repair,
      arguments: { '[id]': connectHelp.id },
      run: ({ id, ...options }) => repair(id, options),
    }),
  },
};

export const disconnectCommand = customCommand({
  help: disconnectHelp,
  isLocal: true,
  arguments: { '<id>': connectHelp.id },
  options: { '--dry-run': connectHelp.dryRun },
  async run({ id, dryRun, json, ...options }) {
    const portal = portalHere(options);
    const [connection] = await chosen(portal, id);
    if (connection === undefined) return;
    if (dryRun) {
      const found = (await isNeeded(portal, connection)) ? 'shared' : foundState(connection);
      const changes = undoneChanges(connection, found);
      const says = wouldSay(connection, found);
      if (json) printJson({ connection, dry_run: true, setting: found, changes, says });
      else for (const line of [...changes.flatMap(changeLines), ...says, connectText.dryRun]) print(line);
      return;
    }
    const left = await disconnect(portal, connection, options);
    const says = saysUndone(connection, left);
    if (json) printJson({ connection, setting: left, changes: undoneChanges(connection, left), says });
    else say(connectText.undone(connection), ...says);
  },
});

/** A tool that sends the token alone, and whose files a person changes. */
function byHand(setup: HandSetup, help: CommandHelp & { readonly url: string }): TableCommand {
  return customCommand({
    help,
    arguments: { '<credential>': connectHelp.credential },
    options: {
      '--url <url>': help.url,
      '--replace': connectHelp.replace,
      '--dry-run': connectHelp.dryRun,
    },
    run: ({ credential, ...options }) => connect(setup, credential, options),
  });
}

/** What connected tools run; `run-fast.ts` does this without loading the other commands. */
export const helperCommand = customCommand({
  help: helperHelp,
  arguments: {
    '<tool>': { help: helperHelp.tool, choices: connectedTools },
    '[words...]': helperHelp.words,
  },
  json: false,
  hidden: true,
  async run({ tool, words, dataDir }) {
    const code = await answerTool({ tool, args: words, dataDir });
    if (code !== exitCodes.done) throw new CommandFailure(code, []);
  },
});

function foundState(connection: ToolConnection): UndoneState {
  const setup = setupOf(connection);
  return 'lines' in setup ? 'by_hand' : undoneState(connection, setup);
}

/** What its setting is known by. */
function markOf(connection: ToolConnection): string {
  const setup = setupOf(connection);
  return 'lines' in setup ? connection.id : setup.mark(connection);
}

function undoneChanges({ setting }: ToolConnection, state: UndoneState): readonly FileChange[] {
  return state === 'made' ? [undoingChange(setting)] : [];
}

/** What disconnecting leaves, or leaves to do; nothing where it takes everything back. */
function wouldSay(connection: ToolConnection, found: UndoneState): readonly string[] {
  const { setting, tool } = connection;
  switch (found) {
    case 'made':
      return [];
    case 'shared':
      return [connectText.sharedFile(setting.file, tool)];
    case 'missing':
      return [connectText.missingFile(setting.file)];
    case 'edited':
      return [connectText.wouldLeave(setting.file, markOf(connection))];
    case 'by_hand':
      return [connectText.removeByHand(tool, markOf(connection))];
  }
}

function saysUndone(connection: ToolConnection, left: UndoneState): readonly string[] {
  const { file } = connection.setting;
  if (left === 'made') return [connectText.undoneFile(file)];
  if (left === 'edited') return [connectText.leftFile(file, markOf(connection))];
  return wouldSay(connection, left);
}

async function check(id: string | undefined, { json, ...options }: ManyOptions): Promise<void> {
  const portal = portalHere(options);
  await checkAll(portal, await chosen(portal, id), { json, ...options });
}

async function repair(id: string | undefined, { json, ...options }: ManyOptions): Promise<void> {
  const portal = portalHere(options);
  const connections = await chosen(portal, id);
  for (const one of connections) {
    await portal.ask('repairConnection', { params: { id: one.id } });
    const setup = setupOf(one);
    const launcher = launcherOf(one, options);
    if ('lines' in setup) {
      if (!json) for (const line of handLines(setup.lines(launcher, one))) print(line);
      continue;
    }
    await repairSetting(portal, one, { setup, launcher });
    makeLink(setup, launcher);
  }
  await checkAll(portal, await chosen(portal, id), { json, ...options });
}

async function checkAll(
  portal: Portal,
  connections: readonly ToolConnection[],
  { json, ...options }: ManyOptions,
): Promise<void> {
  const checked = [];
  for (const connection of connections) {
    const launcher = launcherOf(connection, options);
    const setup = setupOf(connection);
    const checks = await checkConnection(portal, connection, { setup, launcher });
    checked.push({ connection, checks });
  }
  if (json)
    printJson({
      connections: checked.map((one) => ({ ...one, by_hand: linesByHand(one.connection, options) })),
    });
  else if (checked.length === 0) say(connectText.none);
  else
    for (const { connection, checks } of checked) {
      print(connectText.check(connection));
      for (const line of checks) print(connectText.checkLine(line));
    }
  if (checked.some(({ checks }) => checks.some(({ passes }) => passes === false)))
    throw new CommandFailure(exitCodes.failed, connectProblem.checksFail);
}

/** What a person adds for a connection; null where a file is changed, or a check says why there is none. */
function linesByHand(connection: ToolConnection, options: GlobalOptions): LinesByHand | null {
  const setup = setupOf(connection);
  if (!('lines' in setup)) return null;
  try {
    return setup.lines(launcherOf(connection, options), connection);
  } catch (error) {
    if (error instanceof CommandFailure) return null;
    throw error;
  }
}

/** One connection by its id, or all. */
async function chosen(portal: Portal, id: string | undefined): Promise<readonly ToolConnection[]> {
  const { connections } = await portal.ask('listConnections');
  if (id === undefined) return connections;
  const found = connections.filter((one) => one.id === id);
  // The service says that there is none.
  if (found.length === 0) await portal.ask('repairConnection', { params: { id } });
  return found;
}
