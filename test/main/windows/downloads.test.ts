import { describe, expect, it } from 'vitest';
import { downloads } from '../../../src/contract/downloads.ts';
import { isFileOfOurs } from '../../../src/main/windows/guard-page.ts';

const origin = 'http://127.0.0.1:7682';

describe('a download', () => {
  it('of every file of the contract is one of the service’s exports', () => {
    const files = Object.values(downloads).filter(({ path }) => !path.includes(':'));
    expect(files.length).toBeGreaterThan(3);
    for (const { path } of files) expect(isFileOfOurs(origin + path, origin), path).toBe(true);
  });

  it.each([
    '/portal/history/export?format=csv&text=x',
    '/portal/extensions/export',
    '/portal/sms-templates/export',
    '/portal/history/../extensions/export', // the same after parsing
  ])('of %s is one of the service’s exports', (path) => {
    expect(isFileOfOurs(origin + path, origin)).toBe(true);
  });

  it('of what a page of ours has made is ours', () => {
    expect(isFileOfOurs(`blob:${origin}/0b0e6f1c-5f0e-4a8f-9d5e-2a4a2f0f9d11`, origin)).toBe(true);
  });

  it.each([
    `${origin}/portal/extensions`,
    `${origin}/portal/extensions/export/`,
    `${origin}/portal/extensions/export/more`,
    `${origin}/portal/recordings/1/audio`,
    `${origin}/?/portal/extensions/export`,
    'http://127.0.0.1:7683/portal/extensions/export',
    'https://127.0.0.1:7682/portal/extensions/export',
    'http://127.0.0.1:7682@example.invalid/portal/extensions/export',
    'blob:http://127.0.0.1:7683/0b0e6f1c-5f0e-4a8f-9d5e-2a4a2f0f9d11',
    'blob:https://example.invalid/0b0e6f1c-5f0e-4a8f-9d5e-2a4a2f0f9d11',
    'blob:null/0b0e6f1c-5f0e-4a8f-9d5e-2a4a2f0f9d11',
    `filesystem:${origin}/temporary/x`,
    'data:text/csv,id',
    'portal/extensions/export',
    '',
  ])('of %s is none', (url) => {
    expect(isFileOfOurs(url, origin)).toBe(false);
  });
});
