import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  makeSigningKey,
  makeUpdateList,
  readSigningKey,
  signList,
} from '../../../src/launcher/make-update-list.ts';
import {
  type Offer,
  type OfferTerms,
  readOffer,
  readUpdateKey,
} from '../../../src/main/updates/update-list.ts';
import { nextUpdateState, UpdateError, type UpdateEvent } from '../../../src/main/updates/update-state.ts';
import type { UpdateObstacle, UpdateProblem, UpdateState } from '../../../src/contract/service/update.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const sha512 = `${'A'.repeat(86)}==`;
const terms: OfferTerms = { platform: 'linux', arch: 'x64', kind: 'appimage', runningVersion: '1.0.0' };
const appImage = { platform: 'linux', arch: 'x64', kind: 'appimage', name: 'R.AppImage', size: 3, sha512 };
const usual = { program: 'rotavox', version: '2.0.0', files: [appImage] };

function read(
  list: unknown,
  differences: Partial<OfferTerms> = {},
  key: KeyObject = privateKey,
): Offer | null {
  const bytes = Buffer.from(typeof list === 'string' ? list : JSON.stringify(list));
  return readOffer(bytes, Buffer.from(signList(bytes, key)), publicKey, { ...terms, ...differences });
}

function problemOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error instanceof UpdateError ? error.problem : error;
  }
}

describe('a signed list of versions', () => {
  it('offers the file for this system', () => {
    const windows = { ...appImage, platform: 'win32', kind: 'nsis', name: 'Rotavox-2.0.0-x64.exe' };
    const arm = { ...appImage, arch: 'arm64', name: 'Rotavox-2.0.0-arm64.AppImage' };
    const files = [windows, arm, { ...appImage, kind: 'rpm' }, appImage];
    expect(read({ ...usual, files })).toEqual({
      version: '2.0.0',
      file: { name: 'R.AppImage', size: 3, sha512 },
    });
    expect(read({ ...usual, files }, { arch: 'arm64' })?.file.name).toBe(arm.name);
    expect(read({ ...usual, files }, { platform: 'win32', kind: 'nsis' })?.file.name).toBe(windows.name);
    expect(problemOf(() => read({ ...usual, files }, { arch: 'ia32' }))).toEqual({
      code: 'no_file_for_system',
      version: '2.0.0',
      system: 'linux ia32',
    });
  });

  const bytes = Buffer.from(JSON.stringify(usual));
  const signature = sign(null, bytes, privateKey);
  it.each([
    ['an empty signature', bytes, ''],
    ['a signature that is not base64', bytes, '<html>'],
    ['half a signature', bytes, signature.subarray(0, 32).toString('base64')],
    ['the signature of another key', bytes, signList(bytes, generateKeyPairSync('ed25519').privateKey)],
    [
      'the signature of another list',
      Buffer.from(JSON.stringify({ ...usual, version: '2.0.1' })),
      signature.toString('base64'),
    ],
    ['one byte more', Buffer.concat([bytes, Buffer.from(' ')]), signature.toString('base64')],
  ])('is refused with %s', (_what, list, text) => {
    expect(problemOf(() => readOffer(list, Buffer.from(text), publicKey, terms))).toEqual({
      code: 'wrong_signature',
    });
  });

  it('is refused if it is older than the running version, which a signature does not prevent', () => {
    expect(problemOf(() => read(usual, { runningVersion: '2.0.1' }))).toEqual({
      code: 'older_version',
      version: '2.0.0',
      running: '2.0.1',
    });
    expect(
      problemOf(() => read({ ...usual, version: '2.0.0-beta.2' }, { runningVersion: '2.0.0' })),
    ).toMatchObject({
      code: 'older_version',
    });
    expect(problemOf(() => read({ ...usual, version: '2.9.0' }, { runningVersion: '2.10.0' }))).toMatchObject(
      {
        code: 'older_version',
      },
    );
  });

  it('offers nothing with the running version, or with a preview while none is running', () => {
    expect(read(usual, { runningVersion: '2.0.0' })).toBeNull();
    expect(read({ ...usual, version: '2.1.0-beta.1' })).toBeNull();
    expect(read({ ...usual, version: '2.1.0-beta.1' }, { runningVersion: '2.1.0-alpha.3' })).toMatchObject({
      version: '2.1.0-beta.1',
    });
  });

  it.each([
    ['nothing', ''],
    ['a page', '<html>'],
    ['null', 'null'],
    ['another program', { ...usual, program: 'another' }],
    ['a version that is a number', { ...usual, version: 2 }],
    ['a version with a newline', { ...usual, version: '2.0.0\n' }],
    ['a version of endless length', { ...usual, version: `2.0.0-${'a'.repeat(99)}` }],
    ['no files', { program: 'rotavox', version: '2.0.0' }],
    ['a short checksum', { ...usual, files: [{ ...appImage, sha512: 'AAAA' }] }],
    ['no size', { ...usual, files: [{ ...appImage, size: 0 }] }],
  ])('is refused with %s', (_what, list) => {
    expect(problemOf(() => read(list))).toEqual({ code: 'unknown_list' });
  });

  it.each([
    'https://elsewhere.example/R.AppImage',
    '//elsewhere.example/R.AppImage',
    '/R.AppImage',
    '../R.AppImage',
    'x/R.AppImage',
    '.R.AppImage',
    '..\\R.AppImage',
    '%2e%2e%2fR.AppImage',
    'R.AppImage?x=.AppImage',
    'R\n.AppImage',
    "';touch x;'.AppImage",
    '',
  ])('is refused with a file named %j', (name) => {
    expect(problemOf(() => read({ ...usual, files: [{ ...appImage, name }] }))).toEqual({
      code: 'unknown_list',
    });
  });
});

