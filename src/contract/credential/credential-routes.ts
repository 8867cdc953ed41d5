import { ClientCertificate } from '../service/network.ts';
import { z } from 'zod';
import {
  AddressChange,
  ChangeAddress,
  ConnectionTest,
  DeliveryPreview,
  TestConnection,
  TokenEnded,
} from './credential-checks.ts';
import { CredentialList, CredentialQuery, CredentialValue, CredentialView } from './credential-view.ts';
import {
  AddCredential,
  ChangeHelper,
  ChangePolicy,
  DeliveryTarget,
  PauseCredential,
  ReplaceValue,
} from './credential.ts';
import { HistoryPage, HistoryQuery } from '../service/portal.ts';
import { ProviderList, ProviderReload } from './provider-view.ts';
import { SignInView, StartSignIn } from './sign-in.ts';
import { CredentialUse, ReportRunning, UseHeaders } from './use.ts';
import {
  portalRoute,
  noBody,
  bodyProblems,
  credentialProblems,
  historyProblems,
  portalProblems,
  type Route,
  valueProblems,
} from '../route.ts';
import { AddProxyRule, IssueAppToken, NewAppToken, ProxyList, ProxyView, RuleTrial } from './proxy.ts';

/** Credentials and their delivery targets. */
export const credentialRoutes = {
  listCredentials: {
    ...portalRoute('GET', '/portal/credentials'),
    title: 'List credentials',
    summary: 'List credentials, the most urgent first, and how the vault is.',
    query: CredentialQuery,
    reply: CredentialList,
    problems: [...portalProblems, 'bad_request'],
  },
  listProviders: {
    ...portalRoute('GET', '/portal/providers'),
    title: 'List providers',
    summary:
      'The kinds of services whose tokens can be rotated: what each is asked for, and what a rotation does there.',
    reply: ProviderList,
    problems: portalProblems,
  },
  reloadProviders: {
    ...portalRoute('POST', '/portal/providers/reload'),
    title: 'Reload provider files',
    summary:
      'Read the provider files of the data folder again. What a refused file would change stays as it was.',
    reply: ProviderReload,
    problems: [...portalProblems, ...bodyProblems],
  },
  addCredential: {
    ...portalRoute('POST', '/portal/credentials'),
    title: 'Add a credential',
    summary: 'Store a token in the vault and rotate it automatically from now on.',
    body: AddCredential,
    reply: CredentialView,
    problems: [
      ...portalProblems,
      ...bodyProblems,
      'conflict',
      'cannot_rotate',
      'vault_unavailable',
      'other_service_failed',
    ],
  },
  readCredential: {
    ...portalRoute('GET', '/portal/credentials/:name'),
    title: 'Read a credential',
    summary: 'Read one credential.',
    reply: CredentialView,
    problems: [...portalProblems, 'not_found'],
  },
  credentialHistory: {
    ...portalRoute('GET', '/portal/credentials/:name/history'),
    title: 'History of a credential',
    summary: 'What happened to one credential, newest first.',
    query: HistoryQuery.omit({ subject: true }),
    reply: HistoryPage,
    problems: [...historyProblems, 'bad_request', 'not_found'],
  },
  readCredentialValue: {
    ...portalRoute('GET', '/portal/credentials/:name/value'),
    title: 'Read the current token of a credential',
    summary: 'Read the current token from the vault. Refused for a token that is known not to work.',
    headers: UseHeaders,
    reply: CredentialValue,
    problems: [
      ...portalProblems,
      'not_found',
      'conflict',
      'data_moved',
      'token_unusable',
      'vault_unavailable',
    ],
  },
  readCredentialUse: {
    ...portalRoute('GET', '/portal/credentials/:name/use'),
    title: 'Read who uses a credential',
    summary:
      'Which apps and programs used the token of a credential, which commands run with it, and what was delivered where.',
    reply: CredentialUse,
    problems: [...portalProblems, 'not_found'],
  },
  reportRunning: {
    ...portalRoute('POST', '/portal/running'),
    title: 'Report a running command',
    summary:
      'Report that a command runs with a token. It counts as running until the connection ends; the service answers when it stops.',
    body: ReportRunning,
    reply: z.object({ success: z.literal(true) }),
    problems: [...credentialProblems, 'conflict'],
  },
  replaceCredentialValue: {
    ...portalRoute('PUT', '/portal/credentials/:name/value'),
    title: 'Enter a new token for a credential',
    summary: 'Replace the current token by one that a person enters.',
    body: ReplaceValue,
    reply: CredentialView,
    problems: [...valueProblems, 'conflict', 'data_moved', 'other_service_failed'],
  },
  setStandbyToken: {
    ...portalRoute('PUT', '/portal/credentials/:name/standby'),
    title: 'Enter a second token for a credential',
    summary:
      'Store a second token of the same owner. A rotation then replaces the one that is not in use, and the former current token keeps working until the next rotation.',
    body: ReplaceValue,
    reply: CredentialView,
    problems: [...valueProblems, 'conflict', 'data_moved', 'other_service_failed'],
  },
  removeStandbyToken: {
    ...portalRoute('DELETE', '/portal/credentials/:name/standby'),
    title: 'Remove the second token of a credential',
    summary: 'Rotate the current token itself from now on. The second token keeps working.',
    body: noBody,
    reply: CredentialView,
    problems: [...valueProblems, 'conflict', 'data_moved'],
  },
  rotateCredential: {
    ...portalRoute('POST', '/portal/credentials/:name/rotate'),
    title: 'Rotate a credential now',
    summary:
      'Replace the current token by a new one now. Answers when the attempt is over, also when it failed.',
    body: noBody,
    reply: CredentialView,
    problems: [...credentialProblems, 'data_moved'],
  },
  reissueCredential: {
    ...portalRoute('POST', '/portal/credentials/:name/reissue'),
    title: 'Issue the token of a credential again',
    summary:
      'Issue a new token with the same settings in this service and rotate that one from now on: for a token that has expired or was lost.',
    body: noBody,
    reply: CredentialView,
    problems: [...valueProblems, 'conflict', 'data_moved'],
  },
  pauseCredential: {
    ...portalRoute('POST', '/portal/credentials/:name/pause'),
    title: 'Pause a credential',
    summary:
      'Start no rotation, until a time or until it is resumed. A rotation that is in progress is finished.',
    body: PauseCredential.optional(),
    reply: CredentialView,
    problems: credentialProblems,
  },
  resumeCredential: {
    ...portalRoute('POST', '/portal/credentials/:name/resume'),
    title: 'Resume a credential',
    summary: 'Rotate it again.',
    body: noBody,
    reply: CredentialView,
    problems: credentialProblems,
  },
  remindOnly: {
    ...portalRoute('POST', '/portal/credentials/:name/remind'),
    title: 'Remind only',
    summary:
      'Remind the owner before the token expires, where its service has no rotate endpoint. A test that finds the endpoint plans rotations again.',
    body: noBody,
    reply: CredentialView,
    problems: [...credentialProblems, 'conflict'],
  },
  changeCredentialPolicy: {
    ...portalRoute('PATCH', '/portal/credentials/:name/policy'),
    title: 'Change when a credential is rotated',
    summary: 'Change the share of its validity after which a token is rotated, or the preferred hours.',
    body: ChangePolicy,
    reply: CredentialView,
    problems: credentialProblems,
  },
  changeCredentialHelper: {
    ...portalRoute('PATCH', '/portal/credentials/:name/helper'),
    title: 'Change the credential that helps another one',
    summary:
      'Choose, change or remove the credential that a provider is told of, such as the one that recovers a token of GitLab after a lost reply.',
    body: ChangeHelper,
    reply: CredentialView,
    problems: [...credentialProblems, 'conflict'],
  },
  setClientCertificate: {
    ...portalRoute('PUT', '/portal/credentials/:name/client-certificate'),
    title: 'Set a client certificate',
    summary:
      'Store a client certificate and its key, in the vault, for a service that asks for one. What is recorded is the fingerprint, as an input of the provider.',
    body: ClientCertificate,
    reply: CredentialView,
    problems: [...valueProblems, 'data_moved'],
  },
  removeClientCertificate: {
    ...portalRoute('DELETE', '/portal/credentials/:name/client-certificate'),
    title: 'Remove a client certificate',
    summary: 'Remove the client certificate and its key from the vault.',
    body: noBody,
    reply: CredentialView,
    problems: [...valueProblems, 'data_moved'],
  },
  endCredential: {
    ...portalRoute('POST', '/portal/credentials/:name/end'),
    title: 'End the tokens of a credential',
    summary:
      'Ask the service of a credential to end its tokens, as for a lost computer. The credential stays, with a token that does not work.',
    body: noBody,
    reply: TokenEnded,
    problems: [...valueProblems, 'data_moved'],
  },
  removeCredential: {
    ...portalRoute('DELETE', '/portal/credentials/:name'),
    title: 'Remove a credential',
    summary:
      'Remove the token from the vault and stop rotating it. The token itself keeps working; tokens of a sign-in are revoked, and old tokens beside it are deleted at the service.',
    body: noBody,
    /** `message`: what could not be done at the service; the credential was removed all the same. */
    reply: z.object({ success: z.literal(true), message: z.string().optional() }),
    problems: [...valueProblems, 'data_moved'],
  },
  startSignIn: {
    ...portalRoute('POST', '/portal/sign-ins'),
    title: 'Start a sign-in',
    summary:
      'Begin to sign in where tokens are issued, in a browser or with a code. The finished sign-in adds a credential, or replaces the tokens of an existing one.',
    body: StartSignIn,
    reply: SignInView,
    problems: [...valueProblems, 'conflict', 'data_moved', 'other_service_failed'],
  },
  readSignIn: {
    ...portalRoute('GET', '/portal/sign-ins/:id'),
    title: 'Read a sign-in',
    summary: 'Whether a sign-in waits for the person, is done, or why it failed.',
    reply: SignInView,
    problems: [...portalProblems, 'not_found'],
  },
  cancelSignIn: {
    ...portalRoute('DELETE', '/portal/sign-ins/:id'),
    title: 'Cancel a sign-in',
    summary: 'Stop waiting for a sign-in.',
    body: noBody,
    reply: SignInView,
    problems: credentialProblems,
  },
  testCredential: {
    ...portalRoute('POST', '/portal/credentials/:name/test'),
    title: 'Test a credential',
    summary:
      'Ask the service of a credential whether the current token works, without rotating it. Nothing is asked while a rotation is open.',
    body: noBody,
    reply: ConnectionTest,
    problems: [...valueProblems, 'conflict'],
  },
  changeCredentialAddress: {
    ...portalRoute('POST', '/portal/credentials/:name/address'),
    title: 'Change the address of a credential’s service',
    summary:
      'Test the current token at another address and save that address if it works there. Another origin has to be confirmed; nothing is sent there before.',
    body: ChangeAddress,
    reply: AddressChange,
    problems: [...valueProblems, 'conflict'],
  },
  testConnection: {
    ...portalRoute('POST', '/portal/credentials/test'),
    title: 'Test a token',
    summary: 'Ask a service whether a token works before it is added. The token is not stored.',
    body: TestConnection,
    reply: ConnectionTest,
    problems: [...portalProblems, ...bodyProblems],
  },
  previewTarget: {
    ...portalRoute('POST', '/portal/credentials/:name/targets/preview'),
    title: 'Preview a delivery',
    summary:
      'Show what a delivery would change in a target, with every token masked. Nothing is written, and no command is run.',
    body: DeliveryTarget,
    reply: DeliveryPreview,
    problems: credentialProblems,
  },
  addTarget: {
    ...portalRoute('POST', '/portal/credentials/:name/targets'),
    title: 'Add a delivery target',
    summary: 'Deliver every new token to one more target, and the current one at once.',
    body: DeliveryTarget,
    reply: CredentialView,
    problems: [...credentialProblems, 'conflict'],
  },
  deliverTarget: {
    ...portalRoute('POST', '/portal/credentials/:name/targets/:target_id/deliver'),
    title: 'Deliver again now',
    summary:
      'Deliver the current token to one target now. Answers when the delivery is over, also when it failed.',
    body: noBody,
    reply: CredentialView,
    problems: [...credentialProblems, 'data_moved', 'token_unusable'],
  },
  removeTarget: {
    ...portalRoute('DELETE', '/portal/credentials/:name/targets/:target_id'),
    title: 'Remove a delivery target',
    summary: 'Stop delivering to this target. The token that it has stays there.',
    body: noBody,
    reply: CredentialView,
    problems: credentialProblems,
  },
} as const satisfies Record<string, Route>;

