import type { IvrDocument, NodeId } from '../../../contract/ivr-draft.ts';
import type { IvrBody } from '../../../contract/ivr.ts';
import { nodeOf } from '../node-of.ts';
import { writeReference } from '../reference.ts';

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
export function smsTemplateList(templates: readonly string[]): string[] | null {
  const length = templates.findLastIndex((template) => template !== '') + 1;
  return length === 0 ? null : templates.slice(0, length);
}
