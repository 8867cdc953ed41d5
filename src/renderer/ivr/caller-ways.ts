import type { ScenarioInput } from '../../contract/ivr-draft.ts';
import { type Ivr, ivrBounds } from '../../contract/ivr.ts';
import { flowOfBody } from '../../core/ivr/body/flow-of-body.ts';
import type { CallHappening } from '../../core/ivr/call/call-state.ts';
import { runInputs } from '../../core/ivr/call/run-inputs.ts';
import { telephoneKeys } from '../../core/ivr/edit/edit-keys.ts';

/** One thing that a caller meets. */
export type WayStep =
  | { readonly kind: 'play'; readonly recording: string }
  /** For a key, in seconds. */
  | { readonly kind: 'wait'; readonly seconds: number }
  /** The menu begins again, at most so many times. */
  | { readonly kind: 'again'; readonly times: number }
  | { readonly kind: 'go'; readonly destination: string };

/** What a caller meets who presses none of a menu's keys. */
export interface CallerWays {
  readonly first: readonly WayStep[];
  /** Null where the menu uses every key that a telephone has. */
  readonly wrongKey: readonly WayStep[] | null;
  readonly silence: readonly WayStep[];
}

const silence = '-';
/** So often that a call has left the menu by then, whatever it allows. */
const often = ivrBounds.count.max + 1;

/** Finds the ways out of a menu by calling it: with a wrong key again and again, and with silence. */
export function callerWays(menu: Ivr): CallerWays {
  const wrongKey = telephoneKeys.find((key) => !menu.option.includes(key));
  return {
    first: stepsAtFirst(menu),
    wrongKey: wrongKey === undefined ? null : stepsAfter(menu, wrongKey),
    silence: stepsAfter(menu, silence),
  };
}

function stepsAtFirst(menu: Ivr): WayStep[] {
  const { happenings } = runInputs(flowOfBody(menu), [silence]);
  return happenings.slice(0, happenings.findIndex(isInput)).flatMap((one): WayStep[] => {
    if (one.kind === 'playing') return [{ kind: 'play', recording: one.prompt.recording }];
    return one.kind === 'waiting' ? [{ kind: 'wait', seconds: one.seconds }] : [];
  });
}

/** What follows an input that is repeated until the call leaves; what is the same each time is told once. */
function stepsAfter(menu: Ivr, input: ScenarioInput): WayStep[] {
  const { state, happenings } = runInputs(flowOfBody(menu), Array<ScenarioInput>(often).fill(input));
  const after = happenings.slice(happenings.findIndex(isInput));
  const times = after.filter(({ kind }) => kind === 'waiting').length;
  const told = new Set<string>();
  const steps: WayStep[] = [];
  for (const one of after) {
    const cause = one.kind === 'playing' ? one.prompt.cause : one.kind;
    if (told.has(cause)) continue;
    told.add(cause);
    if (one.kind === 'waiting') steps.push({ kind: 'again', times });
    if (one.kind === 'playing' && cause !== 'menu')
      steps.push({ kind: 'play', recording: one.prompt.recording });
  }
  if (state.kind === 'ended') steps.push({ kind: 'go', destination: state.destination });
  return steps;
}

function isInput({ kind }: CallHappening): boolean {
  return kind === 'key' || kind === 'silence';
}
