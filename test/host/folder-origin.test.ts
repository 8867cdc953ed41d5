import {
  cpSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openFolderOrigin } from '../../src/host/open-folder-origin.ts';
import { idOfLinux, type Machine } from '../../src/host/machine-id.ts';
import { makeFolder } from '../fixtures/make-folder.ts';

const machine = (id: string, name = id): Machine => ({ name, id: { kind: 'known', id: id.padEnd(32, '0') } });
const laptop = machine('1a');
const server = machine('2b');
const container = (name: string): Machine => ({ name, id: { kind: 'none' } });
const silent: Machine = { name: 'one', id: { kind: 'unknown' } };

/** What a start finds out on a machine. */
function startOn(dataDir: string, here: Machine) {
  const said: string[] = [];
  const lock = { assertHeld: () => undefined };
  const origin = openFolderOrigin(dataDir, {
    machine: here,
    lock,
    say: (message) => said.push(message),
    clock: () => Date.parse('2026-01-10T12:00:00Z'),
  });
  return { origin, said, from: origin.movedFrom() };
}

const fileIn = (dataDir: string): string => join(dataDir, 'machine.json');
const recordIn = (dataDir: string) =>
  JSON.parse(readFileSync(fileIn(dataDir), 'utf8')) as Record<string, string | null>;

/** A folder that was used on a machine, inside a folder for its copies. */
function usedOn(here: Machine) {
  const above = makeFolder();
  const dataDir = join(above, 'data');
  cpSync(makeFolder(), dataDir, { recursive: true });
  startOn(dataDir, here);
  return { above, dataDir, copy: join(above, 'copy') };
}

describe('a confirmed move', () => {
  it('waits in the folder until it is in the history, also over a stop, and only that once', () => {
    const { dataDir } = usedOn(laptop);
    const from = { reason: 'other_machine', name: '1a', folder: dataDir };
    const first = startOn(dataDir, server).origin;
    expect(first.unrecorded()).toBeNull();
    expect(first.confirm()).toEqual({ ok: true, value: from });
    const confirmation = { from, confirmed_at: '2026-01-10T12:00:00.000Z' };
    expect(first.unrecorded()).toEqual(confirmation);

    const renamed = machine('2b', 'another-name');
    expect(startOn(dataDir, renamed).origin.unrecorded()).toEqual(confirmation);
    const again = startOn(dataDir, server);
    expect(again).toMatchObject({ from: null, said: [] });
    expect(again.origin.unrecorded()).toEqual(confirmation);
    again.origin.noteRecorded();
    expect(again.origin.unrecorded()).toBeNull();
    expect(startOn(dataDir, server).origin.unrecorded()).toBeNull();
    expect(recordIn(dataDir)).not.toHaveProperty('confirmed');
  });

  it('that has not been recorded is nothing on yet another machine', () => {
    const { dataDir } = usedOn(laptop);
    startOn(dataDir, server).origin.confirm();
    const third = startOn(dataDir, laptop);
    expect(third.from).toMatchObject({ reason: 'other_machine', name: '2b' });
    expect(third.origin.unrecorded()).toBeNull();
  });
});

