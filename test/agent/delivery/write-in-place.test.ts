import { spawnSync } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deliver } from '../../../src/agent/delivery/deliver.ts';
import { previewDelivery } from '../../../src/agent/delivery/preview-delivery.ts';
import {
  copyPathIn,
  copyPathOf,
  finishInPlace,
  writeInPlace,
} from '../../../src/agent/delivery/write-in-place.ts';
import type { DeliveryTarget } from '../../../src/contract/credential/credential.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { makeContext } from './preview-setup.ts';

const isLinux = process.platform === 'linux';
const token = 'rvx_TheNewOne';

function makeEnv(content = 'A=1\nTOKEN=old-and-longer-than-the-new-one\nB=2\n') {
  const path = join(makeFolder(), 'app.env');
  writeFileSync(path, content, { mode: 0o640 });
  const target: DeliveryTarget = { kind: 'dotenv', path, variable: 'TOKEN' };
  return { path, target, text: () => readFileSync(path, 'utf8') };
}

async function findingsOf(target: DeliveryTarget) {
  return (await previewDelivery(target, token, makeContext())).findings;
}

describe('a file that is written in place', () => {
  it('stays the same file, and has nothing beside it afterwards', async () => {
    const { path, target, text } = makeEnv();
    const before = statSync(path).ino;
    const inPlace = { ...target, in_place: true } as const;
    expect(await findingsOf(inPlace)).toContainEqual({ code: 'written_in_place', reason: 'asked' });
    expect(await deliver(inPlace, token, makeContext())).toEqual({ ok: true, note: null });
    expect(text()).toBe(`A=1\nTOKEN=${token}\nB=2\n`);
    expect(statSync(path).ino).toBe(before);
    expect(readdirSync(join(path, '..'))).toEqual(['app.env']);
  });

  it('is one with a second name, which has the new content too', async () => {
    const { path, target, text } = makeEnv();
    const other = join(makeFolder(), 'other');
    linkSync(path, other);
    expect(await findingsOf(target)).toContainEqual({ code: 'written_in_place', reason: 'link' });
    await deliver(target, token, makeContext());
    expect(readFileSync(other, 'utf8')).toBe(text());
    expect(text()).toContain(token);
  });

  it('is replaced otherwise, and the preview says nothing of it', async () => {
    const { path, target } = makeEnv();
    const before = statSync(path).ino;
    expect((await findingsOf(target)).map(({ code }) => code)).not.toContain('written_in_place');
    await deliver(target, token, makeContext());
    expect(statSync(path).ino).not.toBe(before);
    expect(statSync(path).mode & 0o777).toBe(0o640);
  });

  it.runIf(isLinux && canSetAttributes())(
    'keeps its attributes and its access control list when it is replaced',
    async () => {
      const { path, target, text } = makeEnv();
      const list = 'print(sorted((n, os.getxattr(p, n)) for n in os.listxattr(p)))';
      const before = python(
        'os.setxattr(p, "user.note", b"kept"); e=[(1,6,2**32-1),(2,4,33),(4,4,2**32-1),(16,4,2**32-1),(32,0,2**32-1)]; os.setxattr(p, "system.posix_acl_access", struct.pack("<I", 2) + b"".join(struct.pack("<HHI", t, r, i) for t, r, i in e)); ' +
          list,
        path,
      );
      expect(before).toContain('posix_acl_access');
      await deliver(target, token, makeContext());
      expect(text()).toContain(token);
      expect(python(list, path)).toBe(before);
    },
  );

  it.runIf(isLinux && canMount())(
    'is one that a container has mounted, which sees the new content',
    async () => {
      const { path, target } = makeEnv();
      const folder = makeFolder();
      const seen = join(folder, 'seen');
      writeFileSync(seen, '');
      const run = spawnSync(
        'unshare',
        [
          '-m',
          'sh',
          '-c',
          'mount --bind "$1" "$2" && "$3" --no-warnings -e "$4" && cat "$2"',
          'sh',
          path,
          seen,
          process.execPath,
          `import(${JSON.stringify(new URL('../../../src/agent/delivery/find-mounts.ts', import.meta.url).href)}).then(async ({ isMounted }) => console.log(await isMounted(${JSON.stringify(path)}), await isMounted(${JSON.stringify(seen)}), await isMounted('/etc/hostname-that-is-none')))`,
        ],
        { encoding: 'utf8' },
      );
      expect(run.stdout).toMatch(/^true true false\n/);
      expect(await findingsOf(target)).not.toContainEqual({ code: 'written_in_place', reason: 'mount' });
    },
  );
});

