import { renameSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type ProblemCode, problems } from '../../../src/contract/problems.ts';
import { type RouteName, routes } from '../../../src/contract/routes.ts';
import type { Route } from '../../../src/contract/route.ts';
import { PortalRefusal } from '../../../src/contract/shapes.ts';
import { vaultProblemText } from '../../../src/text/credential/vault-text.ts';
import { ManualOrigin, otherMachine } from '../../fakes/manual-origin.ts';
import { MemoryVault, vaultProblems } from '../../fakes/memory-vault.ts';
import { testCertificate } from '../../fixtures/make-authority.ts';
import { ofFile } from '../../fixtures/when-over.ts';
import { type Answer, OpenService } from '../open-service.ts';
import { startAnsweringService } from '../../providers/http/answering-service.ts';
import { issueAndAdd, shown } from './credential-token.ts';

type CredentialRoute = {
  [N in RouteName]: (typeof routes)[N]['path'] extends `/portal/credentials${string}` ? N : never;
}[RouteName];

/** A valid body for each route; null if it needs none. */
const bodies: Record<CredentialRoute, object | null> = {
  listCredentials: null,
  addCredential: { name: 'b', value: 'v', base_url: 'http://127.0.0.1:1', validity_days: 7 },
  readCredential: null,
  credentialHistory: null,
  readCredentialValue: null,
  readCredentialUse: null,
  replaceCredentialValue: { value: 'v', validity_days: 7 },
  setStandbyToken: { value: 'v', validity_days: 7 },
  removeStandbyToken: {},
  rotateCredential: {},
  reissueCredential: {},
  pauseCredential: {},
  resumeCredential: {},
  remindOnly: {},
  changeCredentialPolicy: { fraction: 0.5 },
  changeCredentialHelper: { input: 'recovery', credential: null },
  setClientCertificate: { certificate: testCertificate.cert.toString(), key: testCertificate.key.toString() },
  removeClientCertificate: {},
  endCredential: {},
  removeCredential: {},
  testCredential: {},
  changeCredentialAddress: { base_url: 'http://127.0.0.1:1', confirmed_origin: 'http://127.0.0.1:1' },
  testConnection: { value: 'v', base_url: 'http://127.0.0.1:1' },
  previewTarget: { kind: 'keychain', service: 'app', account: 'another' },
  addTarget: { kind: 'keychain', service: 'app', account: 'another' },
  deliverTarget: {},
  removeTarget: {},
  readProxy: null,
  addProxyRule: { method: 'GET', path: '/api/v4/**' },
  tryProxyRule: { method: 'GET', path: '/api/v4/**' },
  issueAppToken: { app: 'agent' },
};
const all = Object.keys(bodies) as CredentialRoute[];
const named = all.filter((name) => pathOf(name).includes(':name'));
const withBody = all.filter((name) => bodies[name] !== null);

function pathOf(name: CredentialRoute, { credential = ':name', target = ':target_id' } = {}): string {
  return routes[name].path.replace(':name', credential).replace(':target_id', target);
}

interface Setup {
  readonly service: OpenService;
  readonly vault: MemoryVault;
  readonly origin: ManualOrigin;
  /** The path of a route, for the credential `a` and its target. */
  readonly path: (name: CredentialRoute) => string;
  /** Calls a route as the owner with a valid body, or another. */
  readonly call: (name: CredentialRoute, body?: object | null) => Promise<Answer>;
  /** Asserts that no event was recorded since it was made. */
  readonly expectNoChange: () => void;
}

/** A service that listens, with one credential `a` that has one target. */
async function makeSetup(): Promise<Setup> {
  const vault = new MemoryVault();
  const origin = new ManualOrigin();
  const service = await (await OpenService.start({ vault, origin })).listen();
  await issueAndAdd(service, 'a');
  const target = { kind: 'keychain', service: 'app', account: 'me' };
  await service.owner('POST', '/portal/credentials/a/targets', target);
  const [{ id } = { id: '' }] = (await shown(service, 'a')).targets;
  const before = service.store.health().last_seq;
  const path = (name: CredentialRoute) => pathOf(name, { credential: 'a', target: id });
  return {
    service,
    vault,
    origin,
    path,
    call: (name, body = bodies[name]) => service.owner(routes[name].method, path(name), body ?? undefined),
    expectNoChange() {
      expect(service.store.health().last_seq).toBe(before);
    },
  };
}

