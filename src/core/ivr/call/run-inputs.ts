import type { ScenarioInput } from '../../../contract/ivr-draft.ts';
import type { CallHappening, CallInput, CallState, CallStep } from './call-state.ts';
import type { Flow } from '../flow.ts';
import { startCall, step } from './step.ts';

export interface InputsRun {
  /** Waiting or ended: what plays is heard to its end. */
  readonly state: CallState;
  readonly happenings: readonly CallHappening[];
  /** How many inputs came after the call had left. */
  readonly ignored: number;
}

/** Plays a call from its beginning: each input is given while a menu waits. */
export function runInputs(flow: Flow, inputs: readonly ScenarioInput[]): InputsRun {
  const happenings: CallHappening[] = [];
  let state = hear(startCall(flow));
  let ignored = 0;
  for (const input of inputs) {
    if (state.kind === 'ended') ignored += 1;
    else state = hear(step(flow, state, callInput(input)));
  }
  return { state, happenings, ignored };

  /** Takes a step, and lets every prompt that follows end. There are at most two, and one of the next menu. */
  function hear(taken: CallStep): CallState {
    let { state: reached } = taken;
    happenings.push(...taken.happenings);
    while (reached.kind === 'playing') {
      const next = step(flow, reached, { kind: 'prompt_ended' });
      happenings.push(...next.happenings);
      reached = next.state;
    }
    return reached;
  }
}

function callInput(input: ScenarioInput): CallInput {
  return input === '-' ? { kind: 'silence' } : { kind: 'key', key: input };
}
