import {
  type DraftNode,
  type EndNode,
  type IvrDocument,
  type MenuNode,
  NodeId,
} from '../../../contract/ivr-draft.ts';
import { IvrDestinationType, type IvrBody } from '../../../contract/ivr.ts';
import { linesOfMenu } from '../edit/lines.ts';
import { layInColumns } from './lay-in-columns.ts';
import { readReference } from '../reference.ts';

export interface StoredMenu {
  /** Which id it has where it is stored, if it is. */
  readonly id?: string;
  readonly body: IvrBody;
}

/**
 * A drawing of menus that are stored somewhere: `ivr||<id>` among them becomes a line.
 *
 * The caller is connected with the first menu that no other leads to, or with the first. Each menu has ends of its own,
 * one for each destination however many of its keys lead there. The bodies must be ones that `parseIvrBody` gave. So many
 * menus can have more nodes than a drawing may (`draftBounds`): then `IvrDocument` refuses it.
 */
export function documentOfBodies(menus: readonly StoredMenu[], name: string): IvrDocument {
  const ids = menus.map((_menu, place) => NodeId.parse(`menu${place + 1}`));
  const drawn = new Map<string, NodeId>();
  for (const [place, { id }] of menus.entries()) {
    const menu = ids[place];
    if (id !== undefined && menu !== undefined && !drawn.has(id)) drawn.set(id, menu);
  }
  const nodes: Record<NodeId, DraftNode> = {};
  let ends = 0;
  const newEndId = (): NodeId => NodeId.parse(`end${(ends += 1)}`);
  for (const [place, { body }] of menus.entries()) {
    const id = ids[place];
    if (id !== undefined) for (const node of drawMenu(id, body, drawn, newEndId)) nodes[node.id] = node;
  }
  const led = new Set(Object.values(nodes).flatMap(ledToFrom));
  const start = ids.find((id) => !led.has(id)) ?? ids[0] ?? null;
  return layInColumns({ name, caller: { place: { x: 0, y: 0 }, to: start }, nodes, scenarios: {} });
}

function drawMenu(
  id: NodeId,
  body: IvrBody,
  drawn: ReadonlyMap<string, NodeId>,
  newEndId: () => NodeId,
): DraftNode[] {
  const ends = new Map<string, EndNode>();
  const menu: MenuNode = {
    kind: 'menu',
    id,
    place: { x: 0, y: 0 },
    name: body.name,
    description: body.description,
    recording: body.recording,
    timeout: body.timeout,
    keys: body.option.map((key, place) => ({
      key,
      to: lineTo(body.destination[place]),
      sms_template: blankAsNull(body.sms_template?.[place]),
    })),
    incorrect_count: body.incorrect_count,
    invalid_recording: body.invalid_recording,
    invalid_destination: lineTo(body.invalid_destination),
    timeout_retry_recording: body.timeout_retry_recording,
    timeout_recording: body.timeout_recording,
    timeout_destination: lineTo(body.timeout_destination),
    timeout_tries: body.timeout_tries,
  };
  return [menu, ...ends.values()];

  function lineTo(destination = ''): NodeId | null {
    const reference = readReference(destination);
    const type = IvrDestinationType.safeParse(reference?.type);
    if (reference === null || !type.success) return null;
    const menuId = type.data === 'ivr' ? drawn.get(reference.id) : undefined;
    if (menuId !== undefined) return menuId;
    const known = ends.get(destination);
    if (known !== undefined) return known.id;
    const end: EndNode = {
      kind: 'end',
      id: newEndId(),
      place: { x: 0, y: 0 },
      type: type.data,
      ref: reference.id,
    };
    ends.set(destination, end);
    return end.id;
  }
}

/** Which other nodes a node leads to: a menu that leads to itself is no less a beginning. */
function ledToFrom(node: DraftNode): NodeId[] {
  if (node.kind === 'end') return [];
  return linesOfMenu(node).flatMap(({ to }) => (to === node.id ? [] : [to]));
}

function blankAsNull(text = ''): string | null {
  return text === '' ? null : text;
}
