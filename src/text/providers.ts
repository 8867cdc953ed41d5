import type { ProviderView } from '../contract/provider-view.ts';
import { tokenPageOf } from '../contract/provider-inputs.ts';
import {
  defaultProvider,
  isBuiltIn,
  knownProviderIds,
  longestValidityDays,
  mayHaveStandby,
  type ProviderChoice,
  type ProviderFacts,
  providerFacts,
  providerFileNames,
  type ProviderId,
} from '../contract/provider.ts';

/*
 * Kinds of services: their names, what they are asked for, and what a rotation does there. A provider needs an entry in
 * `names`; the rest follows from its facts (`contract/provider.ts`).
 */

interface InputNames {
  readonly label: string;
  readonly hint: string;
  /** What each choice is called. */
  readonly choices?: Readonly<Record<string, string>>;
  /** What a token with each choice is called, in a sentence. */
  readonly tokens?: Readonly<Record<string, string>>;
}

interface ProviderNames {
  readonly name: string;
  readonly summary: string;
  readonly searchWords: readonly string[];
  readonly addressHint: string;
  readonly inputs: Readonly<Record<string, InputNames>>;
  /** What a person enters where that is no token. */
  readonly secret?: { readonly label: string; readonly hint: string };
  /** Inputs as in an example of a command. */
  readonly exampleInputs?: Readonly<Record<string, string>>;
}

const oauthInputs = {
  issuer: {
    label: 'Issuer',
    hint: 'The address of the server that issues the tokens, which has its metadata.',
  },
  client_id: { label: 'Client id', hint: 'As the server shows it for your app.' },
  scope: { label: 'Scopes', hint: 'What the access token may do, with spaces between them.' },
  token_url: {
    label: 'Token address',
    hint: 'Where access tokens are issued, such as https://login.example.com/token.',
  },
  authorization_url: { label: 'Sign-in address', hint: 'The page where people sign in.' },
  device_url: { label: 'Device address', hint: 'Where a sign-in with a code begins.' },
  revocation_url: {
    label: 'Revocation address',
    hint: 'Where tokens are revoked when the credential is removed.',
  },
} as const satisfies Record<string, InputNames>;

