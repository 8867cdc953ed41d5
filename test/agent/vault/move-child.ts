/** A program that moves the tokens of a data folder, and is killed before the nth change that lasts. */
import { openVaultChoice } from '../../../src/host/open-vault-choice.ts';
import { moveVault } from '../../../src/host/move-vault.ts';

const [dataDir = '', to = '', nth = ''] = process.argv.slice(2);
const entries = ['a', 'b'].map((account) => ({ service: 'rotavox', account }));
const say = (message: string): void => console.error(message);
const from = await openVaultChoice(undefined, { dataDir, entries, say });
if (to !== 'keychain' && to !== 'file') {
  // Only looks: what a start would find.
  const values = await Promise.all(entries.map((entry) => from.read(entry)));
  console.log(JSON.stringify({ kind: from.kind, values }));
} else {
  let steps = 0;
  const { moved } = await moveVault({
    keychainTargets: [],
    dataDir,
    to,
    from,
    entries,
    say,
    onStep() {
      steps += 1;
      if (steps === Number(nth)) process.kill(process.pid, 'SIGKILL');
    },
  });
  console.log(JSON.stringify({ moved }));
}
