import { describe, expect, it } from 'vitest';
import type {
  CallFailure,
  RotationTrouble,
  ServiceWait,
} from '../../src/contract/credential/rotation-trouble.ts';
import {
  asksToWaitText,
  callFailureText,
  rotationTroubleText,
} from '../../src/text/credential/rotation-trouble-text.ts';
import { expectSentences, type OneEach } from './problems.ts';
import { troubleKinds } from '../../src/contract/credential/credential-view.ts';
import {
  commandAfterFailure,
  credentialRemedies,
  type Remedy,
  remedyCommand,
  suggestedCommand,
} from '../../src/text/window/remedies.ts';
import { credentialView, trouble } from '../renderer/credentials/credential-view.ts';

const service = 'https://api.example.com';
const said = 'Because.';

const troubles: OneEach<RotationTrouble> = {
  call_failed: {
    code: 'call_failed',
    service,
    failure: { code: 'not_trusted', systemCode: 'DEPTH-ZERO' },
  },
  no_new_token: { code: 'no_new_token', service, status: 200 },
  not_storable: { code: 'not_storable', service, name: 'crm' },
  redirected: { code: 'redirected', service, to: 'https://elsewhere.example' },
  invalid: { code: 'invalid', service, said },
  expired: { code: 'expired', service, said },
  suspended: { code: 'suspended', service, said },
  blacklisted: { code: 'blacklisted', service, said },
  refused: { code: 'refused', service, said },
  no_endpoint: { code: 'no_endpoint', service, status: 404, isRetried: false },
  may_not_rotate: { code: 'may_not_rotate', service, scopes: ['api'] },
  login_refused: { code: 'login_refused', service, said },
  app_refused: { code: 'app_refused', service, said },
  person_creates: { code: 'person_creates', service, page: 'https://example.com/keys' },
  not_renewable: { code: 'not_renewable', service, until: '2026-02-10T12:00:00.000Z' },
  service_failed: { code: 'service_failed', service, status: 503, said: null },
  sign_in_ended: { code: 'sign_in_ended', service, said },
  client_refused: { code: 'client_refused', service, said: null },
  repeats_later: { code: 'repeats_later', service, until: '2026-01-10T13:00:00.000Z' },
  reply_lost: { code: 'reply_lost', service, begunAt: '2026-01-10T12:00:00.000Z' },
  value_missing: { code: 'value_missing', name: 'crm', isAnother: false },
  vault: { code: 'vault', problem: { code: 'keychain_locked', platform: 'linux' } },
  list_unfinished: { code: 'list_unfinished', service, why: 'elsewhere' },
  id_unknown: { code: 'id_unknown', service },
  no_guardian: { code: 'no_guardian', service, name: 'admin' },
  no_provider: { code: 'no_provider', id: 'grafana' },
  internal: { code: 'internal' },
};

describe('a trouble of a rotation', () => {
  it.each(Object.values(troubles))('is said in whole sentences: $code', (trouble) => {
    const text = rotationTroubleText(trouble);
    expectSentences(text.replaceAll('base_url', 'base url'));
    if ('service' in trouble)
      expect(text).toMatch(
        new RegExp(`^(?:The reply of |A web page came instead of the answer of )?${service} `),
      );
  });

  it.each<[RotationTrouble, string]>([
    [
      troubles.call_failed,
      `${service} cannot be trusted: its certificate does not verify (DEPTH-ZERO). Whoever runs the service, or the proxy before it, has to replace the certificate. The token was not sent.`,
    ],
    [
      { code: 'redirected', service, to: service },
      `${service} redirects to another page of the same address, as for a sign-in or a maintenance page. The token was not sent there. Check the address of the service.`,
    ],
    [troubles.no_new_token, `${service} answered 200, but without a new token.`],
    [
      troubles.redirected,
      `${service} redirects to https://elsewhere.example. The token was not sent there. Check the address of the service.`,
    ],
    [
      { code: 'redirected', service, to: null },
      `${service} redirects to another address. The token was not sent there. Check the address of the service.`,
    ],
    [troubles.invalid, `${service} does not know the token (401: “Because.”).`],
    [{ code: 'invalid', service, said: null }, `${service} does not know the token (401).`],
    [troubles.expired, `${service} says that the token has expired.`],
    [troubles.blacklisted, `${service} has blacklisted the token.`],
    [troubles.refused, `${service} refuses for now (403: “Because.”). Rotavox will retry.`],
    [troubles.no_endpoint, `${service} has no rotate endpoint (404). Check the address of the service.`],
    [
      { code: 'no_endpoint', service, status: 404, isRetried: true },
      `${service} has no rotate endpoint (404). Check the address of the service. Rotavox will retry.`,
    ],
    [
      troubles.not_renewable,
      `${service} does not renew this token any further. It expires 2026-02-10T12:00:00.000Z. Create a new one there before that.`,
    ],
    [
      { code: 'not_renewable', service, until: null },
      `${service} says that this token never expires, so there is nothing to renew.`,
    ],
    [
      troubles.service_failed,
      `${service} is not available now (503): maintenance, or too much load. Rotavox will retry.`,
    ],
    [
      { code: 'value_missing', name: 'crm', isAnother: true },
      'The vault has another token for “crm” than the one that was stored there.',
    ],
  ])('%j', (trouble, sentence) => {
    expect(rotationTroubleText(trouble)).toBe(sentence);
  });
});

