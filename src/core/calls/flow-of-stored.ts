import { z } from 'zod';
import type { FlowTarget } from '../../contract/menu/ivr-call.ts';
import type { NodeId } from '../../contract/menu/ivr-draft.ts';
import { readReference } from '../../contract/menu/ivr-reference.ts';
import { DirectDial, type IvrId, type StoredIvr } from '../../contract/menu/ivr.ts';
import { type FlowPart, type FlowPartId, ScheduleHours } from '../../contract/menu/schedule.ts';
import { FlowSpeech } from '../../contract/menu/speech.ts';
import { heardPrompts } from '../ivr/export/dialplan-names.ts';
import type { HeardPrompt } from '../speech/spoken-recording.ts';
import { flowOfBody } from '../ivr/body/flow-of-body.ts';
import {
  type Flow,
  type FlowHours,
  type FlowMenu,
  type FlowMessage,
  type FlowSources,
  hoursOnly,
  menusOnly,
  unknownSchedule,
} from '../ivr/flow.ts';
import { invariant } from '../unreachable.ts';

/** The menus that are stored here, by their ids. */
export interface StoredMenus {
  get(id: IvrId): StoredIvr | undefined;
}

/** What else belongs to their flows: opening hours and messages, schedules, the numbers of the directory. Absent: not known. */
export interface StoredBeside extends FlowSources {
  readonly flowParts?: { get(id: FlowPartId): FlowPart | undefined };
}

/**
 * The flow that a call runs which begins at a stored menu, or at opening hours or a message of a published flow: that and all that it leads
 * to, with their ids as node ids; null when there is no such thing. A call keeps the flow that it began with, so that a change takes effect
 * for the next call and never for one under way.
 */
export function flowOfStored(ivrs: StoredMenus, start: string, beside: StoredBeside = {}): Flow | null {
  const first = nodeId(start);
  const target = ivrs.get(start as IvrId) ?? beside.flowParts?.get(start as FlowPartId);
  if (target === undefined) return null;
  const own = menusOnly(first, new Map());
  return withStoredMenus(own, ivrs, beside, [
    'kind' in target ? `${target.kind}||${start}` : `ivr||${start}`,
  ]);
}

/**
 * A flow and everything stored that it leads to by `ivr||<id>`, `hours||<id>` and `message||<id>`, with their ids as node ids: what callers
 * of a draft meet.
 *
 * A destination of an unknown id stays a destination, which fails when a call is led there. `further`: destinations that belong to it,
 * too.
 */
export function withStoredMenus(
  flow: Flow,
  ivrs: StoredMenus,
  beside: StoredBeside = {},
  further: readonly string[] = [],
): Flow {
  const menus = new Map<NodeId, FlowMenu>();
  const hours = new Map<NodeId, FlowHours>();
  const messages = new Map<NodeId, FlowMessage>();
  const open: (() => void)[] = [];
  for (const menu of flow.menus.values()) addMenu(menu);
  for (const one of flow.hours.values()) addHours(one);
  for (const message of flow.messages.values()) addMessage(message);
  for (const destination of further) linkTo(outside(destination));
  // Grows while it is read.
  for (const link of open) link();
  const dials = [...menus.values()].some(({ directDial }) => directDial?.numbers === 'directory');
  const numbers = beside.extensions === undefined ? flow.extensions : new Set(beside.extensions.keys());
  return { start: flow.start, menus, hours, messages, extensions: dials ? numbers : new Set() };

  function linkTo(target: FlowTarget): FlowTarget {
    if (target.kind !== 'destination') return target;
    const { type, id } = readReference(target.destination) ?? { type: '', id: '' };
    if (type === 'ivr') {
      const ivr = ivrs.get(id as IvrId);
      if (ivr === undefined) return target;
      addMenu(menuOf(ivr));
      return { kind: 'menu', menu: nodeId(ivr.id) };
    }
    const part = type === 'hours' || type === 'message' ? beside.flowParts?.get(id as FlowPartId) : undefined;
    if (part === undefined || part.kind !== type) return target;
    if (part.kind === 'hours') addHours(hoursOf(part, beside));
    else addMessage(messageOf(part));
    return { kind: part.kind, node: nodeId(part.id) };
  }

  function addMenu(menu: FlowMenu): void {
    if (menus.has(menu.id)) return;
    menus.set(menu.id, menu);
    open.push(() => menus.set(menu.id, linked(menu, linkTo)));
  }

  function addHours(one: FlowHours): void {
    if (hours.has(one.id)) return;
    hours.set(one.id, one);
    open.push(() =>
      hours.set(one.id, {
        ...one,
        open: linkTo(one.open),
        closed: linkTo(one.closed),
        holiday: one.holiday === null ? null : linkTo(one.holiday),
      }),
    );
  }

  function addMessage(message: FlowMessage): void {
    if (messages.has(message.id)) return;
    messages.set(message.id, message);
    open.push(() => messages.set(message.id, { ...message, then: linkTo(message.then) }));
  }
}

function outside(destination: string): FlowTarget {
  return { kind: 'destination', destination, node: null };
}

