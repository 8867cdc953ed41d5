import type { IvrDocument, NodeId } from '../../../contract/menu/ivr-draft.ts';
import type { IvrBody } from '../../../contract/menu/ivr.ts';
import type { FlowTarget } from '../../../contract/menu/ivr-call.ts';
import type { FlowMenu } from '../flow.ts';
import { withFlowPrompts } from '../flow-prompts.ts';
import { menusOf, nodeOf } from '../edit/lines.ts';
import { writeReference } from '../../../contract/menu/ivr-reference.ts';

/**
 * The body of a menu that may be incomplete: fields in the spec's order, missing ones left out.
 *
 * In a list nothing can be left out, so a key without a destination has a blank one. `idOf` returns the id of a menu of
 * the same draft at the target. Invalid values are shown as they are; the checks report them.
 */
export function menuBody(
  document: IvrDocument,
  id: NodeId,
  idOf: (menu: NodeId) => string,
): Partial<IvrBody> {
  const node = nodeOf(document, id);
  if (node?.kind !== 'menu') return {};
  const menu = withFlowPrompts(document, node);
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

/** The SMS templates as a list for the body, up to the last key that has one; null without any. */
function smsTemplateList(templates: readonly string[]): string[] | null {
  const length = templates.findLastIndex((template) => template !== '') + 1;
  return length === 0 ? null : templates.slice(0, length);
}

/**
 * The body of a complete menu, as it is sent: fields in the spec's order.
 *
 * `idOf` returns the id of a menu, or null while it has none: that destination is then `hangup` until the menu is sent
 * again. Blank SMS templates at the end of the list are left out.
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
    timeout_retry_recording: menu.timeout.retryRecording,
    timeout_recording: menu.timeout.lastRecording,
    timeout_destination: destination(menu.timeout.to),
    timeout_tries: menu.timeout.retries,
    ...(templates === null ? {} : { sms_template: templates }),
  };

  function destination(to: FlowTarget): string {
    if (to.kind === 'destination') return to.destination;
    const id = idOf(to.menu);
    return id === null ? 'hangup' : writeReference({ type: 'ivr', id });
  }
}

/**
 * The menus of a draft as bodies: one menu as the request body, several as a list.
 *
 * In a list each menu has its `id` before its fields, so that `ivr||<id>` can be resolved. `idOf` returns the ids under
 * which menus are published; without it they have their names in the draft.
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
