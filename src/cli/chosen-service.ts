import { type Connection, longestReply } from '../client/create-client.ts';
import { problemOfFailure } from '../client/host-problem.ts';
import { noHost, readHostUrl } from '../contract/service/team-host.ts';
import { serviceProblem } from '../text/cli/cli.ts';
import { hostUrlText } from '../text/service/team-host-text.ts';
import { CommandFailure, exitCodes, wrongUsage } from './command-failure.ts';
import { commandIo } from './command-io.ts';
import { chosenDataDir, type GlobalOptions } from './chosen-data-dir.ts';
import { findService, notRunning, sendLocally } from './find-service.ts';
import { isNodeProxied, outgoingFetch } from './fetch-of-command.ts';
import { connectTeamHost, hostFailure } from './connect-team-host.ts';

/** The service that a command calls: that of a data folder on this machine, or a host for a team. */
export interface ChosenService {
  /**
   * Its address and the key of its owner. Asked again after a restart, which changes both on this machine.
   *
   * Throws a failure of the command where nothing runs on this machine, so that a person is not asked for anything first; rejects with
   * every other one.
   */
  connect(): Promise<Connection>;
  /** The failure of a command when nothing answers. */
  unreachable(connection: Connection, cause: unknown): CommandFailure;
  /** The failure of a command when the service does not know the key. */
  keyRefused(connection: Connection): CommandFailure;
}

/** The service that the options name, otherwise the environment (`ROTAVOX_HOST`), otherwise that of the usual data folder. */
export function chosenService(options: GlobalOptions): ChosenService {
  const url = chosenHost(options);
  return url === null ? serviceOf(chosenDataDir(options)) : teamHost(url, chosenDataDir(options));
}

/** The host that is chosen; null: the service on this machine. A data folder that is named counts more than the environment. */
function chosenHost({ host, dataDir }: GlobalOptions): string | null {
  const { ROTAVOX_HOST: usual = '' } = commandIo().env;
  const chosen = host ?? (dataDir === undefined && usual !== '' ? usual : noHost);
  if (chosen === noHost) return null;
  const url = readHostUrl(chosen);
  if (url === null) throw wrongUsage(hostUrlText.invalid);
  return url;
}

/** Whether the chosen service runs; false only for that of a data folder on this machine. */
export async function isServiceRunning(options: GlobalOptions): Promise<boolean> {
  try {
    await chosenService(options).connect();
    return true;
  } catch (error) {
    const isHere = chosenHost(options) === null;
    if (isHere && error instanceof CommandFailure && error.exitCode === exitCodes.notRunning) return false;
    throw error;
  }
}

function serviceOf(dataDir: string): ChosenService {
  return {
    connect() {
      const { prove, ...connection } = findService(dataDir);
      const isProxied = isNodeProxied(commandIo().env, process.execArgv);
      return prove().then(async () => ({
        ...connection,
        send: (url, sent) => sendLocally(url, sent, { mostBytes: longestReply }),
        ...(isProxied ? { fetch: await outgoingFetch() } : {}),
      }));
    },
    unreachable: ({ baseUrl }, cause) => notRunning(dataDir, serviceProblem.noAnswer(baseUrl), cause),
    keyRefused: ({ baseUrl }) => notRunning(dataDir, serviceProblem.otherService(baseUrl)),
  };
}

function teamHost(url: string, dataDir: string): ChosenService {
  let connection: Promise<Connection> | undefined;
  return {
    connect: () => (connection ??= connectTeamHost(url, dataDir)),
    unreachable: (_connection, cause) =>
      hostFailure(problemOfFailure(cause) ?? { kind: 'unreachable', detail: 'no answer' }, url, cause),
    keyRefused: () => hostFailure({ kind: 'key_refused' }, url),
  };
}
