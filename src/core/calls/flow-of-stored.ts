import { z } from 'zod';
import type { FlowTarget } from '../../contract/menu/ivr-call.ts';
import type { NodeId } from '../../contract/menu/ivr-draft.ts';
import { readReference } from '../../contract/menu/ivr-reference.ts';
import type { Ivr, IvrId } from '../../contract/menu/ivr.ts';
import { promptsOf } from '../ivr/export/dialplan-names.ts';
import { flowOfBody } from '../ivr/body/flow-of-body.ts';
import type { Flow, FlowMenu } from '../ivr/flow.ts';
import { invariant } from '../unreachable.ts';

/** The menus that are stored here, by their ids. */
export interface StoredMenus {
  get(id: IvrId): Ivr | undefined;
}

/**
 * The flow that a call to a stored menu runs: the menu and all that it leads to by `ivr||<id>`, with their ids as node
 * ids; null when there is no such menu. A call keeps the flow that it began with, so that a change takes effect for the next
 * call and never for one under way.
 */
export function flowOfStored(ivrs: StoredMenus, start: string): Flow | null {
  const ivr = ivrs.get(start as IvrId);
  if (ivr === undefined) return null;
  const menu = menuOf(ivr);
  return withStoredMenus({ start: menu.id, menus: new Map([[menu.id, menu]]) }, ivrs);
}

/**
 * A flow and all stored menus that it leads to by `ivr||<id>`, with their ids as node ids: what callers of a draft meet.
 *
 * A destination `ivr||<id>` of an unknown menu stays a destination, which fails when a call is led there.
 */
export function withStoredMenus({ start, menus: own }: Flow, ivrs: StoredMenus): Flow {
  const menus = new Map<NodeId, FlowMenu>();
  const open = [...own.values()];
  // Grows while it is read.
  for (const menu of open) if (!menus.has(menu.id)) menus.set(menu.id, linked(menu, linkTo));
  return { start, menus };

  function linkTo(target: FlowTarget): FlowTarget {
    if (target.kind === 'menu') return target;
    const reference = readReference(target.destination);
    const ivr = reference?.type === 'ivr' ? ivrs.get(reference.id as IvrId) : undefined;
    if (ivr === undefined) return target;
    open.push(menuOf(ivr));
    return { kind: 'menu', menu: menuId(ivr) };
  }
}

/** The only menu of the flow of its body, under its own id. */
function menuOf(ivr: Ivr): FlowMenu {
  const [menu] = flowOfBody(ivr).menus.values();
  invariant(menu !== undefined, 'the flow of a body has a menu');
  return { ...menu, id: menuId(ivr) };
}

/** Ids of menus here may be longer than those of a draft. */
function menuId({ id }: Ivr): NodeId {
  return String(id) as NodeId;
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
export function promptsOfStored(ivrs: StoredMenus, start: string): string[] {
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
