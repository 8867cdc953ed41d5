import type { DraftId, IvrDocument, NodeId } from '../../../contract/ivr-draft.ts';
import type { IvrId } from '../../../contract/ivr.ts';
import { askPortal } from '../../kit/ask-portal.ts';
import type { PortalReply } from '../../kit/portal-reply.ts';

/** Keeps a drawing as a new draft; `stored` says which of its menus this service has already, and under which id. */
export async function keepDraft(
  document: IvrDocument,
  stored?: Readonly<Record<NodeId, IvrId>>,
): Promise<PortalReply<DraftId>> {
  const body = stored === undefined ? { document } : { document, stored };
  const reply = await askPortal('createDraft', { body });
  return reply.kind === 'ok' ? { kind: 'ok', value: reply.value.id } : reply;
}
