import { describe, expect, it } from 'vitest';
import { troubleKinds } from '../../src/contract/credential/credential-view.ts';
import {
  commandAfterFailure,
  credentialRemedies,
  type Remedy,
  remedyCommand,
  suggestedCommand,
} from '../../src/text/window/remedies.ts';
import { credentialView, trouble } from '../renderer/credentials/credential-view.ts';

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