it.each<[string, string, string | null, string]>([
  [
    'as long as it asks',
    '12:05',
    '2026-01-10T12:05:00.000Z',
    'It asks to wait until 2026-01-10T12:05:00.000Z. Rotavox will retry.',
  ],
  [
    'not that long',
    '13:00',
    '2026-01-17T12:00:00.000Z',
    'It asks to wait until 2026-01-17T12:00:00.000Z. Rotavox will retry earlier: after a day at most, and before the token expires.',
  ],
  ['on its own', '12:05', null, 'Rotavox will retry.'],
])('a service that fails is waited for %s', (_how, until, asked, words) => {
  const trouble = { code: 'service_failed', service, status: 429, said: null } as const;
  const wait = { until: `2026-01-10T${until}:00.000Z`, asked };
  expect(rotationTroubleText(trouble, wait)).toBe(`${service} answered 429. ${words}`);
});

it.each<[Partial<ServiceWait>, string]>([
  [{}, 'and asks to wait until 2026-01-11T12:00:00.000Z.'],
  [
    { asked: '2026-01-17T12:00:00.000Z' },
    'and asks to wait until 2026-01-17T12:00:00.000Z. Rotavox waits for a day at most, until 2026-01-11T12:00:00.000Z.',
  ],
  [{ asked: null }, 'and does not say how long to wait. Rotavox waits until 2026-01-11T12:00:00.000Z.'],
])('a service that gets too many calls says what it asked for: %j', (wait, words) => {
  const day = { until: '2026-01-11T12:00:00.000Z', asked: '2026-01-11T12:00:00.000Z' };
  expect(asksToWaitText(service, { ...day, ...wait })).toBe(`${service} got too many calls ${words}`);
});

it.each<[CallFailure, string]>([
  [{ code: 'not_connected', systemCode: 'ECONNREFUSED' }, 'could not be reached: nothing listens there.'],
  [{ code: 'not_connected', systemCode: 'ENETUNREACH' }, 'could not be reached: there is no network.'],
  [{ code: 'not_connected', systemCode: 'EOTHER' }, 'could not be reached: no connection (EOTHER).'],
  [{ code: 'stopping' }, 'was not asked: Rotavox is stopping.'],
  [
    { code: 'asked_to_wait', until: '2026-01-10T12:05:00.000Z', asked: '2026-01-10T12:05:00.000Z' },
    'got too many calls and asks to wait until 2026-01-10T12:05:00.000Z. Nothing was sent.',
  ],
  [{ code: 'no_answer', limitMs: 1500 }, 'did not answer within 1.5 s.'],
  [{ code: 'stopped' }, 'was asked, but Rotavox stopped before the answer arrived.'],
  [
    { code: 'connection_lost', systemCode: 'ECONNRESET' },
    'was asked, but the connection ended before the answer arrived (ECONNRESET).',
  ],
])('a call without an answer says why: %j', (failure, words) => {
  expect(callFailureText(service, failure)).toBe(`${service} ${words}`);
});

const here = { family_id: 'fam_1' as never, token_id: 'tok_1_1' as never };
const there = { service: 'remote' as const, base_url: 'https://api.example.com/pbx/v3' };
const kindsFor = (differences: Parameters<typeof credentialView>[0]) =>
  credentialRemedies(credentialView(differences)).map(({ kind }) => kind);

