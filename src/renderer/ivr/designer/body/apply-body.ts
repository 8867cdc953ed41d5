import type { EndNode, IvrDocument, MenuNode, NodeId } from '../../../../contract/menu/ivr-draft.ts';
import { type IvrBody, IvrDestinationType, type IvrWarning } from '../../../../contract/menu/ivr.ts';
import type { FieldError } from '../../../../contract/problems.ts';
import { parseIvrBody } from '../../../../core/ivr/body/parse-ivr-body.ts';
import { changeMenu, freeNodeId, newEnd, putNode } from '../../../../core/ivr/edit/edit-nodes.ts';
import { defaultOf, flowPrompt, type PromptField } from '../../../../core/ivr/flow-prompts.ts';
import { readReference } from '../../../../contract/menu/ivr-reference.ts';
import { done, refused, type Result } from '../../../../core/result.ts';
import { fieldErrors } from '../../../../text/window/field-errors.ts';
import { placeBeside } from '../layout/free-place.ts';
import { menuJsonText } from '../../../../text/menu/designer.ts';

/**
 * Changes a menu to match a body.
 *
 * `ivr||<id of a menu in this call flow>` is a line to that menu. For any other destination an equal node is used, preferably
 * one that this menu leads to already; if there is none, it is added beside the menu.
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
  /** A prompt that is still the default stays the default. */
  const own = (field: PromptField): string | null =>
    menu[field] === null && body[field] === flowPrompt(document, defaultOf[field]) ? null : body[field];
  return changeMenu(changed, id, {
    name: body.name,
    description: body.description,
    recording: body.recording,
    timeout: body.timeout,
    keys,
    incorrect_count: body.incorrect_count,
    invalid_recording: own('invalid_recording'),
    invalid_destination: invalid,
    timeout_retry_recording: own('timeout_retry_recording'),
    timeout_recording: own('timeout_recording'),
    timeout_destination: timeout,
    timeout_tries: body.timeout_tries,
  });

  function lineTo(destination: string): NodeId | null {
    const reference = readReference(destination);
    const type = IvrDestinationType.safeParse(reference?.type);
    if (reference === null || !type.success) return null;
    const inner = reference.id as NodeId;
    if (type.data === 'ivr' && changed.nodes[inner]?.kind === 'menu') return inner;
    const known = endOf(changed, menu as MenuNode, { type: type.data, ref: reference.id });
    if (known !== undefined) return known.id;
    const end = newEnd(freeNodeId(changed, 'end'), type.data, reference.id, placeBeside(changed, id, 'end'));
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

/** In the body's list an empty text is a key without a template. */
function blankAsNull(text = ''): string | null {
  return text === '' ? null : text;
}

/**
 * Reads a body that a person has written, with the rules of the service.
 *
 * SMS templates are kept even if they are turned off: the checks report what happens to them.
 */
export function readBody(
  text: string,
): Result<{ readonly body: IvrBody; readonly warnings: readonly IvrWarning[] }, readonly FieldError[]> {
  let written: unknown;
  try {
    written = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return refused([{ field: '', message: menuJsonText.notJson(why) }]);
  }
  const parsed = parseIvrBody(written, { smsTemplatesEnabled: true });
  if (!parsed.ok) return refused(fieldErrors(parsed.refusal));
  return done({ body: parsed.value.body, warnings: fieldErrors(parsed.value.warnings) });
}

/** The place of a field in the text of a body, from its name to the end of its line; null if it is missing. */
export function placeOfField(text: string, field: string): { start: number; end: number } | null {
  const [name = ''] = field.split(/[.[]/);
  const start = name === '' ? -1 : text.indexOf(`"${name}"`);
  if (start < 0) return null;
  const lineEnd = text.indexOf('\n', start);
  return { start, end: lineEnd < 0 ? text.length : lineEnd };
}