/** A schedule that is not stored any more is closed. */
function hoursOf(
  { id, hours, open, closed, holiday }: Extract<FlowPart, { kind: 'hours' }>,
  { schedules }: StoredBeside,
): FlowHours {
  return {
    id: nodeId(id),
    schedule: hoursOnly(schedules?.get(hours) ?? unknownSchedule(hours)),
    open: outside(open),
    closed: outside(closed),
    holiday: holiday === null ? null : outside(holiday),
  };
}

function messageOf(part: Extract<FlowPart, { kind: 'message' }>): FlowMessage {
  const { id, name, recording, then, speech } = part;
  const own = speech === undefined ? {} : { speech };
  return { id: nodeId(id), name, recording, then: outside(then), ...own };
}

/** The only menu of the flow of its body, under its own id. */
function menuOf(ivr: StoredIvr): FlowMenu {
  const [menu] = flowOfBody(ivr).menus.values();
  invariant(menu !== undefined, 'the flow of a body has a menu');
  const { speech } = ivr;
  return { ...menu, id: nodeId(ivr.id), ...(speech === undefined ? {} : { speech }) };
}

/** Ids of what is stored may be longer than those of a draft. */
function nodeId(id: string): NodeId {
  return id as NodeId;
}

function linked(menu: FlowMenu, linkTo: (target: FlowTarget) => FlowTarget): FlowMenu {
  const { keys, wrongKey, timeout } = menu;
  return {
    ...menu,
    keys: new Map([...keys].map(([key, chosen]) => [key, { ...chosen, to: linkTo(chosen.to) }])),
    wrongKey: { ...wrongKey, to: linkTo(wrongKey.to) },
    timeout: { ...timeout, to: linkTo(timeout.to) },
  };
}

/** Ids of menus here may be longer than those of a draft. */
const AnyId = z.string().transform((id) => id as NodeId);
const Target = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('menu'), menu: AnyId }),
  z.object({ kind: z.enum(['hours', 'message']), node: AnyId }),
  z.object({ kind: z.literal('destination'), destination: z.string(), node: AnyId.nullable() }),
]);

/** A flow as text, for the records of calls: a restarted program continues a call with it. Those of earlier versions have menus only. */
const WrittenFlow = z.object({
  start: AnyId,
  menus: z.array(
    z.object({
      id: AnyId,
      name: z.string(),
      speech: FlowSpeech.optional(),
      recording: z.string(),
      timeoutSeconds: z.int(),
      keys: z.array(z.tuple([z.string(), z.object({ to: Target, smsTemplate: z.string().nullable() })])),
      wrongKey: z.object({ recording: z.string(), retries: z.int(), to: Target }),
      timeout: z.object({
        retries: z.int(),
        retryRecording: z.string(),
        lastRecording: z.string(),
        to: Target,
      }),
      directDial: DirectDial.optional(),
    }),
  ),
  hours: z
    .array(
      z.object({
        id: AnyId,
        schedule: ScheduleHours,
        open: Target,
        closed: Target,
        holiday: Target.nullable(),
      }),
    )
    .optional(),
  messages: z
    .array(
      z.object({
        id: AnyId,
        name: z.string(),
        recording: z.string(),
        then: Target,
        speech: FlowSpeech.optional(),
      }),
    )
    .optional(),
  extensions: z.array(z.string()).optional(),
});

/** The same flow is always the same text. Descriptions are left out: no call needs them. */
export function writeFlow({ start, menus, hours, messages, extensions }: Flow): string {
  const written: z.input<typeof WrittenFlow> = {
    start,
    menus: Array.from(menus.values(), ({ description: _unused, keys, directDial, ...menu }) => ({
      ...menu,
      keys: [...keys],
      ...(directDial === null ? {} : { directDial }),
    })),
    ...(hours.size === 0 ? {} : { hours: [...hours.values()] }),
    ...(messages.size === 0 ? {} : { messages: [...messages.values()] }),
    ...(extensions.size === 0 ? {} : { extensions: [...extensions] }),
  };
  return JSON.stringify(written);
}

/** Null when this is not a flow. */
export function readFlow(text: string): Flow | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const parsed = WrittenFlow.safeParse(value);
  if (!parsed.success) return null;
  const { start, menus, hours = [], messages = [], extensions = [] } = parsed.data;
  const read = menus.map(({ directDial = null, ...menu }): FlowMenu => ({
    ...menu,
    directDial,
    description: '',
    keys: new Map(menu.keys),
  }));
  return {
    start,
    menus: byId(read),
    hours: byId(hours),
    messages: byId(messages),
    extensions: new Set(extensions),
  };
}

function byId<N extends { readonly id: NodeId }>(nodes: readonly N[]): Map<NodeId, N> {
  return new Map(nodes.map((node) => [node.id, node]));
}

/** What a menu may play, and all that it leads to, each as it is spoken there; the same may come twice. */
export function heardFromStored(ivrs: StoredMenus, start: string, beside: StoredBeside = {}): HeardPrompt[] {
  const flow = flowOfStored(ivrs, start, beside);
  return flow === null ? [] : heardPrompts(flow);
}
