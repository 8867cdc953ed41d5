import type { DraftNode, IvrDocument, MenuNode, NodeId } from '../../contract/ivr-draft.ts';

/** The node with this id, or null: a line may lead to what was taken away, or nowhere. */
export function nodeOf(document: IvrDocument, id: NodeId | null): DraftNode | null {
  // An id may be called `constructor`, which every object has.
  return id !== null && Object.hasOwn(document.nodes, id) ? (document.nodes[id] ?? null) : null;
}

/** The menus of a drawing, in its order. */
export function menusOf(document: IvrDocument): MenuNode[] {
  return Object.values(document.nodes).filter((node) => node.kind === 'menu');
}
