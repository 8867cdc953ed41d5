/** @module-tag long */
import { expect, it, onTestFinished } from 'vitest';
import { openRecordingTable, RecordingTable } from '../../src/store/team/recording-table.ts';
import { audioOf, bytesOf, describeRecordingSuite, stateWith } from '../store/recording-files-suite.ts';
import { teamTables } from './team-tables.ts';

const server = teamTables();

async function openTeam() {
  const team = await server.open();
  onTestFinished(() => team.close());
  return { ...team, files: (epoch: number) => openRecordingTable(team.host(epoch), stateWith()) };
}

describeRecordingSuite('the recordings of a team', async () => {
  const { host } = await openTeam();
  return { open: (state) => openRecordingTable(host(1), state) };
});

it('a host that does not lead any more neither confirms nor deletes audio', async () => {
  const { files, lead } = await openTeam();
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
  const { files, host } = await openTeam();
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
  const { files, connect } = await openTeam();
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
