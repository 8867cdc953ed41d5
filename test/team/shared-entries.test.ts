/** @module-tag long */
import { describe, expect, it, onTestFinished } from 'vitest';
import { TableEntries } from '../../src/store/team/table-entries.ts';
import { teamTables } from './team-tables.ts';

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
