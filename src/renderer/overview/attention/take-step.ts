import { addressPath, rotatePath } from '../../../contract/window/window-page.ts';
import type { Remedy } from '../../../text/window/remedies.ts';
import { attentionListText } from '../../../text/window/overview.ts';
import { credentialPath, familyPath, pbxPath } from '../../kit/window-paths.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import type { PortalReply } from '../../kit/read-portal.ts';

/** A remedy that is one call. The others lead to a page, or ask first. */
export type DirectRemedy = Extract<
  Remedy,
  { kind: 'resume' | 'resume_token' | 'deliver' | 'dismiss_use' | 'remove_host' }
>;

/** A remedy that leads to a page. */
export type RemedyPage = Exclude<Remedy, DirectRemedy | { kind: 'confirm_move' }>;

/** The page where it is done. */
export function remedyPath(remedy: RemedyPage): string {
  switch (remedy.kind) {
    case 'rotate':
      return rotatePath(remedy.name);
    case 'reissue':
    case 'enter_token':
    case 'sign_in':
    case 'remind':
    case 'open_credential':
      return credentialPath(remedy.name);
    case 'change_address':
      return addressPath(remedy.name);
    case 'open_portal':
      return remedy.origin;
    case 'open_credentials':
      return '/credentials';
    case 'add_credential':
      return '/add-credential';
    case 'verify_history':
      return '/history?verify=1';
    case 'open_pbx':
      return pbxPath(remedy.name);
    case 'open_family':
      return familyPath(remedy.familyId);
  }
}

export function isDirect(remedy: Remedy): remedy is DirectRemedy {
  return remedy.kind in attentionListText.busy;
}

/** Makes the call. Its result shows in the list, which is requested again. */
export function takeRemedy(remedy: DirectRemedy): Promise<PortalReply<unknown>> {
  switch (remedy.kind) {
    case 'resume':
      return askPortal('resumeCredential', { params: { name: remedy.name } });
    case 'resume_token':
      return askPortal('resumeToken', { params: { id: remedy.tokenId } });
    case 'deliver':
      return askPortal('deliverTarget', { params: { name: remedy.name, target_id: remedy.targetId } });
    case 'dismiss_use':
      return askPortal('dismissReuse', { params: { id: remedy.familyId } });
    case 'remove_host':
      return askPortal('removeHost', { params: { id: remedy.id } });
  }
}
