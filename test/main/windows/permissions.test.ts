import type { Session } from 'electron';
import { describe, expect, it } from 'vitest';
import { denyPermissions, isPermitted } from '../../../src/main/windows/guard-page.ts';

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
