import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pagePath, pagePaths, type WindowPage } from '../../src/contract/window/window-page.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { OpenService } from './open-service.ts';

const page = '<!doctype html>the window';

/** A folder like that of a build. */
function makeWindows(): string {
  const windowsDir = join(makeFolder(), 'windows');
  mkdirSync(join(windowsDir, 'assets'), { recursive: true });
  writeFileSync(join(windowsDir, 'index.html'), page);
  writeFileSync(join(windowsDir, 'assets', 'index-1.js'), 'the script');
  return windowsDir;
}

const paths = (Object.keys(pagePaths) as WindowPage[])
  .filter((page) => page !== 'overview')
  .map((page) => pagePath(page, 'ivr_7'));

describe('the scripts of the windows', () => {
  it('are served as they are, with the policy of the page', async () => {
    const service = await OpenService.start({ windowsDir: makeWindows() });
    const script = await service.call({ method: 'GET', url: '/assets/index-1.js' });
    expect([script.status, script.body.text]).toEqual([200, 'the script']);
    expect(script.headers['content-type']).toBe('application/javascript; charset=utf-8');
    expect(script.headers['content-security-policy']).toContain("default-src 'none'");
    expect(script.headers['cache-control'], 'the name changes with the content').toBe(
      'public, max-age=31536000, immutable',
    );
    expect((await service.call({ method: 'HEAD', url: '/assets/index-1.js' })).status).toBe(200);
  });

  it.each([
    '/assets/index-2.js',
    '/assets/',
    '/assets',
    '/index.html',
    '/assets/../index.html',
    '/assets/%2e%2e/index.html',
    '/assets/..%2findex.html',
    '/assets/..%2f..%2fsecret.txt',
    '/assets/..%5c..%5csecret.txt',
    '/assets/%00index-1.js',
    '/assets/.hidden',
    '/assets//etc/passwd',
  ])('lead nowhere else: %s is 404', async (url) => {
    const windowsDir = makeWindows();
    writeFileSync(join(windowsDir, '..', 'secret.txt'), 'secret');
    writeFileSync(join(windowsDir, 'assets', '.hidden'), 'hidden');
    const service = await OpenService.start({ windowsDir });
    const answer = await service.call({ method: 'GET', url });
    expect([answer.status, answer.body.success]).toEqual([404, false]);
  });
});

describe('the addresses of the windows', () => {
  for (const path of ['/', ...paths]) {
    it(`answers ${path} with the page, its policy, and no place in a cache`, async () => {
      const service = await OpenService.start({ windowsDir: makeWindows() });
      const root = await service.call({ method: 'GET', url: '/' });
      const answer = await service.call({ method: 'GET', url: path });
      expect([answer.status, answer.body.text]).toEqual([200, page]);
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      expect(answer.headers['cache-control']).toBe('no-cache');
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
      expect(answer.headers['permissions-policy']).toContain('microphone=(self), camera=()');
      for (const header of [
        'content-security-policy',
        'permissions-policy',
        'referrer-policy',
        'x-content-type-options',
      ])
        expect(answer.headers[header], header).toBe(root.headers[header]);
      expect((await service.call({ method: 'HEAD', url: path })).status).toBe(200);
    });
  }

  for (const path of [
    '/tokens/family',
    '/tokens/issue/now',
    '/ivrs',
    '/ivr/',
    '/ivr/ivr_7/versions',
    '/settings/',
    '/Settings',
    '/history/',
  ]) {
    it(`leaves ${path} to no one`, async () => {
      const service = await OpenService.start({ windowsDir: makeWindows() });
      const answer = await service.call({ method: 'GET', url: path });
      expect([answer.status, answer.body.success]).toEqual([404, false]);
    });
  }

  it('take no other method', async () => {
    const service = await OpenService.start({ windowsDir: makeWindows() });
    for (const path of paths)
      expect((await service.call({ method: 'POST', url: path, payload: {} })).status, path).toBe(404);
  });

  it('sign nobody in: a link works only at /, and leads there', async () => {
    const service = await OpenService.start({ windowsDir: makeWindows() });
    const code = service.service.sessions.createCode();
    for (const path of paths) {
      const answer = await service.call({ method: 'GET', url: `${path}?code=${code}` });
      expect([answer.status, answer.headers['set-cookie']], path).toEqual([200, undefined]);
    }
    const preview = await service.call({ method: 'HEAD', url: `/?code=${code}` });
    expect([preview.status, preview.headers['set-cookie']]).toEqual([200, undefined]);
    const signIn = await service.call({ method: 'GET', url: `/?code=${code}` });
    expect([signIn.status, signIn.headers.location]).toEqual([303, '/']);
  });

  it('say so where the windows are not built', async () => {
    const service = await OpenService.start();
    for (const path of ['/', ...paths]) {
      const { status, body } = await service.call({ method: 'GET', url: path });
      expect([status, String(body.text)], path).toEqual([200, expect.stringContaining('npm run build')]);
    }
  });
});
