/** Changes the passphrase of a vault to another one and back in an endless loop, and prints a line for each change; it is killed. */
import { writeSync } from 'node:fs';
import { changePassphrase, type PassphraseOrder } from '../../src/host/change-passphrase.ts';
import { cheapScrypt } from '../fixtures/cheap-scrypt.ts';

const [where = '', ...both] = process.argv.slice(2);
const place = JSON.parse(where) as PassphraseOrder['place'];

for (let count = 0; ; count += 1) {
  const [passphrase, next] = count % 2 === 0 ? both : both.toReversed();
  const { entries } = await changePassphrase({
    place,
    old: { passphrase, cost: cheapScrypt },
    changed: { passphrase: next },
  });
  writeSync(1, `${String(entries)}\n`); // immediately: a buffered line would be lost with the process
}
