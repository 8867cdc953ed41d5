import type { Session } from 'electron';
import { describe, expect, it } from 'vitest';
import { denyPermissions, isFileOfOurs, isPermitted } from '../../../src/main/windows/guard-page.ts';
import { downloads } from '../../../src/contract/downloads.ts';

const origin = 'https://team.example.com';

type Details = { requestingUrl: string; isMainFrame: boolean; mediaTypes?: readonly string[] };
type Handler = (
  contents: null,
  permission: string,
  answer: (isGranted: boolean) => void,
  details: Details,
) => void;

/** What a page gets, and how often the person was asked. */
async function ask(permission: string, details: Partial<Details>, says: boolean) {
  let handler: Handler | undefined;
  const session = {
    setPermissionRequestHandler: (given: Handler) => (handler = given),
    setPermissionCheckHandler: () => undefined,
    setDevicePermissionHandler: () => undefined,
  };
  let questions = 0;
  denyPermissions(
    session as unknown as Session,
    () => origin,
    () => {
      questions += 1;
      return Promise.resolve(says);
    },
  );
  const isGranted = await new Promise<boolean>((resolve) => {
    handler?.(null, permission, resolve, { requestingUrl: `${origin}/ivr`, isMainFrame: true, ...details });
  });
  return { isGranted, questions };
}

describe('the microphone', () => {
  it('is given to a page of the service when the person allows it', async () => {
    for (const says of [true, false])
      expect(await ask('media', { mediaTypes: ['audio'] }, says)).toEqual({ isGranted: says, questions: 1 });
  });

  it.each([
    ['with a camera', { mediaTypes: ['audio', 'video'] }],
    ['to a frame', { mediaTypes: ['audio'], isMainFrame: false }],
    ['to another site', { mediaTypes: ['audio'], requestingUrl: 'https://evil.example/' }],
  ])('is not given %s, and nobody is asked', async (_what, details) => {
    expect(await ask('media', details, true)).toEqual({ isGranted: false, questions: 0 });
  });
});

describe('other permissions', () => {
  it('need no answer of the person: copying is allowed, and nothing else', async () => {
    expect(await ask('clipboard-sanitized-write', {}, false)).toEqual({ isGranted: true, questions: 0 });
    for (const permission of ['clipboard-read', 'geolocation', 'notifications', 'fullscreen', 'openExternal'])
      expect(await ask(permission, {}, true)).toEqual({ isGranted: false, questions: 0 });
  });
});

describe('what a page of ours may do', () => {
  it('writes plain text to the clipboard', () => {
    expect(isPermitted('clipboard-sanitized-write', undefined)).toBe(true);
  });

  it('listens to the microphone', () => {
    expect(isPermitted('media', ['audio'])).toBe(true);
  });

  it.each<[string, readonly string[] | undefined]>([
    ['a camera', ['video']],
    ['a microphone with a camera', ['audio', 'video']],
    ['something that is not said', ['unknown']],
    ['no device', []],
    ['no list of devices', undefined],
  ])('does not get at %s', (_what, media) => {
    expect(isPermitted('media', media)).toBe(false);
  });

  it.each([
    'clipboard-read',
    'display-capture',
    'geolocation',
    'notifications',
    'midi',
    'fullscreen',
    'openExternal',
    'unknown',
  ])('%s stays denied, whatever devices are named', (permission) => {
    expect(isPermitted(permission, ['audio'])).toBe(false);
  });
});

const ourOrigin = 'http://127.0.0.1:7682';

describe('a download', () => {
  it('of every file of the contract is one of the service’s exports', () => {
    const files = Object.values(downloads).filter(({ path }) => !path.includes(':'));
    expect(files.length).toBeGreaterThan(3);
    for (const { path } of files) expect(isFileOfOurs(ourOrigin + path, ourOrigin), path).toBe(true);
  });

  it.each([
    '/portal/history/export?format=csv&text=x',
    '/portal/extensions/export',
    '/portal/sms-templates/export',
    '/portal/history/../extensions/export', // the same after parsing
  ])('of %s is one of the service’s exports', (path) => {
    expect(isFileOfOurs(ourOrigin + path, ourOrigin)).toBe(true);
  });

  it('of what a page of ours has made is ours', () => {
    expect(isFileOfOurs(`blob:${ourOrigin}/0b0e6f1c-5f0e-4a8f-9d5e-2a4a2f0f9d11`, ourOrigin)).toBe(true);
  });

  it.each([
    `${ourOrigin}/portal/extensions`,
    `${ourOrigin}/portal/extensions/export/`,
    `${ourOrigin}/portal/extensions/export/more`,
    `${ourOrigin}/portal/recordings/1/audio`,
    `${ourOrigin}/?/portal/extensions/export`,
    'http://127.0.0.1:7683/portal/extensions/export',
    'https://127.0.0.1:7682/portal/extensions/export',
    'http://127.0.0.1:7682@example.invalid/portal/extensions/export',
    'blob:http://127.0.0.1:7683/0b0e6f1c-5f0e-4a8f-9d5e-2a4a2f0f9d11',
    'blob:https://example.invalid/0b0e6f1c-5f0e-4a8f-9d5e-2a4a2f0f9d11',
    'blob:null/0b0e6f1c-5f0e-4a8f-9d5e-2a4a2f0f9d11',
    `filesystem:${ourOrigin}/temporary/x`,
    'data:text/csv,id',
    'portal/extensions/export',
    '',
  ])('of %s is none', (url) => {
    expect(isFileOfOurs(url, ourOrigin)).toBe(false);
  });
});
