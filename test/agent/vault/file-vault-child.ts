/** Writes into a file vault without end, and says on stdout what was acknowledged; to be killed. */
import { writeSync } from 'node:fs';
import { FileVault } from '../../../src/agent/vault/file-vault.ts';
import { cheapScrypt } from '../../fixtures/cheap-scrypt.ts';

const [path = '', passphrase = ''] = process.argv.slice(2);
const vault = await FileVault.open({ path, passphrase, cost: cheapScrypt });

for (let count = 0; ; count += 1) {
  await vault.write({ service: 'rotavox', account: 'counter' }, valueOf(count));
  writeSync(1, `${count}\n`); // at once: a line that waits in a buffer dies with us
}

/** Of changing length, so that half of one and half of another would show. */
function valueOf(count: number): string {
  return `${count} ${'x'.repeat((count % 7) * 1_000)}`;
}
