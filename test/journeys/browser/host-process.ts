/**
 * A process that serves: the host, on one data folder after the other, without a start of Node for each.
 *
 * Run as Node runs it (`HostProcess` in `hosts.ts` starts it), not as the test runner would; the windows are the built ones.
 */
import { commandLineOf, programOf } from '../../../src/host/command-line.ts';
import { type Host, startHost } from '../../../src/host/start-host.ts';
import { checkoutDir } from '../../../src/launcher/checkout.ts';
import { builtFile } from '../../../src/launcher/ensure-built.ts';
import { cheapLogN } from '../../fixtures/cheap-scrypt.ts';
import type { HostOrder, HostReport } from './hosts.ts';

const hosts = new Map<string, Host>();
let lastPort = 0;

process.on('message', (order: HostOrder) => {
  void obey(order).then(
    (baseUrl) => report({ id: order.id, baseUrl }),
    (error: unknown) => report({ id: order.id, failure: String(error) }),
  );
});
// Whoever started this has gone.
process.on('disconnect', () => process.exit());

async function obey(order: HostOrder): Promise<string> {
  if (order.kind === 'stop') {
    const host = hosts.get(order.dataDir);
    hosts.delete(order.dataDir);
    await host?.close();
    return '';
  }
  const host = await start(order);
  hosts.set(order.dataDir, host);
  lastPort = Number(new URL(host.baseUrl).port);
  return host.baseUrl;
}

/** Where the last one listened, if nobody does now: the browser has the scripts of that address already. */
async function start({ dataDir, port, vault }: Extract<HostOrder, { kind: 'start' }>): Promise<Host> {
  const options = {
    dataDir,
    vault,
    commandLine: commandLineOf(checkoutDir),
    program: programOf(checkoutDir),
    windowsDir: builtFile('renderer'),
    backupLogN: cheapLogN,
  };
  if (port === 0 && hosts.size === 0) {
    const again = await startHost({ ...options, port: lastPort }).catch(() => null);
    if (again !== null) return again;
  }
  return startHost({ ...options, port });
}

function report(message: HostReport): void {
  process.send?.(message);
}