/** For requests that change nothing; whoever changes something after all ends it. */
const unchanged = ofFile(async () => {
  const setup = await makeSetup();
  const { vault, service } = setup;
  const look = async () => {
    const values = vault.entries().map(async (entry) => [entry, await vault.read(entry)] as const);
    return { values: await Promise.all(values), clock: { ...service.clock }, ...service.store.health() };
  };
  const before = await look();
  return { ...setup, isUnchanged: async () => isDeepStrictEqual(await look(), before) };
});

/** The answer is that problem in the portal's shape, and is not cached. */
function expectProblem(answer: Answer, code: ProblemCode, what: string, message?: unknown): void {
  expect([answer.status, answer.body.code], `${what}: ${JSON.stringify(answer.body)}`).toEqual([
    problems[code].status,
    code,
  ]);
  expect(PortalRefusal.strict().parse(answer.body)).toEqual(answer.body);
  expect(answer.headers['cache-control']).toBe('no-store');
  if (message !== undefined) expect(answer.body.message, what).toEqual(message);
}

describe('a route of credentials', () => {
  it('answers only the owner: no bearer, no access token, no other cookie', async () => {
    const { service, path } = await makeSetup();
    const { value } = await service.issue();
    const refreshed = await service.bearer(value, 'POST', '/v1/auth/refresh');
    const access = String(refreshed.body.access_token);
    const lastSeq = service.store.health().last_seq;
    for (const name of all) {
      const { method } = routes[name];
      for (const headers of [
        {},
        { authorization: `Bearer ${value}` },
        { authorization: `Bearer ${access}` },
        { authorization: `Bearer ${service.service.sessions.portalKey}x` },
        { cookie: `rotavox_80=${service.service.sessions.portalKey}` },
      ]) {
        const payload = bodies[name];
        const answer = await service.call({
          method,
          url: path(name),
          headers,
          ...(payload === null ? {} : { payload }),
        });
        expectProblem(answer, 'not_signed_in', name, problems.not_signed_in.message);
      }
    }
    expect(service.store.health().last_seq).toBe(lastSeq);
  });

  it('says that there is no credential of that name', async () => {
    const { service, expectNoChange } = await unchanged.get();
    for (const name of named) {
      for (const credential of ['b', 'A', '%61%20', '__proto__', 'x'.repeat(63)]) {
        const url = pathOf(name, { credential, target: 'tgt_x' });
        const answer = await service.owner(routes[name].method, url, bodies[name] ?? undefined);
        const message = `There is no credential “${decodeURIComponent(credential)}”.`;
        expectProblem(answer, 'not_found', name, message);
      }
      const tooLong = pathOf(name, { credential: 'x'.repeat(201), target: 'tgt_x' });
      const answer = await service.owner(routes[name].method, tooLong, bodies[name] ?? undefined);
      expectProblem(answer, 'not_found', name);
    }
    expectNoChange();
  });

  it('says that there is no target of that id', async () => {
    const { service, expectNoChange } = await unchanged.get();
    for (const name of ['deliverTarget', 'removeTarget'] as const) {
      const url = pathOf(name, { credential: 'a', target: 'tgt_none' });
      const answer = await service.owner(routes[name].method, url);
      const message = '“a” has no such delivery target.';
      expectProblem(answer, 'not_found', name, message);
    }
    expectNoChange();
  });

  it('finds a name that is written in another way', async () => {
    const { service } = await unchanged.get();
    expect((await service.owner('GET', '/portal/credentials/%61')).body.name).toBe('a');
  });

  it('names what it does not know in a body, or that there is none', async () => {
    const { service, path, call, expectNoChange } = await unchanged.get();
    for (const name of withBody) {
      const answer = await call(name, { ...bodies[name], colour: 'red' });
      expectProblem(answer, 'bad_request', name, 'colour is not a field of this request.');
      expect(answer.body.errors).toEqual([{ field: 'colour', message: 'is not a field of this request' }]);
      for (const payload of ['[]', 'null', '"x"']) {
        const headers = {
          authorization: `Bearer ${service.service.sessions.portalKey}`,
          'content-type': 'application/json',
        };
        const other = await service.call({ method: routes[name].method, url: path(name), headers, payload });
        expectProblem(other, 'bad_request', `${name} ${payload}`);
      }
    }
    for (const name of ['addCredential', 'replaceCredentialValue', 'changeCredentialPolicy'] as const) {
      expectProblem(await call(name, null), 'bad_request', name, 'The body must be a JSON object.');
    }
    expectProblem(await call('testConnection', null), 'bad_request', '', 'The body must be a JSON object.');
    const noKind = 'The body must be a JSON object with a kind: keychain, file, dotenv, setting or hook.';
    for (const name of ['addTarget', 'previewTarget'] as const) {
      expectProblem(await call(name, null), 'bad_request', name, noKind);
    }
    expectNoChange();
  });

  it.each([
    [
      'malformed_json',
      { 'content-type': 'application/json' },
      '{"name":',
      'The body is not valid JSON: line 1, column 9 must be a value, but all of it ends there.',
    ],
    ['not_json', { 'content-type': 'text/plain' }, 'name=b'],
    ['body_too_large', { 'content-type': 'application/json' }, `"${'x'.repeat(256 * 1024)}"`],
    ['body_encoded', { 'content-type': 'application/json', 'content-encoding': 'gzip' }, '{}'],
  ] as const)(
    'refuses a body with %s before it looks at it',
    async (code, sent, payload, message: string = problems[code].message) => {
      const { service, path, expectNoChange } = await unchanged.get();
      for (const name of withBody) {
        const headers = {
          authorization: `Bearer ${service.service.sessions.portalKey}`,
          ...sent,
        };
        const answer = await service.call({ method: routes[name].method, url: path(name), headers, payload });
        expectProblem(answer, code, name, message);
      }
      expectNoChange();
    },
  );

  it('answers 405 with what may be asked', async () => {
    const { service, path } = await unchanged.get();
    const urls = new Set(all.map(path));
    expect(urls.size).toBeGreaterThan(8);
    for (const url of urls) {
      // A credential may be named “test” and a target “preview”, and every request about them has to work.
      const methods = new Set(
        all
          .filter((name) => new RegExp(`^${routes[name].path.replace(/:\w+/g, '[^/]+')}$`).test(url))
          .flatMap((name) => (routes[name].method === 'GET' ? ['GET', 'HEAD'] : [routes[name].method])),
      );
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const) {
        if (methods.has(method)) continue;
        const answer = await service.call({ method, url });
        expectProblem(answer, 'method_not_allowed', `${method} ${url}`);
        expect(String(answer.headers.allow).split(', ').sort(), url).toEqual([...methods].sort());
      }
    }
  });

  it('answers HEAD where it answers GET, without a body', async () => {
    const { service, path } = await unchanged.get();
    const authorization = `Bearer ${service.service.sessions.portalKey}`;
    for (const name of all.filter((one) => routes[one].method === 'GET')) {
      const answer = await service.app.inject({
        method: 'HEAD',
        url: path(name),
        headers: { authorization },
      });
      expect([answer.statusCode, answer.body], name).toEqual([200, '']);
      const stranger = await service.app.inject({ method: 'HEAD', url: path(name) });
      expect([stranger.statusCode, stranger.body], name).toEqual([401, '']);
    }
  });
});

