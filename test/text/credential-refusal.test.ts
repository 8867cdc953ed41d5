import { afterEach, describe, expect, it } from 'vitest';
import type {
  ConnectionFinding,
  EndpointFinding,
  TokenReply,
} from '../../src/contract/credential/connection-finding.ts';
import type { CredentialProblem } from '../../src/contract/credential/rotation-trouble.ts';
import type { CredentialRefusalReason } from '../../src/contract/credential/credential-refusal.ts';
import type { TokenId } from '../../src/contract/token/token.ts';
import { connectionText, endpointText } from '../../src/text/credential/connection-test.ts';
import { credentialRefusalText } from '../../src/text/credential/credential-refusal-text.ts';
import { credentialProblemText } from '../../src/text/credential/credentials.ts';
import { expectSentences, type OneEach } from './problems.ts';
import {
  knownFileOf,
  ProviderList,
  providerOfToken,
  ProviderView,
} from '../../src/contract/credential/provider-view.ts';
import { providerFacts, providerIds, setProviderFiles } from '../../src/providers/catalogue.ts';
import { knownFile } from '../../src/providers/file/known-file.ts';
import {
  currentTokenEnds,
  inputRows,
  lostReplyAdvice,
  providerViews,
  serviceWithKind,
  tokenKindText,
} from '../../src/text/credential/providers.ts';
import { keyProvider } from '../fixtures/key-provider.ts';

const service = 'https://api.example.com';
const name = 'crm';
const failure = { code: 'not_connected', systemCode: 'ECONNREFUSED' } as const;
const recorded = { code: 'recorded', message: 'It says why.' } as const;
const noEndpoint: EndpointFinding = {
  outcome: 'cannot_rotate',
  service,
  reason: { code: 'no_endpoint', status: 404 },
};

const reasons: OneEach<CredentialRefusalReason> = {
  no_credential: { code: 'no_credential', name },
  no_target: { code: 'no_target', name },
  removed_meanwhile: { code: 'removed_meanwhile' },
  name_taken: { code: 'name_taken', name },
  token_taken: { code: 'token_taken', name },
  no_such_connection: { code: 'no_such_connection', id: 'con1' },
  connection_exists: {
    code: 'connection_exists',
    id: 'con1',
    tool: 'git',
    place: 'https://gitlab.example.com/group',
  },
  too_many_connections: { code: 'too_many_connections', limit: 100 },
  no_connection_url: { code: 'no_connection_url' },
  connection_of_team: { code: 'connection_of_team' },
  tools_not_here: { code: 'tools_not_here', why: 'system_account' },
  tools_busy: { code: 'tools_busy' },
  too_many_targets: { code: 'too_many_targets', name, limit: 50 },
  rule_too_wide: { code: 'rule_too_wide', name, path: '/**', isOfSecrets: false },
  rule_names_rights: { code: 'rule_names_rights', path: '/repos/o/r/keys', parts: ['keys'] },
  too_many_rules: { code: 'too_many_rules', name, limit: 100 },
  too_many_app_tokens: { code: 'too_many_app_tokens', name, limit: 50 },
  no_proxy_rule: { code: 'no_proxy_rule', id: 'rule1' },
  no_app_token: { code: 'no_app_token', id: 'app1' },
  target_exists: { code: 'target_exists', name },
  target_taken: { code: 'target_taken', name },
  not_in_future: { code: 'not_in_future' },
  may_rotate: { code: 'may_rotate', name },
  no_current_token: { code: 'no_current_token', name, has: 'nothing', isRotating: false },
  rotation_open: { code: 'rotation_open', name },
  moved: { code: 'moved', from: { reason: 'other_machine', name: 'old-laptop', folder: '/home/m/data' } },
  asked_to_wait: {
    code: 'asked_to_wait',
    service,
    until: '2026-01-10T12:05:00.000Z',
    asked: '2026-01-10T12:05:00.000Z',
  },
  not_a_key: { code: 'not_a_key' },
  too_far: { code: 'too_far' },
  email_needed: { code: 'email_needed' },
  person_creates: { code: 'person_creates', name: 'crm', page: 'https://example.com/keys' },
  client_certificate: { code: 'client_certificate', why: 'other_key' },
  no_validity: { code: 'no_validity', service },
  no_standby: { code: 'no_standby', name },
  no_provider: { code: 'no_provider', id: 'grafana' },
  token_unusable: { code: 'token_unusable', problem: recorded },
  vault: { code: 'vault', problem: { code: 'no_session_bus' } },
  cannot_rotate: { code: 'cannot_rotate', endpoint: noEndpoint },
  ended_before: { code: 'ended_before', service: null, at: '2026-01-01T00:00:00.000Z' },
  token_refused: { code: 'token_refused', service, said: 'No.' },
  expiry_unknown: { code: 'expiry_unknown', service, failure },
  sign_in_needed: { code: 'sign_in_needed' },
  no_sign_in: { code: 'no_sign_in', name },
  no_such_sign_in: { code: 'no_such_sign_in' },
  too_many_sign_ins: { code: 'too_many_sign_ins', limit: 20 },
  no_sign_in_endpoint: { code: 'no_sign_in_endpoint', service, method: 'browser' },
  sign_in_unprotected: { code: 'sign_in_unprotected', service, page: 'http://crm.example' },
  sign_in_not_started: { code: 'sign_in_not_started', trouble: { code: 'internal' } },
  client_not_accepted: { code: 'client_not_accepted', trouble: { code: 'internal' } },
  target_impossible: { code: 'target_impossible', problem: { code: 'is_folder', path: '/srv' } },
  origin_not_confirmed: { code: 'origin_not_confirmed', from: service, to: 'https://new.example.com' },
  address_of_embedded: { code: 'address_of_embedded', name },
  no_helper: { code: 'no_helper', name, service },
  no_helper_input: { code: 'no_helper_input', name },
  own_helper: { code: 'own_helper' },
  not_issued_here: { code: 'not_issued_here', name },
};

