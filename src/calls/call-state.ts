import { z } from 'zod';
import type { NodeId } from '../contract/menu/ivr-draft.ts';
import type { CallState } from '../core/ivr/call/step.ts';
import type { Flow } from '../core/ivr/flow.ts';

const Id = z.string().transform((id) => id as NodeId);
const Prompt = z.object({
  recording: z.string(),
  cause: z.enum(['menu', 'wrong_key', 'silence_retry', 'silence_last', 'message']),
});
const Target = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('menu'), menu: Id }),
  z.object({ kind: z.enum(['hours', 'message']), node: Id }),
  z.object({ kind: z.literal('destination'), destination: z.string(), node: Id.nullable() }),
]);
const counters = { menu: Id, wrongKeys: z.int(), timeouts: z.int() };

/** The state of a call that runs, as the step function has it. */
const State = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('playing'),
    ...counters,
    prompts: z.tuple([Prompt], Prompt),
    then: Target.nullable(),
  }),
  z.object({ kind: z.literal('waiting'), ...counters }),
  z.object({ kind: z.literal('collecting'), digits: z.string(), ...counters }),
]);

const Carried = z.object({
  v: z.literal(1),
  id: z.string(),
  /** Of the flow in the call log. */
  flow: z.string(),
  ivr: z.string(),
  draft: z.string().nullable(),
  started_at: z.string(),
  menu_since: z.string(),
  state: State,
  /** What plays, and how many there were. */
  playback: z.string().nullable(),
  playbacks: z.int(),
});

/**
 * What a call carries in a variable of its channel: enough for another start of this program to continue it. What happened in it
 * before is in the call log.
 */
export type CarriedCall = Omit<z.infer<typeof Carried>, 'state' | 'v'> & {
  readonly state: Exclude<CallState, { kind: 'ended' }>;
};

export function writeCarried(call: CarriedCall): string {
  return JSON.stringify({ v: 1, ...call });
}

/** Null when it is not from this program. */
export function readCarried(text: string): CarriedCall | null {
  try {
    return Carried.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Whether a call can be there in a flow: messages are only played, menus also wait for keys. */
export function isStateOf({ menus, messages }: Flow, state: CarriedCall['state']): boolean {
  return menus.has(state.menu) || (state.kind === 'playing' && messages.has(state.menu));
}
