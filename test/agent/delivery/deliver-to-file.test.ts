import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deliver } from '../../../src/agent/delivery/deliver.ts';
import type { DeliveryOutcome } from '../../../src/agent/delivery/delivery-outcome.ts';
import { replacePrivateFile, writeDraft } from '../../../src/agent/delivery/replace-private-file.ts';
import { canMount, mountSmallDisk } from '../../chaos/full-disk.ts';
import type { DeliveryProblem } from '../../../src/contract/credential/delivery-problem.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { makeContext, nowhere } from './preview-setup.ts';

const isRoot = process.getuid?.() === 0;

function deliverTo(path: string, value = 'secret-value'): Promise<DeliveryOutcome> {
  return deliver({ kind: 'file', path }, value, makeContext());
}

/** A draft as left by a crash before its rename. */
function writeDraftFor(path: string): Promise<string> {
  return writeDraft(path, Buffer.from('secret'), null);
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

describe('a file target', () => {
  it('is made for its owner only, and holds the token and a newline', async () => {
    const folder = makeFolder();
    const path = join(folder, 'token');
    expect(await deliverTo(path)).toEqual({ ok: true, note: null });
    expect(readFileSync(path, 'utf8')).toBe('secret-value\n');
    expect(modeOf(path)).toBe('600');
    expect(readdirSync(folder)).toEqual(['token']);
  });

  it.each([0o600, 0o640, 0o644, 0o400, 0o606])('keeps the mode %o of a file that is there', async (mode) => {
    const path = join(makeFolder(), 'token');
    writeFileSync(path, 'a much longer value that was there before\n');
    chmodSync(path, mode);
    expect(await deliverTo(path)).toMatchObject({ ok: true });
    expect(readFileSync(path, 'utf8')).toBe('secret-value\n');
    expect(modeOf(path)).toBe(mode.toString(8));
  });

  it.runIf(isRoot)('keeps the owner of a file that is there', async () => {
    const path = join(makeFolder(), 'token');
    writeFileSync(path, 'old\n');
    chownSync(path, 1234, 4321);
    expect(await deliverTo(path)).toMatchObject({ ok: true });
    expect(statSync(path)).toMatchObject({ uid: 1234, gid: 4321 });
  });

  it('is replaced, not overwritten: a reader of the old file reads all of it', async () => {
    const folder = makeFolder();
    const path = join(folder, 'token');
    writeFileSync(path, 'old\n');
    const reader = openSync(path, 'r');
    await deliverTo(path);
    expect(readFileSync(reader, 'utf8')).toBe('old\n');
    closeSync(reader);
    expect(readFileSync(path, 'utf8')).toBe('secret-value\n');
  });

  it('that has the token already is left alone', async () => {
    const path = join(makeFolder(), 'token');
    await deliverTo(path);
    const { ino, mtimeNs } = statSync(path, { bigint: true });
    expect(await deliverTo(path)).toEqual({ ok: true, note: null });
    expect(statSync(path, { bigint: true })).toMatchObject({ ino, mtimeNs });
  });

  it('is reached through symbolic links, which stay', async () => {
    const folder = makeFolder();
    mkdirSync(join(folder, 'real'));
    writeFileSync(join(folder, 'real/token'), 'old\n');
    symlinkSync('real/token', join(folder, 'second'));
    symlinkSync(join(folder, 'second'), join(folder, 'first'));
    expect(await deliverTo(join(folder, 'first'))).toMatchObject({ ok: true });
    expect(readFileSync(join(folder, 'real/token'), 'utf8')).toBe('secret-value\n');
    expect(lstatSync(join(folder, 'first')).isSymbolicLink()).toBe(true);
    expect(lstatSync(join(folder, 'second')).isSymbolicLink()).toBe(true);
  });

  it('is made where a symbolic link leads that leads nowhere yet', async () => {
    const folder = makeFolder();
    mkdirSync(join(folder, 'real'));
    symlinkSync('real/token', join(folder, 'link'));
    expect(await deliverTo(join(folder, 'link'))).toMatchObject({ ok: true });
    expect(readFileSync(join(folder, 'real/token'), 'utf8')).toBe('secret-value\n');
    expect(lstatSync(join(folder, 'link')).isSymbolicLink()).toBe(true);
  });

  it('may have the longest name that the system allows', async () => {
    const path = join(makeFolder(), 'n'.repeat(255));
    expect(await deliverTo(path)).toMatchObject({ ok: true });
  });

  it('removes old drafts that a crash left for it, and no files of others', async () => {
    const folder = makeFolder();
    const path = join(folder, 'token');
    const [left, fresh] = [await writeDraftFor(path), await writeDraftFor(path)];
    const foreign = await writeDraftFor(join(folder, 'other'));
    for (const draft of [left, foreign]) utimesSync(draft, 1, 1);
    expect(await deliverTo(path)).toMatchObject({ ok: true });
    expect(readdirSync(folder).sort()).toEqual([fresh, foreign, path].map((one) => basename(one)).sort());
  });

  it('does not overwrite what another program writes meanwhile: the change is made again', async () => {
    const path = join(makeFolder(), 'token');
    writeFileSync(path, 'old');
    const seen: string[] = [];
    await replacePrivateFile(
      path,
      (content) => {
        seen.push(String(content));
        if (seen.length === 1) writeFileSync(path, 'edited');
        return Buffer.from(`${String(content)} and new`);
      },
      nowhere,
    );
    expect(seen).toEqual(['old', 'edited']);
    expect(readFileSync(path, 'utf8')).toBe('edited and new');
  });

  it('that another program changes continuously is left unchanged, with the reason', async () => {
    const folder = makeFolder();
    const path = join(folder, 'token');
    let edits = 0;
    const replaced = replacePrivateFile(
      path,
      () => {
        writeFileSync(path, 'edited'.repeat((edits += 1)));
        return Buffer.from('new');
      },
      nowhere,
    );
    await expect(replaced).rejects.toMatchObject({ problem: { code: 'changed_meanwhile', path } });
    expect(readFileSync(path, 'utf8')).toBe('edited'.repeat(edits));
    expect(readdirSync(folder)).toEqual(['token']);
  });
});

describe('a file target that cannot be', () => {
  /** Outcome: not delivered, for a reason that names the path and not the token, and no file is left behind. */
  async function expectTrouble(
    path: string,
    folder: string,
    code: DeliveryProblem['code'],
    systemCode?: string,
  ): Promise<void> {
    const before = readdirSync(folder);
    const outcome = await deliverTo(path);
    const more = systemCode === undefined ? {} : { systemCode };
    expect(outcome).toEqual({ ok: false, retry: true, problem: { code, path, ...more } });
    expect(readdirSync(folder)).toEqual(before);
  }

  it('says that the folder is missing', async () => {
    const folder = makeFolder();
    await expectTrouble(join(folder, 'missing/token'), folder, 'file_system', 'ENOENT');
  });

  it('says that a part of the path is no folder', async () => {
    const folder = makeFolder();
    writeFileSync(join(folder, 'file'), '');
    await expectTrouble(join(folder, 'file/token'), folder, 'file_system', 'ENOTDIR');
  });

  it('says that the path is a folder', async () => {
    const folder = makeFolder();
    await expectTrouble(folder, folder, 'is_folder');
  });

  it.runIf(existsSync('/dev/full'))('says that the path is a device', async () => {
    await expectTrouble('/dev/full', makeFolder(), 'is_device');
    expect(statSync('/dev/full').isCharacterDevice()).toBe(true);
  });

  it('says that the path is a pipe, and does not wait for it', async () => {
    const folder = makeFolder();
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    await expectTrouble(join(folder, 'pipe'), folder, 'is_device');
  });

  it('says that the name is too long', async () => {
    const folder = makeFolder();
    await expectTrouble(join(folder, 'n'.repeat(256)), folder, 'file_system', 'ENAMETOOLONG');
  });

  it('says that links form a loop', async () => {
    const folder = makeFolder();
    symlinkSync('b', join(folder, 'a'));
    symlinkSync('a', join(folder, 'b'));
    await expectTrouble(join(folder, 'a'), folder, 'file_system', 'ELOOP');
  });

  it('leaves a file alone that is too large to be one that holds a token', async () => {
    const folder = makeFolder();
    const path = join(folder, 'database');
    writeFileSync(path, '');
    truncateSync(path, 2 ** 20 + 1);
    await expectTrouble(path, folder, 'too_large');
    expect(statSync(path).size).toBe(2 ** 20 + 1);
  });

  it.runIf(process.platform !== 'win32')('says that a path with a drive is none here', async () => {
    await expectTrouble('C:\\token', makeFolder(), 'not_absolute');
    expect(existsSync('C:\\token')).toBe(false);
  });

  it.runIf(canMount)('says that the disk is full; the old content stays', async () => {
    const disk = mountSmallDisk(64 * 1024);
    mkdirSync(disk.folder);
    const path = join(disk.folder, 'token');
    writeFileSync(path, 'old\n');
    disk.fill(0);
    await expectTrouble(path, disk.folder, 'file_system', 'ENOSPC');
    expect(readFileSync(path, 'utf8')).toBe('old\n');
    disk.free();
    expect(await deliverTo(path)).toMatchObject({ ok: true });
  });
});