describe('a body or a query', () => {
  const fraction = 'must be a number from 0.1 to 0.9';
  const wrong: [CredentialRoute, object, string, string][] = [
    ['addCredential', { ...bodies.addCredential, name: 'a b' }, 'name', 'must have 1 to 63 letters'],
    ['addCredential', { ...bodies.addCredential, value: 'a\u0007b' }, 'value', 'must be the token alone'],
    ['addCredential', { name: 'b' }, 'value', 'is required; it must be a token'],
    [
      'addCredential',
      { ...bodies.addCredential, base_url: 'http://api.example.com' },
      'base_url',
      'must be the address',
    ],
    [
      'addCredential',
      { ...bodies.addCredential, validity_days: 0 },
      'validity_days',
      'must be a whole number of days',
    ],
    ['addCredential', { ...bodies.addCredential, expires_at: 'soon' }, 'expires_at', 'must be an instant'],
    [
      'addCredential',
      { ...bodies.addCredential, expires_at: '2020-01-01T00:00:00Z' },
      'expires_at',
      'must be in the future',
    ],
    ['addCredential', { ...bodies.addCredential, policy: { fraction: 2 } }, 'policy.fraction', fraction],
    ['addCredential', { name: 'b', value: 'of-nobody' }, 'value', 'cannot be added'],
    ['replaceCredentialValue', { value: '' }, 'value', 'must be a token'],
    ['replaceCredentialValue', { value: 'of-nobody' }, 'value', 'cannot be added'],
    ['pauseCredential', { until: 'tomorrow' }, 'until', 'must be an instant'],
    ['pauseCredential', { until: '2026-01-10T12:00:00Z' }, 'until', 'must be in the future'],
    ['changeCredentialPolicy', { fraction: 1 }, 'fraction', fraction],
    ['changeCredentialPolicy', { preferred_hours: { from: '02:00' } }, 'preferred_hours.to', 'is required'],
    ['testConnection', { value: 'a\u0007b' }, 'value', 'must be the token alone'],
    ['testConnection', { value: 'v', base_url: 'ftp://x' }, 'base_url', 'must be the address'],
    ['previewTarget', { kind: 'file', path: 'token' }, 'path', 'must be an absolute path'],
    ['addTarget', { kind: 'pipe' }, 'kind', 'must be keychain, file, dotenv, setting or hook'],
    ['addTarget', { kind: 'file', path: 'token' }, 'path', 'must be an absolute path'],
    ['addTarget', { kind: 'dotenv', path: '/x', variable: 'a-b' }, 'variable', 'must be a variable name'],
    ['addTarget', { kind: 'setting', path: '/x.json', key: 'a..b' }, 'key', 'must be the key of one value'],
    ['addTarget', { kind: 'setting', path: '/x', key: 'a' }, 'format', 'must be json, yaml, toml, or ini'],
    ['addTarget', { kind: 'keychain', service: 'Rotavox', account: 'a' }, 'service', 'must not be rotavox'],
    ['addTarget', { kind: 'hook', command: [] }, 'command', 'must name a program'],
  ];

  it('is refused by its field, with what is allowed there', async () => {
    const { call, expectNoChange } = await unchanged.get();
    for (const [name, body, field, says] of wrong) {
      const answer = await call(name, body);
      expectProblem(answer, 'bad_request', `${name} ${JSON.stringify(body)}`);
      expect(answer.body.errors).toEqual([{ field, message: expect.stringContaining(says) as string }]);
    }
    expectNoChange();
  });

  it('does not get its token in the answer', async () => {
    const { call } = await unchanged.get();
    for (const [name, body] of [
      ['addCredential', { name: 'b', value: 'rvx_of_nobody' }],
      [
        'addCredential',
        { name: 'b', value: 'rvx_of_nobody', colour: 'rvx_of_nobody', expires_at: 'rvx_of_nobody' },
      ],
      ['testConnection', { value: 'rvx_of_nobody' }],
      ['testConnection', { value: 'rvx_of_nobody spaced', base_url: 'rvx_of_nobody' }],
      ['replaceCredentialValue', { value: 'rvx_of_nobody' }],
      ['replaceCredentialValue', { value: 'rvx_of_nobody spaced', validity_days: 'rvx_of_nobody' }],
    ] as const) {
      expect(JSON.stringify((await call(name, body)).body), name).not.toContain('rvx_of_nobody');
    }
  });

  it('of the list is refused by its parameter', async () => {
    const { service } = await unchanged.get();
    expectProblem(await service.owner('GET', '/portal/credentials?ids=a,,b'), 'bad_request', 'list');
  });

  it('of the history is refused by its parameter', async () => {
    const { service } = await unchanged.get();
    const answer = await service.owner('GET', '/portal/credentials/a/history?limit=0&subject=x');
    expectProblem(answer, 'bad_request', 'history');
    expect((answer.body.errors as { field: string }[]).map(({ field }) => field).sort()).toEqual([
      'limit',
      'subject',
    ]);
  });
});

