import { describe, expect, it } from 'vitest';
import { AddCredential } from '../../../src/contract/credential.ts';
import { addErrorsOf, emptyDraft, readDraft } from '../../../src/renderer/credentials/add/add-draft.ts';
import { draftOf } from '../../../src/renderer/credentials/policy-fields.tsx';

const named = { ...emptyDraft, name: ' billing ' };
const value = ' rvx_value\n';

describe('the form that adds a credential', () => {
  it('asks for a token of this service, with nothing that nobody said', () => {
    const { body, errors } = readDraft(named, value);
    expect(errors).toEqual({});
    expect(AddCredential.parse(body)).toEqual({ name: 'billing', value: 'rvx_value', base_url: null });
  });

  it('asks for one of elsewhere, with its end and a policy', () => {
    const { body, errors } = readDraft(
      {
        name: 'billing',
        where: 'elsewhere',
        baseUrl: 'https://api.example.com/',
        life: { days: '30', end: '2026-12-31T23:59' },
        remindOnly: false,
        policy: draftOf({ fraction: 0.5, preferred_hours: { from: '22:00', to: '04:00' } }),
      },
      value,
    );
    expect(errors).toEqual({});
    expect(AddCredential.parse(body)).toMatchObject({
      base_url: 'https://api.example.com',
      validity_days: 30,
      expires_at: new Date('2026-12-31T23:59').toISOString(),
      policy: { fraction: 0.5, preferred_hours: { from: '22:00', to: '04:00' } },
    });
  });

  it('says every error at its field', () => {
    const draft = { ...named, name: '-', where: 'elsewhere' as const, baseUrl: 'http://example.com' };
    const { errors } = readDraft({ ...draft, life: { days: 'x', end: '' } }, 'no token');
    expect(Object.keys(errors).sort()).toEqual(['base_url', 'name', 'validity_days', 'value']);
    expect(errors.base_url).toMatch(/^The address must be the address of a service/);
    const hours = { fraction: 0.5, hasHours: true, hours: { from: '', to: '04:00' } };
    expect(readDraft({ ...named, policy: hours }, value).errors.policy).toMatch(/must be a time of day/);
  });

  it('has no word of the command line’s options in what the service says', () => {
    const message =
      'is needed: https://x does not say it. Say when the token expires, with --expires-at or --validity.';
    expect(addErrorsOf([{ field: 'expires_at', message }])).toEqual({
      expires_at: 'The end is needed: https://x does not say it.',
    });
  });
});
