/** A host as its own process, on the machine and with the clock that its argument names. */
import { startHost } from '../../src/host/start-host.ts';
import type { Machine } from '../../src/host/machine-id.ts';

const { dataDir, machine, aheadMs } = JSON.parse(process.argv[2] ?? '') as {
  dataDir: string;
  machine: Machine;
  aheadMs: number;
};
const host = await startHost({ dataDir, machine, port: 0, clock: () => Date.now() + aheadMs });
process.send?.(host.baseUrl);
