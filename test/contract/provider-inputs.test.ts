import { describe, expect, it } from 'vitest';
import { TestConnection } from '../../src/contract/credential/credential-checks.ts';
import { AddCredential } from '../../src/contract/credential/credential.ts';
import { fieldProblemsOf } from '../../src/contract/field-problem.ts';
import { tokenPageOf } from '../../src/contract/credential/provider-inputs.ts';
import type { ProviderChoice } from '../../src/contract/credential/provider.ts';
import { fieldProblemText } from '../../src/text/window/field-errors.ts';

const least = { name: 'deploy', value: 'glpat-1' };

function problemsOf(provider: unknown, more: object = {}): string[] {
  const input = { ...least, provider, ...more };
  const parsed = AddCredential.safeParse(input);
  if (parsed.success) return [];
  return fieldProblemsOf(parsed.error, input).map((one) => `${one.field}: ${fieldProblemText(one)}`);
}

describe('the inputs of a provider', () => {
  it.each<[object, string[]]>([
    [{ kind: 'personal' }, []],
    [{}, []],
    [{ kind: 'project', of: 'group/project', recovery: 'mine' }, []],
    [{ kind: 'runner' }, []],
    [{ kind: 'deploy' }, ['provider.inputs.kind: must be personal, project, group or runner']],
    [{ kind: 'project' }, ['provider.inputs.of: is required; it must be a text of 1 to 500 characters']],
    [{ kind: 'group', of: '' }, ['provider.inputs.of: must be a text of 1 to 500 characters']],
    [{ kind: 'group', of: 'a\nb' }, ['provider.inputs.of: must be a text of 1 to 500 characters']],
    [
      { kind: 'group', of: 'a\u202eb' },
      [
        'provider.inputs.of: must have no line breaks, other control characters, invisible characters, or marks that turn the direction of a text',
      ],
    ],
    [{ of: 'group/project' }, ['provider.inputs.of: is only for kind project or group']],
    [
      { kind: 'runner', recovery: 'mine' },
      ['provider.inputs.recovery: is only for kind personal, project or group'],
    ],
    [{ project: '7' }, ['provider.inputs.project: is not an input of gitlab; allowed: kind, of, recovery']],
    [{ kind: 7 }, ['provider.inputs.kind: must be a text']],
  ])('%j: %j', (inputs, problems) => {
    expect(problemsOf({ id: 'gitlab', inputs })).toEqual(problems);
  });

  it('are none for a service with the Rotavox API', () => {
    expect(problemsOf({ id: 'rotavox', inputs: { kind: 'project' } })).toEqual([
      'provider.inputs.kind: is not an input of rotavox; it has none',
    ]);
  });

  it('are checked also while other fields are missing', () => {
    expect(problemsOf({ id: 'gitlab', inputs: { kind: 'group' } }, { value: undefined })).toEqual([
      expect.stringMatching(/^value: is required/),
      expect.stringMatching(/^provider\.inputs\.of: is required/),
    ]);
  });

  it('need a provider that exists', () => {
    expect(problemsOf({ id: 'Git ea' })).toEqual([
      'provider.id: must be the id of a provider: lower-case letters, digits, dashes and underscores',
    ]);
    // It may be that of a file, which only the service knows.
    expect(problemsOf({ id: 'gitea', inputs: { any: 'x' } })).toEqual([]);
    expect(problemsOf('gitlab')).toEqual(['provider: must be a JSON object with the id of a provider']);
  });

  it('get the defaults of choices that apply', () => {
    const added = AddCredential.parse({ ...least, provider: { id: 'gitlab' } });
    expect(added.provider).toEqual({ id: 'gitlab', inputs: { kind: 'personal' } });
    expect(AddCredential.parse(least)).not.toHaveProperty('provider');
  });
});

describe('the address of a provider', () => {
  const gitlab = { id: 'gitlab', inputs: {} };

  it.each([AddCredential, TestConnection])('is the usual one unless another is given', (schema) => {
    const named = schema === AddCredential ? least : { value: 'glpat-1' };
    const addressOf = (more: object) => schema.parse({ ...named, ...more }).base_url;
    expect(addressOf({ provider: gitlab })).toBe('https://gitlab.com');
    expect(addressOf({ provider: gitlab, base_url: null })).toBe('https://gitlab.com');
    expect(addressOf({ provider: gitlab, base_url: 'https://example.com/gitlab/' })).toBe(
      'https://example.com/gitlab',
    );
    expect(addressOf({})).toBeNull();
    expect(addressOf({ provider: { id: 'rotavox', inputs: {} } })).toBeNull();
  });
});

describe('the page of a service where a token is created', () => {
  const at = 'https://example.com/gitlab';
  it.each<[ProviderChoice['inputs'], string]>([
    [{ kind: 'personal' }, `${at}/-/user_settings/personal_access_tokens`],
    [{ kind: 'project', of: 'group/app' }, `${at}/group/app/-/settings/access_tokens`],
    [{ kind: 'group', of: 'group' }, `${at}/groups/group/-/settings/access_tokens`],
    // A number is no part of a page's address, and runners have no page that everybody may see.
    [{ kind: 'project', of: '7' }, at],
    [{ kind: 'runner' }, at],
  ])('of %j', (inputs, page) => {
    expect(tokenPageOf({ id: 'gitlab', inputs }, at)).toBe(page);
  });

  it('is the address itself where no page is known', () => {
    expect(tokenPageOf({ id: 'rotavox', inputs: {} }, at)).toBe(at);
  });
});
