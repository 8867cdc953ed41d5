import { execFile } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { deliver } from '../../../src/agent/delivery/deliver.ts';
import type { DeliveryOutcome } from '../../../src/agent/delivery/delivery-outcome.ts';
import { findProgram } from '../../../src/agent/delivery/find-program.ts';
import type { FoundDelivery } from '../../../src/agent/delivery/preview-delivery.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { makeContext, makeVault, old, preview, previewIn, problemOf, value } from './preview-setup.ts';
import type { DeliveryTargetOf } from '../../../src/contract/credential/credential.ts';
import { VaultUnavailable } from '../../../src/core/vault.ts';

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
/** The tests' folder for temporary files may be closed to all others. */
const openFolder = isReachable(tmpdir()) ? tmpdir() : '/tmp';
const fileAt = (path: string) => ({ kind: 'file', path }) as const;

describe('the preview of a file target', () => {
  it('says that the file will be created, for its owner only', async () => {
    const folder = makeFolder();
    const path = join(folder, 'token');
    expect(await previewIn(folder, fileAt(path))).toEqual({
      possible: true,
      findings: [{ code: 'file_created', place: path }],
      place: path,
      exists: false,
      lines: [{ number: null, before: null, after: '••••••' }],
    });
  });

  it.each([
    ['', 0],
    [old, 1],
    [`${old}\n`, 1],
    [`A=1\nB=${old}\n`, 2],
  ])('says how much is replaced: %j', async (content, lineCount) => {
    const folder = makeFolder();
    const path = join(folder, 'token');
    writeFileSync(path, content, { mode: 0o600 });
    const found = await previewIn(folder, fileAt(path));
    expect(found.findings).toEqual([
      { code: 'file_replaced', place: path, lineCount },
      { code: 'mode_kept', mode: '600' },
    ]);
    expect(found.lines).toEqual([{ number: null, before: '••••••', after: '••••••' }]);
  });

  it('says that the target already has the token', async () => {
    const folder = makeFolder();
    const path = join(folder, 'token');
    await deliver(fileAt(path), value, makeContext());
    const found = await previewIn(folder, fileAt(path));
    expect(found).toMatchObject({ possible: true, exists: true, lines: [] });
    expect(found.findings[0]).toEqual({ code: 'file_unchanged', place: path });
  });

  it('follows links, also to where nothing is yet', async () => {
    const folder = makeFolder();
    mkdirSync(join(folder, 'real'));
    symlinkSync('real/token', join(folder, 'link'));
    const found = await previewIn(folder, fileAt(join(folder, 'link')));
    expect(found).toMatchObject({ possible: true, place: join(folder, 'real', 'token'), exists: false });
    expect(found.findings).toContainEqual({ code: 'through_link', path: join(folder, 'link') });
  });
});

/** The preview for a user who is not root; asserts that the delivery then ends as announced. */
async function previewAsNobody(path: string): Promise<FoundDelivery> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(import.meta.dirname, 'preview-child.ts'),
    path,
  ]);
  const { preview, outcome } = JSON.parse(stdout) as { preview: FoundDelivery; outcome: DeliveryOutcome };
  expect(outcome.ok).toBe(preview.possible);
  if (!outcome.ok) expect(preview.findings).toEqual([{ code: 'impossible', problem: outcome.problem }]);
  return preview;
}

/** A file in a folder that everyone may write in. */
function makeFile(owner: { uid: number; gid: number }, folder: { gid: number; mode: number }): string {
  const place = makeFolder(openFolder);
  const path = join(place, 'token');
  writeFileSync(path, `${old}\n`, { mode: 0o600 });
  chownSync(path, owner.uid, owner.gid);
  if (owner.uid !== nobody) chmodSync(path, 0o644);
  chownSync(place, 0, folder.gid);
  chmodSync(place, folder.mode);
  return path;
}

