import { z } from 'zod';
import type { FlowTarget } from '../../contract/ivr-call.ts';
import type { NodeId } from '../../contract/ivr-draft.ts';
import { readReference } from '../../contract/ivr-reference.ts';
import type { Ivr, IvrId } from '../../contract/ivr.ts';
import { promptsOf } from '../ivr/export/dialplan-names.ts';
import { flowOfBody } from '../ivr/body/flow-of-body.ts';
import type { Flow, FlowMenu } from '../ivr/flow.ts';

/**
 * The flow that a call to a stored menu runs: the menu and all that it leads to by `ivr||<id>`, with their ids as node
 * ids; null when there is no such menu.
 *
 * A destination `ivr||<id>` of an unknown menu stays a destination, which fails when a call is led there. A call keeps the flow
 * that it began with, so that a change takes effect for the next call and never for one under way.
 */
export function flowOfStored(ivrs: { get(id: IvrId): Ivr | undefined }, start: string): Flow | null {
  const menus = new Map<NodeId, FlowMenu>();
  const open = [start];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const ivr = ivrs.get(id as IvrId);
    if (ivr === undefined || menus.has(id as NodeId)) continue;
    // The only menu of the flow of one body.
    for (const menu of flowOfBody(ivr).menus.values()) {
      menus.set(id as NodeId, linked(menu, id as NodeId, linkTo));
    }
  }
  return menus.has(start as NodeId) ? { start: start as NodeId, menus } : null;

  function linkTo(target: FlowTarget): FlowTarget {
    if (target.kind === 'menu') return target;
    const reference = readReference(target.destination);
    if (reference?.type !== 'ivr' || ivrs.get(reference.id as IvrId) === undefined) return target;
    open.push(reference.id);
    return { kind: 'menu', menu: reference.id as NodeId };
  }
}

function linked(menu: FlowMenu, id: NodeId, linkTo: (target: FlowTarget) => FlowTarget): FlowMenu {
  const { keys, wrongKey, timeout } = menu;
  return {
    ...menu,
    id,
    keys: new Map([...keys].map(([key, chosen]) => [key, { ...chosen, to: linkTo(chosen.to) }])),
    wrongKey: { ...wrongKey, to: linkTo(wrongKey.to) },
    timeout: { ...timeout, to: linkTo(timeout.to) },
  };
}

/** Ids of menus here may be longer than those of a draft. */
const AnyId = z.string().transform((id) => id as NodeId);
const Target = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('menu'), menu: AnyId }),
  z.object({ kind: z.literal('destination'), destination: z.string(), node: AnyId.nullable() }),
]);

/** A flow as text, for the records of calls: a restarted program continues a call with it. */
const WrittenFlow = z.object({
  start: AnyId,
  menus: z.array(
    z.object({
      id: AnyId,
      name: z.string(),
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
    }),
  ),
});

/** The same flow is always the same text. Descriptions are left out: no call needs them. */
export function writeFlow({ start, menus }: Flow): string {
  const written: z.input<typeof WrittenFlow> = {
    start,
    menus: Array.from(menus.values(), ({ description: _unused, keys, ...menu }) => ({
      ...menu,
      keys: [...keys],
    })),
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
  const { start, menus } = parsed.data;
  const read = menus.map((menu): [NodeId, FlowMenu] => [
    menu.id,
    { ...menu, description: '', keys: new Map(menu.keys) },
  ]);
  return { start, menus: new Map(read) };
}

/** The prompts of a menu, and of all that it leads to, written as in the body, each once. */
export function promptsOfStored(ivrs: { get(id: IvrId): Ivr | undefined }, start: string): string[] {
  return [...new Set([...(flowOfStored(ivrs, start)?.menus.values() ?? [])].flatMap(promptsOf))];
}

/** Menus that no other menu leads to come first: callers begin there. Otherwise the order stays. */
export function startsFirst(menus: readonly Ivr[]): Ivr[] {
  const led = new Set(
    menus.flatMap(({ id, destination, invalid_destination, timeout_destination }) =>
      [...destination, invalid_destination, timeout_destination].filter((to) => to !== `ivr||${id}`),
    ),
  );
  return menus.toSorted((a, b) => Number(led.has(`ivr||${a.id}`)) - Number(led.has(`ivr||${b.id}`)));
}
