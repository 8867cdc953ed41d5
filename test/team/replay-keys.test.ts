/** @module-tag long */
import { expect, it, onTestFinished } from 'vitest';
import { SharedVault } from '../../src/agent/vault/shared-vault.ts';
import { ReplayKeyEntries } from '../../src/store/team/replay-key-entries.ts';
import { TableEntries } from '../../src/store/team/table-entries.ts';
import { cheapScrypt } from '../fixtures/cheap-scrypt.ts';
import { describeReplayKeysSuite } from '../store/replay-keys-suite.ts';
import { teamTables } from './team-tables.ts';
import { waitFor } from '../fixtures/wait-for.ts';

const hourMs = 3_600_000;
const noon = Date.parse('2026-11-23T12:00:00Z');
const server = teamTables();

async function openTeam() {
  const team = await server.open();
  onTestFinished(() => team.close());
  const entries = (epoch: number) => new TableEntries(team.host(epoch));
  const { sealer } = await SharedVault.open({
    entries: entries(1),
    passphrase: 'correct horse',
    cost: cheapScrypt,
  });
  return {
    ...team,
    entries,
    sealer,
    keys: (epoch: number, clock: () => number) => ReplayKeyEntries.open(entries(epoch), sealer, clock),
  };
}

describeReplayKeysSuite('the replay keys of a team', async () => {
  const { keys } = await openTeam();
  return { open: (clock) => keys(1, clock) };
});

it('a host that takes over has the keys of the leader before', async () => {
  const { keys, lead } = await openTeam();
  const before = (await keys(1, () => noon)).current();
  await lead(2);
  const after = await keys(2, () => noon + hourMs);
  expect(after.get(before.epoch)).toEqual(before.key);
  expect(after.current().epoch).not.toBe(before.epoch);
});

it('keys are sealed in the database, each for its hour', async () => {
  const { keys, entries, query } = await openTeam();
  const { epoch, key } = (await keys(1, () => noon)).current();
  const stored = await entries(1).list('replay_key');
  expect(stored.map(({ name }) => name)).toContain(epoch);
  const text = JSON.stringify(await query('select * from rotavox.entry'));
  for (const form of ['base64', 'hex'] as const)
    expect(text).not.toContain(key.toString(form).replace(/=+$/, ''));
  // In the place of another, a key cannot be opened and is replaced.
  const [first, second] = stored;
  await entries(1).write('replay_key', first?.name ?? '', second?.value ?? '');
  expect((await keys(1, () => noon)).current().key).not.toEqual(key);
});

it('an hour begins with a key that was durable before', async () => {
  const { keys, query } = await openTeam();
  let nowMs = noon;
  const open = await keys(1, () => nowMs);
  await query('alter table rotavox.entry rename to elsewhere');
  nowMs += 2 * hourMs;
  const { key } = open.current();
  nowMs += hourMs;
  expect(() => open.current()).toThrow('NO_REPLAY_KEY');
  await expect(open.renew()).rejects.toMatchObject({ refusal: { code: '42P01' } });
  await query('alter table rotavox.elsewhere rename to entry');
  // The next call that needs one has it made, without the timer.
  await waitFor(() => expect(open.current().key).not.toEqual(key));
});

it('nothing is left in the table of a key that was destroyed', async () => {
  const { keys, query } = await openTeam();
  let nowMs = noon;
  const open = await keys(1, () => nowMs);
  const { epoch } = open.current();
  nowMs += 30 * hourMs;
  await open.renew();
  expect(await query('select value from rotavox.entry where name = $1', [epoch])).toEqual([{ value: null }]);
});