async function scratchFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rotavox-list-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describe('the list of a release', () => {
  it('has the packages that the app installs by itself, and is read by the app', async () => {
    const folder = await scratchFolder();
    const names = [
      'Rotavox-2.0.0-x86_64.AppImage',
      'Rotavox-2.0.0-arm64.exe',
      'rotavox_2.0.0_amd64.deb',
      'rotavox-2.0.0.tgz',
    ];
    const files = names.map((name) => join(folder, name));
    for (const file of files) await writeFile(file, file);
    const list = await makeUpdateList('2.0.0', files);
    expect((JSON.parse(list.toString()) as typeof usual).files.map(({ name }) => name)).toEqual(
      names.slice(0, 2),
    );
    expect(readOffer(list, Buffer.from(signList(list, privateKey)), publicKey, terms)).toMatchObject({
      file: { name: names[0], size: files[0]!.length },
    });
  });
});

describe('the keys', () => {
  it('are made as a pair, the private one for its owner only, and never over existing ones', async () => {
    const folder = await scratchFolder();
    const pair = { privateFile: join(folder, 'private.pem'), publicFile: join(folder, 'update-key.pem') };
    makeSigningKey(pair);
    const list = Buffer.from(JSON.stringify(usual));
    const signature = Buffer.from(signList(list, readSigningKey(pair.privateFile)));
    expect(readOffer(list, signature, readUpdateKey(pair.publicFile)!, terms)?.version).toBe('2.0.0');
    expect(() => makeSigningKey(pair)).toThrow('private.pem exists already');
  });

  it('count as missing in the app if the file is missing, is no key, or is one of another kind', async () => {
    const folder = await scratchFolder();
    const file = join(folder, 'update-key.pem');
    expect(readUpdateKey(file)).toBeNull();
    await writeFile(file, 'no key');
    expect(readUpdateKey(file)).toBeNull();
    const { publicKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    await writeFile(file, rsa.export({ type: 'spki', format: 'pem' }));
    expect(readUpdateKey(file)).toBeNull();
  });

  it('that cannot sign are refused with a reason', async () => {
    const folder = await scratchFolder();
    const file = join(folder, 'private.pem');
    expect(() => readSigningKey(file)).toThrow('cannot be read');
    const { privateKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    await writeFile(file, rsa.export({ type: 'pkcs8', format: 'pem' }));
    expect(() => readSigningKey(file)).toThrow('not an Ed25519 key');
  });
});

const why: UpdateObstacle = { code: 'unpacked' };
const problem: UpdateProblem = { code: 'disk_full' };

const at = '2026-01-01T12:30:00.000Z';
const states: Record<UpdateState['kind'], UpdateState> = {
  off: { kind: 'off' },
  cannot: { kind: 'cannot', why },
  idle: { kind: 'idle' },
  checking: { kind: 'checking', asked: false },
  current: { kind: 'current', checkedAt: at, asked: true },
  available: { kind: 'available', version: '2.0.0', asked: false },
  downloading: { kind: 'downloading', version: '2.0.0', percent: 40 },
  ready: { kind: 'ready', version: '2.0.0' },
  installing: { kind: 'installing', version: '2.0.0' },
  failed: { kind: 'failed', step: 'check', problem, asked: false },
};
const kinds = Object.keys(states) as UpdateState['kind'][];
const events: UpdateEvent[] = [
  { kind: 'feed_changed', isSet: false, obstacle: null },
  { kind: 'feed_changed', isSet: true, obstacle: null },
  { kind: 'feed_changed', isSet: true, obstacle: why },
  { kind: 'check_began', asked: true },
  { kind: 'check_began', asked: false },
  { kind: 'nothing_newer', at },
  { kind: 'newer_found', version: '3.0.0' },
  { kind: 'download_began' },
  { kind: 'progressed', percent: 41 },
  { kind: 'progressed', percent: 40 },
  { kind: 'downloaded' },
  { kind: 'install_began' },
  { kind: 'step_failed', problem },
];

describe('the state of updates', () => {
  const moves: [UpdateState['kind'], UpdateEvent, UpdateState][] = [
    ['idle', { kind: 'check_began', asked: true }, { kind: 'checking', asked: true }],
    ['current', { kind: 'check_began', asked: false }, { kind: 'checking', asked: false }],
    ['failed', { kind: 'check_began', asked: true }, { kind: 'checking', asked: true }],
    ['available', { kind: 'check_began', asked: true }, { kind: 'checking', asked: true }],
    ['checking', { kind: 'check_began', asked: true }, { kind: 'checking', asked: true }],
    ['checking', { kind: 'nothing_newer', at }, { kind: 'current', checkedAt: at, asked: false }],
    [
      'checking',
      { kind: 'newer_found', version: '3.0.0' },
      { kind: 'available', version: '3.0.0', asked: false },
    ],
    ['checking', { kind: 'step_failed', problem }, { kind: 'failed', step: 'check', problem, asked: false }],
    ['available', { kind: 'download_began' }, { kind: 'downloading', version: '2.0.0', percent: null }],
    [
      'downloading',
      { kind: 'progressed', percent: 41 },
      { kind: 'downloading', version: '2.0.0', percent: 41 },
    ],
    ['downloading', { kind: 'downloaded' }, { kind: 'ready', version: '2.0.0' }],
    [
      'downloading',
      { kind: 'step_failed', problem },
      { kind: 'failed', step: 'download', problem, asked: true },
    ],
    ['ready', { kind: 'install_began' }, { kind: 'installing', version: '2.0.0' }],
    [
      'installing',
      { kind: 'step_failed', problem },
      { kind: 'failed', step: 'install', problem, asked: true },
    ],
  ];
  it.each(moves)('continues from %s at %j', (from, event, to) => {
    expect(nextUpdateState(states[from], event)).toEqual(to);
  });

  it.each(kinds)('of %s starts over with the feed', (from) => {
    expect(nextUpdateState(states[from], { kind: 'feed_changed', isSet: false, obstacle: null })).toEqual({
      kind: 'off',
    });
    expect(nextUpdateState(states[from], { kind: 'feed_changed', isSet: true, obstacle: null })).toEqual({
      kind: 'idle',
    });
    expect(nextUpdateState(states[from], { kind: 'feed_changed', isSet: true, obstacle: why })).toEqual({
      kind: 'cannot',
      why,
    });
  });

  it('stays the same object at every event that has no place in it', () => {
    for (const from of kinds) {
      for (const event of events) {
        const isCovered =
          event.kind === 'feed_changed' ||
          moves.some(([state, { kind }]) => state === from && kind === event.kind);
        if (isCovered) continue;
        expect(nextUpdateState(states[from], event), `${from} at ${event.kind}`).toBe(states[from]);
      }
    }
  });

  it('is not taken away from what can be downloaded by the daily check', () => {
    expect(nextUpdateState(states.available, { kind: 'check_began', asked: false })).toBe(states.available);
  });

  it('is not brought back by the daily check without a request', () => {
    const asked: UpdateState = { kind: 'checking', asked: true };
    expect(nextUpdateState(asked, { kind: 'check_began', asked: false })).toBe(asked);
  });

  it('reports no percentage of a download twice and none backwards', () => {
    expect(nextUpdateState(states.downloading, { kind: 'progressed', percent: 40 })).toBe(states.downloading);
    expect(nextUpdateState(states.downloading, { kind: 'progressed', percent: 3 })).toBe(states.downloading);
  });

  it('leads, whatever happens, to an installation only by a click after a download that was clicked', () => {
    const before: Partial<Record<UpdateState['kind'], UpdateEvent['kind']>> = {
      downloading: 'download_began',
      ready: 'downloaded',
      installing: 'install_began',
    };
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...events), { maxLength: 30 }), (happenings) => {
        let state: UpdateState = { kind: 'off' };
        for (const event of happenings) {
          const next = nextUpdateState(state, event);
          const needed = before[next.kind];
          if (next.kind !== state.kind && needed !== undefined) expect(event.kind).toBe(needed);
          if (next.kind === 'ready') expect(['downloading', 'ready']).toContain(state.kind);
          if ('version' in next && 'version' in state) expect(next.version).toBe(state.version);
          state = next;
        }
      }),
    );
  });
});
