import type { IvrDocument, NodeId } from '../../../contract/ivr-draft.ts';
import { menuBody } from '../body/menu-body.ts';
import { menusOf } from '../node-of.ts';

/**
 * The menus of a drawing as bodies: one alone as the request body that it is, several as a list.
 *
 * In a list each has its `id` before its fields, or nothing would say where `ivr||<id>` leads. `idOf` gives the ids that
 * menus have where they are published; without it they go by their names in the drawing.
 */
export function bodyExport(document: IvrDocument, idOf: (menu: NodeId) => string = String): string {
  const menus = menusOf(document).map(({ id }) => ({ id: idOf(id), ...menuBody(document, id, idOf) }));
  const [first, ...others] = menus;
  if (first === undefined || others.length > 0) return written(menus);
  const { id: _id, ...body } = first;
  return written(body);
}

function written(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
