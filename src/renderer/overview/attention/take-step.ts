import type { Remedy } from '../../../text/attention.ts';
import { credentialPath, familyPath } from '../../kit/address.ts';
import { nothingListens, type PortalReply } from '../../kit/portal-reply.ts';

/** A remedy that is one call; the others are done on a page. */
export type Deed = Extract<Remedy, { kind: 'rotate' | 'resume' | 'resume_token' | 'deliver' }>;

/** What its button says meanwhile. */
export const busyLabels: Record<Deed['kind'], string> = {
  rotate: 'Rotating…',
  resume: 'Resuming…',
  resume_token: 'Resuming…',
  deliver: 'Delivering…',
};

/** The page where it is done. */
export function remedyPath(remedy: Exclude<Remedy, Deed>): string {
  switch (remedy.kind) {
    case 'reissue':
    case 'enter_token':
    case 'open_credential':
      return credentialPath(remedy.name);
    case 'open_credentials':
      return '/credentials';
    case 'add_credential':
      return '/add-credential';
    case 'verify_history':
      return '/history?verify=1';
    case 'open_family':
      return familyPath(remedy.familyId);
  }
}

export function isDeed(remedy: Remedy): remedy is Deed {
  return remedy.kind in busyLabels;
}

/** Only when there is something to do: it brings the contract's schemas along. */
const loadAsking = () => import('../../kit/ask-portal.ts');

/** Has ready what a press will need, for the service may be gone by then. */
export function prepareRemedies(): void {
  loadAsking().catch(() => undefined); // asked for again by the press, which says so
}

/** Does it. What came of it shows in the list, which is read again. */
export async function takeRemedy(deed: Deed): Promise<PortalReply<unknown>> {
  const asking = await loadAsking().catch(() => null);
  if (asking === null) return { kind: 'unreachable', reason: nothingListens };
  const { askPortal } = asking;
  const { name } = deed;
  switch (deed.kind) {
    case 'rotate':
      return askPortal('rotateCredential', { params: { name } });
    case 'resume':
      return askPortal('resumeCredential', { params: { name } });
    case 'resume_token':
      return askPortal('resumeToken', { params: { id: deed.tokenId } });
    case 'deliver':
      return askPortal('deliverTarget', { params: { name, target_id: deed.targetId } });
  }
}
