import type { IvrDocument, NodeId } from '../../contract/menu/ivr-draft.ts';
import type { Flow } from '../../core/ivr/flow.ts';
import type { Draft, PublishTarget } from '../../core/ivr/draft/draft.ts';

/** A checked revision of a draft, and the target that it is published to. */
export interface PublishingDraft {
  readonly draft: Draft;
  readonly flow: Flow;
  readonly target: PublishTarget;
}

/** The name of a menu for a person. */
export function menuName({ nodes }: IvrDocument, menu: NodeId): string {
  const node = Object.hasOwn(nodes, menu) ? nodes[menu] : undefined;
  return node?.kind === 'menu' && node.name !== '' ? node.name : menu;
}
