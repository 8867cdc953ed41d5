import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import type { CallHappening, CallPort } from '../../../../contract/menu/ivr-call.ts';
import {
  type IvrDocument,
  draftBounds,
  type Scenario,
  type ScenarioEnd,
} from '../../../../contract/menu/ivr-draft.ts';
import type { CallState, CallTime } from '../../../../core/ivr/call/step.ts';
import type { Port } from '../../../../core/ivr/edit/lines.ts';
import type { Flow } from '../../../../core/ivr/flow.ts';
import type { LitPath } from '../designer-store.ts';
import { useDesigner } from '../use-designer.ts';
import { browserTimer, type Pace, PlayClock, type PlayState } from './play-clock.ts';
import { browserVoice, promptMs } from './prompt-voice.ts';
import { freeScenarioId } from '../../../../core/ivr/edit/edit-nodes.ts';
import { callTimeOf, type PlannedCall, runInputs } from '../../../../core/ivr/call/run-scenario.ts';
import { isoInstant } from '../../../../core/iso-instant.ts';
import { scenarioText } from '../../../../text/menu/test-call.ts';

/** One call. It stops when its view is removed. */
export function useCall({
  flow,
  planned,
  pace,
  isMuted,
}: {
  flow: Flow;
  planned: PlannedCall;
  pace: Pace;
  isMuted: boolean;
}): { readonly clock: PlayClock; readonly state: PlayState } {
  const { store, referenceData } = useDesigner();
  const [clock] = useState(() => {
    return new PlayClock({
      flow,
      planned,
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
    if (happening.kind === 'entered' || happening.kind === 'hours') nodes.add(happening.menu);
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
  // A dialled number has no line.
  if (port.kind === 'number') return null;
  if (port.kind !== 'key') return { kind: port.kind, menu: id };
  const menu = document.nodes[id];
  const index = menu?.kind === 'menu' ? menu.keys.findIndex(({ key }) => key === port.key) : -1;
  return index < 0 ? null : { kind: 'key', menu: id, index };
}

/** Where a call with these inputs ends, after all prompts. */
export function endOfCall(flow: Flow, planned: PlannedCall): ScenarioEnd {
  const { state } = runInputs(flow, planned.inputs, callTimeOf(planned, Date.now()));
  return state.kind === 'ended'
    ? { kind: 'destination', destination: state.destination }
    : { kind: 'menu', menu: state.menu };
}

/**
 * A call as it can be made again with the same result.
 *
 * One that the hours of a schedule led keeps the instant at which it came: what passes in the morning would otherwise fail in the
 * evening, and block publishing.
 */
export function repeatableCall(
  { inputs, switches = {} }: PlannedCall,
  { at }: CallTime,
  happenings: readonly CallHappening[],
): PlannedCall {
  const isLedByHours = happenings.some(
    (happening) => happening.kind === 'hours' && happening.reason.kind !== 'by_hand',
  );
  const set = Object.entries(switches).filter(([, { to }]) => to !== 'schedule');
  return {
    inputs,
    ...(isLedByHours ? { at: isoInstant(at) } : {}),
    ...(set.length === 0 ? {} : { switches: Object.fromEntries(set) }),
  };
}

/** A call that comes now and presses nothing, as it can be made again. */
export function callNow(flow: Flow): PlannedCall {
  const time = callTimeOf({}, Date.now());
  return repeatableCall({ inputs: [] }, time, runInputs(flow, [], time).happenings);
}

/** A call as a scenario that expects the same result; null if it has too many inputs for a scenario. */
export function scenarioOfCall(
  document: IvrDocument,
  flow: Flow,
  { name, planned }: { readonly name: string; readonly planned: PlannedCall },
): Scenario | null {
  if (planned.inputs.length > draftBounds.inputs) return null;
  return {
    id: freeScenarioId(document),
    name: name.trim().slice(0, 100) || scenarioText.unnamed,
    ...planned,
    inputs: [...planned.inputs],
    expected: endOfCall(flow, planned),
  };
}