/** A credential `b` of a GitLab that does not answer. */
async function addGitlab(service: OpenService): Promise<void> {
  const provider = { id: 'gitlab', inputs: { kind: 'personal' } };
  const wanted = { name: 'b', value: 'v', base_url: 'http://127.0.0.1:1', validity_days: 7, provider };
  expect((await service.owner('POST', '/portal/credentials', wanted)).status).toBe(200);
}

/** States of a credential, the vault or another service that make a valid request fail. */
const misfits: [CredentialRoute, ProblemCode, (setup: Setup) => Promise<Answer>, unknown][] = [
  [
    'addCredential',
    'conflict',
    ({ call }) => call('addCredential', { ...bodies.addCredential, name: 'a' }),
    'There is already a credential “a”. Choose another name, or replace the token of that one.',
  ],
  ...(['addCredential', 'replaceCredentialValue'] as const).map((name): (typeof misfits)[number] => [
    name,
    'conflict',
    async ({ service, call }) => {
      const { value } = await issueAndAdd(service, 'b');
      return call(name, name === 'addCredential' ? { name: 'c', value } : { value });
    },
    'This token is already the credential “b”. To deliver it to one more place, add a target there.',
  ]),
  ...(
    [
      'readCredentialValue',
      'replaceCredentialValue',
      'setStandbyToken',
      'removeStandbyToken',
      'rotateCredential',
      'reissueCredential',
      'setClientCertificate',
      'removeClientCertificate',
      'endCredential',
      'removeCredential',
      'deliverTarget',
    ] as const
  ).map((name): (typeof misfits)[number] => [
    name,
    'data_moved',
    ({ service, origin, call }) => {
      origin.from = otherMachine;
      // A token that still works can be read.
      if (name === 'readCredentialValue') service.clock.nowMs += 8 * 86_400_000;
      return call(name);
    },
    expect.stringMatching(
      /^These data come from another computer \(old-laptop\)\. .*until you confirm.*“Rotate from here”/,
    ),
  ]),
  ...(['credentialHistory', 'tryProxyRule'] as const).map((name): (typeof misfits)[number] => [
    name,
    'history_unreadable',
    async ({ service, call }) => {
      renameSync(service.folder, `${service.folder}-moved`);
      const answer = await call(name);
      renameSync(`${service.folder}-moved`, service.folder);
      return answer;
    },
    expect.stringMatching(/could not be read \(DATA_FOLDER_MOVED\)\..* was moved, deleted or replaced/),
  ]),
  [
    'testCredential',
    'conflict',
    async ({ vault, call }) => {
      await vault.write({ service: 'rotavox', account: 'a' }, 'another');
      return call('testCredential');
    },
    'The vault does not have the current token of “a”. Enter the current token.',
  ],
  [
    'readCredentialValue',
    'conflict',
    async ({ vault, call }) => {
      await vault.remove({ service: 'rotavox', account: 'a' });
      return call('readCredentialValue');
    },
    'The vault has no token for “a”. Enter the current token.',
  ],
  [
    'reissueCredential',
    'conflict',
    async ({ service }) => {
      const elsewhere = { name: 'b', value: 'v', base_url: 'http://127.0.0.1:1', validity_days: 7 };
      await service.owner('POST', '/portal/credentials', elsewhere);
      return service.owner('POST', '/portal/credentials/b/reissue');
    },
    'The token of “b” was not issued by this service. Issue a new one where it came from, and enter it.',
  ],
  [
    'addTarget',
    'conflict',
    ({ call }) => call('addTarget', { kind: 'keychain', service: 'app', account: 'me' }),
    '“a” already delivers to this place.',
  ],
  [
    'setStandbyToken',
    'other_service_failed',
    async ({ service }) => {
      await addGitlab(service);
      return service.owner('PUT', '/portal/credentials/b/standby', { value: 'w' });
    },
    expect.stringMatching(/^http:\/\/127\.0\.0\.1:1 could not be reached/),
  ],
  ...(['setStandbyToken', 'removeStandbyToken'] as const).map((name): (typeof misfits)[number] => [
    name,
    'vault_unavailable',
    async ({ service, vault }) => {
      await addGitlab(service);
      const second = { value: 'w', validity_days: 7 };
      expect((await service.owner('PUT', '/portal/credentials/b/standby', second)).status).toBe(200);
      vault.fail('locked');
      const { method } = routes[name];
      return service.owner(method, '/portal/credentials/b/standby', method === 'PUT' ? second : undefined);
    },
    vaultProblemText(vaultProblems.locked),
  ]),
  ...(['addCredential', 'replaceCredentialValue'] as const).map((name): (typeof misfits)[number] => [
    name,
    'other_service_failed',
    async ({ service }) => {
      const elsewhere = { name: 'b', value: 'v', base_url: 'http://127.0.0.1:1' };
      if (name === 'addCredential') return service.owner('POST', '/portal/credentials', elsewhere);
      await service.owner('POST', '/portal/credentials', { ...elsewhere, validity_days: 7 });
      return service.owner('PUT', '/portal/credentials/b/value', { value: 'w' });
    },
    expect.stringMatching(
      /^http:\/\/127\.0\.0\.1:1 could not be reached.*, or say when the token expires\.$/,
    ),
  ]),
  [
    'addCredential',
    'cannot_rotate',
    async ({ service }) => {
      const there = await startAnsweringService({ status: 404 });
      there.canRotate = false;
      const wanted = { name: 'b', value: 'v', base_url: there.baseUrl, validity_days: 7 };
      return service.owner('POST', '/portal/credentials', wanted);
    },
    expect.stringMatching(
      /has no rotate endpoint \(404\)\. Check the address.* The token was not added\..*without rotation\.$/,
    ),
  ],
  ...(['readCredentialValue', 'deliverTarget'] as const).map((name): (typeof misfits)[number] => [
    name,
    'token_unusable',
    async ({ service, call }) => {
      const id = (await shown(service, 'a')).token_id ?? '';
      await service.owner('POST', `/portal/tokens/${id}/suspend`);
      return call(name);
    },
    'The token is suspended. It is not rotated, and calls with it are refused. Resume it before it expires.',
  ]),
  ...(
    [
      'addCredential',
      'readCredentialValue',
      'replaceCredentialValue',
      'reissueCredential',
      'endCredential',
      'removeCredential',
      'testCredential',
      'setClientCertificate',
      'removeClientCertificate',
    ] as const
  ).map((name): (typeof misfits)[number] => [
    name,
    'vault_unavailable',
    async ({ service, vault, call }) => {
      const { value } = await service.issue();
      vault.fail('locked');
      return call(name, name === 'replaceCredentialValue' ? { value } : bodies[name]);
    },
    vaultProblemText(vaultProblems.locked),
  ]),
  [
    'changeCredentialAddress',
    'conflict',
    ({ call }) => call('changeCredentialAddress'),
    '“a” is a token of this service, which has no other address.',
  ],
  [
    'changeCredentialAddress',
    'vault_unavailable',
    async ({ service, vault }) => {
      const elsewhere = { name: 'b', value: 'v', base_url: 'http://127.0.0.1:1', validity_days: 7 };
      await service.owner('POST', '/portal/credentials', elsewhere);
      vault.fail('locked');
      const wanted = { base_url: 'http://127.0.0.1:1/v1' };
      return service.owner('POST', '/portal/credentials/b/address', wanted);
    },
    vaultProblemText(vaultProblems.locked),
  ],
];

