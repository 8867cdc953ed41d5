import type { EndNode, IvrDocument, MenuNode, NodeId } from '../../../../contract/ivr-draft.ts';
import { type IvrBody, IvrDestinationType } from '../../../../contract/ivr.ts';
import { changeMenu, putNode } from '../../../../core/ivr/edit/edit-nodes.ts';
import { freeNodeId, newEnd } from '../../../../core/ivr/edit/new-node.ts';
import { readReference } from '../../../../core/ivr/reference.ts';
import { placeBeside } from '../layout/free-place.ts';

/**
 * Makes a menu say what a body says.
 *
 * `ivr||<name of a menu in this drawing>` is a line to it. Any other destination is the node that says the same, one that
 * this menu leads to already before another one; where there is none, it is added beside the menu.
 */
export function applyBody(document: IvrDocument, id: NodeId, body: IvrBody): IvrDocument {
  const menu = document.nodes[id];
  if (menu?.kind !== 'menu') return document;
  let changed = document;
  const keys = body.option.map((key, place) => ({
    key,
    to: lineTo(body.destination[place] ?? 'hangup'),
    sms_template: blankAsNull(body.sms_template?.[place]),
  }));
  const invalid = lineTo(body.invalid_destination);
  const timeout = lineTo(body.timeout_destination);
  return changeMenu(changed, id, {
    name: body.name,
    description: body.description,
    recording: body.recording,
    timeout: body.timeout,
    keys,
    incorrect_count: body.incorrect_count,
    invalid_recording: body.invalid_recording,
    invalid_destination: invalid,
    timeout_retry_recording: body.timeout_retry_recording,
    timeout_recording: body.timeout_recording,
    timeout_destination: timeout,
    timeout_tries: body.timeout_tries,
  });

  function lineTo(destination: string): NodeId | null {
    const reference = readReference(destination);
    const type = IvrDestinationType.safeParse(reference?.type);
    if (reference === null || !type.success) return null;
    const drawn = reference.id as NodeId;
    if (type.data === 'ivr' && changed.nodes[drawn]?.kind === 'menu') return drawn;
    const known = endOf(changed, menu as MenuNode, { type: type.data, ref: reference.id });
    if (known !== undefined) return known.id;
    const end = newEnd(freeNodeId(changed, 'end'), type.data, reference.id, placeBeside(changed, id));
    changed = putNode(changed, end);
    return end.id;
  }
}

function endOf(
  { nodes }: IvrDocument,
  menu: MenuNode,
  wanted: Pick<EndNode, 'type' | 'ref'>,
): EndNode | undefined {
  const same = Object.values(nodes).filter(
    (node): node is EndNode => node.kind === 'end' && node.type === wanted.type && node.ref === wanted.ref,
  );
  const led = new Set([...menu.keys.map(({ to }) => to), menu.invalid_destination, menu.timeout_destination]);
  return same.find(({ id }) => led.has(id)) ?? same[0];
}

/** In the body's list a blank is a key without a template. */
function blankAsNull(text = ''): string | null {
  return text === '' ? null : text;
}