describe('the remedies of a credential', () => {
  it('are none while all is well, also when only a delivery fails', () => {
    expect(kindsFor({})).toEqual([]);
    expect(kindsFor({ state: 'delivery_failing' })).toEqual([]);
    expect(suggestedCommand(credentialView())).toBeNull();
  });

  it('are to issue the token again, or to enter one, for a token of this service', () => {
    expect(kindsFor({ state: 'expired', ...here })).toEqual(['reissue', 'enter_token']);
    expect(kindsFor({ state: 'expired' })).toEqual(['enter_token']);
  });

  it('are to sign in again where the tokens come from a sign-in', () => {
    const provider = { id: 'oauth2', inputs: {} } as const;
    for (const kind of ['invalid', 'reply_lost'] as const) {
      const state = kind === 'invalid' ? 'refused' : 'reply_lost';
      expect(kindsFor({ ...there, provider, state, trouble: trouble(kind) })).toEqual(['sign_in']);
    }
  });

  it('name the portal of another service without the path of its API', () => {
    const one = credentialView({ ...there, state: 'reply_lost', trouble: trouble('reply_lost') });
    expect(credentialRemedies(one)).toEqual([
      { kind: 'enter_token', name: one.name },
      { kind: 'open_portal', origin: 'https://api.example.com' },
    ]);
  });

  it('resume a token that is suspended here, or lead to where it is suspended', () => {
    const suspended = { state: 'refused', trouble: trouble('suspended') } as const;
    expect(kindsFor({ ...suspended, ...here })).toEqual(['resume_token', 'reissue']);
    const elsewhere = credentialView({ ...suspended, ...there });
    expect(credentialRemedies(elsewhere).map(({ kind }) => kind)).toEqual(['open_portal', 'enter_token']);
    expect(suggestedCommand(elsewhere), 'the first that is a command').toBe(
      `rotavox credential replace ${elsewhere.name}`,
    );
  });

  it('lead to the family of a token that is refused for now, which may be suspended', () => {
    const refused = { state: 'refused', trouble: trouble('refused') } as const;
    expect(kindsFor({ ...refused, ...here })).toEqual(['open_family', 'rotate']);
    expect(kindsFor(refused)).toEqual(['rotate']);
  });

  it('are no other attempt after one that failed', () => {
    const failing = credentialView({ state: 'failing', trouble: trouble('unreachable') });
    expect(suggestedCommand(failing)).toBe(`rotavox credential rotate ${failing.name}`);
    expect(commandAfterFailure(failing)).toBeNull();
    const unable = credentialView({ state: 'failing', trouble: trouble('no_endpoint') });
    expect(commandAfterFailure(unable)).toBe(`rotavox credential remind ${unable.name}`);
  });

  it('are reminders where the service has no rotate endpoint', () => {
    expect(kindsFor({ state: 'failing', trouble: trouble('no_endpoint') })).toEqual(['remind', 'rotate']);
  });

  it('lead to another address where the service redirects to one, with the path of its API', () => {
    const redirected = { ...trouble('unsafe'), redirected_to: 'https://new.example:8443' };
    const one = credentialView({ ...there, state: 'failing', trouble: redirected });
    expect(kindsFor({ ...there, state: 'failing', trouble: redirected })).toEqual([
      'change_address',
      'rotate',
    ]);
    const command = `rotavox credential address ${one.name} https://new.example:8443/pbx/v3`;
    expect(suggestedCommand(one)).toBe(command);
    expect(commandAfterFailure(one)).toBe(command);
    const root = credentialView({ ...one, base_url: 'https://api.example.com' });
    expect(suggestedCommand(root)).toBe(`rotavox credential address ${one.name} https://new.example:8443`);
  });

  it('are there for every trouble', () => {
    for (const kind of troubleKinds)
      expect(kindsFor({ state: 'failing', trouble: trouble(kind) }), kind).not.toEqual([]);
  });
});

it.each<[Remedy, string | null]>([
  [{ kind: 'rotate', name: 'crm' }, 'credential rotate crm'],
  [{ kind: 'resume', name: 'crm' }, 'credential resume crm'],
  [{ kind: 'resume_token', name: 'crm', tokenId: 'tok_1_1' }, 'token resume tok_1_1'],
  [{ kind: 'deliver', name: 'crm', targetId: 'tgt_1' }, 'credential target crm deliver tgt_1'],
  [{ kind: 'reissue', name: 'crm' }, 'credential reissue crm'],
  [{ kind: 'enter_token', name: 'crm' }, 'credential replace crm'],
  [{ kind: 'sign_in', name: 'crm' }, 'credential sign-in crm'],
  [{ kind: 'remind', name: 'crm' }, 'credential remind crm'],
  [
    { kind: 'change_address', name: 'crm', address: 'https://new.example/v1' },
    'credential address crm https://new.example/v1',
  ],
  [{ kind: 'open_credential', name: 'crm' }, 'credential show crm'],
  [{ kind: 'open_credentials' }, 'credential list'],
  [{ kind: 'open_family', familyId: 'fam_1' }, 'token list --family fam_1'],
  [{ kind: 'verify_history' }, 'history --verify'],
  [{ kind: 'open_pbx', name: 'office' }, 'pbx test office'],
  [{ kind: 'add_credential' }, null],
  [{ kind: 'open_portal', origin: 'https://api.example.com' }, null],
])('the command for %j is %j', (remedy, command) => {
  expect(remedyCommand(remedy)).toBe(command);
});