const builtIn: Record<ProviderId, ProviderNames> = {
  rotavox: {
    name: 'A service with the Rotavox API',
    summary: 'Tokens of this program, or of a service whose tokens rotate at /v1/auth/rotate.',
    searchWords: ['rotavox', 'smartflo', 'api', 'v1', 'other', 'custom'],
    addressHint: 'The part before /v1, such as https://api.example.com.',
    inputs: {},
  },
  gitlab: {
    name: 'GitLab',
    summary: 'Personal, project and group access tokens, and runner tokens.',
    searchWords: ['gitlab.com', 'git', 'glpat', 'glrt', 'runner', 'personal access token', 'self-managed'],
    addressHint: 'Change it for GitLab on a server of your own, such as https://git.example.com/gitlab.',
    inputs: {
      kind: {
        label: 'Kind of token',
        hint: 'Where it was created.',
        choices: { personal: 'Personal', project: 'Project', group: 'Group', runner: 'Runner' },
        tokens: {
          personal: 'personal access token',
          project: 'project access token',
          group: 'group access token',
          runner: 'runner token',
        },
      },
      of: {
        label: 'Project or group',
        hint: 'Its path, such as group/project, or its number.',
      },
      recovery: {
        label: 'Recovery credential',
        hint: 'Another token of the same person with the scope api. It obtains the new token if the reply to a rotation is lost.',
      },
    },
    exampleInputs: { kind: 'project', of: 'group/project' },
  },
  vault: {
    name: 'HashiCorp Vault or OpenBao',
    summary: 'Tokens that are renewed: the same token expires later.',
    searchWords: ['vault', 'openbao', 'hashicorp', 'hvs', 'renew', 'lease'],
    addressHint: 'Such as https://vault.example.com:8200.',
    inputs: {
      namespace: { label: 'Namespace', hint: 'Only for Vault with namespaces, such as team/app.' },
    },
  },
  'vault-approle': {
    name: 'Vault AppRole secret id',
    summary: 'Secret ids of an AppRole in HashiCorp Vault or OpenBao, created by another token.',
    searchWords: ['vault', 'openbao', 'hashicorp', 'approle', 'secret id', 'secret-id', 'role id'],
    addressHint: 'Such as https://vault.example.com:8200.',
    inputs: {
      role: { label: 'Role', hint: 'The name of the AppRole, not its role id.' },
      guardian: {
        label: 'Credential that creates the secret ids',
        hint: 'A token of the same Vault. Its policy allows update on custom-secret-id, secret-id/lookup, secret-id-accessor/lookup and secret-id-accessor/destroy of the role.',
      },
      mount: { label: 'Path of the auth method', hint: 'Default: approle.' },
      namespace: { label: 'Namespace', hint: 'Only for Vault with namespaces, such as team/app.' },
    },
    exampleInputs: { role: 'web', guardian: 'vault-admin' },
  },
  smartflo: {
    name: 'Smartflo, Acefone or Servetel',
    summary: 'Tokens of an hour, which are refreshed. With a login, a lost token is no problem.',
    searchWords: ['smartflo', 'acefone', 'servetel', 'tata', 'telephony', 'call'],
    addressHint: 'Change it for Acefone or Servetel: the part before /v1.',
    inputs: {
      email: {
        label: 'Email address',
        hint: 'Of the account, where its password is stored too. Rotavox logs in with it when the token is lost or has expired.',
      },
    },
    exampleInputs: { email: 'ada@example.com' },
  },
  'github-app': {
    name: 'GitHub App installation',
    summary: 'The private key of an app obtains tokens of an hour.',
    searchWords: ['github', 'app', 'installation', 'ghs', 'private key', 'pem', 'bot'],
    addressHint: 'Change it for GitHub on a server of your own, such as https://git.example.com/api/v3.',
    inputs: {
      app: { label: 'App', hint: 'Its client id or its number, as its settings show it.' },
      installation: {
        label: 'Installation',
        hint: 'Its number: the end of the address of its settings page.',
      },
    },
    secret: {
      label: 'Private key',
      hint: 'The whole text of the .pem file that GitHub gave you for the app.',
    },
    exampleInputs: { app: 'Iv23liAbC', installation: '4711' },
  },
  assisted: {
    name: 'A token that you create',
    summary:
      'GitHub, npm, DigitalOcean, Tailscale, Atlassian and others: reminders, and help with the new token.',
    searchWords: [
      'github',
      'npm',
      'digitalocean',
      'tailscale',
      'atlassian',
      'jira',
      'personal access token',
      'ghp',
      'github_pat',
      'reminder',
    ],
    addressHint: 'Where the token is used, such as https://api.example.com.',
    inputs: {
      service: {
        label: 'Service',
        hint: 'Where you create the token.',
        choices: {
          github: 'GitHub',
          npm: 'npm registry',
          digitalocean: 'DigitalOcean',
          tailscale: 'Tailscale',
          atlassian: 'Atlassian',
          other: 'Another service',
        },
      },
      page: { label: 'Page for new tokens', hint: 'The address of the page where you create a token.' },
      old_token: {
        label: 'Old token',
        hint: 'When you enter a new token later, Rotavox revokes the old one once every target has the new one, and after 24 hours at the latest.',
        choices: { revoke: 'Revoke at GitHub', keep: 'Leave until it expires' },
      },
    },
    exampleInputs: { service: 'npm' },
  },
  oauth2: {
    name: 'OAuth sign-in',
    summary: 'You sign in once, and Rotavox always has a valid access token.',
    searchWords: [
      'oauth',
      'openid',
      'oidc',
      'google',
      'microsoft',
      'github app',
      'slack',
      'atlassian',
      'jira',
    ],
    addressHint: 'Where the access tokens are used, such as https://api.example.com.',
    inputs: {
      service: {
        label: 'Service',
        hint: 'Where you sign in.',
        choices: {
          other: 'Another server',
          gitlab: 'GitLab',
          github: 'GitHub App',
          slack: 'Slack',
          google: 'Google',
          microsoft: 'Microsoft',
          atlassian: 'Atlassian',
        },
      },
      ...oauthInputs,
      tenant: { label: 'Tenant', hint: 'The directory, such as contoso.onmicrosoft.com. Default: common.' },
    },
    exampleInputs: { service: 'other', issuer: 'https://login.example.com', client_id: 'abc' },
  },
  'oauth2-client': {
    name: 'OAuth client',
    summary: 'Tailscale, 3CX, FreePBX and others: a client id and its secret obtain access tokens.',
    searchWords: ['oauth', 'client credentials', 'tailscale', '3cx', 'freepbx', 'machine'],
    addressHint: 'Where the access tokens are used, such as https://api.example.com.',
    inputs: {
      service: {
        label: 'Service',
        hint: 'Where the client is registered.',
        choices: { other: 'Another server', tailscale: 'Tailscale', '3cx': '3CX', freepbx: 'FreePBX' },
      },
      ...oauthInputs,
    },
    secret: { label: 'Client secret', hint: 'Created with the client id. At 3CX it is the API key.' },
    exampleInputs: { service: 'tailscale', client_id: 'abc' },
  },
};

