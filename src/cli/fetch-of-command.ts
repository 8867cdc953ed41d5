import type { Connection } from '../client/create-client.ts';
import type { CallFailure } from '../contract/credential/rotation-trouble.ts';
import { connectFailureOf } from '../network/connect-failure.ts';
import { commandIo } from './command-io.ts';

/** `fetch` for hosts on other machines: through the proxy of the network, trusting what the system trusts. Loaded for them only. */
export async function outgoingFetch(): Promise<NonNullable<Connection['fetch']>> {
  const { fetchThrough, Outgoing } = await import('../network/outgoing.ts');
  return fetchThrough(new Outgoing({ environment: commandIo().env }));
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
