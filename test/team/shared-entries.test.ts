/** @module-tag long */
import { describe, expect, it, onTestFinished } from 'vitest';
import { TableEntries } from '../../src/store/team/table-entries.ts';
import { teamTables } from './team-database.ts';
import { SharedVault } from '../../src/agent/vault/shared-vault.ts';
import { cheapScrypt } from '../fixtures/cheap-scrypt.ts';
import { openRecordingTable, RecordingTable } from '../../src/store/team/recording-table.ts';
import {
  audioOf,
  bytesOf,
  describeRecordingSuite,
  stateWith,
  describeReplayKeysSuite,
} from '../store/recording-files-suite.ts';
import { ReplayKeyEntries } from '../../src/store/team/replay-key-entries.ts';
import { waitFor } from '../fixtures/wait-for.ts';

const server = teamTables();

async function openTeam() {
  const team = await server.open();
  onTestFinished(() => team.close());
  return { ...team, entries: (epoch: number | null) => new TableEntries(team.host(epoch)) };
}

const notLeading = { name: 'StoreUnavailable', refusal: { code: 'NOT_LEADING' } };

describe('the entries of a team', () => {
  it('are the same for every host: read, listed by name, replaced and removed', async () => {
    const { entries } = await openTeam();
    const [leader, follower] = [entries(1), entries(null)];
    expect(await follower.read('browser', 'a')).toBeNull();
    await leader.write('browser', 'b', 'second');
    await leader.write('browser', 'a', 'first');
    await leader.write('replay_key', 'a', 'of another place');
    expect(await follower.read('browser', 'a')).toBe('first');
    expect(await follower.list('browser')).toEqual([
      { name: 'a', value: 'first' },
      { name: 'b', value: 'second' },
    ]);
    await leader.write('browser', 'a', 'replaced');
    await leader.remove('browser', 'b');
    await leader.remove('browser', 'never written');
    expect(await follower.list('browser')).toEqual([{ name: 'a', value: 'replaced' }]);
    await leader.write('browser', 'b', 'again');
    expect(await follower.read('browser', 'b')).toBe('again');
  });

  it('are not changed by a host that follows, or whose epoch is over', async () => {
    const { entries, lead } = await openTeam();
    await entries(1).write('vault', 'a', 'value');
    await lead(2);
    for (const host of [entries(null), entries(1), entries(3)]) {
      await expect(host.write('vault', 'a', 'late')).rejects.toMatchObject(notLeading);
      await expect(host.write('vault', 'new', 'late')).rejects.toMatchObject(notLeading);
      await expect(host.remove('vault', 'a')).rejects.toMatchObject(notLeading);
      expect(await host.list('vault')).toEqual([{ name: 'a', value: 'value' }]);
    }
    await entries(2).remove('vault', 'a');
    expect(await entries(null).list('vault')).toEqual([]);
  });

  it('are not changed by a write that waited for a takeover', async () => {
    const { entries, connect, waiting } = await openTeam();
    const other = await connect();
    await other.query('begin; update rotavox.leadership set epoch = 2');
    const late = entries(1).write('vault', 'a', 'late');
    const refused = expect(late).rejects.toMatchObject(notLeading);
    await waiting();
    await other.query('commit');
    await refused;
    expect(await entries(2).read('vault', 'a')).toBeNull();
  });

  it('make a takeover wait for a write that is under way', async () => {
    const { entries, connect, waiting, lead } = await openTeam();
    const other = await connect();
    await other.query("begin; insert into rotavox.entry values ('vault', 'a', 'older', 0, 0)");
    const writing = entries(1).write('vault', 'a', 'under way');
    await waiting();
    let isTaken = false;
    const takeover = lead(2).then(() => (isTaken = true));
    await waiting(2);
    expect(isTaken).toBe(false);
    await other.query('commit');
    await Promise.all([writing, takeover]);
    expect(await entries(2).read('vault', 'a')).toBe('under way');
  });

  it.each([
    ['a removal', (late: TableEntries) => late.write('browser', 'a', 'late'), null],
    ['a later write', (late: TableEntries) => late.remove('browser', 'a'), 'value'],
  ])('are not changed by what was sent before %s and arrives after it', async (_, act, value) => {
    const { host, entries } = await openTeam();
    const { promise: arrival, resolve: arrive } = Promise.withResolvers();
    await entries(1).write('browser', 'a', 'value');
    const late = act(new TableEntries(host(1, arrival)));
    if (value === null) await entries(1).remove('browser', 'a');
    else await entries(1).write('browser', 'a', value);
    arrive(null);
    await late;
    expect(await entries(null).read('browser', 'a')).toBe(value);
  });

  it('are created once, by whichever host comes first, before any leads', async () => {
    const { entries } = await openTeam();
    const created = await Promise.all(
      Array.from({ length: 20 }, (_, index) => entries(null).create('vault', 'key', `of host ${index}`)),
    );
    expect(new Set(created).size).toBe(1);
    expect(await entries(null).create('vault', 'key', 'later')).toBe(created[0]);
    expect(await entries(null).read('vault', 'key')).toBe(created[0]);
  });

  it('leave no trace of a removed one in a later epoch', async () => {
    const { entries, lead, query } = await openTeam();
    for (const name of ['a', 'b', 'c']) await entries(1).write('browser', name, name);
    await entries(1).remove('browser', 'a');
    await entries(1).remove('browser', 'b');
    await lead(2);
    await entries(2).remove('browser', 'b');
    expect(await query('select name, value from rotavox.entry order by name')).toEqual([
      { name: 'b', value: null },
      { name: 'c', value: 'c' },
    ]);
  });

  it('are given other values all at once, and not by a host whose epoch is over', async () => {
    const { entries, lead } = await openTeam();
    const values = (suffix: string) => [
      { place: 'browser' as const, name: 'a', value: `first${suffix}` },
      { place: 'vault' as const, name: 'a', value: `second${suffix}` },
    ];
    for (const { place, name, value } of values('')) await entries(1).write(place, name, value);
    await entries(1).write('vault', 'removed', 'value');
    await entries(1).remove('vault', 'removed');
    expect(await entries(null).all()).toEqual(values(''));
    const unknown = { place: 'vault' as const, name: 'never written', value: 'x' };
    await entries(1).replace([...values(' changed'), unknown]);
    expect(await entries(null).all()).toEqual(values(' changed'));
    await lead(2);
    await expect(entries(1).replace(values(' late'))).rejects.toMatchObject(notLeading);
    expect(await entries(null).all()).toEqual(values(' changed'));
    await entries(2).write('browser', 'a', 'later');
    expect(await entries(null).read('browser', 'a')).toBe('later');
  });

  it('say which database refuses or cannot be reached, and why', async () => {
    const { entries, query } = await openTeam();
    const { place } = entries(1);
    await query('alter table rotavox.entry rename to elsewhere');
    const refused = { name: 'StoreUnavailable', refusal: { code: '42P01', path: place } };
    await expect(entries(1).read('vault', 'a')).rejects.toMatchObject(refused);
    await expect(entries(1).write('vault', 'a', 'value')).rejects.toMatchObject(refused);
  });
});

