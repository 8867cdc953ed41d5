import type { Connection } from '../client/create-client.ts';
import { checkHost } from '../client/host-problem.ts';
import { type HostProblem, readHostKey } from '../contract/service/team-host.ts';
import type { HostKeys } from '../host/host-keys.ts';
import { toDo } from '../text/cli/cli.ts';
import { networkFailureText } from '../text/service/network-text.ts';
import { hostCommandText, hostProblemText, hostUrlText } from '../text/service/team-host-text.ts';
import { CommandFailure, exitCodes, withHost, wrongUsage } from './command-failure.ts';
import { commandIo } from './command-io.ts';
import { networkFailureIn, outgoingFetch } from './fetch-of-command.ts';
import { askSecret, canAsk, readStdinToken } from './read-token.ts';

/** The address and the key of a host for a team. Throws a failure that says how to add a key. */
export async function connectTeamHost(url: string, dataDir: string): Promise<Connection> {
  const key = await withHostKeys(dataDir, (keys) => keys.read(url));
  if (key === null) throw hostFailure({ kind: 'no_key' }, url);
  return connectionOf(url, key);
}

async function connectionOf(url: string, key: string): Promise<Connection> {
  return { baseUrl: url, authorization: `Bearer ${key}`, fetch: await outgoingFetch() };
}

/** Reads the key of an owner, checks it with the host, and stores it in the keychain. */
export async function addHostKey(url: string, dataDir: string): Promise<void> {
  const typed = canAsk() ? await askSecret(hostCommandText.question(url)) : await readStdinToken();
  const key = readHostKey(typed);
  if (key === null) throw wrongUsage(hostUrlText.keyInvalid);
  const problem = await checkHost(await connectionOf(url, key));
  if (problem !== null) throw hostFailure(problem, url);
  await withHostKeys(dataDir, (keys) => keys.write(url, key));
}

/** The stored keys; loads the keychain, which no other command waits for. */
export async function withHostKeys<T>(dataDir: string, act: (keys: HostKeys) => Promise<T>): Promise<T> {
  const { HostKeys } = await import('../host/host-keys.ts');
  return withHost(() => act(new HostKeys(dataDir, { environment: commandIo().env })));
}

export function hostFailure(problem: HostProblem, url: string, cause?: unknown): CommandFailure {
  const code = problem.kind === 'unreachable' ? exitCodes.notRunning : exitCodes.failed;
  const needsKey = problem.kind === 'no_key' || problem.kind === 'key_refused';
  const help = needsKey ? toDo(hostCommandText.addCommand(url)) : [];
  const failure = networkFailureIn(cause);
  const isProxy = failure?.code === 'proxy_failed' || failure?.code === 'proxy_invalid';
  const why = isProxy ? networkFailureText(url, failure) : hostProblemText(problem, url);
  return new CommandFailure(code, [why, ...help], { cause });
}
