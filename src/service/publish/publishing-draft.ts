import type { IvrDocument, NodeId } from '../../contract/ivr-draft.ts';
import type { Flow } from '../../core/ivr/flow.ts';
import type { Draft, PublishTarget } from '../../core/ivr/draft/draft.ts';

/** A revision of a draft that was proved, on its way to a target. */
export interface PublishingDraft {
  readonly draft: Draft;
  readonly flow: Flow;
  readonly target: PublishTarget;
}

/** What a menu is called, for a person. */
export function menuName({ nodes }: IvrDocument, menu: NodeId): string {
  const node = Object.hasOwn(nodes, menu) ? nodes[menu] : undefined;
  return node?.kind === 'menu' && node.name !== '' ? node.name : menu;
}
