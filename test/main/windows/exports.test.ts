import { describe, expect, it } from 'vitest';
import { isExport } from '../../../src/main/windows/guard-page.ts';

const origin = 'http://127.0.0.1:7682';

describe('a download', () => {
  it.each([
    '/portal/history/export?format=csv&text=x',
    '/portal/extensions/export',
    '/portal/sms-templates/export',
    '/portal/history/../extensions/export', // the same, once it is read
  ])('of %s is one of the service’s exports', (path) => {
    expect(isExport(origin + path, origin)).toBe(true);
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
    `blob:${origin}/portal/extensions/export`,
    'data:text/csv,id',
    'portal/extensions/export',
    '',
  ])('of %s is none', (url) => {
    expect(isExport(url, origin)).toBe(false);
  });
});
