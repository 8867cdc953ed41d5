import { expect, it } from 'vitest';
import { RefusingLedger } from '../../agent/full-disk-setup.ts';
import { makeSetup, rotate } from './attack-setup.ts';

it('a Superseded token is refused as ever when the disk cannot note its use, and the use is noted later', async () => {
  const ledgers: RefusingLedger[] = [];
  const setup = await makeSetup({
    wrapLedger: (store) => {
      const ledger = new RefusingLedger(store, Date.now);
      ledgers.push(ledger);
      return ledger;
    },
  });
  const { access_token: value } = await setup.issue();
  expect((await rotate(setup, value)).status).toBe(200);

  for (const ledger of ledgers) ledger.refuses = 'token.reused';
  const refused = await rotate(setup, value);
  expect([refused.status, refused.text]).toEqual([
    401,
    expect.stringContaining('The provided token is invalid.'),
  ]);
  const reuses = () => setup.events.filter(({ kind }) => kind === 'token.reused');
  expect(reuses()).toEqual([]);

  for (const ledger of ledgers) ledger.refuses = 'nothing';
  expect((await rotate(setup, value)).status).toBe(401);
  expect(reuses()).toHaveLength(1);
});