describe.runIf(process.platform !== 'win32')('the preview of a file target of somebody who may not', () => {
  it('says that the folder cannot be written, as the delivery would', async () => {
    const folder = makeFolder(openFolder);
    const path = join(folder, 'token');
    writeFileSync(path, `${old}\n`, { mode: 0o644 });
    chmodSync(folder, 0o555);
    const found = await previewAsNobody(path);
    chmodSync(folder, 0o755);
    expect(found).toEqual({
      possible: false,
      findings: [{ code: 'impossible', problem: { code: 'file_system', path, systemCode: 'EACCES' } }],
      place: path,
      exists: true,
      lines: [],
    });
  });

  it.runIf(isRoot)(
    'says that the file belongs to another user, or to another group',
    { tags: ['long'] },
    async () => {
      for (const [uid, gid] of [
        [1234, nobody],
        [nobody, 4321],
      ] as const) {
        const path = makeFile({ uid, gid }, { gid: 4321, mode: 0o777 });
        const found = await previewAsNobody(path);
        expect(found.possible).toBe(false);
        const problem = { code: 'owner_differs', place: path, uid: String(uid), gid: String(gid) };
        expect(found.findings).toEqual([{ code: 'impossible', problem }]);
      }
    },
  );

  it.runIf(isRoot)(
    'lets one’s own file be, of one’s own group or of one that the folder hands on',
    { tags: ['long'] },
    async () => {
      for (const gid of [nobody, 4321]) {
        const path = makeFile({ uid: nobody, gid }, { gid: 4321, mode: 0o2777 });
        expect(await previewAsNobody(path)).toMatchObject({ possible: true, exists: true });
      }
    },
  );
});

function isReachable(path: string): boolean {
  const parent = dirname(path);
  return (statSync(path).mode & 0o005) === 0o005 && (parent === path || isReachable(parent));
}

function hook(
  command: string[],
  differences: Partial<DeliveryTargetOf<'hook'>> = {},
): DeliveryTargetOf<'hook'> {
  return { kind: 'hook', command, pass: 'stdin', variable: 'TOKEN', time_limit_seconds: 30, ...differences };
}

/** An executable file, or one that is not. */
function makeProgram(folder: string, name: string, { content = '#!/bin/sh\n', mode = 0o755 } = {}): string {
  const path = join(folder, name);
  writeFileSync(path, content, { mode });
  return path;
}

describe.runIf(process.platform !== 'win32')('the preview of a hook', () => {
  it('shows the command and how it gets the token, and runs nothing', async () => {
    const folder = makeFolder();
    const witness = join(folder, 'it-ran');
    const program = makeProgram(folder, 'take', { content: `#!/bin/sh\ntouch ${witness}\n` });
    expect(await previewIn(folder, hook([program, 'a b', '--to=x']))).toEqual({
      possible: true,
      findings: [{ code: 'command_found', program, argumentCount: 2, seconds: 30, variable: null }],
      place: hook([program, 'a b', '--to=x']),
      exists: true,
      lines: [],
    });
    const inVariable = await preview(hook([program], { pass: 'env', time_limit_seconds: 5 }));
    expect(inVariable.findings).toEqual([
      { code: 'command_found', program, argumentCount: 0, seconds: 5, variable: 'TOKEN' },
    ]);
    expect(existsSync(witness)).toBe(false);
  });

  it('names the file that PATH leads to', async () => {
    const found = await preview(hook(['sh', '-c', 'exit']));
    expect(found).toMatchObject({ possible: true, exists: true });
    const path = expect.stringMatching(/^\/.*\/sh$/) as string;
    expect(found.place).toMatchObject({ command: [path, '-c', 'exit'] });
  });

  it('gives the reason of the delivery when it is impossible', async () => {
    const folder = makeFolder();
    const plain = makeProgram(folder, 'plain', { mode: 0o644 });
    const orphan = makeProgram(folder, 'orphan', { content: '#!/no/such/interpreter -x\n' });
    for (const [command, exists] of [
      [[join(folder, 'missing'), 'x'], false],
      [['no-such-program-here'], false],
      [[plain], true],
      [[folder], true],
      [[orphan], false],
    ] as const) {
      const target = hook([...command]);
      const found = await preview(target);
      expect(found, command.join(' ')).toMatchObject({ possible: false, exists, lines: [] });
      const outcome = await deliver(target, value, makeContext());
      expect(outcome, command.join(' ')).toMatchObject({ ok: false });
      expect(found.findings).toEqual([{ code: 'impossible', problem: problemOf(outcome) }]);
    }
  });
});

