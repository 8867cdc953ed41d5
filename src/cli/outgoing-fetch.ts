import type { Connection } from '../client/create-client.ts';
import type { CallFailure } from '../contract/rotation-trouble.ts';
import { connectFailureOf } from '../network/connect-failure.ts';
import { Outgoing } from '../network/outgoing.ts';
import { commandIo } from './command-io.ts';

const connectLimitMs = 10_000;

/** `fetch` for hosts on other machines: through the proxy of the network, trusting what the system trusts. */
export async function outgoingFetch(): Promise<NonNullable<Connection['fetch']>> {
  const { Agent, fetch } = await import('undici');
  const outgoing = new Outgoing({ environment: commandIo().env });
  const dispatcher = new Agent({ connect: outgoing.connector({ timeLimitMs: connectLimitMs }) });
  const outgoingFetch = (input: unknown, init: unknown): Promise<unknown> =>
    fetch(input as string, { ...(init as object), dispatcher });
  // The same functions as those of Node, with types of their own.
  return outgoingFetch as NonNullable<Connection['fetch']>;
}

/** Whether Node itself sends every request to the proxy of the environment, also those to this machine. */
export function isNodeProxied(env: NodeJS.ProcessEnv, execArgv: readonly string[]): boolean {
  const options = [...execArgv, ...(env['NODE_OPTIONS'] ?? '').split(/\s+/)];
  return env['NODE_USE_ENV_PROXY'] === '1' || options.includes('--use-env-proxy');
}

/** Why a call did not reach a host, where the network says it. */
export function networkFailureIn(cause: unknown): CallFailure | null {
  return connectFailureOf(cause);
}
