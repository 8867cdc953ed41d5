import { expect } from '@playwright/test';
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { test as base } from './credential-fixtures.ts';

const run = promisify(execFile);
const name = 'shop';
const token = 'the-real-token-of-the-shop';

/** A service that notes what it is asked, and with which token. */
interface Shop {
  readonly baseUrl: string;
  readonly asked: { readonly call: string; readonly authorization: string | undefined }[];
}

const test = base.extend<{ shop: Shop }>({
  shop: async ({}, use) => {
    const asked: Shop['asked'] = [];
    const server = createServer((request, response) => {
      const { method = '', url = '', headers } = request;
      if (!url.startsWith('/api/')) return void response.writeHead(404).end('{}');
      asked.push({ call: `${method} ${url}`, authorization: headers.authorization });
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"orders":2}');
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    await use({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked });
    server.closeAllConnections();
    server.close();
  },
});

test('an agent gets what a rule allows, without the token, and the window shows each request at once', async ({
  credential,
  owner,
  shop,
}) => {
  const expires_at = new Date(Date.now() + 7 * 86_400_000).toISOString();
  const body = {
    name,
    value: token,
    base_url: shop.baseUrl,
    expires_at,
    validity_days: 7,
    remind_only: true,
  };
  await owner.ask('addCredential', { body });
  await credential.open(owner.baseUrl, name);
  const proxy = credential.page.getByRole('region', { name: 'Proxy', exact: true });

  await credential.add('Rule for apps…');
  await credential.dialog.getByLabel('What apps may do').selectOption('A rule of your own');
  await credential.dialog.getByLabel('Path').fill('/api/v4/**');
  await credential.dialog.getByRole('button', { name: 'Add rule' }).click();
  await expect(proxy.getByRole('list', { name: 'Rules' })).toContainText('GET /api/v4/**');

  await credential.add('App with a token of its own…');
  await credential.dialog.getByLabel('App').fill('coding-agent');
  await credential.dialog.getByRole('button', { name: 'Issue', exact: true }).click();
  const setup = (await credential.dialog.getByText(/^export /).textContent()) ?? '';
  expect(setup).toMatch(/^export ROTAVOX_PROXY_URL=\S+ ROTAVOX_PROXY_TOKEN=\S+$/);
  await credential.dialog.getByRole('button', { name: 'Done' }).click();

  /** What curl prints: the headers, then the body. */
  async function call(method: string): Promise<string> {
    const curl = `curl -s -i -X ${method} --oauth2-bearer "$ROTAVOX_PROXY_TOKEN" "$ROTAVOX_PROXY_URL/api/v4/orders"`;
    const env = { PATH: process.env['PATH'], no_proxy: '*' };
    return (await run('sh', ['-c', `${setup}\n${curl}`], { env })).stdout;
  }
  const refused = await call('DELETE');
  expect(refused).toMatch(/^HTTP\/1\.1 403 /);
  expect(refused).toMatch(/^content-type: application\/problem\+json/im);
  expect(refused).toMatch(/^rotavox-proxy: refused/im);
  expect(refused).toContain('No rule allows coding-agent to send');
  expect(shop.asked).toEqual([]);
  await proxy.getByText('Latest requests').click();
  await expect(proxy).toContainText('DELETE /api/v4/orders: not allowed by a rule');
  await expect(credential.who).toContainText([/coding-agent.*Refused .*: DELETE \/api\/v4\/orders/]);
  await expect(credential.who, 'a refused request is no use of the token').not.toContainText('in 24 hours');

  const allowed = await call('GET');
  expect(allowed).toMatch(/^HTTP\/1\.1 200 /);
  expect(allowed).toContain('{"orders":2}');
  expect(allowed).not.toContain(token);
  expect(setup).not.toContain(token);
  expect(shop.asked).toEqual([{ call: 'GET /api/v4/orders', authorization: `Bearer ${token}` }]);
  await expect(proxy).toContainText('GET /api/v4/orders: 200');
  await expect(credential.who).toContainText([/coding-agent.*, with token 1.*1 in 24 hours/]);

  await credential.who.getByRole('button', { name: /^Allow this…/ }).click();
  await credential.press('Add rule').click();
  await expect(credential.dialog).toBeHidden();
  expect(await call('DELETE')).toMatch(/^HTTP\/1\.1 200 /);
});
