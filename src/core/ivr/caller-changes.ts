import type {
  CallerChange,
  CallerChanges,
  CallerPlace,
  HeardCount,
  HeardPrompt,
  MenuChange,
} from '../../contract/menu/caller-change.ts';
import type { CallPort } from '../../contract/menu/ivr-call.ts';
import type { IvrDocument, NodeId } from '../../contract/menu/ivr-draft.ts';
import { isSameReference, readReference, writeReference } from '../../contract/menu/ivr-reference.ts';
import type { DirectDial, IvrBody } from '../../contract/menu/ivr.ts';
import { menuBody } from './body/menu-body.ts';
import { menusOf, nodeOf } from './edit/lines.ts';

/*
 * What differs for a caller between two call flows: what publishing changes, and what differs between two versions.
 *
 * Compares bodies, so that a stored menu and a menu of a draft, also an incomplete one, are compared in the same way.
 * `text/menu/change-sentences.ts` makes the sentences.
 */

/** What callers meet: its menus by the ids of their nodes, and the first of them, null while that is not known. */
export interface CallerFlow {
  readonly start: NodeId | null;
  /** A node of the flow is written `menu||<node>` where it is a destination. */
  readonly menus: ReadonlyMap<NodeId, Partial<IvrBody>>;
  readonly parts: ReadonlyMap<NodeId, CallerPart>;
}

/** Opening hours or a message, with its exits as destinations; empty where nothing is chosen. */
type CallerPart =
  | {
      readonly kind: 'hours';
      readonly name: '';
      readonly hours: string | null;
      readonly exits: Readonly<Record<'open' | 'closed' | 'holiday', string>>;
    }
  | {
      readonly kind: 'message';
      readonly name: string;
      readonly recording: string | null;
      readonly exits: Readonly<Record<'then', string>>;
    };

/** Which id each menu has where it is stored. */
type StoredIds = Readonly<Record<string, string>>;

/** The flow of a document. Without `sms` no templates are sent: the place where it is stored leaves them out. */
export function callerFlowOf(
  document: IvrDocument,
  { ids = {}, sms = true }: { readonly ids?: StoredIds; readonly sms?: boolean } = {},
): CallerFlow {
  const leading = Object.values(document.nodes).filter(({ kind }) => kind !== 'end');
  const all = { ...Object.fromEntries(leading.map(({ id }) => [id, String(id)])), ...ids };
  const bodies = menusOf(document).map(({ id }): [NodeId, Partial<IvrBody>] => {
    const { sms_template: templates, ...body } = menuBody(document, id, (menu) => all[menu] ?? menu);
    return [id, sms && templates !== undefined ? { ...body, sms_template: templates } : body];
  });
  return { start: document.caller.to, menus: withOwnMenus(bodies, all), parts: partsIn(document) };
}

function partsIn(document: IvrDocument): CallerFlow['parts'] {
  const to = (id: NodeId | null): string => {
    const node = nodeOf(document, id);
    if (node === null) return '';
    return node.kind === 'end' ? writeReference({ type: node.type, id: node.ref }) : `menu||${node.id}`;
  };
  return new Map(
    Object.values(document.nodes).flatMap((node): [NodeId, CallerPart][] => {
      if (node.kind === 'hours') {
        const exits = { open: to(node.open), closed: to(node.closed), holiday: to(node.holiday) };
        return [[node.id, { kind: 'hours', name: '', hours: node.hours, exits }]];
      }
      if (node.kind !== 'message') return [];
      const { name, recording, then } = node;
      return [[node.id, { kind: 'message', name, recording, exits: { then: to(then) } }]];
    }),
  );
}

/**
 * The flow that was published with each menu as it is stored now; one that is stored no longer is left out.
 *
 * `before` is null if no version is known. Menus that were not in it are none of the flow's any more.
 */
export function asStored(
  before: CallerFlow | null,
  ids: StoredIds,
  stored: ReadonlyMap<string, IvrBody>,
): CallerFlow {
  const bodies = (Object.entries(ids) as [NodeId, string][]).flatMap(([node, id]) => {
    const body = stored.get(id);
    const isOurs = before === null || before.menus.has(node);
    return body === undefined || !isOurs ? [] : [[node, body] satisfies [NodeId, IvrBody]];
  });
  // Only publishing the call flow changes what it has beside menus.
  const parts = before?.parts ?? new Map<NodeId, CallerPart>();
  return { start: before?.start ?? null, menus: withOwnMenus(bodies, ids), parts };
}

