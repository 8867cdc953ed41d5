import type { IvrDocument, NodeId } from '../../../contract/ivr-draft.ts';
import type { IvrId } from '../../../contract/ivr.ts';
import type { FieldError } from '../../../contract/problems.ts';
import type { State } from '../../state.ts';
import { nodeOf } from '../node-of.ts';

/** What is wrong with the menus that a new draft is said to have in this service already; none when it can be kept so. */
export function storedMenuErrors(
  { ivrs }: State,
  document: IvrDocument,
  stored: Readonly<Record<NodeId, IvrId>>,
): FieldError[] {
  const seen = new Set<IvrId>();
  return (Object.entries(stored) as [NodeId, IvrId][]).flatMap(([node, id]) => {
    const message = whatIsWrong(node, id);
    seen.add(id);
    return message === null ? [] : [{ field: `stored.${node}`, message }];
  });

  function whatIsWrong(node: NodeId, id: IvrId): string | null {
    if (nodeOf(document, node)?.kind !== 'menu') return 'must be under the id of a menu of the document';
    if (!ivrs.has(id)) return 'must be the id of a menu that is stored in this service';
    return seen.has(id) ? 'must not be the id of another menu of the document, too' : null;
  }
}