/** About a field of the request: the text goes on after its name. */
const aboutField: ReadonlySet<string> = new Set([
  'not_in_future',
  'too_far',
  'not_a_key',
  'ended_before',
  'email_needed',
  'no_validity',
  'token_refused',
  'no_helper',
  'no_helper_input',
  'own_helper',
  'no_connection_url',
]);

describe('a refused request about a credential', () => {
  it.each(Object.values(reasons))('says why, in whole sentences: $code', (reason) => {
    const text = credentialRefusalText(reason);
    if (aboutField.has(reason.code)) expect(text).toMatch(/^(?:must|is|cannot) /);
    else expectSentences(text.replaceAll('base_url', 'base url'));
    if ('name' in reason) expect(text).toContain(`“${reason.name}”`);
  });

  it.each<[CredentialRefusalReason, string]>([
    [reasons.not_in_future, 'must be in the future'],
    [reasons.no_current_token, 'The vault has no token for “crm”. Enter the current token.'],
    [
      { code: 'no_current_token', name, has: 'another', isRotating: true },
      'The vault does not have the current token of “crm”. A rotation of it is open; try again when that has ended.',
    ],
    [reasons.token_refused, `cannot be added: ${service} says: “No.”`],
    [
      { code: 'expiry_unknown', service, failure: null },
      `is needed: ${service} does not say when the token expires`,
    ],
    [
      { code: 'expiry_unknown', service, failure: null, told: { code: 'never_expires' } },
      `is needed: ${service} says that the token never expires. Say after how many days Rotavox is to replace it, or when`,
    ],
    [
      { code: 'expiry_unknown', service, failure: null, told: { code: 'expiry_unreadable', said: 'soon' } },
      `is needed: ${service} was asked, but it says that the token expires “soon”, which is not an instant, a date or a number of seconds. Say when it expires`,
    ],
    [
      { code: 'expiry_unknown', service, failure: { code: 'answered', status: 503 } },
      `${service} could not be asked: it answered 503. Try again when it answers, or say when the token expires.`,
    ],
  ])('%j', (reason, text) => {
    expect(credentialRefusalText(reason)).toBe(text);
  });
});

