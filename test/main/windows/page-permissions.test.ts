import { describe, expect, it } from 'vitest';
import { isPermitted } from '../../../src/main/windows/guard-page.ts';

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
