import { HistoryFilters, HistoryMatches } from '../history.ts';
import { HistoryPage, HistoryQuery, Verification } from '../portal.ts';
import type { Route } from './route.ts';
import { historyProblems } from './route-parts.ts';

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
