import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../src/client/create-client.ts';
import { hostName, readHostKey, readHostUrl } from '../../src/contract/service/team-host.ts';
import { type HostOptions, startHost } from '../../src/host/start-host.ts';
import { cheapScrypt } from '../fixtures/cheap-scrypt.ts';
import { makeFolder } from '../fixtures/make-folder.ts';
import { freePort } from '../tools/free-port.ts';
import { runtimeFileOf } from '../host/runtime-file-of.ts';
import { builtRotavox, rotavox } from './rotavox.ts';

const tlsFolder = join(import.meta.dirname, '..', 'fixtures', 'tls');

/** A host that keeps one credential, and a machine that knows it only by its address and a key in a file. */
async function setUp(options: HostOptions = {}) {
  const host = await startHost({
    ...options,
    dataDir: makeFolder(),
    port: 0,
    vault: { kind: 'file', passphrase: 'a passphrase for tests', cost: cheapScrypt },
  });
  onTestFinished(() => host.close());
  const { portal_key: key } = runtimeFileOf(host.dataDir);
  const portal = createClient({ baseUrl: host.baseUrl, authorization: `Bearer ${key}` });
  const issued = await portal.call('issueToken', { body: { name: 'kept', validity_days: 7 } });
  if (!issued.ok) throw new Error(issued.message);
  const value = issued.value.access_token;
  const added = await portal.call('addCredential', { body: { name: 'pbx', value } });
  if (!added.ok) throw new Error(added.message);
  const dataDir = makeFolder();
  return { host, url: host.baseUrl, value, dataDir, ...keyFile(key) };
}

function keyFile(key: string) {
  const file = join(makeFolder(), 'key');
  writeFileSync(file, `${key}\n`, { mode: 0o600 });
  return { file, env: { ROTAVOX_HOST_KEY_FILE: file } };
}

it('`get` and other commands call a host by its address, by an option before or after them or by the environment', async () => {
  const { url, value, dataDir, env } = await setUp();
  for (const args of [
    ['--host', url, 'get', 'pbx'],
    ['get', 'pbx', '--host', `${url}/`],
  ])
    expect(await rotavox(args, { dataDir, env })).toEqual({ code: 0, stdout: `${value}\n`, stderr: '' });
  const ofEnvironment = { dataDir, env: { ...env, ROTAVOX_HOST: url } };
  expect((await rotavox(['get', 'pbx'], ofEnvironment)).stdout).toBe(`${value}\n`);
  expect((await rotavox(['credential', 'list'], ofEnvironment)).stdout).toContain('pbx');
  const status = await rotavox(['status', '--json'], ofEnvironment);
  expect(JSON.parse(status.stdout)).toMatchObject({ base_url: url });
  expect((await rotavox(['complete', '--', 'get', ''], ofEnvironment)).stdout).toContain('pbx');
});

it('a data folder that is named, and `none`, mean this machine whatever the environment says', async () => {
  const { url, dataDir, env } = await setUp();
  const ofEnvironment = { dataDir, env: { ...env, ROTAVOX_HOST: url } };
  for (const args of [
    ['--data-dir', dataDir, 'get', 'pbx'],
    ['--host', 'none', 'get', 'pbx'],
  ]) {
    const { code, stderr } = await rotavox(args, ofEnvironment);
    expect(code).toBe(3);
    expect(stderr).toContain('Rotavox is not running with the data folder');
  }
});

it('says what to do when a host does not know the key, cannot be reached, or is something else', async () => {
  const { host, url, dataDir, env } = await setUp();
  const other = keyFile('rvx_of_another_host');
  const refused = await rotavox(['--host', url, 'get', 'pbx'], { dataDir, env: other.env });
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toContain('does not accept the key');
  expect(refused.stderr).toContain(`To do: rotavox host add ${url}`);
  expect(refused.stderr).not.toContain('rvx_of_another_host');
  await host.close();
  const away = await rotavox(['--host', url, 'get', 'pbx'], { dataDir, env });
  expect(away).toMatchObject({ code: 3, stdout: '' });
  expect(away.stderr).toContain('cannot be reached (ECONNREFUSED)');
});

