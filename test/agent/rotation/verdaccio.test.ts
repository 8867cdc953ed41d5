import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { checkoutDir } from '../../../src/launcher/checkout.ts';
import { startFaultyProxy } from '../../fakes/faulty-proxy.ts';
import { makeFolder } from '../../fixtures/make-folder.ts';
import { verdaccioProvider } from '../../fixtures/key-provider.ts';
import { freePort } from '../../tools/free-port.ts';
import { setUpAgent } from '../agent-setup.ts';

const password = 'a-long-password';

/** A registry of its own, on a free port. Returns its address and a token of a new user. */
async function startVerdaccio(): Promise<{ baseUrl: string; token: string; key: string }> {
  const folder = makeFolder();
  const config = join(folder, 'config.yaml');
  writeFileSync(
    config,
    [
      'storage: ./storage',
      'auth: { htpasswd: { file: ./htpasswd } }',
      'security: { api: { legacy: false, jwt: { sign: { expiresIn: 30d } } } }',
      "packages: { '**': { access: $all, publish: $authenticated } }",
      'log: { type: stdout, format: json, level: warn }',
    ].join('\n'),
  );
  const port = await freePort();
  const program = join(checkoutDir, 'node_modules/verdaccio/bin/verdaccio');
  const server = spawn(process.execPath, [program, '--config', config, '--listen', `127.0.0.1:${port}`], {
    stdio: 'ignore',
  });
  onTestFinished(async () => {
    const ended = once(server, 'exit');
    server.kill();
    await ended;
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  const isUp = () =>
    fetch(`${baseUrl}/-/ping`).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isUp, { timeout: 30_000 }).toBe(true);
  const send = async (method: string, path: string, body: unknown, token?: string) => {
    const headers = {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    const reply = await fetch(`${baseUrl}${path}`, { method, headers, body: JSON.stringify(body) });
    return (await reply.json()) as { token: string; key: string };
  };
  const user = await send('PUT', '/-/user/org.couchdb.user:ann', { name: 'ann', password });
  const wanted = { password, readonly: false, cidr_whitelist: [] };
  return { baseUrl, ...(await send('POST', '/-/npm/v1/tokens', wanted, user.token)) };
}

it(
  'creates a token at a real registry, delivers it, deletes the old one, and survives a lost reply',
  { tags: ['long'], timeout: 90_000 },
  async () => {
    const { baseUrl, token, key } = await startVerdaccio();
    const proxy = await startFaultyProxy(() => baseUrl);
    proxy.meets = (path) => path === '/-/npm/v1/tokens';
    const here = await setUpAgent({ providerFiles: [verdaccioProvider], nowMs: Date.now() });
    await here.keep({
      name: 'password',
      value: password,
      base_url: proxy.baseUrl,
      validity_days: 365,
      remind_only: true,
    });
    const inputs = { guardian: 'password', token_id: key };
    await here.keep({
      name: 'npm',
      value: token,
      base_url: proxy.baseUrl,
      provider: { id: 'verdaccio', inputs },
    });
    const worksThere = async (value: string) =>
      (await fetch(`${baseUrl}/-/whoami`, { headers: { authorization: `Bearer ${value}` } })).status === 200;

    proxy.faults.push('drop_reply');
    await here.agent.requests.rotateNow('npm');
    expect(here.view('npm')).toMatchObject({ state: 'failing', trouble: { kind: 'unreachable' } });
    expect(await worksThere(token)).toBe(true);

    here.time.jump(3_600_000);
    await here.agent.requests.rotateNow('npm');
    expect(here.view('npm')).toMatchObject({
      state: 'fine',
      generation: 2,
      retiring: [{ upstream_id: key }],
    });
    const second = (await here.valueOf('npm')) ?? '';
    expect([await worksThere(token), await worksThere(second)]).toEqual([true, true]);

    const gone = here.next('credential.retired');
    here.agent.start();
    await here.time.advance(25 * 3_600_000);
    expect((await gone).data).toMatchObject({ generation: 1, how: 'deleted' });
    expect([await worksThere(token), await worksThere(second)]).toEqual([false, true]);
  },
);