describe('a file in a folder that takes no new one', () => {
  it.runIf(isLinux && canMount())('is written with its copy in the data folder', async () => {
    const { path } = makeEnv('TOKEN=old\n');
    const [folder, dataDir] = [makeFolder(), makeFolder()];
    const seen = join(folder, 'app.env');
    writeFileSync(seen, '');
    const script = `
      import { deliver } from ${JSON.stringify(new URL('../../../src/agent/delivery/deliver.ts', import.meta.url).href)};
      import { previewDelivery } from ${JSON.stringify(new URL('../../../src/agent/delivery/preview-delivery.ts', import.meta.url).href)};
      const target = { kind: 'dotenv', path: process.argv[1], variable: 'TOKEN' };
      const ownPlaces = { dataDir: process.argv[2], others: [] };
      const { possible } = await previewDelivery(target, 'new', { ownPlaces });
      console.log(possible, JSON.stringify(await deliver(target, 'new', { ownPlaces })));`;
    const mounted =
      'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && mount --bind "$2" "$1/app.env" && ' +
      'exec "$3" --no-warnings --input-type=module -e "$4" "$1/app.env" "$5"';
    const args = ['-m', 'sh', '-c', mounted, 'sh', folder, path, process.execPath, script, dataDir];
    const { stdout, stderr } = spawnSync('unshare', args, { encoding: 'utf8' });
    expect({ stdout, stderr }).toEqual({ stdout: 'true {"ok":true,"note":null}\n', stderr: '' });
    expect(readFileSync(path, 'utf8')).toBe('TOKEN=new\n');
    expect(readdirSync(join(dataDir, 'copies'))).toEqual([]);
  });

  it('is completed from there after a power loss', async () => {
    const { path } = makeEnv('TOKEN=old\n');
    const dataDir = makeFolder();
    const content = Buffer.from('TOKEN=new\n');
    mkdirSync(join(dataDir, 'copies'));
    const other = join(makeFolder(), 'app.env');
    mkdirSync(other);
    await expect(writeInPlace(other, Buffer.from('TOKEN=old\n'), content, dataDir)).rejects.toThrow('EISDIR');
    writeFileSync(copyPathIn(dataDir, path), readFileSync(copyPathOf(other)));
    writeFileSync(path, 'TOKEN=nld\n');
    await finishInPlace(path, dataDir);
    expect(readFileSync(path, 'utf8')).toBe('TOKEN=new\n');
    expect(readdirSync(join(dataDir, 'copies'))).toEqual([]);
  });
});

describe('a power loss while a file is written in place', () => {
  const old = Buffer.from('A=1\nTOKEN=old-and-longer-than-the-new-one\nB=2\n');
  const content = Buffer.from('A=1\nTOKEN=new\nB=2\n');

  /** The copy as it is before the first byte of the file is written: there is a folder in its place, which cannot be opened. */
  async function copyBefore(path: string): Promise<Buffer> {
    mkdirSync(path);
    await expect(writeInPlace(path, old, content, '/nowhere/at/all')).rejects.toThrow('EISDIR');
    rmdirSync(path);
    return readFileSync(copyPathOf(path));
  }

  it('leaves the file complete at the next delivery, at whatever byte it came', async () => {
    const path = join(makeFolder(), 'app.env');
    const copy = await copyBefore(path);
    for (let at = 0; at <= content.length; at += 1) {
      writeFileSync(path, Buffer.concat([content.subarray(0, at), old.subarray(at)]));
      writeFileSync(copyPathOf(path), copy);
      await finishInPlace(path, '/nowhere/at/all');
      expect(readFileSync(path).equals(content)).toBe(true);
    }
    expect(readdirSync(join(path, '..'))).toEqual(['app.env']);
  });

  it('leaves a file alone that somebody has changed since, and one whose copy was not complete', async () => {
    const path = join(makeFolder(), 'app.env');
    const copy = await copyBefore(path);
    writeFileSync(path, 'C=3\n');
    writeFileSync(copyPathOf(path), copy);
    await finishInPlace(path, '/nowhere/at/all');
    expect(readFileSync(path, 'utf8')).toBe('C=3\n');
    writeFileSync(path, old);
    writeFileSync(copyPathOf(path), copy.subarray(0, -3));
    await finishInPlace(path, '/nowhere/at/all');
    expect(readFileSync(path).equals(old)).toBe(true);
  });
});

describe('a new file', () => {
  it('has the mode that the target says, and no line break where it says so', async () => {
    const path = join(makeFolder(), 'token');
    const target = { kind: 'file', path, mode: '0640', newline: false } as const;
    expect(await findingsOf(target)).toContainEqual({
      code: 'file_created',
      place: path,
      mode: '640',
      newline: false,
    });
    expect(await deliver(target, token, makeContext())).toEqual({ ok: true, note: null });
    expect(readFileSync(path, 'utf8')).toBe(token);
    expect(statSync(path).mode & 0o777).toBe(0o640);
  });

  it.runIf(isLinux && process.getuid?.() === 0)(
    'belongs to the user and the group that the target says',
    async () => {
      const path = join(makeFolder(), 'token');
      expect(
        (await deliver({ kind: 'file', path, owner: 'nobody', group: '12' }, token, makeContext())).ok,
      ).toBe(true);
      expect(statSync(path)).toMatchObject({ uid: 65_534, gid: 12 });
    },
  );

  it('is not made for an account that is none', async () => {
    const path = join(makeFolder(), 'token');
    expect(await deliver({ kind: 'file', path, owner: 'no-such-user' }, token, makeContext())).toMatchObject({
      ok: false,
      problem: { code: 'no_such_account', path, wanted: 'no-such-user' },
    });
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });
});

function python(code: string, path: string): string {
  const { stdout } = spawnSync(
    'python3',
    ['-ISc', `import os, struct, sys; p = sys.argv[1]; ${code}`, path],
    {
      encoding: 'utf8',
    },
  );
  return stdout;
}

function canSetAttributes(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'rotavox-test-'));
  const able = python('os.setxattr(p, "user.a", b"b"); print("yes")', folder) === 'yes\n';
  rmSync(folder, { recursive: true });
  return able;
}

function canMount(): boolean {
  return spawnSync('unshare', ['-m', 'true']).status === 0;
}