describe('a data folder', () => {
  it('gets its record at the first start, and asks nothing at the next ones', () => {
    const { dataDir } = usedOn(laptop);
    const record = recordIn(dataDir);
    expect(record).toMatchObject({ format: 1, name: '1a', folder: dataDir });
    expect(statSync(fileIn(dataDir)).mode & 0o777).toBe(0o600);
    expect(startOn(dataDir, laptop)).toMatchObject({ from: null, said: [] });
    expect(recordIn(dataDir)).toEqual(record);
  });

  it('does not contain the id of its machine, nor what another folder says of the same machine', () => {
    const [one, other] = [usedOn(laptop), usedOn(laptop)];
    if (laptop.id.kind === 'known')
      expect(readFileSync(fileIn(one.dataDir), 'utf8')).not.toContain(laptop.id.id);
    expect(recordIn(one.dataDir)['machine']).not.toBe(recordIn(other.dataDir)['machine']);
  });

  it('on another machine asks at each start until it is confirmed, and is a folder of its own then', () => {
    const { dataDir } = usedOn(laptop);
    const before = recordIn(dataDir);
    const from = { reason: 'other_machine', name: '1a', folder: dataDir };
    expect(startOn(dataDir, server).from).toEqual(from);
    const { origin } = startOn(dataDir, server);
    expect(origin.movedFrom()).toEqual(from);
    expect(recordIn(dataDir)).toEqual(before);

    const heard: unknown[] = [];
    // What begins then finds it written: a power loss after it does not ask again.
    origin.onConfirmed(() => heard.push(recordIn(dataDir)['name']));
    expect(origin.confirm()).toEqual({ ok: true, value: from });
    expect(heard).toEqual(['2b']);
    expect(origin.movedFrom()).toBeNull();
    expect(recordIn(dataDir)).toMatchObject({ name: '2b', folder: dataDir });
    expect(recordIn(dataDir)['id']).not.toBe(before['id']);
    expect(origin.confirm()).toEqual({ ok: true, value: null });
    expect(startOn(dataDir, server).from).toBeNull();
    expect(startOn(dataDir, laptop).from).toMatchObject({ reason: 'other_machine', name: '2b' });
  });

  it('copied on the same machine asks in the copy and not in the first one', () => {
    const { dataDir, copy } = usedOn(laptop);
    cpSync(dataDir, copy, { recursive: true });
    const asked = startOn(copy, laptop);
    expect(asked.from).toEqual({ reason: 'copy', name: null, folder: dataDir });
    expect(startOn(dataDir, laptop).from).toBeNull();
    asked.origin.confirm();
    expect(startOn(copy, laptop).from).toBeNull();
    expect(startOn(dataDir, laptop).from).toBeNull();
  });

  it('moved on the same machine goes on, and its next copy is one of the new place', () => {
    const { dataDir, copy } = usedOn(laptop);
    const { id } = recordIn(dataDir);
    renameSync(dataDir, copy);
    expect(startOn(copy, laptop)).toMatchObject({ from: null, said: [] });
    expect(recordIn(copy)).toMatchObject({ id, folder: copy });
    cpSync(copy, dataDir, { recursive: true });
    expect(startOn(dataDir, laptop).from).toMatchObject({ reason: 'copy', folder: copy });
  });

  it('moved goes on although another folder is where it was', () => {
    const { dataDir, copy } = usedOn(laptop);
    renameSync(dataDir, copy);
    const other = usedOn(laptop);
    renameSync(other.dataDir, dataDir);
    expect(startOn(copy, laptop).from).toBeNull();
  });

  it('reached by another name is the same folder', () => {
    const { dataDir, copy } = usedOn(laptop);
    symlinkSync(dataDir, copy);
    expect(startOn(copy, laptop).from).toBeNull();
    expect(startOn(dataDir, laptop).from).toBeNull();
  });

  it('asks where it cannot be seen whether the first one is there', () => {
    const { above, dataDir } = usedOn(laptop);
    const copy = join(makeFolder(), 'copy');
    renameSync(dataDir, copy);
    rmSync(above, { recursive: true });
    symlinkSync(above, above); // ELOOP, also for root
    expect(startOn(copy, laptop).from).toMatchObject({ reason: 'copy', folder: dataDir });
  });

  it.each([
    ['cut short', '{"format":1,"id"'],
    ['of a newer version', JSON.stringify({ format: 2, id: 'x' })],
    ['empty', ''],
    [
      'with a wrong field',
      JSON.stringify({ format: 1, id: 'no uuid', name: 'x', machine: null, folder: '/x' }),
    ],
  ])('whose record is %s asks, says which file, and is well again after it', (_what, content) => {
    const { dataDir } = usedOn(laptop);
    writeFileSync(fileIn(dataDir), content);
    const { from, said, origin } = startOn(dataDir, laptop);
    expect(from).toEqual({ reason: 'unreadable', name: null, folder: null });
    expect(said).toEqual([expect.stringContaining(fileIn(dataDir))]);
    expect(readFileSync(fileIn(dataDir), 'utf8')).toBe(content);
    origin.confirm();
    expect(startOn(dataDir, laptop)).toMatchObject({ from: null, said: [] });
  });

  it('whose confirmation cannot be written goes on waiting', () => {
    const { dataDir } = usedOn(laptop);
    const { origin } = startOn(dataDir, server);
    const heard: unknown[] = [];
    origin.onConfirmed(() => heard.push('confirmed'));
    // A folder in place of the file: no rename replaces it, for root neither.
    rmSync(fileIn(dataDir));
    cpSync(makeFolder(), fileIn(dataDir), { recursive: true });
    const refused = origin.confirm();
    expect(refused).toMatchObject({
      ok: false,
      refusal: expect.stringContaining('cannot be written') as string,
    });
    expect(origin.movedFrom()).toMatchObject({ reason: 'other_machine' });
    expect(heard).toEqual([]);
    expect(readdirSync(dataDir).filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  it('of an older version gets a record on whatever machine it is', () => {
    const { dataDir } = usedOn(laptop);
    rmSync(fileIn(dataDir));
    expect(startOn(dataDir, server)).toMatchObject({ from: null, said: [] });
    expect(recordIn(dataDir)).toMatchObject({ name: '2b' });
  });
});

describe('a machine without an id', () => {
  it('is not told apart from another one, whatever their names are', () => {
    const { dataDir } = usedOn(container('f00'));
    expect(recordIn(dataDir)['machine']).toBeNull();
    expect(startOn(dataDir, container('ba7')).from).toBeNull();
  });

  it('asks in a copy all the same', () => {
    const { dataDir, copy } = usedOn(container('f00'));
    cpSync(dataDir, copy, { recursive: true });
    expect(startOn(copy, container('ba7')).from).toMatchObject({ reason: 'copy', folder: dataDir });
  });

  it('asks for data that had a machine, once', () => {
    const { dataDir } = usedOn(laptop);
    const { from, origin } = startOn(dataDir, container('f00'));
    expect(from).toMatchObject({ reason: 'other_machine', name: '1a' });
    origin.confirm();
    expect(startOn(dataDir, container('ba7')).from).toBeNull();
  });

  it('is recorded once it has one', () => {
    const { dataDir } = usedOn(container('f00'));
    expect(startOn(dataDir, laptop).from).toBeNull();
    expect(startOn(dataDir, server).from).toMatchObject({ reason: 'other_machine', name: '1a' });
  });

  it('whose id cannot be read now is not taken for another, and what is recorded of it stays', () => {
    const { dataDir, copy } = usedOn(laptop);
    renameSync(dataDir, copy);
    expect(startOn(copy, silent).from).toBeNull();
    expect(recordIn(copy)).toMatchObject({ folder: copy });
    expect(startOn(copy, laptop).from).toBeNull();
    expect(startOn(copy, server).from).toMatchObject({ reason: 'other_machine' });
  });
});

it('another name of the same machine is no other machine', () => {
  const { dataDir } = usedOn(laptop);
  expect(startOn(dataDir, machine('1a', 'new-name')).from).toBeNull();
  expect(startOn(dataDir, server).from).toMatchObject({ name: 'new-name' });
});

describe('the id of a Linux', () => {
  const id = '3d1219c7c4c5404aaa1f6d2a48adfda4';
  const disk = '27 1 254:0 / / rw,relatime - ext4 /dev/vda rw';
  const known = { kind: 'known', id };
  const none = { kind: 'none' };
  it.each<[string, Record<string, string>, object]>([
    ['is that of systemd', { '/etc/machine-id': `${id}\n` }, known],
    ['is that of D-Bus where there is no other', { '/var/lib/dbus/machine-id': id }, known],
    ['is none where the file is empty, as in an image', { '/etc/machine-id': '' }, none],
    ['is none before the first boot', { '/etc/machine-id': 'uninitialized\n' }, none],
    ['is none where it is only zeros', { '/etc/machine-id': '0'.repeat(32) }, none],
    ['is none without a file', {}, none],
    ['is none in a container of Docker', { '/etc/machine-id': id, '/.dockerenv': '' }, none],
    ['is none in a container of Podman', { '/etc/machine-id': id, '/run/.containerenv': '' }, none],
    [
      'is none on the layers of an image',
      {
        '/etc/machine-id': id,
        '/proc/self/mountinfo': '611 520 0:52 / / rw,relatime master:190 - overlay overlay rw,lowerdir=/x',
      },
      none,
    ],
    [
      'is that of the machine where layers are mounted elsewhere',
      {
        '/etc/machine-id': id,
        '/proc/self/mountinfo': `${disk}\n99 27 0:52 / /var/lib/docker/overlay2/x/merged rw - overlay overlay rw`,
      },
      known,
    ],
  ])('%s', (_what, files, expected) => {
    const read = (path: string): string | null => files[path] ?? null;
    expect(idOfLinux({ read, exists: (path) => path in files })).toEqual(expected);
  });
});
