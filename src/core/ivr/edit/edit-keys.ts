import type { DraftKey, IvrDocument, MenuNode, NodeId } from '../../../contract/menu/ivr-draft.ts';
import { ivrBounds } from '../../../contract/menu/ivr.ts';
import { changeMenu } from './edit-nodes.ts';
import { nodeOf } from './lines.ts';

/** The keys of a telephone, in the order in which a menu usually gives them out. */
export const telephoneKeys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '0', '*', '#'] as const;

/**
 * Adds a key to a menu, the next free one unless one is given, with its destination. When the keys of a telephone are used it is empty,
 * for one of several digits. Does nothing when a menu has as many as it can have.
 */
export function addKey(
  document: IvrDocument,
  menu: NodeId,
  { key, to = null }: { readonly key?: string; readonly to?: NodeId | null } = {},
): IvrDocument {
  return changeKeys(document, menu, (keys) => {
    if (keys.length >= ivrBounds.options.max) return keys;
    const next = key ?? telephoneKeys.find((free) => !keys.some((used) => used.key === free)) ?? '';
    return [...keys, { key: next, to, sms_template: null }];
  });
}

export function changeKey(
  document: IvrDocument,
  menu: NodeId,
  index: number,
  change: Partial<DraftKey>,
): IvrDocument {
  return changeKeys(document, menu, (keys) =>
    keys.map((key, place) => (place === index ? { ...key, ...change } : key)),
  );
}

export function removeKey(document: IvrDocument, menu: NodeId, index: number): IvrDocument {
  return changeKeys(document, menu, (keys) => keys.filter((_key, place) => place !== index));
}

/** Moves a key to another position in the list of the menu's keys. */
export function moveKey(document: IvrDocument, menu: NodeId, index: number, to: number): IvrDocument {
  return changeKeys(document, menu, (keys) => {
    const moved = keys[index];
    if (moved === undefined) return keys;
    const others = keys.toSpliced(index, 1);
    return others.toSpliced(Math.max(0, Math.min(to, others.length)), 0, moved);
  });
}

function changeKeys(
  document: IvrDocument,
  id: NodeId,
  change: (keys: MenuNode['keys']) => MenuNode['keys'],
): IvrDocument {
  const menu = nodeOf(document, id);
  return menu?.kind === 'menu' ? changeMenu(document, id, { keys: change(menu.keys) }) : document;
}
