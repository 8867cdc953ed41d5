import { expect, it } from 'vitest';
import { RefusingLedger } from '../../agent/refusing-ledger.ts';
import { makeGround, rotate } from './attack-ground.ts';

it('a Superseded token is refused as ever when the disk cannot note its use, and the use is noted later', async () => {
  const ledgers: RefusingLedger[] = [];
  const ground = await makeGround({
    wrapLedger: (store) => {
      const ledger = new RefusingLedger(store, Date.now);
      ledgers.push(ledger);
      return ledger;
    },
  });
  const { access_token: value } = await ground.issue();
  expect((await rotate(ground, value)).status).toBe(200);

  for (const ledger of ledgers) ledger.refuses = 'token.reused';
  const refused = await rotate(ground, value);
  expect([refused.status, refused.text]).toEqual([
    401,
    expect.stringContaining('The provided token is invalid.'),
  ]);
  const reuses = () => ground.events.filter(({ kind }) => kind === 'token.reused');
  expect(reuses()).toEqual([]);

  for (const ledger of ledgers) ledger.refuses = 'nothing';
  expect((await rotate(ground, value)).status).toBe(401);
  expect(reuses()).toHaveLength(1);
});
