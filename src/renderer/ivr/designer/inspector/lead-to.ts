import type { IvrDocument, NodeId } from '../../../../contract/ivr-draft.ts';
import type { IvrDestinationType } from '../../../../contract/ivr.ts';
import { putNode } from '../../../../core/ivr/edit/edit-nodes.ts';
import { connect } from '../../../../core/ivr/edit/lines.ts';
import { freeMenuName, freeNodeId, newEnd, newMenu } from '../../../../core/ivr/edit/new-node.ts';
import type { Port } from '../../../../core/ivr/edit/port.ts';
import { placeBeside } from '../layout/free-place.ts';

/** What a person can choose for where a port leads: nothing, a node that is there, or a new one. */
export type Lead =
  | { readonly kind: 'open' }
  | { readonly kind: 'node'; readonly id: NodeId }
  | { readonly kind: 'new-menu' }
  | { readonly kind: 'new-end'; readonly type: IvrDestinationType };

/** Leads a port there; a new node is put beside the one that the port is of. */
export function leadTo(document: IvrDocument, from: Port, lead: Lead): IvrDocument {
  if (lead.kind === 'open') return connect(document, from, null);
  if (lead.kind === 'node') return connect(document, from, lead.id);
  const place = placeBeside(document, from.kind === 'caller' ? null : from.menu);
  const id = freeNodeId(document, lead.kind === 'new-menu' ? 'menu' : 'end');
  const node =
    lead.kind === 'new-menu' ? newMenu(id, freeMenuName(document), place) : newEnd(id, lead.type, '', place);
  return connect(putNode(document, node), from, id);
}