function withOwnMenus(
  bodies: readonly (readonly [NodeId, Partial<IvrBody>])[],
  ids: StoredIds,
): CallerFlow['menus'] {
  const nodes = new Map(Object.entries(ids).map(([node, id]) => [id, node]));
  const own = <T extends string | undefined>(to: T): T => {
    const reference = to === undefined ? null : readReference(to);
    const isOwn = reference !== null && ['ivr', 'hours', 'message'].includes(reference.type);
    const node = isOwn ? nodes.get(reference.id) : undefined;
    return node === undefined ? to : (`menu||${node}` as T);
  };
  return new Map(
    bodies.map(([id, body]) => [
      id,
      {
        ...body,
        destination: body.destination?.map(own) ?? [],
        ...written('invalid_destination', own(body.invalid_destination)),
        ...written('timeout_destination', own(body.timeout_destination)),
      },
    ]),
  );
}

function written<F extends keyof IvrBody>(field: F, value: IvrBody[F] | undefined): Partial<IvrBody> {
  return value === undefined ? {} : { [field]: value };
}

/** What differs for callers; before the first publication (null) all is new. */
export function callerChanges(before: CallerFlow | null, after: CallerFlow): CallerChanges {
  const ids = new Set([...after.menus.keys(), ...(before?.menus.keys() ?? [])]);
  return {
    start: startChange(before, after),
    menus: [
      ...[...ids].flatMap((menu) => menuChange(menu, before, after)),
      ...[...new Set([...after.parts.keys(), ...(before?.parts.keys() ?? [])])].flatMap((part) =>
        partChange(part, before, after),
      ),
    ],
  };
}

function partChange(menu: NodeId, before: CallerFlow | null, after: CallerFlow): MenuChange[] {
  const [old, now] = [before?.parts.get(menu), after.parts.get(menu)];
  const known = now ?? old;
  if (known === undefined) return [];
  const { kind: node, name } = known;
  if (now === undefined) return [{ menu, name, node, kind: 'removed', changes: [] }];
  const exits: Readonly<Record<string, string>> = now.exits;
  const oldExits: Readonly<Record<string, string>> = old?.exits ?? {};
  const ways = Object.keys(exits) as ('open' | 'closed' | 'holiday' | 'then')[];
  const changes = [
    ...askedChange(old, now),
    ...ways.flatMap((way): CallerChange[] => {
      const [from = '', to = ''] = [oldExits[way], exits[way]];
      if (isSameReference(from, to)) return [];
      const place = old === undefined ? null : placeIn(before ?? after, from);
      return [{ kind: 'led', way: { kind: way }, from: place, to: placeIn(after, to) }];
    }),
    ...(old === undefined || old.name === name
      ? []
      : [{ kind: 'unheard', which: 'name', from: old.name, to: name } satisfies CallerChange]),
  ];
  if (old === undefined) return [{ menu, name, node, kind: 'added', changes }];
  return changes.length === 0 ? [] : [{ menu, name, node, kind: 'changed', changes }];
}

/** The schedule of opening hours, or the prompt of a message. */
function askedChange(old: CallerPart | undefined, now: CallerPart): CallerChange[] {
  if (now.kind === 'hours') {
    const from = old?.kind === 'hours' ? old.hours : null;
    return from === now.hours ? [] : [{ kind: 'hours', from, to: now.hours }];
  }
  const from = old?.kind === 'message' ? old.recording : null;
  return from === now.recording ? [] : [{ kind: 'prompt', which: 'recording', from, to: now.recording }];
}

function startChange(before: CallerFlow | null, after: CallerFlow): CallerChanges['start'] {
  const to = startIn(after);
  if (before === null) return { from: null, to };
  // A menu that was taken over from the store is not known to be the first.
  if (before.start === null || before.start === after.start) return null;
  return { from: startIn(before), to };
}

function startIn(flow: CallerFlow): CallerPlace {
  return placeIn(flow, flow.start === null ? '' : `menu||${flow.start}`);
}

/** Whether a caller could notice the difference. */
export function isHeard({ start, menus }: CallerChanges): boolean {
  return (
    start !== null ||
    menus.some(({ kind, changes }) => kind !== 'changed' || changes.some((one) => one.kind !== 'unheard'))
  );
}

function nameIn({ menus, parts }: CallerFlow, menu: NodeId | null): string | null {
  return menu === null ? null : (menus.get(menu)?.name ?? parts.get(menu)?.name ?? null);
}

function menuChange(menu: NodeId, before: CallerFlow | null, after: CallerFlow): MenuChange[] {
  const [old, now] = [before?.menus.get(menu), after.menus.get(menu)];
  const name = now?.name ?? old?.name ?? '';
  if (now === undefined) return [{ menu, name, kind: 'removed', changes: [] }];
  const changes = [
    ...heardChanges(
      old ?? {},
      now,
      (to) => placeIn(before ?? after, to),
      (to) => placeIn(after, to),
    ),
    ...(old === undefined ? [] : unheardChanges(old, now)),
  ];
  if (old === undefined) return [{ menu, name, kind: 'added', changes }];
  return changes.length === 0 ? [] : [{ menu, name, kind: 'changed', changes }];
}

