import type { IvrDocument, NodeId } from '../../../contract/ivr-draft.ts';
import type { IvrBody } from '../../../contract/ivr.ts';
import type { FlowTarget } from '../../../contract/ivr-call.ts';
import type { FlowMenu } from '../flow.ts';
import { menusOf, nodeOf } from '../edit/lines.ts';
import { writeReference } from '../../../contract/ivr-reference.ts';

/**
 * What is sent for a menu of a drawing, as far as it is drawn: fields in the spec's order, open ones left out.
 *
 * In a list nothing can be left out, so a key without a line has a blank destination. `idOf` says which id a menu of the
 * same drawing has at the target. What is not allowed is shown as it is: the checks say what is wrong with it.
 */
export function menuBody(
  document: IvrDocument,
  id: NodeId,
  idOf: (menu: NodeId) => string,
): Partial<IvrBody> {
  const menu = nodeOf(document, id);
  if (menu?.kind !== 'menu') return {};
  const { keys } = menu;
  const templates = keys.map(({ sms_template: template }) => template ?? '');
  const all: { readonly [F in keyof IvrBody]-?: IvrBody[F] | null } = {
    name: menu.name,
    description: menu.description,
    recording: menu.recording,
    timeout: menu.timeout,
    option: keys.length === 0 ? null : keys.map(({ key }) => key),
    destination: keys.length === 0 ? null : keys.map(({ to }) => destination(to) ?? ''),
    incorrect_count: menu.incorrect_count,
    invalid_recording: menu.invalid_recording,
    invalid_destination: destination(menu.invalid_destination),
    timeout_retry_recording: menu.timeout_retry_recording,
    timeout_recording: menu.timeout_recording,
    timeout_destination: destination(menu.timeout_destination),
    timeout_tries: menu.timeout_tries,
    sms_template: smsTemplateList(templates),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));

  function destination(to: NodeId | null): string | null {
    const node = nodeOf(document, to);
    if (node === null) return null;
    return node.kind === 'menu'
      ? writeReference({ type: 'ivr', id: idOf(node.id) })
      : writeReference({ type: node.type, id: node.ref });
  }
}

/** The list as the body has it, or null without any: it goes as far as the last key that has a template. */
function smsTemplateList(templates: readonly string[]): string[] | null {
  const length = templates.findLastIndex((template) => template !== '') + 1;
  return length === 0 ? null : templates.slice(0, length);
}

/**
 * The body of a menu that may run: what is sent for it, fields in the spec's order.
 *
 * `idOf` says which id a menu has at the target, or null while it has none: that line then ends the call (`hangup`),
 * until the menu is sent once more. Blank SMS templates at the end of their list are left out; they say nothing.
 */
export function bodyOfMenu(menu: FlowMenu, idOf: (menu: NodeId) => string | null): IvrBody {
  const keys = [...menu.keys.values()];
  const templates = smsTemplateList(keys.map(({ smsTemplate }) => smsTemplate ?? ''));
  return {
    name: menu.name,
    description: menu.description,
    recording: menu.recording,
    timeout: menu.timeoutSeconds,
    option: [...menu.keys.keys()],
    destination: keys.map(({ to }) => destination(to)),
    incorrect_count: menu.wrongKey.retries,
    invalid_recording: menu.wrongKey.recording,
    invalid_destination: destination(menu.wrongKey.to),
    timeout_retry_recording: menu.silence.retryRecording,
    timeout_recording: menu.silence.lastRecording,
    timeout_destination: destination(menu.silence.to),
    timeout_tries: menu.silence.retries,
    ...(templates === null ? {} : { sms_template: templates }),
  };

  function destination(to: FlowTarget): string {
    if (to.kind === 'destination') return to.destination;
    const id = idOf(to.menu);
    return id === null ? 'hangup' : writeReference({ type: 'ivr', id });
  }
}

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