describe('a request that does not fit', () => {
  it.each(misfits)('%s is refused with %s', async (name, code, call, message) => {
    const setup = await unchanged.get();
    expectProblem(await call(setup), code, name, message);
    expect(setup.service.store.state.credentials.get((await shown(setup.service, 'a')).id)).toMatchObject({
      generation: 1,
      trouble: null,
      rotation: null,
    });
    setup.origin.from = null;
    setup.vault.heal();
    if (!(await setup.isUnchanged())) await unchanged.end();
  });

  it('leaves the keychain’s token where it was when it cannot be removed', async () => {
    const { vault, call } = await makeSetup();
    vault.fail('failed');
    expectProblem(await call('removeCredential'), 'vault_unavailable', 'removeCredential');
    vault.heal();
    expect((await call('readCredentialValue')).status).toBe(200);
  });
});

it('a change that cannot be recorded is answered with 503, and when to try again', async () => {
  const { service, call } = await makeSetup();
  await service.store.close();
  const changeNothing: CredentialRoute[] = [
    'testCredential',
    'testConnection',
    'previewTarget',
    // Refused before: the credential is of this service, and has no second token.
    'changeCredentialAddress',
    'setStandbyToken',
    'removeStandbyToken',
    // There is none.
    'removeClientCertificate',
    // A token of this service is blacklisted instead.
    'endCredential',
  ];
  for (const name of all.filter((one) => routes[one].method !== 'GET' && !changeNothing.includes(one))) {
    const answer = await call(name);
    expectProblem(answer, 'store_unavailable', name, problems.store_unavailable.message);
    expect(answer.headers['retry-after']).toBe('1');
  }
});

it('every refusal that a route of credentials promises is given in this file', () => {
  const given = new Set(misfits.map(([name, code]) => `${name} ${code}`));
  for (const name of all) given.add(`${name} not_signed_in`);
  for (const name of named) given.add(`${name} not_found`);
  for (const name of withBody) {
    for (const code of ['bad_request', 'malformed_json', 'not_json', 'body_too_large', 'body_encoded'])
      given.add(`${name} ${code}`);
  }
  for (const name of ['credentialHistory', 'listCredentials']) given.add(`${name} bad_request`);
  const promised = all.flatMap((name) => (routes[name] as Route).problems.map((code) => `${name} ${code}`));
  // Documented for a group of routes, but here a new name is always free and the request always fits.
  const neverGiven = promised.filter((one) => one === 'addCredential not_found' || one.endsWith(' conflict'));
  expect(promised.filter((one) => !given.has(one) && !neverGiven.includes(one))).toEqual([]);
  expect([...given].filter((one) => !promised.includes(one))).toEqual([]);
});