/** What may be sent through the proxy and by whom. The proxy itself is no route of this table: it takes any path. */
export const proxyRoutes = {
  listProxies: {
    ...portalRoute('GET', '/portal/proxy'),
    title: 'List the use of the proxy',
    summary:
      'List the credentials that have a rule or an app token, with their rules, apps and newest requests.',
    reply: ProxyList,
    problems: portalProblems,
  },
  readProxy: {
    ...portalRoute('GET', '/portal/credentials/:name/proxy'),
    title: 'Read the proxy of a credential',
    summary: 'Read the rules, the apps and the newest requests of one credential.',
    reply: ProxyView,
    problems: [...portalProblems, 'not_found'],
  },
  addProxyRule: {
    ...portalRoute('POST', '/portal/credentials/:name/proxy/rules'),
    title: 'Allow requests through the proxy',
    summary:
      'Allow a method and a path. Without a rule the proxy refuses every request. A path that names credentials or rights needs `confirmed`.',
    body: AddProxyRule,
    reply: ProxyView,
    problems: [...credentialProblems, 'conflict'],
  },
  tryProxyRule: {
    ...portalRoute('POST', '/portal/credentials/:name/proxy/rules/try'),
    title: 'Try a rule of the proxy',
    summary: 'Show what a rule would have allowed of the requests of the last 24 hours. Nothing is changed.',
    body: AddProxyRule,
    reply: RuleTrial,
    problems: [...credentialProblems, 'conflict', 'history_unreadable'],
  },
  removeProxyRule: {
    ...portalRoute('DELETE', '/portal/proxy/rules/:id'),
    title: 'Remove a rule of the proxy',
    summary: 'Stop allowing what a rule allows. Requests that are being answered are finished.',
    body: noBody,
    reply: ProxyView,
    problems: credentialProblems,
  },
  issueAppToken: {
    ...portalRoute('POST', '/portal/credentials/:name/proxy/tokens'),
    title: 'Issue an app token',
    summary: 'Issue a token with which one app may use one credential through the proxy. It is shown once.',
    body: IssueAppToken,
    reply: NewAppToken,
    problems: [...credentialProblems, 'conflict'],
  },
  revokeAppToken: {
    ...portalRoute('DELETE', '/portal/proxy/tokens/:id'),
    title: 'Revoke an app token',
    summary: 'Refuse every further request with an app token, and end those that are being answered.',
    body: noBody,
    reply: ProxyView,
    problems: credentialProblems,
  },
} as const satisfies Record<string, Route>;
