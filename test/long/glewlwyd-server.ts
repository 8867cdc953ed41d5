import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { freePort } from '../tools/free-port.ts';

export const glewlwydMachine = { id: 'machine', secret: 'machine-secret' } as const;

/** Debian's OAuth server, by other authors than the one of npm. */
export interface GlewlwydServer {
  /** The issuer. */
  readonly baseUrl: string;
  /** Signs in as a person with a browser and agrees to a sign-in with a code. */
  enterCode(code: string): Promise<void>;
  close(): Promise<void>;
}

/** Packages that only its database server, its pages or its installation need. */
const unneeded = /^(?:mysql|mariadb-client|default-mysql|dbconfig|fonts-|libjs-|libconfig-inifiles)/;

/** Its packages are unpacked into a folder and not installed; it needs the package lists and the network of this machine. */
export async function startGlewlwydServer(): Promise<GlewlwydServer> {
  const folder = mkdtempSync(join(tmpdir(), 'rotavox-glewlwyd-'));
  const root = join(folder, 'root');
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const plan = run('apt-get', 'install', '-s', '--no-install-recommends', 'glewlwyd');
  const planned = [...plan.matchAll(/^Inst (\S+)/gm)].map(([, name = '']) => name);
  run('apt-get', 'download', ...planned.filter((name) => !unneeded.test(name)), 'glewlwyd');
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.deb'))) {
    run('dpkg', '-x', file, root);
  }
  const database = join(folder, 'glewlwyd.db');
  const init = join(root, 'usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz');
  const db = new DatabaseSync(database);
  db.exec(gunzipSync(readFileSync(init)).toString());
  db.close();

  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const modules = join(root, 'usr/lib/glewlwyd');
  mkdirSync(join(modules, 'user_middleware'), { recursive: true });
  const configuration = join(folder, 'glewlwyd.conf');
  writeFileSync(
    configuration,
    `port=${port}
bind_address="127.0.0.1"
external_url="${origin}"
login_url="login.html"
api_prefix="api"
log_mode="console"
log_level="ERROR"
cookie_domain="127.0.0.1"
cookie_secure=0
session_expiration=86400
session_key="SESSION"
admin_session_authentication="cookie"
profile_session_authentication="cookie"
login_api_enabled=true
admin_scope="g_admin"
profile_scope="g_profile"
user_module_path="${modules}/user"
user_middleware_module_path="${modules}/user_middleware"
client_module_path="${modules}/client"
user_auth_scheme_module_path="${modules}/scheme"
plugin_module_path="${modules}/plugin"
hash_algorithm="SHA512"
database={ type="sqlite3"; path="${database}"; };
`,
  );
  const libraries = readdirSync(join(root, 'usr/lib')).find((name) => name.endsWith('-linux-gnu')) ?? '';
  const server = spawn(join(root, 'usr/bin/glewlwyd'), ['-c', configuration], {
    env: { ...process.env, LD_LIBRARY_PATH: join(root, 'usr/lib', libraries) },
    stdio: 'ignore',
  });
  const ended = once(server, 'exit');
  const isUp = async () => (await fetch(`${origin}/api/mod/type`).catch(() => null)) !== null;
  for (const until = Date.now() + 20_000; !(await isUp()); await wait(100)) {
    if (Date.now() > until || server.exitCode !== null) throw new Error('glewlwyd does not start');
  }

  let session = '';
  const signedIn = await call('POST', '/auth/', { username: 'admin', password: 'password' });
  session = (signedIn.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
  await call('POST', '/mod/plugin/', {
    module: 'oidc',
    name: 'oidc',
    display_name: 'OAuth',
    parameters: {
      iss: `${origin}/api/oidc`,
      'jwt-type': 'sha',
      'jwt-key-size': '256',
      key: '0123456789abcdef0123456789abcdef',
      'access-token-duration': 3600,
      'refresh-token-duration': 1_209_600,
      'code-duration': 600,
      'refresh-token-rolling': true,
      'refresh-token-one-use': 'always',
      'allow-non-oidc': true,
      'auth-type-code-enabled': true,
      'auth-type-token-enabled': false,
      'auth-type-id-token-enabled': true,
      'auth-type-none-enabled': false,
      'auth-type-password-enabled': false,
      'auth-type-client-enabled': true,
      'auth-type-device-enabled': true,
      'auth-type-refresh-enabled': true,
      'device-authorization-expiration': 600,
      'device-authorization-interval': 1,
      'introspection-revocation-allowed': true,
      'introspection-revocation-allow-target-client': true,
      'subject-type': 'public',
      'secret-type': 'pairwise',
      'allowed-scope': ['openid', 'g_profile'],
      'address-claim': { type: 'no' },
      'name-claim': 'no',
      'email-claim': 'no',
      'scope-claim': 'no',
    },
  });
  await call('POST', '/client/', {
    client_id: 'app',
    name: 'app',
    confidential: false,
    enabled: true,
    scope: ['openid', 'g_profile'],
    redirect_uri: ['http://127.0.0.1/callback'],
    authorization_type: ['code', 'refresh_token', 'device_authorization'],
    token_endpoint_auth_method: ['none'],
  });
  await call('POST', '/client/', {
    client_id: glewlwydMachine.id,
    name: glewlwydMachine.id,
    confidential: true,
    client_secret: glewlwydMachine.secret,
    password: glewlwydMachine.secret,
    enabled: true,
    scope: ['g_profile'],
    redirect_uri: [],
    authorization_type: ['client_credentials'],
    token_endpoint_auth_method: ['client_secret_basic', 'client_secret_post'],
  });
  await call('PUT', '/auth/grant/app', { scope: 'openid g_profile' });

  return {
    baseUrl: `${origin}/api/oidc`,
    async enterCode(code) {
      await call('GET', `/oidc/device?code=${code}&g_continue`);
    },
    async close() {
      server.kill();
      await ended;
      if (existsSync(folder)) rmSync(folder, { recursive: true });
    },
  };

  async function call(method: string, path: string, body?: unknown): Promise<Response> {
    const reply = await fetch(`${origin}/api${path}`, {
      method,
      redirect: 'manual',
      headers: { 'content-type': 'application/json', cookie: session },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (reply.status >= 400) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
    return reply;
  }
}
