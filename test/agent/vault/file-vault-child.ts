/** Writes into a file vault in an endless loop, and prints on stdout what was acknowledged; it is killed. */
import { writeSync } from 'node:fs';
import { FileVault } from '../../../src/agent/vault/file-vault.ts';
import { cheapScrypt } from '../../fixtures/cheap-scrypt.ts';

const [path = '', passphrase = ''] = process.argv.slice(2);
const vault = await FileVault.open({ path, passphrase, cost: cheapScrypt });

for (let count = 0; ; count += 1) {
  await vault.write({ service: 'rotavox', account: 'counter' }, valueOf(count));
  writeSync(1, `${count}\n`); // immediately: a buffered line would be lost with the process
}

/** Of changing length, so that a mix of two contents would be noticed. */
function valueOf(count: number): string {
  return `${count} ${'x'.repeat((count % 7) * 1_000)}`;
}
