import { HostError } from '../host/host-error.ts';
import type { HostOptions } from '../host/start-host.ts';

/** What the environment says about the host; the launcher puts its own options there, and so do the tests. */
export function hostOptionsOf(env: NodeJS.ProcessEnv): Pick<HostOptions, 'dataDir' | 'port'> {
  const dataDir = env['ROTAVOX_DATA_DIR'];
  const port = env['ROTAVOX_PORT'];
  if (port && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535)) {
    throw new HostError(
      'ADDRESS_UNUSABLE',
      `ROTAVOX_PORT is "${port}", which is no port. Give a number from 0 (any free port) to 65535.`,
    );
  }
  return { ...(dataDir ? { dataDir } : {}), ...(port ? { port: Number(port) } : {}) };
}
