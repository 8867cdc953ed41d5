import { execFile } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { deliver } from '../../../src/agent/delivery/deliver.ts';
import type { DeliveryOutcome } from '../../../src/agent/delivery/delivery-outcome.ts';
import type { FoundDelivery } from '../../../src/agent/delivery/preview-delivery.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { makeContext } from './make-context.ts';
import { old, previewIn, value } from './preview-setup.ts';

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
