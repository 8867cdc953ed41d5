import type { IvrDocument, NodeId, Place } from '../../../../contract/ivr-draft.ts';
import { moveNodes } from '../../../../core/ivr/edit/edit-nodes.ts';

/** Along which direction: `x` for columns, `y` for rows. */
export type Axis = 'x' | 'y';

/** Puts nodes onto one line: the same left edge (`x`), or the same upper edge (`y`), that of the foremost. */
export function alignNodes(document: IvrDocument, ids: ReadonlySet<string>, axis: Axis): IvrDocument {
  const places = placesOf(document, ids);
  const edge = Math.min(...[...places.values()].map((place) => place[axis]));
  return moveNodes(
    document,
    mapPlaces(places, (place) => ({ ...place, [axis]: edge })),
  );
}

/** Puts the same distance between each two nodes, from the first to the last as they lie. */
export function spreadNodes(document: IvrDocument, ids: ReadonlySet<string>, axis: Axis): IvrDocument {
  const order = [...placesOf(document, ids)].sort(([, one], [, other]) => one[axis] - other[axis]);
  const first = order[0]?.[1][axis] ?? 0;
  const last = order.at(-1)?.[1][axis] ?? 0;
  const step = (last - first) / Math.max(1, order.length - 1);
  const spread = order.map(([id, place], index) => [id, { ...place, [axis]: first + index * step }] as const);
  return moveNodes(document, new Map(spread));
}

function placesOf(document: IvrDocument, ids: ReadonlySet<string>): Map<string, Place> {
  const places = new Map<string, Place>();
  for (const id of ids) {
    const place = id === 'caller' ? document.caller.place : document.nodes[id as NodeId]?.place;
    if (place !== undefined) places.set(id, place);
  }
  return places;
}

function mapPlaces(places: ReadonlyMap<string, Place>, change: (place: Place) => Place): Map<string, Place> {
  return new Map([...places].map(([id, place]) => [id, change(place)]));
}
