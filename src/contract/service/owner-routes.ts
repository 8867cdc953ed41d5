import { BackupHeaders, RestoreBegun, RestoreSummary } from './backup.ts';
import { z } from 'zod';
import { stopPath } from '../address.ts';
import { AttentionList } from '../window/attention.ts';
import { HistoryFilters, HistoryMatches } from '../history/history.ts';
import { Lifeline } from '../window/lifeline.ts';
import { AddOwner, NewOwner, OwnerList, RevokedOwner, SessionList } from './owner.ts';
import {
  HistoryPage,
  HistoryQuery,
  MoveConfirmed,
  MoveVault,
  PortalStatus,
  SignedOut,
  BrowserKey,
  SignedInAgain,
  SignInChallenge,
  SignInLink,
  SignIn,
  SignOut,
  VaultMoved,
  Verification,
} from './portal.ts';
import { NetworkStatus, ProxyLoginInput } from './network.ts';
import { Settings, SettingsChange } from './settings.ts';
import { portalRoute, noBody, bodyProblems, historyProblems, portalProblems, type Route } from '../route.ts';

/** What concerns the service as a whole. */
export const ownerRoutes = {
  portalStatus: {
    ...portalRoute('GET', '/portal/status'),
    title: 'Status',
    summary: 'Counts, addresses and the health of the store.',
    reply: PortalStatus,
    problems: portalProblems,
  },
  readAttention: {
    ...portalRoute('GET', '/portal/attention'),
    title: 'Read what needs attention',
    summary: 'What needs attention now, the most urgent first, and the next rotation.',
    reply: AttentionList,
    problems: portalProblems,
  },
  readLifeline: {
    ...portalRoute('GET', '/portal/lifeline'),
    title: 'Read the lifeline',
    summary:
      'Every credential, and every token that no credential rotates: the last 90 days, and the rotations planned for the next 90.',
    reply: Lifeline,
    problems: portalProblems,
  },
  removeHost: {
    ...portalRoute('DELETE', '/portal/hosts/:id'),
    title: 'Remove a host of the team',
    summary: 'Remove a host that does not report any more from the list of the hosts of its team.',
    reply: z.object({}),
    problems: [...portalProblems, ...bodyProblems, 'not_found', 'conflict'],
  },
  moveVault: {
    ...portalRoute('POST', '/portal/vault/move'),
    title: 'Move the tokens to another place',
    summary:
      'Move every token to the keychain, or to an encrypted file: all are written there, read back and compared before the first is removed here.',
    body: MoveVault,
    reply: VaultMoved,
    problems: [...portalProblems, ...bodyProblems, 'conflict'],
  },
  stageRestore: {
    ...portalRoute('POST', '/portal/restore'),
    title: 'Send a backup',
    summary:
      'Unpack a backup beside the data and check all of it. Nothing is replaced until `POST /portal/restore/begin`.',
    takes: 'stream',
    body: z.unknown(),
    headers: BackupHeaders,
    reply: RestoreSummary,
    problems: [...portalProblems, 'bad_request', 'conflict'],
  },
  beginRestore: {
    ...portalRoute('POST', '/portal/restore/begin'),
    title: 'Restore the backup that was sent',
    summary:
      'Have the backup that was sent take the place of the data at the next start. The data until now are kept in a folder beside it.',
    body: noBody,
    reply: RestoreBegun,
    problems: [...portalProblems, ...bodyProblems, 'conflict'],
  },
  stopService: {
    ...portalRoute('POST', stopPath),
    title: 'Stop the service',
    summary:
      'Have a service that runs in the background end, once the calls that are open are answered. For the owner of its computer, where no signal can ask it.',
    body: noBody,
    reply: z.object({}),
    problems: [...portalProblems, ...bodyProblems, 'conflict'],
  },
  confirmMove: {
    ...portalRoute('POST', '/portal/confirm-move'),
    title: 'Confirm that the data are used here only',
    summary:
      'Confirm that Rotavox no longer runs with these data elsewhere, so that it rotates tokens here. Until then data from another computer, or a copy, rotate nothing.',
    body: noBody,
    reply: MoveConfirmed,
    problems: [...portalProblems, ...bodyProblems, 'conflict'],
  },
  readSettings: {
    ...portalRoute('GET', '/portal/settings'),
    title: 'Read settings',
    summary: 'Read the settings.',
    reply: Settings,
    problems: portalProblems,
  },
  changeSettings: {
    ...portalRoute('PATCH', '/portal/settings'),
    title: 'Change settings',
    summary: 'Change some of the settings.',
    body: SettingsChange,
    reply: Settings,
    problems: [...portalProblems, ...bodyProblems],
  },
  setProxyLogin: {
    ...portalRoute('PUT', '/portal/network/login'),
    title: 'Sign in to the network proxy',
    summary:
      'Store the user name and the password for the proxy that calls to other machines use, in the vault. They are sent to that proxy only.',
    body: ProxyLoginInput,
    reply: NetworkStatus,
    problems: [...portalProblems, ...bodyProblems, 'conflict', 'vault_unavailable'],
  },
  forgetProxyLogin: {
    ...portalRoute('DELETE', '/portal/network/login'),
    title: 'Forget the sign-in to the network proxy',
    summary: 'Forget the user name and the password for the proxy that calls to other machines use.',
    body: noBody,
    reply: NetworkStatus,
    problems: [...portalProblems, ...bodyProblems, 'vault_unavailable'],
  },
  createSignInLink: {
    ...portalRoute('POST', '/portal/sign-in-links'),
    title: 'Make a sign-in link',
    summary: 'Make a single-use link that signs a browser in.',
    body: noBody,
    reply: SignInLink,
    problems: [...portalProblems, ...bodyProblems],
  },
  rememberBrowser: {
    ...portalRoute('POST', '/portal/browser-keys'),
    title: 'Remember this browser',
    summary:
      'Let the browser that asks sign in again with its key when Rotavox has restarted. For its page only.',
    body: BrowserKey,
    reply: z.object({}),
    problems: [...portalProblems, ...bodyProblems],
  },
  createSignInChallenge: {
    method: 'POST',
    path: '/portal/sign-in-challenges',
    title: 'Ask for a sign-in challenge',
    summary: 'Make a challenge for a browser that signs in again with its key.',
    family: 'portal',
    auth: 'none',
    body: noBody,
    reply: SignInChallenge,
    problems: [...bodyProblems],
  },
  signInAgain: {
    method: 'POST',
    path: '/portal/sessions',
    title: 'Sign in',
    summary:
      'Give a browser a session, for the key of an owner or because Rotavox remembers it: its cookie, and the code of its page key.',
    family: 'portal',
    auth: 'none',
    body: SignIn,
    reply: SignedInAgain,
    problems: [...portalProblems, ...bodyProblems, 'wrong_owner_key', 'too_many_sign_ins'],
  },
  signOut: {
    ...portalRoute('POST', '/portal/sign-out'),
    title: 'Sign out',
    summary: 'End the session of the browser that asks, or the sessions of all browsers of its owner.',
    body: SignOut.default({ all_browsers: false }),
    reply: SignedOut,
    problems: [...portalProblems, ...bodyProblems],
  },
  listSessions: {
    ...portalRoute('GET', '/portal/sessions'),
    title: 'List your sessions',
    summary: 'The browsers in which the owner who asks is signed in.',
    reply: SessionList,
    problems: portalProblems,
  },
  endSession: {
    ...portalRoute('DELETE', '/portal/sessions/:id'),
    title: 'End a session',
    summary: 'Sign one browser of the owner who asks out, and forget it.',
    body: noBody,
    reply: SessionList,
    problems: [...portalProblems, ...bodyProblems, 'not_found'],
  },
  listOwners: {
    ...portalRoute('GET', '/portal/owners'),
    title: 'List owners',
    summary: 'The owners who have a key, without it.',
    reply: OwnerList,
    problems: portalProblems,
  },
  addOwner: {
    ...portalRoute('POST', '/portal/owners'),
    title: 'Add an owner',
    summary: 'Give a person a key to everything on this host. The key is shown once.',
    body: AddOwner,
    reply: NewOwner,
    problems: [...portalProblems, ...bodyProblems, 'conflict'],
  },
  revokeOwner: {
    ...portalRoute('DELETE', '/portal/owners/:name'),
    title: 'Revoke an owner',
    summary: 'Refuse the key of an owner from now on, and end every session and event stream of it at once.',
    body: noBody,
    reply: RevokedOwner,
    problems: [...portalProblems, ...bodyProblems, 'not_found'],
  },
} as const satisfies Record<string, Route>;

/** The history of everything. */
export const historyRoutes = {
  readHistory: {
    ...portalRoute('GET', '/portal/history'),
    title: 'Read the history',
    summary: 'Everything that happened, newest first.',
    query: HistoryQuery,
    reply: HistoryPage,
    problems: [...historyProblems, 'bad_request'],
  },
  historyMatches: {
    ...portalRoute('GET', '/portal/history/matches'),
    title: 'Search the history',
    summary:
      'Which events match, newest first, without their contents: how many there are, and the number of each.',
    query: HistoryFilters,
    reply: HistoryMatches,
    problems: [...historyProblems, 'bad_request'],
  },
  verifyHistory: {
    ...portalRoute('GET', '/portal/history/verify'),
    title: 'Verify the history',
    summary: 'Read the whole journal from disk and check every hash and every link of its chain.',
    reply: Verification,
    problems: historyProblems,
  },
} as const satisfies Record<string, Route>;
