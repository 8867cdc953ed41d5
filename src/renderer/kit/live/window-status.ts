import type { PortalStatus } from '../../../contract/service/portal.ts';
import { readPortal } from '../read-portal.ts';
import type { Resource } from './resource.ts';

/** How the service is, what it counts, and where it answers. */
export const portalStatus: Resource<PortalStatus> = {
  key: ['status'],
  about: [],
  read: (signal) => readPortal('status', signal),
};
