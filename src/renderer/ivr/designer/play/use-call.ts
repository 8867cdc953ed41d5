import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import type { CallHappening, CallPort } from '../../../../contract/menu/ivr-call.ts';
import {
  type IvrDocument,
  type ScenarioInput,
  draftBounds,
  type Scenario,
  type ScenarioEnd,
} from '../../../../contract/menu/ivr-draft.ts';
import type { CallState } from '../../../../core/ivr/call/step.ts';
import type { Port } from '../../../../core/ivr/edit/lines.ts';
import type { Flow } from '../../../../core/ivr/flow.ts';
import type { LitPath } from '../designer-store.ts';
import { useDesigner } from '../use-designer.ts';
import { browserTimer, type Pace, PlayClock, type PlayState } from './play-clock.ts';
import { browserVoice, promptMs } from './prompt-voice.ts';
import { freeScenarioId } from '../../../../core/ivr/edit/edit-nodes.ts';
import { runInputs } from '../../../../core/ivr/call/run-scenario.ts';
import { scenarioText } from '../../../../text/menu/test-call.ts';

/** One call. It stops when its view is removed. */
export function useCall({
  flow,
  inputs,
  pace,
  isMuted,
}: {
  flow: Flow;
  inputs: readonly ScenarioInput[];
  pace: Pace;
  isMuted: boolean;
}): { readonly clock: PlayClock; readonly state: PlayState } {
  const { store, referenceData } = useDesigner();
  const [clock] = useState(() => {
    return new PlayClock({
      flow,
      inputs,
      pace,
      isMuted,
      timer: browserTimer,
      voice: browserVoice(referenceData),
      lengthOf: (prompt) => promptMs(prompt, referenceData),
    });
  });
  const state = useSyncExternalStore(clock.subscribe, clock.state);
  const { happenings, call } = state;
  const light = useEffectEvent(() => store.light(litPath(store.state().document, happenings, call)));

  useEffect(() => {
    clock.start();
    return () => clock.close();
  }, [clock]);
  useEffect(() => light(), [happenings]);
  return { clock, state };
}

/** The path of a call: every node it reached and every line it took. */
export function litPath(
  document: IvrDocument,
  happenings: readonly CallHappening[],
  state: CallState,
): LitPath {
  const nodes = new Set<string>(['caller']);
  const lines = new Map<string, Port>([['caller', { kind: 'caller' }]]);
  for (const happening of happenings) {
    if (happening.kind === 'entered') nodes.add(happening.menu);
    if (happening.kind !== 'led') continue;
    const line = lineOf(document, happening.menu, happening.port);
    if (line !== null) lines.set(JSON.stringify(line), line);
    if (happening.to.kind === 'destination' && happening.to.node !== null) nodes.add(happening.to.node);
  }
  const at = state.kind === 'ended' ? (state.node ?? 'caller') : state.menu;
  return { nodes, lines: [...lines.values()], at };
}

/** Null for a key that the menu no longer has. */
function lineOf(document: IvrDocument, id: CallHappening['menu'], port: CallPort): Port | null {
  if (port.kind === 'wrong_key') return { kind: 'invalid', menu: id };
  if (port.kind === 'silence') return { kind: 'timeout', menu: id };
  const menu = document.nodes[id];
  const index = menu?.kind === 'menu' ? menu.keys.findIndex(({ key }) => key === port.key) : -1;
  return index < 0 ? null : { kind: 'key', menu: id, index };
}

/** Where a call with these inputs ends, after all prompts. */
export function endOfCall(flow: Flow, inputs: readonly ScenarioInput[]): ScenarioEnd {
  const { state } = runInputs(flow, inputs);
  return state.kind === 'ended'
    ? { kind: 'destination', destination: state.destination }
    : { kind: 'menu', menu: state.menu };
}

/** A call as a scenario that expects the same result; null if it has too many inputs for a scenario. */
export function scenarioOfCall(
  document: IvrDocument,
  flow: Flow,
  { name, inputs }: { readonly name: string; readonly inputs: readonly ScenarioInput[] },
): Scenario | null {
  if (inputs.length > draftBounds.inputs) return null;
  return {
    id: freeScenarioId(document),
    name: name.trim().slice(0, 100) || scenarioText.unnamed,
    inputs: [...inputs],
    expected: endOfCall(flow, inputs),
  };
}
