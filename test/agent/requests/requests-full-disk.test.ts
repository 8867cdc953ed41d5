import { expect, it } from 'vitest';
import { ReplaceValue } from '../../../src/contract/credential/credential.ts';
import { StoreUnavailable } from '../../../src/core/ledger.ts';
import { setUpFullDisk } from '../full-disk-setup.ts';

it('leaves the vault as it was when the record of a new token cannot be written', async () => {
  const { setup, ledger } = await setUpFullDisk();
  const { value } = await setup.issue();
  await setup.keep({ name: 'app', value });
  const other = (await setup.issue()).value;

  ledger.refuses = 'credential.value_replaced';
  const replacing = setup.agent.requests.replaceValue('app', ReplaceValue.parse({ value: other }), 'pasted');
  await expect(replacing).rejects.toThrow(StoreUnavailable);
  expect(await setup.valueOf('app')).toBe(value);

  ledger.refuses = 'nothing';
  await setup.agent.requests.rotateNow('app');
  expect(setup.view('app')).toMatchObject({ state: 'fine', generation: 2 });
});

it('leaves the vault as it was when a removal cannot be written', async () => {
  const { setup, ledger } = await setUpFullDisk();
  const { value } = await setup.issue();
  await setup.keep({ name: 'app', value });

  ledger.refuses = 'credential.removed';
  await expect(setup.agent.requests.remove('app')).rejects.toThrow(StoreUnavailable);
  expect(await setup.valueOf('app')).toBe(value);

  ledger.refuses = 'nothing';
  expect(await setup.agent.requests.remove('app')).toEqual({ ok: true, value: { message: null } });
  expect(await setup.valueOf('app')).toBeNull();
});
