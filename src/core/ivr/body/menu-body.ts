import type { IvrDocument, NodeId } from '../../../contract/menu/ivr-draft.ts';
import type { IvrBody } from '../../../contract/menu/ivr.ts';
import type { FlowTarget } from '../../../contract/menu/ivr-call.ts';
import { type Flow, type FlowMenu, nodeLedTo } from '../flow.ts';
import type { FlowPart, FlowPartId, ScheduleId } from '../../../contract/menu/schedule.ts';
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
    direct_dial: menu.direct_dial ?? null,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));

  function destination(to: NodeId | null): string | null {
    const node = nodeOf(document, to);
    if (node === null) return null;
    if (node.kind === 'end') return writeReference({ type: node.type, id: node.ref });
    return writeReference({ type: node.kind === 'menu' ? 'ivr' : node.kind, id: idOf(node.id) });
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
    ...(menu.directDial === null ? {} : { direct_dial: menu.directDial }),
  };

  function destination(to: FlowTarget): string {
    return destinationOf(to, idOf);
  }
}

function destinationOf(to: FlowTarget, idOf: (node: NodeId) => string | null): string {
  if (to.kind === 'destination') return to.destination;
  const id = idOf(nodeLedTo(to));
  return id === null ? 'hangup' : writeReference({ type: to.kind === 'menu' ? 'ivr' : to.kind, id });
}

/** The opening hours and messages of a flow as they are stored. `idOf`: the ids of all its nodes there; `name`: of the call flow. */
export function partsOfFlow(
  { hours, messages }: Flow,
  idOf: (node: NodeId) => string,
  name: string,
): FlowPart[] {
  const partId = (node: NodeId): FlowPartId => idOf(node) as FlowPartId;
  return [
    ...Array.from(hours.values(), ({ id, schedule, open, closed, holiday }): FlowPart => ({
      kind: 'hours',
      id: partId(id),
      name,
      hours: schedule.id,
      open: destinationOf(open, idOf),
      closed: destinationOf(closed, idOf),
      holiday: holiday === null ? null : destinationOf(holiday, idOf),
    })),
    ...Array.from(messages.values(), (message): FlowPart => ({
      kind: 'message',
      id: partId(message.id),
      name: message.name,
      recording: message.recording,
      then: destinationOf(message.then, idOf),
      ...(message.speech === undefined ? {} : { speech: message.speech }),
    })),
  ];
}

/**
 * The menus of a draft as bodies: one menu as the request body, several as a list.
 *
 * In a list each menu has its `id` before its fields, so that `ivr||<id>` can be resolved; opening hours and messages come after the
 * menus, as they are stored. `idOf` returns the ids under
 * which menus are published; without it they have their names in the draft.
 */
export function bodyExport(document: IvrDocument, idOf: (menu: NodeId) => string = String): string {
  const menus = menusOf(document).map(({ id }) => ({ id: idOf(id), ...menuBody(document, id, idOf) }));
  const parts = partsInDocument(document, idOf);
  const [first, ...others] = menus;
  if (first === undefined || others.length > 0 || parts.length > 0) return written([...menus, ...parts]);
  const { id: _id, ...body } = first;
  return written(body);
}

/** Opening hours and messages that may be incomplete: an exit without a destination is blank. */
function partsInDocument(document: IvrDocument, idOf: (node: NodeId) => string): FlowPart[] {
  const to = (id: NodeId | null): string => {
    const node = nodeOf(document, id);
    if (node === null) return '';
    if (node.kind === 'end') return writeReference({ type: node.type, id: node.ref });
    return writeReference({ type: node.kind === 'menu' ? 'ivr' : node.kind, id: idOf(node.id) });
  };
  return Object.values(document.nodes).flatMap((node): FlowPart[] => {
    const id = idOf(node.id) as FlowPartId;
    if (node.kind === 'message')
      return [
        {
          kind: 'message',
          id,
          name: node.name,
          recording: node.recording ?? '',
          then: to(node.then),
          ...(document.speech === undefined ? {} : { speech: document.speech }),
        },
      ];
    if (node.kind !== 'hours') return [];
    const hours = node.hours ?? ('' as ScheduleId);
    const holiday = node.holiday === null ? null : to(node.holiday);
    return [
      {
        kind: 'hours',
        id,
        name: document.name,
        hours,
        open: to(node.open),
        closed: to(node.closed),
        holiday,
      },
    ];
  });
}

function written(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