/** Of a provider that is built in, of a file that is known here, or only the id. */
function namesOf(id: string): ProviderNames {
  if (isBuiltIn(id)) return builtIn[id];
  const names = providerFileNames(id) ?? { name: id, summary: '', searchWords: [], inputs: {} };
  return { ...names, addressHint: '' };
}

/** What a provider is called. */
export function providerName(id: string): string {
  return namesOf(id).name;
}

/** What a person enters for it where that is no token, within a sentence; null: a token. */
export function secretKind(id: string): string | null {
  return namesOf(id).secret?.label.toLowerCase() ?? null;
}

/** What an input of it is called. */
export function inputLabel(id: string, input: string): string {
  return namesOf(id).inputs[input]?.label ?? input;
}

/** What the address of its services is like. */
export function addressHint(id: string): string {
  return namesOf(id).addressHint;
}

/** All providers as windows and commands show them. */
export function providerViews(): ProviderView[] {
  return knownProviderIds().map(viewProvider);
}

function viewProvider(id: string): ProviderView {
  const { name, summary, searchWords, addressHint, inputs: inputNames, secret = null } = namesOf(id);
  const facts = providerFacts(id);
  const { shape, oldEnds, repeat, endsOn, longestDays, reuseEndsAll } = facts.traits;
  return {
    id,
    name,
    summary,
    search_words: [...searchWords],
    traits: {
      shape,
      old_ends: oldEnds,
      repeat,
      ends_on: endsOn,
      longest_days: longestDays,
      reuse_ends_all: reuseEndsAll,
    },
    rotation: rotationFacts(id),
    default_base_url: facts.defaultBaseUrl,
    may_be_embedded: facts.mayBeEmbedded,
    address_hint: addressHint,
    inputs: facts.inputs.map((input) => {
      const { label = input.name, hint = '', choices = {} } = inputNames[input.name] ?? {};
      return {
        name: input.name,
        kind: input.kind,
        label,
        hint,
        choices: (input.choices ?? []).map((value) => ({ value, label: choices[value] ?? value })),
        only_for:
          input.onlyFor === undefined
            ? null
            : { input: input.onlyFor.input, values: [...input.onlyFor.values] },
        is_optional: input.isOptional ?? false,
      };
    }),
    secret,
    token_prefixes: (facts.tokenPrefixes ?? []).map(({ prefix, inputs = {} }) => ({
      prefix,
      inputs: { ...inputs },
    })),
    examples: examplesOf(id, facts),
  };
}

/** Commands that add a credential: the shortest, and one with inputs. */
function examplesOf(id: string, { defaultBaseUrl, inputs }: ProviderFacts): string[] {
  const isOAuth = id === 'oauth2' || id === 'oauth2-client';
  const address = defaultBaseUrl === null && !isOAuth ? ' --base-url https://api.example.com' : '';
  const signIn = id === 'oauth2' ? ' --sign-in browser' : '';
  const needed = isBuiltIn(id)
    ? []
    : inputs.filter(({ kind, isOptional }) => kind !== 'choice' && !isOptional);
  const told = needed.map(({ name }) => ` --input ${name}=…`).join('');
  const command = `rotavox credential add my-${id} --provider ${id}${address}${signIn}${told}`;
  const given = Object.entries(namesOf(id).exampleInputs ?? {}).map(
    ([name, value]) => ` --input ${name}=${value}`,
  );
  // An example without what is required would be refused.
  const isRequired = inputs.some(
    ({ kind, isOptional, onlyFor }) => kind !== 'choice' && isOptional !== true && onlyFor === undefined,
  );
  if (isOAuth || (given.length > 0 && isRequired)) return [command + given.join('')];
  return inputs.length === 0 || given.length === 0 ? [command] : [command, command + given.join('')];
}

