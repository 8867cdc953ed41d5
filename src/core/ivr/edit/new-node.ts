import type { EndNode, IvrDocument, MenuNode, NodeId, Place } from '../../../contract/ivr-draft.ts';
import type { IvrDestinationType } from '../../../contract/ivr.ts';

/** What a new menu waits and how often it tries again: what callers are used to. */
const usual = { timeout: 5, incorrect_count: 2, timeout_tries: 2 } as const;

export function emptyDocument(name: string): IvrDocument {
  return { name, caller: { place: { x: 0, y: 0 }, to: null }, nodes: {}, scenarios: {} };
}

/** A menu that has its name and the usual times, and is open otherwise. */
export function newMenu(id: NodeId, name: string, place: Place): MenuNode {
  return {
    kind: 'menu',
    id,
    place,
    name,
    description: '',
    recording: null,
    keys: [],
    invalid_recording: null,
    invalid_destination: null,
    timeout_retry_recording: null,
    timeout_recording: null,
    timeout_destination: null,
    ...usual,
  };
}

export function newEnd(id: NodeId, type: IvrDestinationType, ref: string, place: Place): EndNode {
  return { kind: 'end', id, place, type, ref: type === 'hangup' ? '' : ref };
}

/** A name that no node of the document has, such as `menu3`; `taken` are further ones that are given away already. */
export function freeNodeId(
  document: IvrDocument,
  kind: 'menu' | 'end',
  taken: ReadonlySet<string> = new Set(),
): NodeId {
  let number = 1;
  while (`${kind}${number}` in document.nodes || taken.has(`${kind}${number}`)) number += 1;
  return `${kind}${number}` as NodeId;
}

/** A name for a new menu that no menu of the document has, such as `Menu 2`. */
export function freeMenuName(document: IvrDocument): string {
  const names = new Set(Object.values(document.nodes).map((node) => (node.kind === 'menu' ? node.name : '')));
  let number = 1;
  while (names.has(`Menu ${number}`)) number += 1;
  return `Menu ${number}`;
}
