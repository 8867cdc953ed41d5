import type { HistoryPage, PortalStatus } from '../../contract/portal.ts';
import type { Resource } from '../kit/live/resource.ts';
import type { PortalReply } from '../kit/portal-reply.ts';
import { readPortal } from '../kit/read-portal.ts';

export interface Overview {
  readonly status: PortalStatus;
  readonly history: HistoryPage;
}

const historyLimit = 20;

/** What the overview shows. */
export const overview: Resource<Overview> = { key: ['overview'], about: [], read: readOverview };

/** What the overview shows: how the service is, and what happened last. */
async function readOverview(signal: AbortSignal): Promise<PortalReply<Overview>> {
  const [status, history] = await Promise.all([
    readPortal<PortalStatus>('status', signal),
    readPortal<HistoryPage>(`history?limit=${historyLimit}`, signal),
  ]);
  if (status.kind !== 'ok') return status;
  if (history.kind !== 'ok') return history;
  return { kind: 'ok', value: { status: status.value, history: history.value } };
}