/** What a rotation does to the old token. */
export function oldTokenText({ oldEnds, shape }: Pick<ProviderFacts['traits'], 'oldEnds' | 'shape'>): string {
  switch (oldEnds) {
    case 'at_once':
      return 'The old token stops working at once.';
    case 'when_retired':
      return 'The old token works until every target has the new one. Then Rotavox deletes it.';
    case 'never':
      return shape === 'renew'
        ? 'The token stays the same and expires later.'
        : 'The old token works until it expires.';
  }
}

/** Whether Rotavox revokes the old token after a person has entered a new one. */
export function revokesOldToken({ id, inputs }: ProviderChoice): boolean {
  return id === 'assisted' && inputs['service'] === 'github' && inputs['old_token'] === 'revoke';
}

/** What a rotation does at a service of this kind, in sentences. */
function rotationFacts(id: string): string[] {
  const { name } = namesOf(id);
  const { traits, inputs, standby } = providerFacts(id);
  const { shape, repeat, endsOn, longestDays, reuseEndsAll } = traits;
  const recovers = shape === 'self_rotate' && inputs.some(({ name }) => name === 'recovery');
  const lost =
    shape === 'replace' && repeat === 'after_inspect'
      ? orphanText
      : lostText(shape === 'refresh' ? 'the server' : name, traits, recovers);
  return [
    shapeTexts[shape],
    id === 'assisted' ? assistedOldText : oldTokenText(traits),
    ...(endsOn === 'day' ? [`${name} tokens end at 00:00 UTC of a date.`] : []),
    ...(longestDays === null || longestDays >= longestValidityDays
      ? []
      : [`A token is valid for ${longestDays} days at most.`]),
    lost,
    ...(standby === null
      ? []
      : ['With a second token, the token in use keeps working until the next rotation.']),
    ...(reuseEndsAll
      ? [
          'If another program rotates an old token again, the current one stops working too. Let only Rotavox rotate it.',
        ]
      : []),
  ];
}

const shapeTexts: Record<ProviderFacts['traits']['shape'], string> = {
  self_rotate: 'The token requests its own replacement.',
  replace: 'Rotavox creates a new token beside the old one and delivers it.',
  refresh: 'A long-lived secret obtains short-lived tokens.',
  renew: 'Rotavox extends the same token.',
  assisted: 'You create the new token. Rotavox reminds you in time, checks it and delivers it.',
};

const assistedOldText =
  'The old token works until it expires. At GitHub Rotavox revokes it when every target has the new one, and after 24 hours at the latest, ' +
  'unless you choose to keep it.';

const sameValueText =
  'Rotavox chooses the new value itself. If the reply is lost, it asks for the same one again.';

const repeatTexts = {
  free: 'If the reply is lost, Rotavox repeats the request.',
  with_key: 'If the reply is lost, Rotavox repeats the request and gets the same new token.',
} as const;

const orphanText =
  'If the reply is lost, the old token still works. Rotavox deletes what was created, where the service can list it, and creates another.';

function lostText(
  name: string,
  { repeat, shape }: Pick<ProviderFacts['traits'], 'repeat' | 'shape'>,
  recovers: boolean,
): string {
  if (shape === 'replace') return sameValueText;
  if (repeat !== 'after_inspect') return repeatTexts[repeat];
  const asks = `If the reply is lost, Rotavox asks ${name} what happened before it tries again.`;
  return recovers ? `${asks} ${recoveryText}` : asks;
}

const recoveryText =
  'If the token was replaced, a recovery credential obtains the new one. Without it, you create a token there and enter it.';

/** What a token is called: `project access token`; just `token` where no kinds are known. */
export function tokenKindText({ id, inputs }: ProviderChoice): string {
  const facts = providerFacts(id);
  const kinds = facts.inputs.flatMap(({ name, kind }) =>
    kind === 'choice' ? [namesOf(id).inputs[name]?.tokens?.[inputs[name] ?? ''] ?? null] : [],
  );
  return kinds.find((kind) => kind !== null) ?? 'token';
}