it.each<[CredentialProblem, string]>([
  [recorded, 'It says why.'],
  [{ code: 'blacklisted' }, 'The token is blacklisted. It cannot be used again.'],
  [
    { code: 'suspended' },
    'The token is suspended. It is not rotated, and calls with it are refused. Resume it before it expires.',
  ],
  [
    { code: 'superseded', tokenId: 'tok_a_1' as TokenId },
    'Another program has rotated the token (tok_a_1) and received the new one. Enter the new token, or issue another one with the same settings.',
  ],
  [{ code: 'expired', canRotate: true, after: null }, 'The token expired before it could be replaced.'],
  [{ code: 'expired', canRotate: false, after: null }, 'The token has expired.'],
  [
    { code: 'expired', canRotate: true, after: recorded },
    'It says why. The token expired before it could be replaced.',
  ],
  [
    { code: 'access_ended', after: recorded },
    'The access token has expired and could not be refreshed yet. It says why.',
  ],
  [
    { code: 'not_stored', after: recorded },
    'A rotation has replaced the token, and the new one is not stored yet. It says why.',
  ],
])('what is wrong with a credential: %j', (problem, text) => {
  expect(credentialProblemText(problem)).toBe(text);
});

describe('a test of a token', () => {
  const known: TokenReply = {
    kind: 'known',
    name: 'app',
    status: 'Active',
    createdAtMs: null,
    expiresAtMs: 0,
    validityDays: null,
  };
  const credential = {
    code: 'credential',
    service,
    cannotRotate: false,
    recordedExpiry: null,
    here: null,
  } as const;
  const token = { code: 'token', service, cannotRotate: false, credential: null } as const;
  const refused = (why: Extract<TokenReply, { kind: 'refused' }>['why']): TokenReply => ({
    kind: 'refused',
    why,
    said: 'No.',
  });

  it.each<[ConnectionFinding, RegExp]>([
    [
      { ...credential, reply: known },
      /^The token works: .* knows the token as “app” \(Active\)\. It expires 1970-01-01T00:00:00\.000Z\.$/,
    ],
    [
      { ...credential, reply: { ...known, name: null, status: null }, recordedExpiry: '2026-01-01' },
      /knows the token\. It expires .*\. Rotavox has recorded 2026-01-01 as its expiry\. Rotate it to correct that\.$/,
    ],
    [{ ...credential, reply: refused('invalid') }, /says: “No\.” The current token no longer works\.$/],
    [{ ...credential, reply: refused('suspended') }, /Resume the token at .*, then test again\.$/],
    [
      { ...credential, reply: refused('refused') },
      /may not be used from this machine\. Rotavox will retry\.$/,
    ],
    [{ ...credential, reply: refused('suspended'), here: recorded }, /says: “No\.” It says why\.$/],
    [
      { ...credential, reply: { kind: 'unreachable', failure } },
      /nothing listens there\. This says nothing about the token\. Check the address/,
    ],
    [
      { ...credential, reply: { kind: 'not_told', reason: { code: 'no_such_call', status: 404 } } },
      /it has no such call \(404\)\. A rotation would show it\. Check/,
    ],
    [
      {
        ...credential,
        cannotRotate: true,
        reply: { kind: 'not_told', reason: { code: 'expiry_unreadable', said: 'soon' } },
      },
      /it says that the token expires “soon”, which is not an instant, a date or a number of seconds\. Check/,
    ],
    [{ ...token, reply: known, credential: 'crm' }, /This token is already the credential “crm”\./],
    [{ ...token, reply: refused('invalid') }, /Check whether the whole token was copied/],
    [{ ...token, reply: refused('refused') }, /Then test again\.$/],
    [
      { ...token, reply: { kind: 'not_told', reason: { code: 'never_expires' } } },
      /^The token works: \S+ says that it never expires, .* It can be added if you say when it is to expire\.$/,
    ],
    [
      { ...credential, reply: { kind: 'not_told', reason: { code: 'never_expires' } } },
      /^The token works: \S+ says that it never expires, so it is not known when to rotate it\.$/,
    ],
    [
      { ...token, reply: { kind: 'not_told', reason: { code: 'redirected', to: null } } },
      /it redirects to another address, where the token was not sent\. It can be added all the same/,
    ],
    [
      { ...token, reply: { kind: 'not_told', reason: { code: 'nothing_known' } } },
      /its answer does not describe the token/,
    ],
    [
      { code: 'rotation_open', name, since: null, trouble: null, isRetried: false },
      /^The token was not tested: a rotation of “crm” is open, and .* Wait until the rotation has ended/,
    ],
    [
      { code: 'rotation_open', name, since: '2026-01-01', trouble: recorded, isRetried: true },
      /is open since 2026-01-01, .* Last attempt: It says why\. Rotavox will retry\.$/,
    ],
  ])('%j', (finding, words) => {
    const text = connectionText(finding);
    expectSentences(text);
    expect(text).toMatch(words);
  });

  it.each<[EndpointFinding, string]>([
    [{ outcome: 'can_rotate', service }, `${service} has a rotate endpoint.`],
    [noEndpoint, `${service} has no rotate endpoint (404). Check the address of the service.`],
    [
      { outcome: 'unknown', service, reason: { code: 'answered', status: 401 } },
      `It is not known whether ${service} can rotate tokens. It answered 401 to a rotation with a token that nobody issued. The first rotation will show it.`,
    ],
    [
      { outcome: 'unknown', service, reason: failure },
      `It is not known whether ${service} can rotate tokens. ${service} could not be reached: nothing listens there. The first rotation will show it.`,
    ],
  ])('says whether the service can rotate: %j', (finding, text) => {
    expect(endpointText(finding)).toBe(text);
  });
});

