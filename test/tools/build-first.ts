import { ensureBuilt } from '../../src/launcher/ensure-built.ts';

/** Once before a suite that starts the program as it is shipped (`Suite.built`). */
export async function setup(): Promise<void> {
  await ensureBuilt({ tell: console.error });
}