type PlaceOf = (to: string) => CallerPlace;

function placeIn(flow: CallerFlow, to: string): CallerPlace {
  if (to === '') return { kind: 'open' };
  const reference = readReference(to);
  if (reference?.type === 'menu') {
    const part = flow.parts.get(reference.id as NodeId);
    if (part?.kind === 'hours') return { kind: 'hours' };
    if (part?.kind === 'message') return { kind: 'message', name: part.name };
    return { kind: 'menu', menu: nameIn(flow, reference.id as NodeId) };
  }
  return { kind: 'destination', destination: reference === null ? to : writeReference(reference) };
}

/** In the order in which a caller meets them. */
function heardChanges(
  old: Partial<IvrBody>,
  now: Partial<IvrBody>,
  placeBefore: PlaceOf,
  placeAfter: PlaceOf,
): CallerChange[] {
  const prompt = (which: HeardPrompt): CallerChange[] => {
    const [from, to] = [old[which] ?? null, now[which] ?? null];
    const isSame = from === null || to === null ? from === to : isSameReference(from, to);
    return isSame ? [] : [{ kind: 'prompt', which, from, to }];
  };
  const count = (which: HeardCount): CallerChange[] => {
    const [from, to] = [old[which] ?? null, now[which] ?? null];
    return from === to ? [] : [{ kind: 'count', which, from, to }];
  };
  const led = (way: CallPort, from: string | undefined, to: string | undefined): CallerChange[] => {
    const isSame = from === undefined || to === undefined ? from === to : isSameReference(from, to);
    if (isSame) return [];
    return [
      {
        kind: 'led',
        way,
        from: from === undefined ? null : placeBefore(from),
        to: to === undefined ? null : placeAfter(to),
      },
    ];
  };
  return [
    ...prompt('recording'),
    ...count('timeout'),
    ...keysOf(old, now).flatMap((key) => {
      const [before, after] = [keyIn(old, key), keyIn(now, key)];
      const [from, to] = [before?.sms ?? null, after?.sms ?? null];
      return [
        ...led({ kind: 'key', key }, before?.to, after?.to),
        // A key that is gone sends nothing, which goes without saying.
        ...(from === to || after === null ? [] : [{ kind: 'sms', key, from, to } satisfies CallerChange]),
      ];
    }),
    ...prompt('invalid_recording'),
    ...count('incorrect_count'),
    ...led({ kind: 'wrong_key' }, old.invalid_destination, now.invalid_destination),
    ...prompt('timeout_retry_recording'),
    ...count('timeout_tries'),
    ...prompt('timeout_recording'),
    ...led({ kind: 'silence' }, old.timeout_destination, now.timeout_destination),
    ...dialChange(old.direct_dial?.numbers ?? null, now.direct_dial?.numbers ?? null),
    ...digitTimeChange(old.direct_dial, now.direct_dial),
  ];
}

function digitTimeChange(
  old: IvrBody['direct_dial'] | null,
  now: IvrBody['direct_dial'] | null,
): CallerChange[] {
  const [from, to] = [old?.digit_timeout, now?.digit_timeout];
  return from === undefined || to === undefined || from === to ? [] : [{ kind: 'digit_time', from, to }];
}

function dialChange(from: DirectDial['numbers'] | null, to: DirectDial['numbers'] | null): CallerChange[] {
  return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ kind: 'dial', from, to }];
}

function keysOf(old: Partial<IvrBody>, now: Partial<IvrBody>): string[] {
  return [...new Set([...(now.option ?? []), ...(old.option ?? [])])];
}

function keyIn(body: Partial<IvrBody>, key: string): { to: string; sms: string | null } | null {
  const place = body.option?.indexOf(key) ?? -1;
  if (place < 0) return null;
  const sms = body.sms_template?.[place] ?? '';
  return { to: body.destination?.[place] ?? '', sms: sms === '' ? null : sms };
}

function unheardChanges(old: Partial<IvrBody>, now: Partial<IvrBody>): CallerChange[] {
  const text = (which: 'name' | 'description'): CallerChange[] => {
    const [from, to] = [old[which] ?? null, now[which] ?? null];
    return from === to ? [] : [{ kind: 'unheard', which, from, to }];
  };
  const order = (body: Partial<IvrBody>): string => (body.option ?? []).join(' ');
  const isOtherOrder =
    order(old) !== order(now) &&
    (old.option ?? []).toSorted().join() === (now.option ?? []).toSorted().join();
  return [
    ...text('name'),
    ...text('description'),
    ...(isOtherOrder
      ? [{ kind: 'unheard', which: 'order', from: order(old), to: order(now) } satisfies CallerChange]
      : []),
  ];
}