it('advises to wait for a service only where waiting can help', () => {
  const unknown = { code: 'expiry_unknown', service } as const;
  const untrusted = { code: 'not_trusted', systemCode: 'SELF_SIGNED_CERT_IN_CHAIN' } as const;
  expect(credentialRefusalText({ ...unknown, failure })).toContain('Try again when it answers');
  const text = credentialRefusalText({ ...unknown, failure: untrusted });
  expect(text).toContain('name it in the setting “certificates”');
  expect(text).toMatch(/ Then add the token again\.$/);
});

const own = { id: 'rotavox', inputs: {} } as const;
const project = { id: 'gitlab', inputs: { kind: 'project', of: 'group/app' } } as const;
const views = providerViews();

describe('a provider in windows and commands', () => {
  it.each(views)('$id has a name and a label for everything that it asks for', (view) => {
    expect(ProviderList.parse({ providers: [view] }).providers).toEqual([view]);
    expectSentences(view.summary);
    for (const text of view.rotation) expectSentences(text);
    for (const { name, label, hint, choices } of view.inputs) {
      expect(label, name).not.toBe(name);
      expect(hint, name).not.toBe('');
      for (const choice of choices) expect(choice.label, choice.value).not.toBe(choice.value);
    }
    expect(view.examples[0]).toContain(`--provider ${view.id}`);
  });

  it('are all of them, each once', () => {
    expect(views.map(({ id }) => id)).toEqual(providerIds);
  });

  it('says what a rotation does at GitLab', () => {
    expect(views.find(({ id }) => id === 'gitlab')?.rotation).toEqual([
      'The token requests its own replacement.',
      'The old token stops working at once.',
      'GitLab tokens end at 00:00 UTC of a date.',
      'A token is valid for 365 days at most.',
      'If the reply is lost, Rotavox asks GitLab what happened before it tries again. If the token was replaced, a recovery ' +
        'credential obtains the new one. Without it, you create a token there and enter it.',
      'With a second token, the token in use keeps working until the next rotation.',
      'If another program rotates an old token again, the current one stops working too. Let only Rotavox rotate it.',
    ]);
  });

  it.each([
    ['glpat-abc', { id: 'gitlab', inputs: {} }],
    ['glrt-abc', { id: 'gitlab', inputs: { kind: 'runner' } }],
    ['rvx_abc', { id: 'rotavox', inputs: {} }],
    ['ghp_abc', { id: 'assisted', inputs: { service: 'github' } }],
    ['abc_abc', null],
  ])('is recognized by the beginning of a token: %s', (token, found) => {
    expect(providerOfToken(token, views)).toEqual(found);
  });
});