/** The inputs of a credential with their labels. */
export function inputRows({ id, inputs }: ProviderChoice): [label: string, value: string][] {
  return providerFacts(id).inputs.flatMap(({ name }) => {
    const value = inputs[name];
    if (value === undefined) return [];
    const { label = name, choices = {} } = namesOf(id).inputs[name] ?? {};
    return [[label, choices[value] ?? value]];
  });
}

/** Why a token is not rotated, within a sentence. Other services let some of their tokens rotate and others not. */
export function notRotatedText({ id }: ProviderChoice): string {
  if (id === defaultProvider.id) return 'its service has no rotate endpoint';
  switch (providerFacts(id).traits.shape) {
    case 'renew':
      return 'it cannot be renewed any further';
    case 'assisted':
      return 'its service lets only a person create tokens';
    case 'self_rotate':
    case 'replace':
    case 'refresh':
      return 'it may not rotate itself';
  }
}

/** What a rotation does to the token that programs have now. A second token takes its place if there is one. */
export function currentTokenEnds({ id }: ProviderChoice, hasStandby: boolean): string {
  const { traits } = providerFacts(id);
  if (hasStandby) return 'The current token keeps working until the rotation after this one.';
  return traits.oldEnds === 'at_once' ? 'The current token stops working at once.' : oldTokenText(traits);
}

/** Where a service is, with what kind it is where that says more: `GitLab · gitlab.com`. */
export function serviceWithKind(host: string, { id }: ProviderChoice): string {
  return id === defaultProvider.id ? host : `${namesOf(id).name} · ${host}`;
}

/** What a person can do when the reply to a rotation was lost and the new token with it; null: the remedies say it. */
export function lostReplyAdvice(provider: ProviderChoice, baseUrl: string): string | null {
  const { id, inputs } = provider;
  const { traits, inputs: known } = providerFacts(id);
  // A sign-in has a remedy of its own, and where a token is created beside the old one nothing is lost.
  if (traits.repeat !== 'after_inspect' || traits.shape === 'refresh' || traits.shape === 'replace') {
    return null;
  }
  const create = `Create a new token at ${tokenPageOf(provider, baseUrl)} and enter it here.`;
  const recovery = known.find(({ name }) => name === 'recovery');
  if (recovery === undefined || inputs[recovery.name] !== undefined) return create;
  const label = (namesOf(id).inputs[recovery.name]?.label ?? recovery.name).toLowerCase();
  const second = mayHaveStandby(provider) ? `a second token or a ${label}` : `a ${label}`;
  return `${create} With ${second} the new token is not lost in such a case.`;
}

/** What will happen to a token that is about to be added, before it is saved. */
export const rotationPlanText = {
  title: 'What happens next',
  rotated: 'Rotavox rotates it about {at}, after {share} of its lifetime.',
  rotatedSoon: 'Rotavox rotates it as soon as it is added, because {share} of its lifetime are over.',
  /** The same for a token that is renewed. */
  renewed: 'Rotavox renews it about {at}, after {share} of its lifetime.',
  renewedSoon: 'Rotavox renews it as soon as it is added, because {share} of its lifetime are over.',
  renewedUntil: 'When it cannot be renewed any further, Rotavox reminds you to create a new one.',
  share: (fraction: number) => `${Math.round(fraction * 100)} %`,
  read: 'Programs must read the new one with {command}, or get it from a target.',
  readNoCommand: 'Programs must get the new one from a target.',
  /** Of a secret that obtains tokens. */
  obtained: 'Rotavox obtains an access token with it now, so a mistake shows at once.',
  refreshed: 'Before an access token ends, Rotavox obtains the next one.',
  validity: (days: number) => `New tokens will be valid for ${days === 1 ? '1 day' : `${days} days`}.`,
  /** Where nothing may be repeated before the service was asked. */
  lostReply: (name: string, mayRecover: boolean) =>
    `If the reply of ${name} to a rotation is lost, you have to create a new token there.${
      mayRecover
        ? ' To prevent that, choose another credential of the same person as recovery credential.'
        : ''
    }`,
} as const;
