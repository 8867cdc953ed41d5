/**
 * The program of `CallHost` as a process of its own: its vault is a file, which needs no keychain. It starts at the first line that it
 * reads, so that loading it is over before.
 */
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { startHost } from '../../src/host/start-host.ts';
import { cheapScrypt } from '../fixtures/cheap-scrypt.ts';

const { values } = parseArgs({ options: { 'data-dir': { type: 'string' }, passphrase: { type: 'string' } } });
const { 'data-dir': dataDir, passphrase } = values;
console.log(JSON.stringify({ event: 'loaded' }));
await createInterface(process.stdin)[Symbol.asyncIterator]().next();
const host = await startHost({ dataDir, port: 0, vault: { kind: 'file', passphrase, cost: cheapScrypt } });
process.once('SIGTERM', () => {
  void host.close().then(() => process.exit(0));
});
console.log(JSON.stringify({ event: 'ready', base_url: host.baseUrl }));
