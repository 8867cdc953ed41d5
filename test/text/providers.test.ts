import { afterEach, describe, expect, it } from 'vitest';
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
import { expectSentences } from './problems.ts';

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