it(
  'trusts a certificate that NODE_EXTRA_CA_CERTS names, and otherwise says that it does not, before the key is sent',
  { tags: ['long'] },
  async () => {
    const tls = { certFile: join(tlsFolder, 'certificate.pem'), keyFile: join(tlsFolder, 'key.pem') };
    const listen = { host: '127.0.0.1', port: await freePort() };
    const team = await setUp({ network: { listen, tls, trustedProxies: [], allowedHosts: [] } });
    const url = `https://127.0.0.1:${listen.port}`;
    const get = ['--host', url, 'get', 'pbx'];
    const { dataDir, env, value } = team;
    const trusted = { ...env, NODE_EXTRA_CA_CERTS: tls.certFile };
    expect(await builtRotavox(get, { dataDir, env: trusted })).toMatchObject({
      code: 0,
      stdout: `${value}\n`,
    });
    const distrusted = { ...env, NODE_EXTRA_CA_CERTS: join(tlsFolder, 'other-certificate.pem') };
    const refused = await builtRotavox(get, { dataDir, env: distrusted });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('The certificate of 127.0.0.1:');
    expect(refused.stderr).toContain('NODE_EXTRA_CA_CERTS');
  },
);

it('a key is read only from a file that nobody else may read', async () => {
  const { url, dataDir, env, file } = await setUp();
  chmodSync(file, 0o644);
  const shared = await rotavox(['--host', url, 'get', 'pbx'], { dataDir, env });
  expect(shared.code).toBe(1);
  expect(shared.stderr).toContain('can be read by other users');
  chmodSync(file, 0o600);
  writeFileSync(file, '\n');
  expect((await rotavox(['--host', url, 'get', 'pbx'], { dataDir, env })).stderr).toContain(
    'has no key in its first line',
  );
});

it('an address that is none, or that would send the key unencrypted to another machine, is wrong usage', async () => {
  for (const text of ['team.example.com', 'http://team.example.com', 'https://me@team.example.com', '']) {
    const { code, stderr } = await rotavox(['--host', text, 'get', 'pbx'], { dataDir: makeFolder() });
    expect({ text, code }).toEqual({ text, code: 2 });
    expect(stderr).toContain('such as https://team.example.com');
  }
  expect(await rotavox(['host', 'add', 'http://team.example.com'])).toMatchObject({ code: 2 });
});

it('an address has one form, and a key is one word', () => {
  expect(readHostUrl(' HTTPS://Team.Example.com:443/ ')).toBe('https://team.example.com');
  expect(readHostUrl('https://team.example.com:08443')).toBe('https://team.example.com:8443');
  expect(readHostUrl('http://[::1]:7682')).toBe('http://[::1]:7682');
  for (const text of [
    'https://a/b',
    'https://a?x',
    'https://a#x',
    'https://a:0',
    'https://a:70000',
    'ftp://a',
  ])
    expect(readHostUrl(text), text).toBeNull();
  expect(hostName('https://team.example.com:8443')).toBe('team.example.com:8443');
  expect(readHostKey(' rvx_0123456789 \n')).toBe('rvx_0123456789');
  for (const text of ['', 'short', 'two words here', 'line\nbreak-in-it', 'ключключ'])
    expect(readHostKey(text), text).toBeNull();
});

it('`serve --host` is still the address to listen on, and its help shows one option of that name', async () => {
  const help = await rotavox(['serve', '--help']);
  expect(help.stdout.match(/--host </g)).toHaveLength(1);
  expect(help.stdout).toContain('--host <address>');
  expect((await rotavox(['get', '--help'])).stdout).toContain('--host <url>');
  const elsewhere = await rotavox(['serve', '--host', '192.0.2.1', '--port', '0'], { dataDir: makeFolder() });
  expect(elsewhere.code).toBe(1);
  expect(elsewhere.stderr).toContain('192.0.2.1');
});