describe('a credential of a provider', () => {
  it('has a kind of token, and a kind of service where that says more than its address', () => {
    expect(tokenKindText(own)).toBe('token');
    expect(tokenKindText(project)).toBe('project access token');
    expect(serviceWithKind('api.example.com', own)).toBe('api.example.com');
    expect(serviceWithKind('gitlab.com', project)).toBe('GitLab · gitlab.com');
    expect(inputRows(own)).toEqual([]);
    expect(inputRows(project)).toEqual([
      ['Kind of token', 'Project'],
      ['Project or group', 'group/app'],
    ]);
  });

  it('says when the current token ends', () => {
    for (const id of ['rotavox', 'gitlab', 'oauth2'] as const) {
      expect(providerFacts(id).traits.oldEnds).toBe('at_once');
    }
    const client = { id: 'oauth2-client', inputs: {} } as const;
    expect(currentTokenEnds(client, false)).toBe('The old token works until it expires.');
    expect(currentTokenEnds(project, false)).toBe('The current token stops working at once.');
    expect(currentTokenEnds(project, true)).toBe(
      'The current token keeps working until the rotation after this one.',
    );
  });

  it('says what to do after a lost reply, where nothing may be repeated', () => {
    const page = 'https://gitlab.com/group/app/-/settings/access_tokens';
    const create = `Create a new token at ${page} and enter it here.`;
    expect(lostReplyAdvice(own, 'https://api.example.com')).toBeNull();
    expect(lostReplyAdvice({ id: 'oauth2', inputs: {} }, 'https://api.example.com')).toBeNull();
    expect(lostReplyAdvice(project, 'https://gitlab.com')).toBe(
      `${create} With a second token or a recovery credential the new token is not lost in such a case.`,
    );
    const recoverable = { ...project, inputs: { ...project.inputs, recovery: 'mine' } };
    expect(lostReplyAdvice(recoverable, 'https://gitlab.com')).toBe(create);
  });
});

describe('a provider that is a file', () => {
  afterEach(() => {
    setProviderFiles([]);
  });

  it('has the names of its file, here and in a window that has read the list', () => {
    setProviderFiles([[keyProvider.id, knownFile(keyProvider)]]);
    const view = providerViews().find(({ id }) => id === 'keys');
    expect(view).toMatchObject({
      name: 'Keys',
      traits: { shape: 'replace', old_ends: 'when_retired' },
      inputs: [{ name: 'guardian', label: 'Credential that creates the keys', is_optional: true }],
    });
    expect(view?.rotation[1]).toBe(
      'The old token works until every target has the new one. Then Rotavox deletes it.',
    );
    if (view === undefined) return;
    setProviderFiles([['keys', knownFileOf(ProviderView.parse(view))]]);
    expect(providerViews().find(({ id }) => id === 'keys')).toEqual(view);
  });

  it('that is not known here is called by its id', () => {
    const keys = { id: 'keys', inputs: { guardian: 'admin' } };
    expect(serviceWithKind('keys.example', keys)).toBe('keys · keys.example');
    expect(tokenKindText(keys)).toBe('token');
    expect(inputRows(keys)).toEqual([]);
  });
});