describe.runIf(process.platform !== 'win32')('finding a program', () => {
  it('takes the first in PATH that may be run', async () => {
    const [first, second, third] = ['a', 'b', 'c'].map((name) => {
      const folder = join(makeFolder(), name);
      mkdirSync(folder);
      return folder;
    }) as [string, string, string];
    makeProgram(first, 'tool', { mode: 0o600 });
    mkdirSync(join(second, 'tool'));
    const env = { PATH: [first, second, third].join(delimiter) };
    expect(await findProgram('tool', { env })).toEqual({ ok: false, code: 'EACCES' });
    makeProgram(third, 'tool');
    expect(await findProgram('tool', { env })).toEqual({ ok: true, path: join(third, 'tool') });
    expect(await findProgram('other', { env })).toEqual({ ok: false, code: 'ENOENT' });
  });

  it('searches like the system without a PATH, and in our own folder for its empty parts', async () => {
    expect(await findProgram('sh', { env: {} })).toMatchObject({ ok: true });
    expect(await findProgram('package.json', { env: { PATH: `/nowhere${delimiter}` } })).toEqual({
      ok: false,
      code: 'EACCES',
    });
  });
});

const entry = { service: 'billing-app', account: 'api' };
const target = { kind: 'keychain', ...entry } as const;
const locked = { code: 'keychain_locked', platform: 'linux' } as const;

describe('the preview of a keychain target', () => {
  it('says whether the entry exists, and writes nothing', async () => {
    const vault = makeVault('keychain', { write: () => Promise.reject(new Error('It was written')) });
    expect(await preview(target, vault)).toEqual({
      possible: true,
      findings: [{ code: 'entry_created', ...entry }],
      place: target,
      exists: false,
      lines: [{ number: null, before: null, after: '••••••' }],
    });
    expect(await preview(target, makeVault('keychain', { read: async () => old }))).toEqual({
      possible: true,
      findings: [{ code: 'entry_replaced', ...entry }],
      place: target,
      exists: true,
      lines: [{ number: null, before: '••••••', after: '••••••' }],
    });
    expect(await preview(target, makeVault('keychain', { read: async () => value }))).toEqual({
      possible: true,
      findings: [{ code: 'entry_unchanged', ...entry }],
      place: target,
      exists: true,
      lines: [],
    });
  });

  it.each([
    ['an entry of Rotavox itself', { ...target, service: 'Rotavox' }, 'keychain'],
    ['a host with an encrypted file', target, 'file'],
  ] as const)('says for the reason of the delivery why there can be none: %s', async (_, wanted, kind) => {
    const vault = makeVault(kind);
    const found = await preview(wanted, vault);
    expect(found).toMatchObject({ possible: false, exists: false, lines: [] });
    const delivered = await deliver(wanted, value, makeContext({ vault }));
    expect(found.findings).toEqual([{ code: 'impossible', problem: problemOf(delivered) }]);
  });

  it('says that the keychain is locked', async () => {
    const vault = makeVault('keychain', { read: () => Promise.reject(new VaultUnavailable(locked)) });
    expect(await preview(target, vault)).toMatchObject({
      possible: false,
      findings: [{ code: 'impossible', problem: { code: 'entry_not_readable', ...entry, problem: locked } }],
    });
  });

  it('lets a bug of the vault through', async () => {
    const vault = makeVault('keychain', { read: () => Promise.reject(new TypeError('a bug')) });
    await expect(preview(target, vault)).rejects.toThrow('a bug');
  });
});
