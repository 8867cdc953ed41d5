import type { AttentionList } from '../../contract/attention.ts';
import type { Lifeline } from '../../contract/lifeline.ts';
import type { HistoryPage } from '../../contract/portal.ts';
import type { Resource } from '../kit/live/resource.ts';
import { readPortal } from '../kit/read-portal.ts';

const newestCount = 6;

/** After every change: it is small, and a vault that opens or a disk that refuses shows in what came of others. */
export const attention: Resource<AttentionList> = {
  key: ['attention'],
  about: [],
  read: (signal) => readPortal('attention', signal),
};

/** After changes that move a bar or a mark. That a token is used, or handed out access, moves none. */
export const lifeline: Resource<Lifeline> = {
  key: ['lifeline'],
  about: [
    'token.issued',
    'token.rotated',
    'token.suspended',
    'token.resumed',
    'token.blacklisted',
    'token.expired',
    'token.reused',
    'credential.',
  ],
  read: (signal) => readPortal('lifeline', signal),
};

/** What happened last. */
export const newestEvents: Resource<HistoryPage> = {
  key: ['history', 'newest', newestCount],
  about: [],
  read: (signal) => readPortal(`history?limit=${newestCount}`, signal),
};
