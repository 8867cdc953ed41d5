/**
 * Changes the passphrase of a vault to another one and back in an endless loop, and prints a line for each change; it is killed.
 *
 * Where the database answers too late for a change it ends by itself, with `tooLate` as its exit code.
 */
import { writeSync } from 'node:fs';
import { changePassphrase, type PassphraseOrder } from '../../src/host/change-passphrase.ts';
import { DatabaseUnreachable } from '../../src/store/team/team-database.ts';
import { cheapScrypt } from '../fixtures/cheap-scrypt.ts';

/** The exit code of what can be tried again (`EX_TEMPFAIL`). */
const tooLate = 75;

const [where = '', ...both] = process.argv.slice(2);
const place = JSON.parse(where) as PassphraseOrder['place'];

for (let count = 0; ; count += 1) {
  const [passphrase, next] = count % 2 === 0 ? both : both.toReversed();
  const { entries } = await changePassphrase({
    place,
    old: { passphrase, cost: cheapScrypt },
    changed: { passphrase: next },
  }).catch((error: unknown) => {
    if (isTooLate(error)) process.exit(tooLate);
    throw error;
  });
  writeSync(1, `${String(entries)}\n`); // immediately: a buffered line would be lost with the process
}

function isTooLate(error: unknown): boolean {
  if (error instanceof DatabaseUnreachable && error.code === 'TIMEOUT') return true;
  return error instanceof Error && isTooLate(error.cause);
}