async function openWithRecordings() {
  const team = await openTeam();
  return { ...team, files: (epoch: number) => openRecordingTable(team.host(epoch), stateWith()) };
}

describeRecordingSuite('the recordings of a team', async () => {
  const { host } = await openWithRecordings();
  return { open: (state) => openRecordingTable(host(1), state) };
});

it('a host that does not lead any more neither confirms nor deletes audio', async () => {
  const { files, lead } = await openWithRecordings();
  const before = await files(1);
  const [kept, late] = [audioOf(10), audioOf(10)];
  await lead(2);
  const after = await files(2);
  await after.keep(kept.file, kept.bytes);
  const refused = { refusal: { code: 'NOT_LEADING' } };
  await expect(before.keep(late.file, late.bytes)).rejects.toMatchObject(refused);
  await expect(before.forget(kept.file)).rejects.toMatchObject(refused);
  await expect(files(1)).rejects.toMatchObject(refused);
  expect(await bytesOf(after, kept.file)).toEqual(kept.bytes);
});

it('a removal that arrives late does not delete audio that was stored again', async () => {
  const { files, host } = await openWithRecordings();
  const open = await files(1);
  const { file, bytes } = audioOf(10);
  await open.keep(file, bytes);
  const { promise: arrival, resolve: arrive } = Promise.withResolvers();
  const late = new RecordingTable(host(1, arrival)).forget(file);
  await open.keep(file, bytes);
  arrive(null);
  await late;
  expect(await bytesOf(open, file)).toEqual(bytes);
});

it('storing audio does not hold up the leader', async () => {
  const { files, connect } = await openWithRecordings();
  const open = await files(1);
  const other = await connect();
  const { file, bytes } = audioOf(5_000_000);
  await other.query('begin; select 1 from rotavox.leadership for update');
  const keeping = open.keep(file, bytes);
  // The bytes are there while the row `leadership` is locked by another.
  await expect.poll(async () => (await other.query('select 1 from rotavox.recording')).rowCount).toBe(1);
  await other.query('commit');
  await keeping;
  expect(await bytesOf(open, file)).toEqual(bytes);
});

const hourMs = 3_600_000;
const noon = Date.parse('2026-11-23T12:00:00Z');

async function openWithKeys() {
  const team = await openTeam();
  const { sealer } = await SharedVault.open({
    entries: team.entries(1),
    passphrase: 'correct horse',
    cost: cheapScrypt,
  });
  return {
    ...team,
    sealer,
    keys: (epoch: number, clock: () => number) => ReplayKeyEntries.open(team.entries(epoch), sealer, clock),
  };
}

describeReplayKeysSuite('the replay keys of a team', async () => {
  const { keys } = await openWithKeys();
  return { open: (clock) => keys(1, clock) };
});

it('a host that takes over has the keys of the leader before', async () => {
  const { keys, lead } = await openWithKeys();
  const before = (await keys(1, () => noon)).current();
  await lead(2);
  const after = await keys(2, () => noon + hourMs);
  expect(after.get(before.epoch)).toEqual(before.key);
  expect(after.current().epoch).not.toBe(before.epoch);
});

it('keys are sealed in the database, each for its hour', async () => {
  const { keys, entries, query } = await openWithKeys();
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
  const { keys, query } = await openWithKeys();
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
  const { keys, query } = await openWithKeys();
  let nowMs = noon;
  const open = await keys(1, () => nowMs);
  const { epoch } = open.current();
  nowMs += 30 * hourMs;
  await open.renew();
  expect(await query('select value from rotavox.entry where name = $1', [epoch])).toEqual([{ value: null }]);
});
