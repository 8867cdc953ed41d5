import { expect, type BrowserContext, type Page } from '@playwright/test';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from './serve-host.ts';

/** Asks the service as another program would, with the cookies that a browser has. */
async function askWithCookies(context: BrowserContext, baseUrl: string): Promise<number> {
  const cookies = await context.cookies(baseUrl);
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  expect(cookie).toMatch(/^rotavox_\d+=rvs_/);
  return (await fetch(`${baseUrl}/portal/tokens`, { headers: { cookie } })).status;
}

/** A server of somebody else on this machine. Its page asks it again and again, and it tries each cookie at once. */
async function lurk(
  page: Page,
  baseUrl: string,
): Promise<{ tried: () => readonly number[]; end: () => void }> {
  const tried: number[] = [];
  const server = createServer((request, response) => {
    const { cookie } = request.headers;
    if (cookie === undefined) {
      response.setHeader('content-type', 'text/html').end('<!doctype html>Nothing to see.');
      return;
    }
    void fetch(`${baseUrl}/portal/tokens`, { headers: { cookie } }).then(({ status }) => {
      tried.push(status);
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await page.evaluate(() => {
    const again = (): void => void fetch('/').then(again, () => undefined);
    again();
  });
  return {
    tried: () => tried,
    end() {
      server.closeAllConnections();
      server.close();
    },
  };
}

test('the cookie that another port of this machine is sent opens nothing, at no moment', async ({
  status,
  owner,
  context,
}) => {
  const { page } = status;
  const lurking = await lurk(await context.newPage(), owner.baseUrl);
  await page.goto(await owner.signInLink());
  await status.expectRunning();
  await expect.poll(() => lurking.tried().length).toBeGreaterThan(20);
  await page.reload();
  await status.expectRunning();
  lurking.end();
  expect(new Set(lurking.tried())).toEqual(new Set([401]));
  expect(await askWithCookies(context, owner.baseUrl)).toBe(401);
});
