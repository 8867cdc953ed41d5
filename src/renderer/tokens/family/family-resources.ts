import type { HistoryEvent } from '../../../contract/history/audit-event.ts';
import type { HistoryPage } from '../../../contract/service/portal.ts';
import { maxGenerationsShown, type TokenFamilyView } from '../../../contract/token/token-list.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import type { Resource } from '../../kit/live/resource.ts';

/** A family, or null where there is none. Which credential keeps it fresh is part of it. */
export function tokenFamily(id: string): Resource<TokenFamilyView | null> {
  return {
    key: ['family', id],
    about: ['token.', 'credential.'],
    async read(signal) {
      const reply = await askPortal('readFamily', { params: { id }, signal });
      return reply.kind === 'refused' && reply.code === 'not_found' ? { kind: 'ok', value: null } : reply;
    },
  };
}

/** The rotations of a family, newest first: who made each generation, and which event says so. */
export function familyRotations(id: string): Resource<readonly HistoryEvent[]> {
  return {
    key: ['family', id, 'rotations'],
    about: ['token.rotated'],
    async read(signal) {
      const query = { subject: id, kind: 'token.rotated', limit: String(maxGenerationsShown) };
      const reply = await askPortal('readHistory', { query, signal });
      return reply.kind === 'ok' ? { kind: 'ok', value: reply.value.events } : reply;
    },
  };
}

/** The latest events of a family, newest first. */
export function familyHistory(id: string, limit: number): Resource<HistoryPage> {
  return {
    key: ['family', id, 'history', limit],
    about: ['token.'],
    keepsPrevious: true,
    read: (signal) => askPortal('readHistory', { query: { subject: id, limit: String(limit) }, signal }),
  };
}
