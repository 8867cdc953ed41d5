import { z } from 'zod';
import { AttentionList } from '../attention.ts';
import { HistoryFilters, HistoryMatches } from '../history.ts';
import { Lifeline } from '../lifeline.ts';
import {
  HistoryPage,
  HistoryQuery,
  PortalStatus,
  SignedOut,
  SignInLink,
  SignOut,
  Verification,
} from '../portal.ts';
import { Settings, SettingsChange } from '../settings.ts';
import { bodyProblems, historyProblems, portalProblems, type Route } from './route.ts';

/** What concerns the service as a whole. */
export const ownerRoutes = {
  portalStatus: {
    method: 'GET',
    path: '/portal/status',
    title: 'Status',
    summary: 'Counts, addresses and the health of the store.',
    family: 'portal',
    auth: 'portal',
    reply: PortalStatus,
    problems: portalProblems,
  },
  readAttention: {
    method: 'GET',
    path: '/portal/attention',
    title: 'Read what needs attention',
    summary: 'What needs the owner now, the most pressing first, and the next rotation.',
    family: 'portal',
    auth: 'portal',
    reply: AttentionList,
    problems: portalProblems,
  },
  readLifeline: {
    method: 'GET',
    path: '/portal/lifeline',
    title: 'Read the lifeline',
    summary:
      'Every credential, and every family that none keeps fresh, in time: 90 days back, and 90 ahead as the dry run has them.',
    family: 'portal',
    auth: 'portal',
    reply: Lifeline,
    problems: portalProblems,
  },
  readSettings: {
    method: 'GET',
    path: '/portal/settings',
    title: 'Read settings',
    summary: 'Read the settings.',
    family: 'portal',
    auth: 'portal',
    reply: Settings,
    problems: portalProblems,
  },
  changeSettings: {
    method: 'PATCH',
    path: '/portal/settings',
    title: 'Change settings',
    summary: 'Change some of the settings.',
    family: 'portal',
    auth: 'portal',
    body: SettingsChange,
    reply: Settings,
    problems: [...portalProblems, ...bodyProblems],
  },
  createSignInLink: {
    method: 'POST',
    path: '/portal/sign-in-links',
    title: 'Make a sign-in link',
    summary: 'Make a single-use link that signs a browser in.',
    family: 'portal',
    auth: 'portal',
    body: z.strictObject({}).optional(),
    reply: SignInLink,
    problems: [...portalProblems, ...bodyProblems],
  },
  signOut: {
    method: 'POST',
    path: '/portal/sign-out',
    title: 'Sign out',
    summary: 'End the session of the browser that asks, or the sessions of all browsers.',
    family: 'portal',
    auth: 'portal',
    body: SignOut.default({ all_browsers: false }),
    reply: SignedOut,
    problems: [...portalProblems, ...bodyProblems],
  },
} as const satisfies Record<string, Route>;

/** The history of everything. */
export const historyRoutes = {
  readHistory: {
    method: 'GET',
    path: '/portal/history',
    title: 'Read the history',
    summary: 'Everything that happened, newest first.',
    family: 'portal',
    auth: 'portal',
    query: HistoryQuery,
    reply: HistoryPage,
    problems: [...historyProblems, 'bad_request'],
  },
  historyMatches: {
    method: 'GET',
    path: '/portal/history/matches',
    title: 'Search the history',
    summary:
      'Which events match, newest first, without reading them out: how many there are, and where each of them is.',
    family: 'portal',
    auth: 'portal',
    query: HistoryFilters,
    reply: HistoryMatches,
    problems: [...historyProblems, 'bad_request'],
  },
  verifyHistory: {
    method: 'GET',
    path: '/portal/history/verify',
    title: 'Verify the history',
    summary: 'Read the whole journal from disk and check every hash and every link of its chain.',
    family: 'portal',
    auth: 'portal',
    reply: Verification,
    problems: historyProblems,
  },
} as const satisfies Record<string, Route>;
